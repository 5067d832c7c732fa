package account

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"

	"driftless/internal/account/signon"
	"driftless/internal/opaque"
)

// attempt is what a sign-on has to remember while the browser is at the provider. It is kept sealed with the secret in the
// cookie of that browser, so that it is read by nobody else, and neither is the link of an invitation that is in it.
type attempt struct {
	signon.Attempt
	ReturnTo   string `json:"return_to"`
	Invitation string `json:"invitation,omitempty"`
}

func (a attempt) seal(browser string) ([]byte, error) {
	plain, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("write an attempt: %w", err)
	}
	key, err := attemptKey(browser, a.State)
	if err != nil {
		return nil, err
	}
	return opaque.Seal(plain, key)
}

func openAttempt(sealed []byte, browser, state string) (a attempt, err error) {
	key, err := attemptKey(browser, state)
	if err != nil {
		return a, err
	}
	plain, err := opaque.Open(sealed, key)
	if err != nil {
		return a, fmt.Errorf("open an attempt: %w", err)
	}
	if err := json.Unmarshal(plain, &a); err != nil {
		return a, fmt.Errorf("read an attempt: %w", err)
	}
	return a, nil
}

func attemptKey(browser, state string) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, []byte(browser), []byte(state), "driftless sign-on attempt", 32)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	return key, nil
}

// browserSecret is the secret of a browser: the one it has, so that sign-ons in two of its windows do not end each other, or
// a new one.
func browserSecret(has string) string {
	if opaque.Is(has) {
		return has
	}
	return opaque.New("")
}

// returnMax is the length of an address to return to, in bytes.
const returnMax = 2000

// returnPath is where to go after a sign-on: a path of this server as it is, and "/" for everything else. Browsers read a
// backslash as a slash and leave out line ends and tabs, so that neither may be in it.
func returnPath(text string) string {
	const home = "/"
	if len(text) > returnMax || strings.HasPrefix(text, "//") || !strings.HasPrefix(text, "/") {
		return home
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return home
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "" || u.Host != "" {
		return home
	}
	// A sign-on that leads to a sign-on would never end.
	if strings.HasPrefix(path.Clean(u.Path)+"/", "/signon/") {
		return home
	}
	return text
}
