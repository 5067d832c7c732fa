package oauth

import (
	"net/url"
	"strings"
)

// isResource reports whether text names the protected resource whose canonical address is given (RFC 8707 §2). Clients derive
// the address in different ways, so the bare origin, a slash at the end, an upper-case scheme or host and a default port
// that is written out are the same resource. A fragment, a query or a user never are.
func isResource(text, canonical string) bool {
	if text == canonical {
		return true
	}
	if strings.ContainsAny(text, "#?\\") {
		return false
	}
	got, err := url.Parse(text)
	if err != nil || got.User != nil {
		return false
	}
	want, err := url.Parse(canonical)
	if err != nil || origin(got) != origin(want) {
		return false
	}
	path := strings.TrimSuffix(got.EscapedPath(), "/")
	return path == "" || path == want.EscapedPath()
}

// origin is scheme, host and port of an address in the one form in which they compare (RFC 3986 §6.2.2.1, §6.2.3).
func origin(u *url.URL) string {
	scheme, port := strings.ToLower(u.Scheme), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
