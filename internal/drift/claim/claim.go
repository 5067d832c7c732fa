// Package claim owns what topics claim about code: their anchors, and the references that their words make, which are kept as rows
// when a topic is written or verified, so that nothing has to read texts again when code arrives.
//
// It refuses to judge: whether a claim holds is for package drift. What a private draft claims is nothing to it.
package claim

import (
	"encoding/json"
	"path"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/anchor"
	"driftless/internal/drift/cite"
)

// Claim is a topic as far as drift looks at it.
type Claim struct {
	ID      uuid.UUID
	Slug    string
	Title   string
	What    string
	Status  string
	Body    Body
	Anchors anchor.Set
	// Refs are the references that its words make.
	Refs []cite.Ref
}

// Body are the fields of a topic's body that speak of code.
type Body struct {
	How            string   `json:"how"`
	Text           string   `json:"content"`
	Decisions      []string `json:"decisions"`
	Gotchas        []string `json:"gotchas"`
	Invariants     []string `json:"invariants"`
	RequiredChecks []string `json:"required_checks"`
	Anchors        []string `json:"anchors"`
	Sources        []string `json:"sources"`
}

// read fills the body and reads the anchors. An anchor that was legal once and is no more matches nothing.
func (c *Claim) read(raw []byte) error {
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

// readRefs reads the references out of the words.
func (c *Claim) readRefs() {
	var set cite.Set
	for _, text := range slices.Concat([]string{c.What, c.Body.How, c.Body.Text}, c.Body.Decisions, c.Body.Gotchas, c.Body.Invariants, c.Body.RequiredChecks) {
		set.Read(text)
	}
	c.Refs = set.Refs
}

// Bases are the folders that its relative references start from: those of the files it came from. A topic that was written here has
// the root alone.
func (c Claim) Bases() []string { return Bases(c.Body.Sources) }

// Bases are the folders of these files, and the root.
func Bases(sources []string) []string {
	out := []string{}
	for _, from := range sources {
		file, err := anchor.NormalizePath(from)
		if folder := path.Dir(file); err == nil && path.Ext(file) != "" && folder != "." && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	return append(out, "")
}

// Cited are the texts of the references.
func (c Claim) Cited() []string {
	out := make([]string, 0, len(c.Refs))
	for _, r := range c.Refs {
		out = append(out, r.Text)
	}
	return out
}
