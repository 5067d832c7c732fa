package screen

import (
	"strings"
	"sync"
)

// node is a step in the tree of phrases.
type node struct {
	next   map[rune]*node
	closed []concept // the phrase ends here and so must the word
	open   []concept // the phrase ends here, the word may go on
}

// phrases is the lexicon as a tree over folded runes.
var phrases = sync.OnceValue(func() *node {
	root := &node{}
	for _, list := range [][]entry{european(), asian()} {
		for _, e := range list {
			for _, phrase := range strings.Split(e.phrases, "|") {
				root.insert(e.concept, strings.TrimSpace(phrase))
			}
		}
	}
	return root
})

func (n *node) insert(c concept, phrase string) {
	open := strings.HasSuffix(phrase, "*")
	for _, r := range fold(strings.TrimSuffix(phrase, "*")).text {
		if n.next == nil {
			n.next = make(map[rune]*node)
		}
		if n.next[r] == nil {
			n.next[r] = &node{}
		}
		n = n.next[r]
	}
	if open {
		n.open = append(n.open, c)
	} else {
		n.closed = append(n.closed, c)
	}
}

// entry gives phrases of a concept, separated by bars; an asterisk lets the
// word go on. They are folded like the texts they meet.
type entry struct {
	concept concept
	phrases string
}
