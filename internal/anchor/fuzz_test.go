package anchor_test

import (
	"errors"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"driftless/internal/anchor"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"services/**/*.go", "!src/gen/**", "./cmd//tool/", "Makefile", "src/*.{ts,{js,mjs}x}", "a/b.go#T.m",
		"[!a-z]", "{[}],a}", "{,a}", "e\u0301/{a,b}\u0301", "a}b", `a\b`, "../x", ".", "/", "***/**/**", "{{{{}}}}", "{#,/}",
	} {
		f.Add(seed, "src/a.go")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		a, err := anchor.Parse(text)
		if err != nil {
			var refused *anchor.SyntaxError
			if !errors.As(err, &refused) || refused.Offset > len(refused.Text) || refused.Reason == "" {
				t.Fatalf("Parse(%q): %#v does not say where and why", text, err)
			}
			if !utf8.ValidString(err.Error()) {
				t.Fatalf("Parse(%q): the error is not UTF-8", text)
			}
			return
		}
		if a.Text != text || len(a.Canonical) == 0 || len(a.Canonical) > 2*anchor.MaxAlternatives || !slices.IsSorted(a.Canonical) {
			t.Fatalf("Parse(%q) = %#v", text, a)
		}
		for _, pattern := range a.Canonical {
			if !doublestar.ValidatePattern(pattern) {
				t.Fatalf("Parse(%q): %q is no valid pattern", text, pattern)
			}
		}
		checkFixpoint(t, a)
		trie := anchor.NewTrie[string]()
		trie.Add("", anchor.Set{a})
		if _, want := (anchor.Set{a}).Match(path); want != (len(trie.Match(path)) == 1) {
			t.Fatalf("%q and %q: the set says %v, the trie says otherwise", text, path, want)
		}
		trie.Remove("")
		if hits := trie.Match(path); len(hits) != 0 {
			t.Fatalf("%q is still in the trie", text)
		}
	})
}
