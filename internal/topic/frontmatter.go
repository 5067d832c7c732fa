package topic

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// lift moves the fields of a YAML front matter at the head of the text into the fields of the content that are empty, and
// takes the front matter off. Text that does not begin with one, or whose front matter is not a mapping, stays as it is.
func lift(c *Content) {
	rest, found := strings.CutPrefix(c.Text, "---\n")
	if !found {
		return
	}
	head, text, found := strings.Cut(rest, "\n---\n")
	if !found {
		return
	}
	var meta struct {
		What           string   `yaml:"what"`
		How            string   `yaml:"how"`
		Decisions      []string `yaml:"decisions"`
		Gotchas        []string `yaml:"gotchas"`
		Invariants     []string `yaml:"invariants"`
		RequiredChecks []string `yaml:"required_checks"`
		Owners         []string `yaml:"owners"`
		Tags           []string `yaml:"tags"`
		Anchors        []string `yaml:"anchors"`
	}
	if yaml.Unmarshal([]byte(head), &meta) != nil || len([]rune(meta.What)) > WhatMax {
		return
	}
	if c.What == "" {
		c.What = meta.What
	}
	if c.How == "" {
		c.How = meta.How
	}
	for into, from := range map[*[]string][]string{
		&c.Decisions: meta.Decisions, &c.Gotchas: meta.Gotchas, &c.Invariants: meta.Invariants,
		&c.RequiredChecks: meta.RequiredChecks, &c.Owners: meta.Owners, &c.Tags: meta.Tags, &c.Anchors: meta.Anchors,
	} {
		if len(*into) == 0 {
			*into = from
		}
	}
	c.Text = strings.TrimLeft(text, "\n")
}
