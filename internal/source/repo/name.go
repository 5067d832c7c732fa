// Package repo owns how a repository is spoken of: one name however its remote is spelled, the patterns that pick branches,
// the list of its files in the form in which it is sent and kept, and what changed between two such lists.
//
// It is pure, so that the command line and the server agree. It refuses to read a repository or a database, and knows no text
// of a file.
package repo

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NameMax is the longest name of a repository, in bytes.
const NameMax = 500

var errShape = errors.New("write it as https://host/path, ssh://host/path, user@host:path or host/path")

// Name reduces a remote to the one name of its repository, host/path: scheme, user, port, ".git" and the case of the host say
// how to get there, not what it is. It takes URLs, the form of scp (user@host:path) and names that were reduced before. A path
// on this machine names nothing that another one could know, and is refused.
func Name(remote string) (string, error) {
	text := strings.TrimSpace(remote)
	refuse := func(reason error) (string, error) {
		return "", fmt.Errorf("%q names no repository: %w", shortened(text), reason)
	}
	host, path, ok := cut(text)
	if !ok {
		return refuse(errShape)
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if !isHost(host) {
		return refuse(fmt.Errorf("%q is not the name of a host", shortened(host)))
	}
	path = norm.NFC.String(path)
	if !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) || r == '\\' }) {
		return refuse(errors.New("its path holds spaces, backslashes or characters that are no text"))
	}
	segments := []string{host}
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "", ".":
		case "..":
			return refuse(errors.New(`its path holds ".."`))
		default:
			segments = append(segments, segment)
		}
	}
	for last := len(segments) - 1; last > 0; last = len(segments) - 1 {
		bare := strings.TrimSuffix(segments[last], ".git")
		if bare == segments[last] {
			name := strings.Join(segments, "/")
			if len(name) > NameMax {
				return refuse(fmt.Errorf("it is longer than %d bytes", NameMax))
			}
			return name, nil
		}
		segments[last] = bare
		if bare == "" {
			segments = segments[:last]
		}
	}
	return refuse(errShape)
}

// cut splits a remote into its host, without user and port, and its path.
func cut(text string) (host, path string, ok bool) {
	if strings.Contains(text, "://") {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" {
			return "", "", false
		}
		host = u.Hostname()
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return host, u.Path, true
	}
	head, _, _ := strings.Cut(text, "/")
	user, _, _ := strings.Cut(head, ":")
	at := strings.LastIndexByte(user, '@')
	text, head = text[at+1:], head[at+1:]
	// Behind the bracket of an address of IPv6 the same follows as behind a name.
	from := 0
	if strings.HasPrefix(head, "[") {
		from = max(0, strings.IndexByte(head, ']'))
	}
	if colon := strings.IndexByte(head[from:], ':'); colon >= 0 {
		host, path = text[:from+colon], text[from+colon+1:]
		return host, path, at >= 0 || len(host) > 1 // one letter is a drive
	}
	host, path, ok = strings.Cut(text, "/")
	named := strings.Contains(host, ".") || strings.HasPrefix(host, "[") || strings.EqualFold(host, "localhost")
	return host, path, ok && named && !strings.HasPrefix(host, ".")
}

func isHost(host string) bool {
	if inner, is := strings.CutPrefix(host, "["); is {
		inner, is = strings.CutSuffix(inner, "]")
		return is && inner != "" && strings.Trim(inner, "0123456789abcdef:.") == ""
	}
	// A dot at the end is the root of the name service and was taken off; what is left has no empty label (RFC 1035 §2.3.1).
	labelled := host != "" && host[0] != '.' && !strings.HasSuffix(host, ".") && !strings.Contains(host, "..")
	return labelled && host[0] != '-' && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.-_") == ""
}

func shortened(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return text
}
