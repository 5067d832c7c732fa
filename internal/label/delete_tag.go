package label

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

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
