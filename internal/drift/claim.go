package drift

import (
	"encoding/json"

	"github.com/google/uuid"

	"driftless/internal/anchor"
)

// claim is a topic as far as drift looks at it: what it claims about code, and the words in which it does.
type claim struct {
	ID      uuid.UUID
	Slug    string
	Title   string
	What    string
	Status  string
	Body    body
	Anchors anchor.Set
}

// body are the fields of a topic's body that speak of code.
type body struct {
	How            string   `json:"how"`
	Text           string   `json:"content"`
	Decisions      []string `json:"decisions"`
	Gotchas        []string `json:"gotchas"`
	Invariants     []string `json:"invariants"`
	RequiredChecks []string `json:"required_checks"`
	Anchors        []string `json:"anchors"`
}

// trieOf finds claims by path; the keys are their places in the list.
func trieOf(claims []claim) *anchor.Trie[int] {
	trie := anchor.NewTrie[int]()
	for i, c := range claims {
		if len(c.Anchors) > 0 {
			trie.Add(i, c.Anchors)
		}
	}
	return trie
}

// read fills the body and reads the anchors. An anchor that was legal once and is no more matches nothing.
func (c *claim) read(raw []byte) error {
	if err := json.Unmarshal(raw, &c.Body); err != nil {
		return err
	}
	for _, text := range c.Body.Anchors {
		if a, err := anchor.Parse(text); err == nil {
			c.Anchors = append(c.Anchors, a)
		}
	}
	return nil
}
