package topic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"driftless/internal/anchor"
	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/relation"
	"driftless/internal/screen"
)

// Limits of the domain specification, in characters and elements.
const (
	TitleMax   = 120
	WhatMax    = 300
	HowMax     = 20_000 // more than 1,500 is a finding, not an error
	ContentMax = 256 * 1024
	ListMax    = 100
	ItemMax    = 2000
	SourcesMax = 50
	OwnersMax  = 20
)

// Content is everything a topic says and how it is filed: what a revision keeps and a suggested edit proposes.
type Content struct {
	Title          string              `json:"title"`
	What           string              `json:"what"`
	How            string              `json:"how,omitempty"`
	Text           string              `json:"content,omitempty"`
	Decisions      []string            `json:"decisions,omitempty"`
	Gotchas        []string            `json:"gotchas,omitempty"`
	Invariants     []string            `json:"invariants,omitempty"`
	RequiredChecks []string            `json:"required_checks,omitempty"`
	Anchors        []string            `json:"anchors,omitempty"`
	Relations      []relation.Edge     `json:"relations,omitempty"`
	Solutions      []evidence.Solution `json:"solutions,omitempty"`
	Alternatives   []evidence.Solution `json:"alternatives,omitempty"`
	Sources        []string            `json:"sources,omitempty"`
	Owners         []string            `json:"owners,omitempty"`
	Area           string              `json:"area,omitempty"`
	Tags           []string            `json:"tags,omitempty"`
	ReviewBy       string              `json:"review_by,omitempty"`
}

// Hash is SHA-256, hexadecimal, over the governed part: what a reader relies on. Tags, area, owners and the date of the
// next review are curation and do not change it.
func (c Content) Hash() string {
	governed := c
	governed.Area, governed.Tags, governed.Owners, governed.ReviewBy, governed.Sources = "", nil, nil, "", nil
	raw, err := json.Marshal(governed)
	if err != nil {
		// Strings, lists of strings and JSON that was parsed before.
		panic(fmt.Sprintf("encode a topic: %v", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// texts are all texts of the content, for screening and mentions.
func (c Content) texts() []string {
	out := []string{c.Title, c.What, c.How, c.Text}
	for _, list := range [][]string{c.Decisions, c.Gotchas, c.Invariants, c.RequiredChecks, c.Sources} {
		out = append(out, list...)
	}
	for _, s := range slices.Concat(c.Solutions, c.Alternatives) {
		out = append(out, s.Verify)
		out = append(append(out, s.Fix...), s.Boundaries...)
	}
	return out
}

// Warning is a passage that reads like an order to an agent; the reviewer is shown it.
type Warning struct {
	Kind    string `json:"kind"`
	Excerpt string `json:"excerpt"`
}

// warnings screens the content for text that reads like instructions.
func (c Content) warnings() []Warning {
	var out []Warning
	for _, text := range c.texts() {
		for _, w := range screen.Instructions(text) {
			if len(out) < 20 {
				out = append(out, Warning{Kind: w.Kind, Excerpt: w.Excerpt})
			}
		}
	}
	return out
}

// refuseSecrets refuses texts that carry a credential. The kernel has looked at the input of a call already; this is for texts
// that come together from elsewhere.
func refuseSecrets(texts ...string) error {
	for _, text := range texts {
		if err := op.SecretIn(text, ""); err != nil {
			return err
		}
	}
	return nil
}

// normalise brings the content into the form it is kept in: lists without repetitions or empty lines, relations in one order.
// What is beyond a limit is refused, however the content came about.
func (c *Content) normalise() error {
	c.Title, c.What = strings.TrimSpace(c.Title), strings.TrimSpace(c.What)
	if err := c.withinLimits(); err != nil {
		return err
	}
	c.Relations = distinctEdges(c.Relations)
	if c.Title == "" {
		return fault.Fieldf("title", "must not be empty")
	}
	for _, list := range []*[]string{&c.Decisions, &c.Gotchas, &c.Invariants, &c.RequiredChecks, &c.Sources, &c.Owners} {
		*list = distinct(*list)
	}
	for _, list := range [][]evidence.Solution{c.Solutions, c.Alternatives} {
		for i := range list {
			// It is counted beside the text; what a caller read and sends back is no part of it.
			list[i].Revision = 0
		}
	}
	c.Anchors = distinct(c.Anchors)
	if len(c.Anchors) > anchor.MaxAnchors {
		return fault.Fieldf("anchors", "at most %d, would have %d", anchor.MaxAnchors, len(c.Anchors))
	}
	if _, err := anchor.ParseAll(c.Anchors); err != nil {
		return fault.Fieldf("anchors", "%v", err)
	}
	if c.ReviewBy != "" {
		if _, err := time.Parse(time.DateOnly, c.ReviewBy); err != nil {
			return fault.Fieldf("review_by", "%q is not a date such as 2027-01-31", c.ReviewBy)
		}
	}
	return nil
}

func distinct(list []string) []string {
	var out []string
	for _, item := range list {
		if item = strings.TrimSpace(item); item != "" && !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}

// contentRules bound the fields of a write, the same on every operation that takes them.
var contentRules = op.Rules{
	"title": op.Length(1, TitleMax), "what": op.Length(0, WhatMax), "how": op.Length(0, HowMax), "content": op.Length(0, ContentMax),
	"decisions": op.Items(0, ListMax), "decisions[]": op.Length(0, ItemMax),
	"gotchas": op.Items(0, ListMax), "gotchas[]": op.Length(0, ItemMax),
	"invariants": op.Items(0, ListMax), "invariants[]": op.Length(0, ItemMax),
	"required_checks": op.Items(0, ListMax), "required_checks[]": op.Length(0, ItemMax),
	"anchors": op.Items(0, anchor.MaxAnchors), "sources": op.Items(0, SourcesMax), "sources[]": op.Length(0, ItemMax),
	"owners": op.Items(0, OwnersMax), "owners[]": op.Length(0, OwnerMax), "tags": op.Items(0, TagsMax),
	"rels": op.Items(0, relation.OutMax), "solutions": op.Items(0, SolutionsMax), "alternatives": op.Items(0, SolutionsMax),
}
