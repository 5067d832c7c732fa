package topic

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// head is what a YAML front matter may say of a topic.
type head struct {
	Title          string   `yaml:"title"`
	What           string   `yaml:"what"`
	How            string   `yaml:"how"`
	Area           string   `yaml:"area"`
	Decisions      []string `yaml:"decisions"`
	Gotchas        []string `yaml:"gotchas"`
	Invariants     []string `yaml:"invariants"`
	RequiredChecks []string `yaml:"required_checks"`
	Owners         []string `yaml:"owners"`
	Tags           []string `yaml:"tags"`
	Anchors        []string `yaml:"anchors"`
	Sources        []string `yaml:"sources"`
}

// lift moves the fields of a YAML front matter at the head of the text into the fields of the content that are empty, and
// takes the front matter off. One that says anything else, or says it in another form, stays in the text as it is: nothing of
// it is lost.
func lift(c *Content) {
	rest, found := strings.CutPrefix(c.Text, "---\n")
	if !found {
		return
	}
	front, text, found := strings.Cut(rest, "\n---\n")
	if !found {
		return
	}
	meta, ok := readHead(front)
	if !ok || meta.Title != "" && c.Title != "" && meta.Title != c.Title || meta.What != "" && c.What != "" && meta.What != c.What {
		return
	}
	for into, from := range map[*string]string{&c.Title: meta.Title, &c.What: meta.What, &c.How: meta.How, &c.Area: meta.Area} {
		if *into == "" {
			*into = from
		}
	}
	for into, from := range map[*[]string][]string{
		&c.Decisions: meta.Decisions, &c.Gotchas: meta.Gotchas, &c.Invariants: meta.Invariants,
		&c.RequiredChecks: meta.RequiredChecks, &c.Owners: meta.Owners, &c.Tags: meta.Tags, &c.Anchors: meta.Anchors,
		&c.Sources: meta.Sources,
	} {
		*into = append(*into, from...)
	}
	c.Text = strings.TrimLeft(text, "\n")
}

func readHead(front string) (head, bool) {
	var meta head
	d := yaml.NewDecoder(bytes.NewReader([]byte(front)))
	d.KnownFields(true)
	err := d.Decode(&meta)
	if errors.Is(err, io.EOF) {
		return meta, true
	}
	return meta, err == nil && utf8.RuneCountInString(meta.What) <= WhatMax
}
