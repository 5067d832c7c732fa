package label

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
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

func (s *Service) listTagsOp() op.Operation {
	return op.Read(op.Spec{
		Tool: "driftless_tags", Action: "list", ID: "tags.list", Title: "Tags", Doc: tagsDoc,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /tags", CLI: "tags list", Rules: listRules,
	}, s.listTags)
}

func (s *Service) listTags(_ context.Context, tx *pg.Tx, in listIn) (op.Page[tagView], error) {
	skip, err := in.skip()
	if err != nil {
		return op.Page[tagView]{}, err
	}
	rows, err := listTags(tx, skip, in.Limit+1)
	return pageOf("driftless_tags", rows, skip, in.Limit), err
}

type createTagIn struct {
	Name        string `json:"name" jsonschema:"name"`
	Description string `json:"description,omitempty" jsonschema:"description"`
}

type tagAnswer struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Created     bool   `json:"created,omitempty"`
	Deleted     bool   `json:"deleted,omitempty"`
}

func (s *Service) createTagOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_tags", Action: "create", ID: "tags.create", Title: "Create a tag", Doc: tagsDoc,
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Idempotent, REST: "POST /tags", Created: true, CLI: "tags create <name>",
		Rules: op.Rules{"name": op.Length(1, 200), "description": op.Length(0, DescriptionMax)},
	}, s.createTag)
}

func (s *Service) createTag(_ context.Context, tx *pg.Tx, in createTagIn) (tagAnswer, error) {
	if err := event.Lock(tx); err != nil {
		return tagAnswer{}, err
	}
	name, err := Tag(in.Name)
	if err != nil {
		return tagAnswer{}, err
	}
	before, err := tagByName(tx, name)
	if err != nil && !pg.NoRow(err) {
		return tagAnswer{}, fmt.Errorf("find a tag: %w", err)
	}
	fresh := pg.NoRow(err)
	if in.Description == "" {
		in.Description = before.Description
	}
	if !fresh && before.Registered && in.Description == before.Description {
		return tagAnswer{Name: name, Description: in.Description}, nil
	}
	ids, err := EnsureTags(tx, []string{name})
	if err != nil {
		return tagAnswer{}, err
	}
	if err := describeTag(tx, ids[name], in.Description); err != nil {
		return tagAnswer{}, fmt.Errorf("describe a tag: %w", err)
	}
	_, err = event.Append(tx, "tags.create", "tag.saved", nil, map[string]any{"name": name})
	return tagAnswer{Name: name, Description: in.Description, Created: fresh}, err
}

type renameTagIn struct {
	Name    string `json:"name" jsonschema:"name"`
	NewName string `json:"new_name" jsonschema:"new name for rename; an existing one merges"`
}

func (s *Service) renameTagOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_tags", Action: "rename", ID: "tags.rename", Title: "Rename a tag", Doc: tagsDoc,
		Scope: tenant.WorkWrite, Role: tenant.Member, REST: "PATCH /tags/{name}", CLI: "tags rename <name> <new_name>",
		Rules: op.Rules{"name": op.Length(1, 200), "new_name": op.Length(1, 200)},
	}, s.renameTag)
}

func (s *Service) renameTag(_ context.Context, tx *pg.Tx, in renameTagIn) (tagAnswer, error) {
	if err := event.Lock(tx); err != nil {
		return tagAnswer{}, err
	}
	from, err := s.tag(tx, in.Name)
	if err != nil {
		return tagAnswer{}, err
	}
	name, err := Tag(in.NewName)
	if err != nil {
		return tagAnswer{}, err
	}
	if name == from.Name {
		return tagAnswer{Name: name, Description: from.Description}, nil
	}
	seq, err := event.Append(tx, "tags.rename", "tag.renamed", nil, map[string]any{"name": from.Name, "new_name": name})
	if err != nil {
		return tagAnswer{}, err
	}
	if err := touchTagged(tx, from.ID, seq); err != nil {
		return tagAnswer{}, fmt.Errorf("mark the topics of a tag: %w", err)
	}
	if err := renameTag(tx, from, name); err != nil {
		return tagAnswer{}, fmt.Errorf("rename a tag: %w", err)
	}
	return tagAnswer{Name: name, Description: from.Description}, nil
}

type deleteTagIn struct {
	Name string `json:"name" jsonschema:"name"`
}

func (s *Service) deleteTagOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_tags", Action: "delete", ID: "tags.delete", Title: "Delete a tag", Doc: tagsDoc,
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Destroys, REST: "DELETE /tags/{name}", CLI: "tags delete <name>",
		Rules: op.Rules{"name": op.Length(1, 200)},
	}, s.deleteTag)
}

func (s *Service) deleteTag(_ context.Context, tx *pg.Tx, in deleteTagIn) (tagAnswer, error) {
	if err := event.Lock(tx); err != nil {
		return tagAnswer{}, err
	}
	t, err := s.tag(tx, in.Name)
	if err != nil {
		return tagAnswer{}, err
	}
	seq, err := event.Append(tx, "tags.delete", "tag.deleted", nil, map[string]any{"name": t.Name})
	if err != nil {
		return tagAnswer{}, err
	}
	if err := touchTagged(tx, t.ID, seq); err != nil {
		return tagAnswer{}, fmt.Errorf("mark the topics of a tag: %w", err)
	}
	if err := deleteTag(tx, t.ID); err != nil {
		return tagAnswer{}, fmt.Errorf("delete a tag: %w", err)
	}
	return tagAnswer{Name: t.Name, Deleted: true}, nil
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
