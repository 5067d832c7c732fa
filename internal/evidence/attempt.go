package evidence

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type attemptIn struct {
	Topic       string      `json:"topic" jsonschema:"slug"`
	Environment Environment `json:"environment" jsonschema:"{os,runtime,pkg_manager}"`
	Summary     string      `json:"summary" jsonschema:"what was tried"`
	Steps       []string    `json:"steps" jsonschema:"in order"`
	Reason      string      `json:"reason" jsonschema:"why it did not work"`
}

type attempted struct {
	Topic      string    `json:"topic"`
	ID         uuid.UUID `json:"id"`
	NextAction *op.Next  `json:"next_action"`
}

func (s *Service) attemptOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_feedback_attempt", ID: "feedback.attempt", Title: "Leave a failed attempt",
		Doc: "Where a topic has no working answer for your environment, say what you tried in vain. " +
			`Example: {"topic":"broken-import","environment":{"os":"macos"},"summary":"Reinstalled","steps":["brew reinstall"],"reason":"Same error."}`,
		Scope: tenant.TopicsWrite, Role: tenant.Member, REST: "POST /topics/{topic}/attempts", Created: true, CLI: "context attempt <topic> <summary>",
		Rules: op.Rules{
			"summary": op.Length(1, SummaryMax), "steps": op.Items(1, StepsMax), "steps[]": op.Length(1, ReasonMax), "reason": op.Length(1, ReasonMax),
		},
	}, s.attempt)
}

func (s *Service) attempt(_ context.Context, tx *pg.Tx, in attemptIn) (attempted, error) {
	if err := in.Environment.Check("environment"); err != nil {
		return attempted{}, err
	}
	if err := event.Lock(tx); err != nil {
		return attempted{}, err
	}
	t, err := find(tx, in.Topic)
	if err != nil {
		return attempted{}, err
	}
	known, err := known(tx, t.ID)
	if err != nil {
		return attempted{}, err
	}
	standing, _ := known.Answer(t.Solutions, Question{Topic: t.Slug, Env: in.Environment})
	if standing.HasAnswer {
		e := fault.New(fault.State, fault.CodeApplicableAnswer, fmt.Sprintf("a solution of this topic applies in %s", in.Environment.canonical()),
			"take its steps, and report with driftless_feedback_report how that went")
		e.Current = standing
		return attempted{}, e
	}
	id := pg.NewID()
	if err := insertAttempt(tx, t.ID, id, in); err != nil {
		return attempted{}, err
	}
	if _, err := event.Append(tx, "feedback.attempt", "attempt.added", &t.ID, map[string]any{"attempt": id}); err != nil {
		return attempted{}, err
	}
	return attempted{Topic: t.Slug, ID: id, NextAction: &op.Next{
		Tool: "driftless_context_get", Arguments: map[string]any{"topic": t.Slug, "env": in.Environment.canonical()}, Why: "what the topic says in this environment now",
	}}, nil
}
