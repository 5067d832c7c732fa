package label

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

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
