package cli

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSplittingLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z{},/*. ]{0,30}`).Draw(t, "text")
		parts := split(text)
		if got := strings.Join(parts, ","); got != text {
			t.Fatalf("%q became %q", text, parts)
		}
		if strings.Contains(text, " ") && len(parts) != 1 {
			t.Fatalf("the sentence %q was split into %q", text, parts)
		}
	})
}

func TestAnOriginHoldsNoCredential(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string]string{
		"https://user:secret@git.example.com:8443/org/repo.git": "git.example.com:8443/org/repo",
		"git@git.example.com:org/repo.git":                      "git.example.com/org/repo",
		"ssh://git@git.example.com/org/repo":                    "git.example.com/org/repo",
		"/srv/git/repo":                                         "",
		"":                                                      "",
	} {
		got := remoteName(remote)
		if got != want {
			t.Errorf("%q is %q, want %q", remote, got, want)
		}
	}
}
