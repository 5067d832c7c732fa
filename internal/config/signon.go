package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strings"
)

// Provider is one server that people may sign in at: an issuer of OpenID Connect, or one that speaks OAuth 2 as GitHub does.
type Provider struct {
	// ID is in the redirect address, so it stays as it is once people have linked themselves.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Issuer is exactly what the tokens say, with or without a slash at the end.
	Issuer string `json:"issuer"`
	GitHub bool   `json:"github"`
	// BaseURL is where a GitHub Enterprise Server is; without it, GitHub itself is meant.
	BaseURL      string   `json:"base_url"`
	ClientID     string   `json:"client_id"`
	ClientSecret string   `json:"client_secret"`
	Scopes       []string `json:"scopes"`
	// Domains are those of the verified addresses that may sign on here; without any, all may.
	Domains []string `json:"domains"`
	// Create lets somebody without an invitation make an account.
	Create bool `json:"create"`
}

// GitHubURL is where GitHub itself is.
const GitHubURL = "https://github.com"

// IssuerURL is what the provider calls itself in its answers (RFC 9207), and what makes a subject of it unique.
func (p Provider) IssuerURL() string {
	if p.GitHub {
		return p.Base() + "/login/oauth"
	}
	return p.Issuer
}

// Base is where a provider that is like GitHub has its pages.
func (p Provider) Base() string {
	if p.BaseURL == "" {
		return GitHubURL
	}
	return strings.TrimRight(p.BaseURL, "/")
}

// Providers are the servers that people may sign in at, in the order in which they are shown.
type Providers []Provider

// UnmarshalText reads the JSON list. A field that there is not is refused, so that a slip in a rule about who may sign in is
// seen.
func (p *Providers) UnmarshalText(text []byte) error {
	var list []Provider
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&list)
	if err == nil && !errors.Is(d.Decode(&struct{}{}), io.EOF) {
		err = errors.New("there is something after the list")
	}
	if err != nil {
		return unreadable{err}
	}
	*p = list
	return nil
}

// unreadable says why a secret could not be read without saying what is in it.
type unreadable struct{ cause error }

func (u unreadable) Error() string {
	return strings.TrimPrefix(u.cause.Error(), "json: ")
}

var (
	providerID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)
	scopeToken = regexp.MustCompile(`^[\x21\x23-\x5b\x5d-\x7e]+$`) // RFC 6749 section 3.3
	domainName = regexp.MustCompile(`^([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z0-9-]+$`)
)

// providerNameMax is the length of the name on a button, in characters.
const providerNameMax = 60

// problems are what is wrong with the providers, each named by its id or its place.
func (p Providers) problems() (problems []string) {
	ids, issuers := map[string]bool{}, map[string]bool{}
	for i, one := range p {
		name := one.ID
		if name == "" {
			name = fmt.Sprintf("number %d", i+1)
		}
		say := func(format string, args ...any) { problems = append(problems, name+" "+fmt.Sprintf(format, args...)) }
		if !providerID.MatchString(one.ID) {
			say("needs an id: 1 to 32 of a-z, 0-9 and -, beginning with a letter or digit")
		} else if ids[one.ID] {
			say("is there twice")
		}
		if n := len([]rune(one.Name)); n == 0 || n > providerNameMax {
			say("needs a name of 1 to %d characters", providerNameMax)
		}
		switch {
		case one.GitHub == (one.Issuer != ""):
			say("needs either an issuer or github: true")
		case one.GitHub && one.BaseURL != "" && !isProviderURL(one.BaseURL, false):
			say("has the base_url %q, which is not an https address without path", one.BaseURL)
		case !one.GitHub && one.BaseURL != "":
			say("has a base_url, which goes with github: true alone")
		case !one.GitHub && !isProviderURL(one.Issuer, true):
			say("has the issuer %q, which is not an https address", one.Issuer)
		case issuers[one.IssuerURL()]:
			say("has the same issuer as another one")
		}
		ids[one.ID], issuers[one.IssuerURL()] = true, true
		if one.ClientID == "" || one.ClientSecret == "" {
			say("needs client_id and client_secret")
		}
		for _, scope := range one.Scopes {
			if !scopeToken.MatchString(scope) {
				say("has %q among its scopes, which is not one", scope)
			}
		}
		for _, domain := range one.Domains {
			if !domainName.MatchString(domain) {
				say("has %q among its domains, which is not a name such as example.com", domain)
			}
		}
	}
	return problems
}

// isProviderURL accepts https, and http on this machine.
func isProviderURL(text string, path bool) bool {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(text, "?#") {
		return false
	}
	if !path && strings.Trim(u.Path, "/") != "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && ThisMachine(u.Hostname())
}

// ThisMachine reports whether a host is this machine by its name or address, so that nobody in between can listen.
func ThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
