package anchor_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"driftless/internal/anchor"
)

// The words are few and resemble each other, so that random patterns and paths
// meet: extensions that are names, a name that is a star, shared beginnings.

func segments() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"a", "b", "ab", "a.go", "b.go", ".go", "a_test.go", "c.d.ts", "é", "*"})
}

func paths() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(segments(), 1, 5), join)
}

func patterns() *rapid.Generator[string] {
	plain := segments().Filter(func(s string) bool { return s != "*" })
	wild := rapid.SampledFrom([]string{
		"*", "**", "?", "*.go", "a*", "*b", "[ab]", "[!a]", "[!a]b", "**.go", "*_test.go", "*.d.ts", "?.go", "*.",
		"*.[gx]o", "[.ab]go", "{a,b}", "{a,*.go}", "a{.go,}", "{a/b,**}",
	})
	bodies := rapid.Map(rapid.SliceOfN(rapid.OneOf(plain, plain, wild), 1, 5), join)
	return rapid.Custom(func(t *rapid.T) string {
		prefix := rapid.SampledFrom([]string{"", "", "", "!", "/", "./"}).Draw(t, "prefix")
		suffix := rapid.SampledFrom([]string{"", "", "", "/", "//.", "#a"}).Draw(t, "suffix")
		return prefix + bodies.Draw(t, "body") + suffix
	})
}

// sets leaves out what is refused, such as symbols of globs.
func sets() *rapid.Generator[anchor.Set] {
	texts := rapid.SliceOfN(patterns(), 0, 6)
	return rapid.Custom(func(t *rapid.T) anchor.Set {
		var all []anchor.Anchor
		for _, text := range texts.Draw(t, "texts") {
			if a, err := anchor.Parse(text); err == nil {
				all = append(all, a)
			}
		}
		set, err := anchor.NewSet(all)
		if err != nil {
			t.Fatal(err)
		}
		return set
	})
}

func join(parts []string) string {
	path := parts[0]
	for _, part := range parts[1:] {
		path += "/" + part
	}
	return path
}

// naive is what a trie must answer.
func naive[K comparable](sets map[K]anchor.Set, path string) map[K]anchor.Anchor {
	hits := make(map[K]anchor.Anchor)
	for key, set := range sets {
		if a, ok := set.Match(path); ok {
			hits[key] = a
		}
	}
	return hits
}

func byKey[K comparable](t rapid.TB, hits []anchor.Hit[K]) map[K]anchor.Anchor {
	found := make(map[K]anchor.Anchor)
	for _, hit := range hits {
		if _, twice := found[hit.Key]; twice {
			t.Errorf("key %v is hit twice", hit.Key)
		}
		found[hit.Key] = hit.Anchor
	}
	return found
}

func TestTrieAnswersLikeTheNaiveLoopWhateverIsAddedAndRemoved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		trie := anchor.NewTrie[int]()
		model := make(map[int]anchor.Set)
		keys := rapid.IntRange(0, 9)
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				key, set := keys.Draw(t, "key"), sets().Draw(t, "set")
				trie.Add(key, set)
				model[key] = set
			},
			"remove": func(t *rapid.T) {
				key := keys.Draw(t, "key")
				trie.Remove(key)
				delete(model, key)
			},
			"match": func(t *rapid.T) {
				path := paths().Draw(t, "path")
				if diff := cmp.Diff(naive(model, path), byKey(t, trie.Match(path))); diff != "" {
					t.Errorf("%q (-naive +trie):\n%s", path, diff)
				}
			},
			"": func(t *rapid.T) {
				if trie.Len() != len(model) {
					t.Errorf("%d keys, want %d", trie.Len(), len(model))
				}
			},
		})
	})
}

func TestTrieAnswersLikeTheNaiveLoopForManySets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		trie := anchor.NewTrie[int]()
		model := make(map[int]anchor.Set)
		for key, set := range rapid.SliceOfN(sets(), 1, 40).Draw(t, "sets") {
			trie.Add(key, set)
			model[key] = set
		}
		for _, path := range rapid.SliceOfN(paths(), 1, 20).Draw(t, "paths") {
			if diff := cmp.Diff(naive(model, path), byKey(t, trie.Match(path))); diff != "" {
				t.Errorf("%q (-naive +trie):\n%s", path, diff)
			}
		}
	})
}

// Doublestar's a*/** does not match a, although a* does.
func TestTrieKeepsBothPatternsWhereTheSecondDoesNotCoverTheFirst(t *testing.T) {
	t.Parallel()
	set := parseAll(t, "x/{a*,a*/**}")
	trie := anchor.NewTrie[string]()
	trie.Add("x", set)
	for _, path := range []string{"x/a", "x/ab", "x/ab/c", "x/b"} {
		if _, want := set.Match(path); want != (len(trie.Match(path)) == 1) {
			t.Errorf("%q: the set says %v, the trie says otherwise", path, want)
		}
	}
}

func TestTrieForgetsWhatIsRemoved(t *testing.T) {
	t.Parallel()
	trie := anchor.NewTrie[string]()
	trie.Add("x", parseAll(t, "src/**", "*.go", "lib/a.go", "a/*/b/**", "!src/x"))
	trie.Add("x", parseAll(t, "web/**"))
	if hits := trie.Match("src/a.go"); len(hits) != 0 {
		t.Errorf("a set that was replaced still answers: %v", hits)
	}
	if hits := trie.Match("web/a.ts"); len(hits) != 1 || hits[0].Key != "x" || hits[0].Anchor.Text != "web/**" {
		t.Errorf("got %v", hits)
	}
	trie.Remove("x")
	trie.Remove("x")
	if hits := trie.Match("web/a.ts"); len(hits) != 0 || trie.Len() != 0 {
		t.Errorf("a removed set still answers: %v", hits)
	}
}

func TestTrieHasNoHitsForPathsOutsideTheRepository(t *testing.T) {
	t.Parallel()
	trie := anchor.NewTrie[string]()
	trie.Add("all", parseAll(t, "**"))
	for _, path := range []string{"", "/", "/a", "../a", "a/../b"} {
		if hits := trie.Match(path); len(hits) != 0 {
			t.Errorf("%q has hits: %v", path, hits)
		}
	}
	if hits := trie.Match("./a//b"); len(hits) != 1 {
		t.Errorf("a path that is not normal has %d hits, want 1", len(hits))
	}
}

func TestNormalisingAPathAgainChangesNothing(t *testing.T) {
	t.Parallel()
	parts := rapid.OneOf(segments(), rapid.SampledFrom([]string{"", ".", "..", "e\u0301", "\xff"}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		path := join(rapid.SliceOfN(parts, 1, 6).Draw(t, "parts"))
		once, err := anchor.NormalizePath(path)
		if err != nil {
			return
		}
		if twice, err := anchor.NormalizePath(once); err != nil || twice != once {
			t.Errorf("%q becomes %q and then %q, %v", path, once, twice, err)
		}
	})
}

func TestCanonicalFormsAreFixpoints(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, err := anchor.Parse(patterns().Draw(t, "pattern"))
		var refused *anchor.SyntaxError
		if err != nil && !errors.As(err, &refused) {
			t.Fatalf("%v is no SyntaxError", err)
		}
		checkFixpoint(t, a)
	})
}
