package repo_test

import (
	"strings"
	"testing"

	"driftless/internal/source/repo"
)

func TestEverySpellingOfARemoteIsOneName(t *testing.T) {
	t.Parallel()
	for want, spellings := range map[string][]string{
		"git.example.test/acme/shop": {
			"https://git.example.test/acme/shop.git", "https://git.example.test/acme/shop", "http://git.example.test/acme/shop/",
			"https://user@git.example.test/acme/shop.git", "https://user:secret@git.example.test:8443/acme/shop.git",
			"ssh://git@git.example.test/acme/shop.git", "ssh://git@GIT.Example.Test:2222/acme/shop", "git+ssh://git.example.test/acme/shop",
			"git://git.example.test/acme/shop.git", "git@git.example.test:acme/shop.git", "git.example.test:acme/shop", "git@git.example.test:/acme/shop.git/",
			"https://git.example.test//acme/./shop.git/", "https://git.example.test/acme/shop.git?ref=x#y", "git.example.test./acme/shop",
			"git.example.test/acme/shop", " git.example.test/acme/shop.git\n", "https://git.example.test/acme/shop/.git",
		},
		"git.example.test/git/acme/Shop": {"http://u@git.example.test:8080/git/acme/Shop", "git@git.example.test:git/acme/Shop.git"},
		"localhost/acme/shop":            {"http://localhost:3000/acme/shop.git", "localhost/acme/shop"},
		"[::1]/acme/shop":                {"http://[::1]:3000/acme/shop.git", "git@[::1]:acme/shop", "[::1]/acme/shop"},
		"git.example.test/~ada/shop":     {"ssh://git.example.test/~ada/shop", "git.example.test:~ada/shop.git"},
		"gitea/acme/shop":                {"git@gitea:acme/shop", "http://gitea/acme/shop"},
		"git.example.test/acme/ñandú":    {"https://git.example.test/acme/%C3%B1and%C3%BA", "https://git.example.test/acme/n\u0303andu\u0301"},
	} {
		for _, spelling := range spellings {
			got, err := repo.Name(spelling)
			if err != nil || got != want {
				t.Errorf("Name(%q) = %q, %v; want %q", spelling, got, err, want)
			}
		}
	}
}

func TestWhatNamesNoRepositoryIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " ", "shop", "acme/shop", "/srv/git/shop.git", "./shop", "../shop", "file:///srv/git/shop.git", `C:\git\shop`, "C:/git/shop",
		"https://", "https:///shop", "https://host.test", "https://host.test/.git", "https://host.test/a/../b", "https://ho st.test/a",
		"https://host.test/a b", "https://host.test/a\\b", "https://host.test/%00", "host.test/\xff", "host.test:", "@:", "[::1", "-x.test/a", "h..:a", "git..example.test/a",
		"https://host.test/" + strings.Repeat("a", repo.NameMax),
	} {
		if got, err := repo.Name(text); err == nil {
			t.Errorf("Name(%q) = %q; it must be refused", text, got)
		}
	}
}

func FuzzName(f *testing.F) {
	for _, seed := range []string{"https://u@h.test:80/a/b.git", "git@h.test:a/b", "h.test/a", "[::1]:a", "ssh://h/~a/.git", "h.test/a%2Fb", "h..:a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := repo.Name(text)
		if err != nil {
			return
		}
		if again, err := repo.Name("ssh://git@" + name + ".git"); err == nil && !strings.ContainsAny(name, "%?#") && again != name {
			t.Errorf("%q is %q, and over ssh %q", text, name, again)
		}
		host, path, _ := strings.Cut(name, "/")
		if again, err := repo.Name("git@" + host + ":" + path + ".git"); err != nil || again != name {
			t.Errorf("%q is %q, and as scp writes it %q, %v", text, name, again, err)
		}
		if len(name) > repo.NameMax {
			t.Errorf("%q has %d bytes", name, len(name))
		}
	})
}
