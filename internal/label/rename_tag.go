package label

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

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
