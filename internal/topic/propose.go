package topic

import (
	"context"
	"strings"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/tenant"
)

type proposeIn struct {
	Topic    string `json:"topic" jsonschema:"slug"`
	Message  string `json:"message,omitempty" jsonschema:"to the reviewer"`
	Withdraw bool   `json:"withdraw,omitempty" jsonschema:"back to draft"`
}

func (s *Service) proposeOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_propose", ID: "topics.propose", Title: "Propose a note",
		Doc:   `Put a draft up for review, visible to the workspace. Example: {"topic":"billing-retries"}`,
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Idempotent, Core: true,
		REST: "POST /topics/{topic}/propose", CLI: "context propose <topic>",
		Rules: op.Rules{"message": op.Length(0, ItemMax)},
	}, s.propose)
}

func (s *Service) propose(ctx context.Context, tx *pg.Tx, in proposeIn) (Written, error) {
	if in.Withdraw {
		return s.withdraw(ctx, tx, withdrawIn{Topic: in.Topic})
	}
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Written{}, err
	}
	if t.Status == Proposed {
		return s.written(tx, t, Written{})
	}
	if t.Status, err = decide(t, tx.Actor(), Propose); err != nil {
		return Written{}, err
	}
	hidden, err := relation.Private(tx, t.ID)
	if err != nil {
		return Written{}, err
	}
	if len(hidden) > 0 {
		// Reviewers would not see what the text is related to, and could read the slugs of drafts that are not theirs.
		return Written{}, fault.New(fault.State, fault.CodeStateConflict,
			"it is related to drafts that you alone see: "+strings.Join(hidden, ", "), "propose those first, or remove the relations")
	}
	now := tx.Now()
	t.IsPrivate, t.ProposedAt, t.ProposalMessage = false, &now, in.Message
	t.submit()
	t.ReviewReason, t.ReviewBy, t.ReviewAt = "", nil, nil
	if err := save(tx, t, t.Content, act{op: "topics.propose", event: "topic.proposed", summary: in.Message}); err != nil {
		return Written{}, err
	}
	return s.written(tx, t, Written{Says: &t.Content})
}
