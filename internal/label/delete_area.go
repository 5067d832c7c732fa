package label

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

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
