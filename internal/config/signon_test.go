package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/config"
)

func TestProvidersAreReadInTheirOrder(t *testing.T) {
	environ(t, map[string]string{"DRIFTLESS_SIGNON": `[
		{"id": "work", "name": "Work", "issuer": "https://id.example.com/", "client_id": "a", "client_secret": "b", "domains": ["Example.com"], "create": true},
		{"id": "local", "name": "Local", "issuer": "http://127.0.0.1:9000/realms/team", "client_id": "a", "client_secret": "b", "scopes": ["email", "profile"]},
		{"id": "github", "name": "GitHub", "github": true, "client_id": "a", "client_secret": "b"},
		{"id": "forge", "name": "Forge", "github": true, "base_url": "https://forge.example.com/", "client_id": "a", "client_secret": "b"}
	]`})
	c, err := config.FromEnviron()
	if err != nil {
		t.Fatal(err)
	}
	var issuers []string
	for _, p := range c.SignOn {
		issuers = append(issuers, p.IssuerURL())
	}
	want := []string{
		"https://id.example.com/", "http://127.0.0.1:9000/realms/team", "https://github.com/login/oauth", "https://forge.example.com/login/oauth",
	}
	if diff := cmp.Diff(want, issuers); diff != "" {
		t.Errorf("issuers (-want +got):\n%s", diff)
	}
}

func TestEveryProblemOfAProviderIsSaidAtOnceAndNoSecret(t *testing.T) {
	for list, words := range map[string][]string{
		`not a list`:                  {"DRIFTLESS_SIGNON: cannot be read"},
		`[] []`:                       {"something after the list"},
		`[{"ids": "x"}]`:              {`unknown field "ids"`},
		`[{"id": 7, "name": "x"}]`:    {"id"},
		`{"id": "x", "name": "x"}`:    {"cannot be read"},
		`[{"client_secret": "hush"}]`: {"number 1 needs an id", "number 1 needs a name", "number 1 needs either an issuer or github: true", "number 1 needs client_id and client_secret"},
		`[{"id": "a", "name": "A", "issuer": "http://id.example.com", "client_id": "x", "client_secret": "hush", "scopes": ["a b"], "domains": ["@example.com"]},
		  {"id": "a", "name": "A", "github": true, "issuer": "https://x.example", "client_id": "x", "client_secret": "hush"},
		  {"id": "b", "name": "B", "github": true, "base_url": "https://x.example/forge", "client_id": "x", "client_secret": "hush"},
		  {"id": "c", "name": "C", "issuer": "https://c.example?x=1", "client_id": "x", "client_secret": "hush"},
		  {"id": "d", "name": "D", "issuer": "https://d.example", "base_url": "https://d.example", "client_id": "x", "client_secret": "hush"},
		  {"id": "e", "name": "E", "issuer": "https://e.example", "client_id": "x", "client_secret": "hush"},
		  {"id": "f", "name": "F", "issuer": "https://e.example", "client_id": "x", "client_secret": "hush"}]`: {
			`a has the issuer "http://id.example.com"`, `a has "a b" among its scopes`, `a has "@example.com" among its domains`,
			"a is there twice", "a needs either an issuer or github: true", `b has the base_url "https://x.example/forge"`,
			`c has the issuer "https://c.example?x=1"`, "d has a base_url", "f has the same issuer as another one",
		},
	} {
		environ(t, map[string]string{"DRIFTLESS_SIGNON": list, "DRIFTLESS_LOG": "loud"})
		_, err := config.FromEnviron()
		if err == nil {
			t.Errorf("%s was accepted", list)
			continue
		}
		for _, w := range append(words, "DRIFTLESS_LOG:") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q is not in:\n%v", w, err)
			}
		}
		if strings.Contains(err.Error(), "hush") {
			t.Errorf("a secret is in:\n%v", err)
		}
		if n := strings.Count(err.Error(), "DRIFTLESS_SIGNON:"); n != 1 {
			t.Errorf("the variable is named %d times in:\n%v", n, err)
		}
	}
}
