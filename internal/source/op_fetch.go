package source

import (
	"context"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type fetchIn struct {
	Source string `json:"source" jsonschema:"its id, or a spelling of its remote"`
}

func (s *Service) fetchOp() op.Operation {
	return op.Write(op.Spec{
		ID: "sources.fetch", Title: "Fetch a mirror now",
		Doc:   "Have the server fetch a repository that it mirrors, without waiting for the next hour. The list of repositories says what came of it.",
		Scope: tenant.TopicsWrite, Role: tenant.Member, Effect: op.Idempotent, REST: "POST /sources/{source}/fetch", CLI: "source fetch <source>",
		Rules: op.Rules{"source": op.Length(1, 1000)},
	}, s.fetch)
}

func (s *Service) fetch(_ context.Context, tx *pg.Tx, in fetchIn) (View, error) {
	row, err := Pick(tx, in.Source)
	if err != nil {
		return View{}, err
	}
	m, is, err := MirrorOf(tx, row.ID)
	if err != nil {
		return View{}, err
	}
	if !is {
		return View{}, fault.New(fault.State, fault.CodeStateConflict, row.Name+" is not mirrored",
			"an admin mirrors it with 'driftless source mirror', or run 'driftless sync' in a checkout")
	}
	heads, err := Heads(tx)
	if err != nil {
		return View{}, err
	}
	v := row.View(heads)
	v.Mirror = m.View()
	return v, FetchSoon(tx, row.ID)
}
