package topic

import (
	"context"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type chainIn struct {
	Head    string `json:"head,omitempty" jsonschema:"the head of an earlier check, kept elsewhere"`
	Entries int64  `json:"entries,omitempty" jsonschema:"the number of entries of that check"`
}

// Chain is what checking the events of a workspace found.
type Chain struct {
	Entries int64  `json:"entries"`
	Whole   bool   `json:"whole"`
	Head    string `json:"head"`
}

func (s *Service) verifyChainOp() op.Operation {
	return op.Query(op.Spec{
		ID: "audit.verify", Title: "Verify the event chain",
		Doc:   "Check that no event of the workspace was changed, removed or reordered. A broken chain is an error that names the first bad entry. Keep head and entries elsewhere and send them later: then an end that was cut off or written anew shows too.",
		Scope: tenant.ContextRead, Role: tenant.Admin, REST: "GET /audit/verify", CLI: "audit verify",
		Rules: op.Rules{"head": {Max: 64, Pattern: `^([0-9a-f]{64})?$`}, "entries": op.Range(0, 1<<53, 0)},
	}, s.verifyChain)
}

func (s *Service) verifyChain(ctx context.Context, a tenant.Actor, in chainIn) (Chain, error) {
	if (in.Head == "") != (in.Entries == 0) {
		return Chain{}, fault.Fieldf("head", "head and entries of one check belong together; send both or neither")
	}
	var report event.Report
	// Every entry must be read, also those about drafts that the caller may not see; only sums of them are answered.
	err := s.db.Workspace(ctx, tenant.System(a.Workspace), pg.ReadOnly, func(tx *pg.Tx) (err error) {
		report, err = event.Verify(tx, event.Kept{Entries: in.Entries, Head: in.Head})
		return err
	})
	if err != nil {
		return Chain{}, err
	}
	if report.FirstBad != 0 {
		e := fault.New(fault.Conflict, "CHAIN_BROKEN", "the event chain is broken: "+report.Reason, "the entry is named in current; tell the operator of the server")
		e.Current = map[string]any{"first_bad": report.FirstBad, "entries": report.Entries}
		return Chain{}, e
	}
	return Chain{Entries: report.Entries, Whole: true, Head: report.Head}, nil
}
