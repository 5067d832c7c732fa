package mirror_test

import (
	"net/url"
	"strings"
	"testing"

	"driftless/internal/source/mirror"
)

func TestAMirrorIsReachedOverHTTPSOrSSHAlone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://git.example.test/acme/shop.git":    "https://git.example.test/acme/shop.git",
		" https://GIT.example.test:8443/acme/shop ": "https://git.example.test:8443/acme/shop",
		"ssh://git@git.example.test:2222/acme/shop": "ssh://git@git.example.test:2222/acme/shop",
		"ssh://git.example.test/acme/shop":          "ssh://git@git.example.test/acme/shop",
		"git@git.example.test:acme/shop.git":        "ssh://git@git.example.test/acme/shop.git",
		"https://[2001:db8::1]/acme/shop":           "https://[2001:db8::1]/acme/shop",
		"http://git.example.test/acme/shop":         "",
		"git://git.example.test/acme/shop":          "",
		"file:///srv/shop.git":                      "",
		"/srv/shop.git":                             "",
		"./shop":                                    "",
		"C:\\shop":                                  "",
		"ext::sh -c whoami":                         "",
		"ext::https://git.example.test/acme/shop":   "",
		"https::https://git.example.test/acme/shop": "",
		"fd::17":                                      "",
		"https://u:p@git.example.test/acme/shop":      "",
		"https://token@git.example.test/acme/shop":    "",
		"ssh://git:p@git.example.test/acme/shop":      "",
		"ssh://-oProxyCommand=x/acme/shop":            "",
		"ssh://-oProxyCommand=x@git.example.test/a/b": "",
		"-u@git.example.test:acme/shop":               "",
		"git@-oProxyCommand=x:acme/shop":              "",
		"https://git.example.test/acme/shop?x=1":      "",
		"https://git.example.test/acme/shop#x":        "",
		"https://git.example.test/acme/../shop":       "",
		"https://git.example.test:0/acme/shop":        "",
		"https://git.example.test:99999/acme/shop":    "",
		"https://git.example.test/a b":                "",
		"https://git.example.test/a\nb":               "",
		"https://[fe80::1%25eth0]/acme/shop":          "",
		"https:///acme/shop":                          "",
		"":                                            "",
	} {
		got, err := mirror.Address(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"https://git.example.test/acme/shop.git", "git@git.example.test:acme/shop", "ext::sh", "ssh://a@[::1]:22/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := mirror.Address(text)
		if err != nil {
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.Scheme != "https" && u.Scheme != "ssh" || strings.HasPrefix(u.Host, "-") || strings.ContainsAny(u.Host, "'\"%") || strings.ContainsAny(got, " \n\x00") {
			t.Errorf("%q is taken as %q", text, got)
		}
		if again, err := mirror.Address(got); err != nil || again != got {
			t.Errorf("%q is %q, and that is %q, %v", text, got, again, err)
		}
	})
}
