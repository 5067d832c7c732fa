package topic

import (
	"context"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

func (s *Service) rejectEditOp() op.Operation {
	return op.Write(op.Spec{
		ID: "edits.reject", Title: "Reject a suggested edit", Doc: "Decline a suggested edit with a reason; the topic stays as it is.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, REST: "POST /proposals/{proposal}/reject", CLI: "context pr reject <proposal>",
		Rules: op.Rules{"reason": op.Length(0, ItemMax)},
	}, s.rejectEdit)
}

func (s *Service) rejectEdit(_ context.Context, tx *pg.Tx, in editDecisionIn) (Decided, error) {
	if in.Reason == "" {
		return Decided{}, fault.Fieldf("reason", "required: the author learns from it")
	}
	return s.closeEdit(tx, in, "rejected")
}
