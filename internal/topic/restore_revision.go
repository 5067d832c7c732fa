package topic

import (
	"context"
	"fmt"

	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type restoreRevisionIn struct {
	Topic        string `json:"topic" jsonschema:"slug"`
	Revision     int    `json:"revision" jsonschema:"the revision to go back to"`
	BaseRevision int    `json:"base_revision,omitempty" jsonschema:"the newest revision you have seen"`
	Summary      string `json:"summary,omitempty" jsonschema:"why"`
}

func (s *Service) restoreRevisionOp() op.Operation {
	return op.Write(op.Spec{
		ID: "topics.restore_revision", Title: "Restore a revision",
		Doc:   "Write what a topic said at an old revision as a new one; on Knowledge this suggests an edit. Nothing in between is lost.",
		Scope: tenant.TopicsWrite, Role: tenant.Member, REST: "POST /topics/{topic}/revisions/{revision}/restore",
		CLI:   "context revert <topic> <revision>",
		Rules: op.Rules{"summary": op.Length(0, 500), "revision": op.Number(1, 1<<31-1)},
	}, s.restoreRevision)
}

func (s *Service) restoreRevision(_ context.Context, tx *pg.Tx, in restoreRevisionIn) (Written, error) {
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Written{}, err
	}
	if in.BaseRevision > 0 {
		if err := checkBase(tx, t, in.BaseRevision); err != nil {
			return Written{}, err
		}
	}
	old, ok, err := revisionOf(tx, t.ID, in.Revision)
	if err != nil {
		return Written{}, err
	}
	if !ok {
		return Written{}, fault.Missing("revision", fmt.Sprintf("%s@%d", in.Topic, in.Revision))
	}
	said := old.Snapshot
	if said.Area != "" && said.Area != t.Content.Area {
		if _, err := label.FindArea(tx, said.Area); fault.Is(err, fault.CodeValidation) {
			// The area is no more; the topic stays where it is filed now.
			said.Area = t.Content.Area
		} else if err != nil {
			return Written{}, err
		}
	}
	if in.Summary == "" {
		in.Summary = fmt.Sprintf("back to revision %d", in.Revision)
	}
	return s.rewrite(tx, t, rewrite{
		act:    act{op: "topics.restore_revision", event: "topic.reverted", summary: in.Summary, detail: map[string]any{"restored": in.Revision}},
		change: func(Content) (Content, error) { return said, nil },
		tell:   true,
	})
}
