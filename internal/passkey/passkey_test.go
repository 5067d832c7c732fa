package passkey

import "testing"

func TestTheRelyingPartyIsThePublicAddressWhereBrowsersHavePasskeys(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]struct {
		id, origin string
		ok         bool
	}{
		"https://context.example.com":      {"context.example.com", "https://context.example.com", true},
		"https://Context.Example.com:443":  {"context.example.com", "https://context.example.com", true},
		"https://context.example.com:8443": {"context.example.com", "https://context.example.com:8443", true},
		"http://localhost:8080":            {"localhost", "http://localhost:8080", true},
		"http://a.localhost":               {"a.localhost", "http://a.localhost", true},
		"http://context.example.com":       {},
		"http://127.0.0.1:8080":            {},
		"https://[2001:db8::1]":            {},
		"https://192.0.2.1":                {},
	} {
		id, origin, ok := relyingParty(public)
		if id != want.id || origin != want.origin || ok != want.ok {
			t.Errorf("%s: %q %q %v, want %+v", public, id, origin, ok, want)
		}
	}
}
