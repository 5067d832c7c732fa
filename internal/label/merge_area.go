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

type mergeAreaIn struct {
	Name string `json:"name" jsonschema:"the area that ends"`
	Into string `json:"into" jsonschema:"the area that its topics move to"`
}

func (s *Service) mergeAreaOp() op.Operation {
	return op.Write(op.Spec{
		ID: "areas.merge", Title: "Merge two areas",
		Doc:   `Move all topics of an area to another one, which keeps its name, description and reviewers; the first ends. Example: {"name":"Billing","into":"Payments"}`,
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Destroys, REST: "POST /areas/{name}/merge", CLI: "areas merge <name> <into>",
		Rules: op.Rules{"name": op.Length(1, 200), "into": op.Length(1, 200)},
	}, s.mergeArea)
}

func (s *Service) mergeArea(_ context.Context, tx *pg.Tx, in mergeAreaIn) (areaAnswer, error) {
	if err := event.Lock(tx); err != nil {
		return areaAnswer{}, err
	}
	from, err := s.area(tx, in.Name)
	if err != nil {
		return areaAnswer{}, err
	}
	into, err := s.area(tx, in.Into)
	if err != nil {
		return areaAnswer{}, err
	}
	if from.ID == into.ID {
		return areaAnswer{}, fault.Fieldf("into", "is the same area")
	}
	seq, err := event.Append(tx, "areas.merge", "area.merged", nil, map[string]any{"name": from.Name, "into": into.Name})
	if err != nil {
		return areaAnswer{}, err
	}
	if err := refile(tx, from.ID, into.ID, seq); err != nil {
		return areaAnswer{}, fmt.Errorf("move the topics of an area: %w", err)
	}
	if err := deleteArea(tx, from.ID); err != nil {
		return areaAnswer{}, fmt.Errorf("delete an area: %w", err)
	}
	return areaAnswer{Name: into.Name, Description: into.Description}, nil
}
