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

const areasDoc = "The areas, of which a topic has at most one as its home: list, create, update (rename, describe, reviewers), delete (un-files its topics). " +
	`Example: {"action":"create","name":"Payments","reviewers":["ada@example.com"]}`

func (s *Service) listAreasOp() op.Operation {
	return op.Read(op.Spec{
		Tool: "driftless_areas", Action: "list", ID: "areas.list", Title: "Areas", Doc: areasDoc,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /areas", CLI: "areas list", Rules: listRules,
	}, s.listAreas)
}

func (s *Service) listAreas(_ context.Context, tx *pg.Tx, in listIn) (op.Page[areaView], error) {
	skip, err := in.skip()
	if err != nil {
		return op.Page[areaView]{}, err
	}
	rows, err := listAreas(tx, skip, in.Limit+1)
	return pageOf("driftless_areas", rows, skip, in.Limit), err
}

type createAreaIn struct {
	Name        string   `json:"name" jsonschema:"name"`
	Description string   `json:"description,omitempty" jsonschema:"description"`
	Reviewers   []string `json:"reviewers,omitempty" jsonschema:"e-mails of who is asked first"`
}

type areaAnswer struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Reviewers   []string `json:"reviewers,omitempty"`
	Deleted     bool     `json:"deleted,omitempty"`
}

var areaRules = op.Rules{"name": op.Length(1, 200), "description": op.Length(0, DescriptionMax), "reviewers": op.Items(0, 20)}

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
	id, err := newID()
	if err != nil {
		return areaAnswer{}, err
	}
	row := areaRow{
		WorkspaceID: tx.Actor().Workspace, ID: id, Name: name, NameKey: key, Description: in.Description,
		Reviewers: reviewers, CreatedAt: tx.Now(),
	}
	if err := saveArea(tx, row); err != nil {
		return areaAnswer{}, fmt.Errorf("store an area: %w", err)
	}
	_, err = event.Append(tx, "areas.create", "area.created", nil, map[string]any{"name": name})
	return areaAnswer{Name: name, Description: in.Description, Reviewers: in.Reviewers}, err
}

// unusedArea refuses the name of an area that is there.
func unusedArea(tx *pg.Tx, name, key string) error {
	_, err := areaByKey(tx, key)
	if pg.NoRow(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find an area: %w", err)
	}
	return fault.New(fault.Conflict, fault.CodeStateConflict, fmt.Sprintf("there is an area %q already", name),
		"use it, or change it with the action update")
}

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

type deleteAreaIn struct {
	Name string `json:"name" jsonschema:"name"`
}

func (s *Service) deleteAreaOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_areas", Action: "delete", ID: "areas.delete", Title: "Delete an area", Doc: areasDoc,
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Destroys, REST: "DELETE /areas/{name}", CLI: "areas delete <name>",
		Rules: op.Rules{"name": op.Length(1, 200)},
	}, s.deleteArea)
}

func (s *Service) deleteArea(_ context.Context, tx *pg.Tx, in deleteAreaIn) (areaAnswer, error) {
	if err := event.Lock(tx); err != nil {
		return areaAnswer{}, err
	}
	row, err := s.area(tx, in.Name)
	if err != nil {
		return areaAnswer{}, err
	}
	seq, err := event.Append(tx, "areas.delete", "area.deleted", nil, map[string]any{"name": row.Name})
	if err != nil {
		return areaAnswer{}, err
	}
	if err := touchArea(tx, row.ID, seq); err != nil {
		return areaAnswer{}, fmt.Errorf("mark the topics of an area: %w", err)
	}
	if err := deleteArea(tx, row.ID); err != nil {
		return areaAnswer{}, fmt.Errorf("delete an area: %w", err)
	}
	return areaAnswer{Name: row.Name, Deleted: true}, nil
}

func (s *Service) area(tx *pg.Tx, text string) (areaRow, error) {
	name, key, err := areaName(text)
	if err != nil {
		return areaRow{}, err
	}
	row, err := areaByKey(tx, key)
	if pg.NoRow(err) {
		return row, fault.Missing("area", name)
	}
	if err != nil {
		return row, fmt.Errorf("find an area: %w", err)
	}
	return row, nil
}
