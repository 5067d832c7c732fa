package oauth

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Limits of what a client registers.
const (
	redirectsMax   = 20
	redirectLength = 2048
)

// unsafeSchemes are the schemes that a browser would run, show or fetch itself instead of handing the code to a program.
var unsafeSchemes = []string{
	"about", "blob", "chrome", "data", "feed", "file", "filesystem", "ftp", "jar", "javascript", "livescript", "mailto",
	"resource", "sms", "tel", "urn", "vbscript", "view-source", "ws", "wss",
}

// checkRedirect refuses what must never receive a code: https anywhere, http on this machine (RFC 8252 §7.3) and the private
// schemes of native programs (§7.1) are good. The address is compared and used as it is written, so it has to be written
// plainly: no fragment, no user, no white space or control characters, no backslash.
func checkRedirect(raw string) error {
	if raw == "" || len(raw) > redirectLength {
		return fmt.Errorf("needs 1 to %d characters", redirectLength)
	}
	for _, r := range raw {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune(`\"<>^{|}`+"`", r) {
			return fmt.Errorf("contains %q, which has to be percent-encoded", r)
		}
	}
	if strings.Contains(raw, "#") {
		return errors.New("must not have a fragment")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return errors.New("is not an address")
	}
	switch scheme := strings.ToLower(u.Scheme); {
	case scheme == "":
		return errors.New("has no scheme")
	case slices.Contains(unsafeSchemes, scheme):
		return fmt.Errorf("must not use the scheme %s", scheme)
	case u.User != nil:
		return errors.New("must not name a user")
	case scheme == "https" && u.Hostname() == "":
		return errors.New("has no host")
	case scheme == "http" && !isLoopback(u.Hostname()):
		return errors.New("has to use https; plain http is for 127.0.0.1, [::1] and localhost only")
	}
	return nil
}

// isLoopback reports whether a host is this machine by one of the three names that clients use.
func isLoopback(host string) bool {
	host = strings.ToLower(host)
	return host == "127.0.0.1" || host == "::1" || host == "localhost"
}

// matchRedirect reports whether a code may be sent to requested by a client that registered these addresses: one of them as
// written, or one on this machine with any port, because a native program takes the port it gets (RFC 8252 §7.3). Where
// public says so the three names of this machine stand for each other; PKCE protects such a client whichever it uses.
func matchRedirect(registered []string, requested string, public bool) bool {
	if checkRedirect(requested) != nil {
		return false
	}
	if slices.Contains(registered, requested) {
		return true
	}
	got, ok := loopbackRedirect(requested)
	if !ok {
		return false
	}
	return slices.ContainsFunc(registered, func(raw string) bool {
		want, ok := loopbackRedirect(raw)
		return ok && (public || strings.EqualFold(want.Hostname(), got.Hostname())) &&
			rooted(want) == rooted(got) && want.RawQuery == got.RawQuery && want.ForceQuery == got.ForceQuery
	})
}

// loopbackRedirect parses a redirect address on this machine.
func loopbackRedirect(raw string) (*url.URL, bool) {
	u, err := url.Parse(raw)
	if err != nil || !strings.EqualFold(u.Scheme, "http") || !isLoopback(u.Hostname()) || u.User != nil {
		return nil, false
	}
	return u, true
}

// rooted is the path with the slash that an empty one stands for.
func rooted(u *url.URL) string {
	if path := u.EscapedPath(); path != "" {
		return path
	}
	return "/"
}

// redirectHost is what a person is told about where an answer goes.
func redirectHost(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if u.Host == "" {
		return u.Scheme + ":"
	}
	return u.Host
}

// answerURL adds the parameters of an authorization answer to a redirect address, which stays byte for byte what it was. The
// issuer is always among them (RFC 9207).
func answerURL(redirect, issuer string, state *string, answer url.Values) string {
	answer.Set("iss", issuer)
	if state != nil {
		answer.Set("state", *state)
	}
	mark := "?"
	switch {
	case strings.HasSuffix(redirect, "?"), strings.HasSuffix(redirect, "&"):
		mark = ""
	case strings.Contains(redirect, "?"):
		mark = "&"
	}
	return redirect + mark + answer.Encode()
}
