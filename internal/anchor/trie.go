package anchor

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Trie finds which of very many sets match a path without trying each. Its
// answers are exactly those of asking every Set in turn.
//
// A pattern begins with zero or more plain segments; the trie is a tree of
// those, kept flat as a table from path to node, which costs nothing for the
// folders between. A path then meets only the nodes above it. What a node holds
// is decided by position alone (the pattern ends here, or ends here with **) or,
// where a wildcard follows, lies in a bucket of a word that every matching path
// must contain, so that doublestar is asked about few patterns.
//
// Any number of goroutines may Match at once, but not during Add or Remove.
type Trie[K comparable] struct {
	slots   map[K]uint32
	entries []entry[K] // by slot
	free    []uint32   // slots of removed keys
	nodes   map[string]*node
	buckets map[bucket][]rule
}

type entry[K comparable] struct {
	key    K
	set    Set
	vetoes bool // whether the set has exclusions
}

// node is what sits at one path of plain segments.
type node struct {
	here  []ref // patterns that are this path
	below []ref // patterns that are this path and /**
	wild  int   // how many rules go on with a wildcard segment
}

// bucket names the rules of a node that ask for a word; see wordOf.
type bucket struct {
	at   *node
	word string
}

// rule is the part of a pattern below its node.
type rule struct {
	pattern string
	ref     ref
}

// ref is a slot and an anchor's place in its set: as one number it sorts fast
// and holds no pointer for the garbage collector to follow.
type ref uint64

func makeRef(slot uint32, anchor int) ref { return ref(slot)<<32 | ref(anchor) }

func (r ref) slot() uint32 { return uint32(r >> 32) }
func (r ref) anchor() int  { return int(r & 0xffffffff) }

// Hit is one key whose set matches a path, with the anchor that Set.Match names.
type Hit[K comparable] struct {
	Key    K
	Anchor Anchor
}

// NewTrie returns an empty trie.
func NewTrie[K comparable]() *Trie[K] {
	return &Trie[K]{
		slots:   make(map[K]uint32),
		nodes:   make(map[string]*node),
		buckets: make(map[bucket][]rule),
	}
}

// Len is the number of keys.
func (t *Trie[K]) Len() int { return len(t.slots) }

// Add puts a key's set in, in place of the one it had. The trie keeps the set,
// which must not change afterwards.
func (t *Trie[K]) Add(key K, set Set) {
	t.Remove(key)
	slot := t.takeSlot()
	t.slots[key] = slot
	t.entries[slot] = entry[K]{key: key, set: set, vetoes: slices.ContainsFunc(set, func(a Anchor) bool { return a.Exclude })}
	for i, a := range set {
		for _, pattern := range indexed(a) {
			t.insert(pattern, makeRef(slot, i))
		}
	}
}

// Remove takes a key out. A key that is not there is no error.
func (t *Trie[K]) Remove(key K) {
	slot, ok := t.slots[key]
	if !ok {
		return
	}
	for i, a := range t.entries[slot].set {
		for _, pattern := range indexed(a) {
			t.delete(pattern, makeRef(slot, i))
		}
	}
	delete(t.slots, key)
	t.entries[slot] = entry[K]{}
	t.free = append(t.free, slot)
}

func (t *Trie[K]) takeSlot() uint32 {
	if last := len(t.free) - 1; last >= 0 {
		slot := t.free[last]
		t.free = t.free[:last]
		return slot
	}
	t.entries = append(t.entries, entry[K]{})
	return uint32(len(t.entries) - 1)
}

// Match returns a hit for each key whose set matches the path, in no order that
// callers may rely on. The path is normalised first; one that NormalizePath
// refuses has no hits.
func (t *Trie[K]) Match(file string) []Hit[K] {
	clean, err := NormalizePath(file)
	if err != nil {
		return nil
	}
	refs := t.collect(clean)
	slices.Sort(refs)
	hits := make([]Hit[K], 0, len(refs))
	for i, r := range refs {
		if i > 0 && refs[i-1].slot() == r.slot() {
			continue // an earlier anchor of the same set has won
		}
		if e := t.entries[r.slot()]; !e.vetoes || !e.set.excludes(clean) {
			hits = append(hits, Hit[K]{Key: e.key, Anchor: e.set[r.anchor()]})
		}
	}
	return hits
}

// collect gathers every including anchor that matches, some more than once.
func (t *Trie[K]) collect(clean string) []ref {
	var refs []ref
	if root := t.nodes[""]; root != nil {
		refs = append(refs, root.below...)
		refs = t.test(refs, root, clean)
	}
	for end := range len(clean) {
		if clean[end] != '/' {
			continue
		}
		if n := t.nodes[clean[:end]]; n != nil {
			refs = append(refs, n.below...)
			refs = t.test(refs, n, clean[end+1:])
		}
	}
	if n := t.nodes[clean]; n != nil {
		refs = append(refs, n.here...)
		refs = append(refs, n.below...)
	}
	return refs
}

// test tries those rules of a node whose word is in the rest of the path.
func (t *Trie[K]) test(refs []ref, n *node, rest string) []ref {
	if n.wild == 0 {
		return refs
	}
	try := func(word string) {
		for _, r := range t.buckets[bucket{n, word}] {
			if doublestar.MatchUnvalidated(r.pattern, rest) {
				refs = append(refs, r.ref)
			}
		}
	}
	try("")
	if extension := path.Ext(rest); extension != "" {
		try(extension)
	}
	for segment := range strings.SplitSeq(rest, "/") {
		try(segment)
	}
	return refs
}

func (t *Trie[K]) insert(pattern string, r ref) {
	folder, rest := cutPlain(pattern)
	n := t.nodes[folder]
	if n == nil {
		n = &node{}
		t.nodes[folder] = n
	}
	switch rest {
	case "":
		n.here = append(n.here, r)
	case "**":
		n.below = append(n.below, r)
	default:
		b := bucket{n, wordOf(rest)}
		t.buckets[b] = append(t.buckets[b], rule{rest, r})
		n.wild++
	}
}

func (t *Trie[K]) delete(pattern string, r ref) {
	folder, rest := cutPlain(pattern)
	n := t.nodes[folder]
	switch rest {
	case "":
		n.here = without(n.here, r)
	case "**":
		n.below = without(n.below, r)
	default:
		b := bucket{n, wordOf(rest)}
		t.buckets[b] = without(t.buckets[b], rule{rest, r})
		if len(t.buckets[b]) == 0 {
			delete(t.buckets, b)
		}
		n.wild--
	}
	if len(n.here)+len(n.below)+n.wild == 0 {
		delete(t.nodes, folder)
	}
}

// without takes one element out by putting the last in its place.
func without[E comparable](all []E, one E) []E {
	i := slices.Index(all, one)
	last := len(all) - 1
	all[i] = all[last]
	clear(all[last:])
	return all[:last]
}

// indexed is the patterns by which an anchor is found: none for an exclusion,
// which is looked at when its set is hit. x is left out beside x/**, which
// matches it; only behind a star doublestar sees a difference.
func indexed(a Anchor) []string {
	if a.Exclude {
		return nil
	}
	if len(a.Canonical) != 2 {
		return a.Canonical
	}
	if first, second := a.Canonical[0], a.Canonical[1]; second == first+"/**" && !strings.HasSuffix(first, "*") {
		return a.Canonical[1:]
	}
	return a.Canonical
}

// cutPlain cuts a pattern behind its last plain segment from the left.
func cutPlain(pattern string) (folder, rest string) {
	wild := strings.IndexAny(pattern, wildcards)
	if wild < 0 {
		return pattern, ""
	}
	slash := strings.LastIndexByte(pattern[:wild], '/')
	if slash < 0 {
		return "", pattern
	}
	return pattern[:slash], pattern[slash+1:]
}

// wordOf is a word that every path matching the pattern must contain: its last
// plain segment as a segment, or else its extension as the extension, or "" when
// the pattern promises neither. That a segment may look like an extension is
// harmless: a bucket only proposes.
func wordOf(pattern string) string {
	for rest := pattern; rest != ""; {
		slash := strings.LastIndexByte(rest, '/')
		if segment := rest[slash+1:]; !strings.ContainsAny(segment, wildcards) {
			return segment
		}
		rest = rest[:max(slash, 0)]
	}
	last := pattern[strings.LastIndexByte(pattern, '/')+1:]
	if star := strings.LastIndexAny(last, "*?]"); star >= 0 {
		last = last[star+1:]
	}
	return path.Ext(last)
}
