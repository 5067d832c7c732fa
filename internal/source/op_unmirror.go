package source

import (
	"context"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type unmirrorIn struct {
	Source string `json:"source" jsonschema:"its id, or a spelling of its remote"`
}

func (s *Service) unmirrorOp() op.Operation {
	return op.Write(op.Spec{
		ID: "sources.unmirror", Title: "Stop mirroring a repository",
		Doc:   "The server fetches it no more and forgets the credential. The repository stays connected, with what is known of it.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, Effect: op.Idempotent, REST: "DELETE /sources/{source}/mirror", CLI: "source unmirror <source>",
		Rules: op.Rules{"source": op.Length(1, 1000)},
	}, s.unmirror)
}

func (s *Service) unmirror(_ context.Context, tx *pg.Tx, in unmirrorIn) (View, error) {
	if err := event.Lock(tx); err != nil {
		return View{}, err
	}
	row, err := Pick(tx, in.Source)
	if err != nil {
		return View{}, err
	}
	heads, err := Heads(tx)
	if err != nil {
		return View{}, err
	}
	gone, err := dropMirror(tx, row.ID)
	if err != nil || !gone {
		return row.View(heads), err
	}
	_, err = event.Append(tx, "sources.unmirror", "source.unmirrored", nil, map[string]any{"source": row.ID, "name": row.Name})
	return row.View(heads), err
}
