package topic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/relation"
)

// SolutionsMax and TagsMax bound two lists, in elements; OwnerMax is the length of an owner in characters.
const (
	SolutionsMax = 50
	TagsMax      = 50
	OwnerMax     = 120
)

// withinLimits checks what the schema of a single write checks as well. A content that was put together from parts, by a
// patch, a merge, an import, passes no schema.
func (c Content) withinLimits() error {
	var problems []fault.Field
	refuse := func(path, format string, args ...any) {
		problems = append(problems, fault.Field{Path: path, Problem: fmt.Sprintf(format, args...)})
	}
	text := func(path, text string, limit int) {
		if n := utf8.RuneCountInString(text); n > limit {
			refuse(path, "at most %d characters, has %d", limit, n)
		}
	}
	items := func(path string, n, limit int) {
		if n > limit {
			refuse(path, "at most %d, would have %d", limit, n)
		}
	}
	text("title", c.Title, TitleMax)
	text("what", c.What, WhatMax)
	text("how", c.How, HowMax)
	text("content", c.Text, ContentMax)
	for _, list := range []struct {
		path   string
		items  []string
		number int
		length int
	}{
		{"decisions", c.Decisions, ListMax, ItemMax},
		{"gotchas", c.Gotchas, ListMax, ItemMax},
		{"invariants", c.Invariants, ListMax, ItemMax},
		{"required_checks", c.RequiredChecks, ListMax, ItemMax},
		{"sources", c.Sources, SourcesMax, ItemMax},
		{"owners", c.Owners, OwnersMax, OwnerMax},
	} {
		items(list.path, len(distinct(list.items)), list.number)
		for i, item := range list.items {
			text(fmt.Sprintf("%s[%d]", list.path, i), item, list.length)
		}
	}
	items("tags", len(c.Tags), TagsMax)
	items("relations", len(c.Relations), relation.OutMax)
	for _, list := range []struct {
		path  string
		items []evidence.Solution
	}{{"solutions", c.Solutions}, {"alternatives", c.Alternatives}} {
		items(list.path, len(list.items), SolutionsMax)
		seen := map[string]bool{}
		for i, s := range list.items {
			if s.ID == "" || seen[s.ID] {
				refuse(fmt.Sprintf("%s[%d].id", list.path, i), "must be there, and unique in the list")
			}
			seen[s.ID] = true
		}
	}
	if len(problems) > 0 {
		return fault.Fields(problems)
	}
	return nil
}

// distinctEdges orders relations as they are read back, each once.
func distinctEdges(list []relation.Edge) []relation.Edge {
	out := slices.Clone(list)
	slices.SortFunc(out, func(a, b relation.Edge) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.To, b.To))
	})
	return slices.Compact(out)
}
