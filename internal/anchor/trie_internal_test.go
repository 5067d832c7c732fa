package anchor

import "testing"

func TestAnEmptiedTrieHoldsNothing(t *testing.T) {
	t.Parallel()
	set, err := ParseAll([]string{"src/**", "*.go", "Makefile", "lib/a.go", "lib/*.go", "a/*/b/**", "a/*", "!src/x", "**", "a.go#Run"})
	if err != nil {
		t.Fatal(err)
	}
	trie := NewTrie[int]()
	const rounds, keys = 3, 10
	for range rounds {
		for key := range keys {
			trie.Add(key, set)
		}
		for key := range keys {
			trie.Remove(key)
		}
	}
	if len(trie.nodes)+len(trie.buckets)+len(trie.slots) != 0 {
		t.Errorf("%d nodes, %d buckets and %d slots are left", len(trie.nodes), len(trie.buckets), len(trie.slots))
	}
	if len(trie.entries) != keys {
		t.Errorf("%d entries for %d keys: slots are not used again", len(trie.entries), keys)
	}
}
