package label

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

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
