package topic

import (
	"context"
	"strings"
	"unicode/utf8"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type noteIn struct {
	Content string   `json:"content" jsonschema:"Markdown"`
	Title   string   `json:"title,omitempty" jsonschema:"optional"`
	Anchors []string `json:"anchors,omitempty" jsonschema:"globs, files, path#Symbol"`
}

func (s *Service) noteAddOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_note_add", ID: "notes.add", Title: "Leave a note",
		Doc: "Keep one finding as your private draft. " +
			`Example: {"content":"Staging drops messages above 64 KB.","anchors":["queue/*.go"]}`,
		Scope: tenant.TopicsCreate, Role: tenant.Member, Core: true, REST: "POST /notes", Created: true, CLI: "note add",
		Rules: op.Rules{"content": op.Length(1, ContentMax), "title": op.Length(0, TitleMax), "anchors": contentRules["anchors"]},
	}, s.noteAdd)
}

func (s *Service) noteAdd(_ context.Context, tx *pg.Tx, in noteIn) (Written, error) {
	t := &Topic{Status: Draft, IsPrivate: true, Content: Content{Title: in.Title, Text: in.Content, Anchors: in.Anchors}}
	lift(&t.Content)
	if t.Content.Title == "" {
		t.Content.Title = titleOf(t.Content.Text)
	}
	if t.Content.What == "" {
		t.Content.What = cut(firstLine(t.Content.Text), WhatMax)
	}
	t.Slug = Slugify(t.Content.Title)
	if err := found(tx, t, true, act{op: "notes.add", event: "topic.created"}); err != nil {
		return Written{}, err
	}
	return s.written(tx, t, Written{Says: &t.Content})
}

// titleOf makes a title from a text: its first line without Markdown, up to the end of the first sentence.
func titleOf(text string) string {
	line := firstLine(text)
	for _, end := range []string{". ", "; ", ": "} {
		if i := strings.Index(line, end); i > 10 {
			line = line[:i]
		}
	}
	if title := cut(strings.TrimRight(line, ".:;"), 80); title != "" {
		return title
	}
	return "Note"
}

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#>*-` "))
		if line != "" {
			return line
		}
	}
	return ""
}

// cut shortens a text to a number of characters, at a word.
func cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	short := string([]rune(text)[:limit-1])
	if i := strings.LastIndexByte(short, ' '); i > len(short)/2 {
		short = short[:i]
	}
	return short + "…"
}
