package label

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type updateAreaIn struct {
	Name        string    `json:"name" jsonschema:"name"`
	NewName     string    `json:"new_name,omitempty" jsonschema:"new name for update"`
	Description *string   `json:"description,omitempty" jsonschema:"description"`
	Reviewers   *[]string `json:"reviewers,omitempty" jsonschema:"e-mails of who is asked first"`
}

func (s *Service) updateAreaOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_areas", Action: "update", ID: "areas.update", Title: "Update an area", Doc: areasDoc,
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Idempotent, REST: "PATCH /areas/{name}", CLI: "areas update <name>",
		Rules: areaRules.With(op.Rules{"new_name": op.Length(0, 200)}),
	}, s.updateArea)
}

func (s *Service) updateArea(_ context.Context, tx *pg.Tx, in updateAreaIn) (areaAnswer, error) {
	if err := event.Lock(tx); err != nil {
		return areaAnswer{}, err
	}
	row, err := s.area(tx, in.Name)
	if err != nil {
		return areaAnswer{}, err
	}
	was := row.Name
	if in.NewName != "" {
		key := row.NameKey
		if row.Name, row.NameKey, err = areaName(in.NewName); err != nil {
			return areaAnswer{}, err
		}
		if row.NameKey != key {
			if err := unusedArea(tx, row.Name, row.NameKey); err != nil {
				return areaAnswer{}, err
			}
		}
	}
	if in.Description != nil {
		row.Description = *in.Description
	}
	if in.Reviewers != nil {
		if row.Reviewers, err = memberIDs(tx, *in.Reviewers); err != nil {
			return areaAnswer{}, err
		}
	}
	seq, err := event.Append(tx, "areas.update", "area.updated", nil, map[string]any{"name": was, "new_name": row.Name})
	if err != nil {
		return areaAnswer{}, err
	}
	if err := saveArea(tx, row); err != nil {
		return areaAnswer{}, fmt.Errorf("store an area: %w", err)
	}
	return areaAnswer{Name: row.Name, Description: row.Description}, touchArea(tx, row.ID, seq)
}
