package mirror

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"driftless/internal/egress"
	"driftless/internal/source/repo"
)

// Remote is where a repository is fetched from, and with which credential.
type Remote struct {
	// URL is as [Address] answers it.
	URL string
	// Username goes with Token, over https. Both empty is a repository that anybody may read.
	Username, Token string
	// Key is a private key in the form of OpenSSH, for ssh.
	Key []byte
	// HostKeys are the lines of known_hosts that the host has to fit; empty takes the key that it shows the first time.
	HostKeys string
}

var (
	errScheme = errors.New("a mirror is fetched over https or ssh: write https://host/path or ssh://git@host/path")
	errSecret = errors.New("a URL must hold no user over https and no password; give the token by itself")
	userName  = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$`)
	scpForm   = regexp.MustCompile(`^([A-Za-z0-9_][A-Za-z0-9._-]*)@([^:/\[\]]+):([^:].*)$`)
)

// Address brings the URL of a mirror into one form, or says why it is none. The short form git@host:path is ssh. It does not look the
// host up; an address that leads inside is told when it is fetched.
func Address(text string) (string, error) {
	text = strings.TrimSpace(text)
	if m := scpForm.FindStringSubmatch(text); m != nil && !strings.Contains(text, "://") {
		text = "ssh://" + m[1] + "@" + m[2] + "/" + strings.TrimPrefix(m[3], "/")
	}
	if _, err := repo.Name(text); err != nil {
		return "", fmt.Errorf("not the address of a repository: %w", err)
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Opaque != "" || u.Scheme != "https" && u.Scheme != "ssh" {
		return "", errScheme
	}
	if _, secret := u.User.Password(); secret || u.Scheme == "https" && u.User != nil {
		return "", errSecret
	}
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", errors.New("the URL of a mirror has no query and no fragment")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return "", errors.New("its port is none")
		}
	}
	if u.Scheme == "ssh" {
		if u.User == nil {
			u.User = url.User("git")
		}
		if !userName.MatchString(u.User.Username()) {
			return "", errors.New("the user of the URL has characters that no account has")
		}
	}
	u.Host = strings.ToLower(u.Host)
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && ip.Zone() != "" {
		return "", egress.ErrInside
	}
	return u.String(), nil
}

// place is the host and the port that a URL of a mirror leads to.
func place(u *url.URL) (host, port string) {
	port = u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "ssh": "22"}[u.Scheme]
	}
	return u.Hostname(), port
}

// knownAs is the name of a host in known_hosts.
func knownAs(host, port string) string {
	if port == "22" {
		return host
	}
	return "[" + host + "]:" + port
}

// pinned is the entry that makes curl connect to an address that was checked, whatever the name is by then.
func pinned(host, port string, ips []netip.Addr) string {
	all := make([]string, 0, len(ips))
	for _, ip := range ips {
		text := ip.String()
		if ip.Is6() {
			text = "[" + text + "]"
		}
		all = append(all, text)
	}
	return net.JoinHostPort(host, port) + ":" + strings.Join(all, ",")
}
