package label

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type createAreaIn struct {
	Name        string   `json:"name" jsonschema:"name"`
	Description string   `json:"description,omitempty" jsonschema:"description"`
	Reviewers   []string `json:"reviewers,omitempty" jsonschema:"e-mails of who is asked first"`
}

func (s *Service) createAreaOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_areas", Action: "create", ID: "areas.create", Title: "Create an area", Doc: areasDoc,
		Scope: tenant.WorkWrite, Role: tenant.Member, REST: "POST /areas", Created: true, CLI: "areas create <name>", Rules: areaRules,
	}, s.createArea)
}

func (s *Service) createArea(_ context.Context, tx *pg.Tx, in createAreaIn) (areaAnswer, error) {
	if err := event.Lock(tx); err != nil {
		return areaAnswer{}, err
	}
	name, key, err := areaName(in.Name)
	if err != nil {
		return areaAnswer{}, err
	}
	if err := unusedArea(tx, name, key); err != nil {
		return areaAnswer{}, err
	}
	reviewers, err := memberIDs(tx, in.Reviewers)
	if err != nil {
		return areaAnswer{}, err
	}
	row := areaRow{
		WorkspaceID: tx.Actor().Workspace, ID: pg.NewID(), Name: name, NameKey: key, Description: in.Description,
		Reviewers: reviewers, CreatedAt: tx.Now(),
	}
	if err := saveArea(tx, row); err != nil {
		return areaAnswer{}, fmt.Errorf("store an area: %w", err)
	}
	_, err = event.Append(tx, "areas.create", "area.created", nil, map[string]any{"name": name})
	return areaAnswer{Name: name, Description: in.Description, Reviewers: in.Reviewers}, err
}
