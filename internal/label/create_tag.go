package label

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type createTagIn struct {
	Name        string `json:"name" jsonschema:"name"`
	Description string `json:"description,omitempty" jsonschema:"description"`
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
