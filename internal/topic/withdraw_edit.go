package topic

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

func (s *Service) withdrawEditOp() op.Operation {
	return op.Write(op.Spec{
		ID: "edits.withdraw", Title: "Withdraw a suggested edit", Doc: "Take back your own suggested edit.",
		Scope: tenant.WorkWrite, Role: tenant.Member, REST: "POST /proposals/{proposal}/withdraw", CLI: "context pr withdraw <proposal>",
	}, s.withdrawEdit)
}

func (s *Service) withdrawEdit(_ context.Context, tx *pg.Tx, in editDecisionIn) (Decided, error) {
	return s.closeEdit(tx, in, "withdrawn")
}
