package topic

import (
	"context"

	"driftless/internal/fault"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type rejectIn struct {
	Topic          string `json:"topic,omitempty" jsonschema:"slug of a note"`
	Proposal       string `json:"proposal,omitempty" jsonschema:"or id of a suggested edit"`
	Reason         string `json:"reason" jsonschema:"what the author should know"`
	RequestChanges bool   `json:"request_changes,omitempty" jsonschema:"keep it proposed and ask for changes"`
}

func (s *Service) rejectOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_reject", ID: "topics.reject", Title: "Reject or ask for changes",
		Doc: "Send a proposed note back to draft, or ask for changes, with a reason; or reject a suggested edit. " +
			`Example: {"topic":"billing-retries","reason":"Say which gateway."}`,
		Scope: tenant.WorkWrite, Role: tenant.Admin, REST: "POST /topics/{topic}/reject", CLI: "context reject <topic>",
		Rules: op.Rules{"reason": op.Length(1, ItemMax)},
	}, s.reject)
}

func (s *Service) reject(ctx context.Context, tx *pg.Tx, in rejectIn) (Written, error) {
	if in.Proposal != "" && in.Topic == "" {
		d, err := s.rejectEdit(ctx, tx, editDecisionIn{Proposal: in.Proposal, Reason: in.Reason})
		if err != nil {
			return Written{}, err
		}
		_, t, err := loadEdit(tx, in.Proposal)
		if err != nil {
			return Written{}, err
		}
		return s.written(tx, t, Written{Applied: d.Status, ProposalID: d.ProposalID})
	}
	if in.Topic == "" {
		return Written{}, fault.Fieldf("topic", "required, or proposal for a suggested edit")
	}
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Written{}, err
	}
	verb, state, kind, tell := Reject, "rejected", "topic.rejected", notice.Rejected
	if in.RequestChanges {
		verb, state, kind, tell = RequestChanges, "changes_requested", "topic.changes_requested", notice.ChangesRequested
	}
	if t.Status, err = decide(t, tx.Actor(), verb); err != nil {
		return Written{}, err
	}
	by, now := tx.Actor().Person, tx.Now()
	t.ReviewState, t.ReviewReason, t.ReviewBy, t.ReviewAt = state, in.Reason, &by, &now
	err = save(tx, t, t.Content, act{op: "topics.reject", event: kind, summary: in.Reason, detail: map[string]any{"reason": in.Reason}})
	if err != nil {
		return Written{}, err
	}
	if err := tellAuthor(tx, tell, t, t.AuthorID, ""); err != nil {
		return Written{}, err
	}
	return s.written(tx, t, Written{})
}
