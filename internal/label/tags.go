package label

import (
	"fmt"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
)

const tagsDoc = "The registry of tags: list (most used first), create or describe, rename everywhere, delete everywhere. " +
	`Example: {"action":"create","name":"on-call","description":"Wakes somebody up"}`

type listIn struct {
	Limit  int    `json:"limit,omitempty" jsonschema:"rows"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

// offset is the position in a registry, which is short and changes rarely.
type offset struct {
	Skip int `json:"skip"`
}

func (in listIn) skip() (int, error) {
	var at offset
	if _, err := op.ParseCursor(in.Cursor, &at); err != nil {
		return 0, err
	}
	if at.Skip < 0 {
		return 0, fault.Fieldf("cursor", "is not one that this list gave out; leave it out to begin again")
	}
	return at.Skip, nil
}

func pageOf[T any](tool string, rows []T, skip, limit int) op.Page[T] {
	more := len(rows) > limit
	if more {
		rows = rows[:limit]
	}
	done := &op.Next{Tool: "driftless_context_list", Arguments: map[string]any{}, Why: "see the topics themselves"}
	return op.NewPage(rows, more, done, func(_ T, shown int) (string, *op.Next) {
		cursor := op.Cursor(offset{skip + shown})
		return cursor, &op.Next{Tool: tool, Arguments: map[string]any{"action": "list", "cursor": cursor, "limit": limit}, Why: "there are more"}
	})
}

var listRules = op.Rules{"limit": op.Range(1, 500, 100)}

type tagAnswer struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Created     bool   `json:"created,omitempty"`
	Deleted     bool   `json:"deleted,omitempty"`
}

func (s *Service) tag(tx *pg.Tx, text string) (tagRow, error) {
	name, err := Tag(text)
	if err != nil {
		return tagRow{}, err
	}
	t, err := tagByName(tx, name)
	if pg.NoRow(err) {
		return t, fault.Missing("tag", name)
	}
	if err != nil {
		return t, fmt.Errorf("find a tag: %w", err)
	}
	return t, nil
}
