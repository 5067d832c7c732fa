package topic

import (
	"context"
	"time"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type historyIn struct {
	Topic  string `json:"topic" jsonschema:"slug"`
	Limit  int    `json:"limit,omitempty" jsonschema:"rows"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

// HistoryRow is one revision: who, how, why, and what changed at the leaves.
type HistoryRow struct {
	Revision   int        `json:"revision"`
	RevisionID string     `json:"revision_id"`
	Status     string     `json:"status"`
	Author     *PersonRef `json:"author,omitempty"`
	Via        string     `json:"via"`
	Client     string     `json:"client,omitempty"`
	Operation  string     `json:"operation"`
	Summary    string     `json:"summary,omitempty"`
	At         time.Time  `json:"at"`
	Changes    []Change   `json:"changes"`
}

func (s *Service) historyOp() op.Operation {
	return op.Read(op.Spec{
		Tool: "driftless_context_history", ID: "topics.history", Title: "History of a topic",
		Doc:   `Revisions, newest first, with what changed at each leaf. Example: {"topic":"billing-retries"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /topics/{topic}/history", CLI: "context history <topic>",
		Rules: op.Rules{"limit": op.Range(1, 100, 20)},
	}, s.history)
}

func (s *Service) history(_ context.Context, tx *pg.Tx, in historyIn) (op.Page[HistoryRow], error) {
	var before struct {
		Revision int `json:"r"`
	}
	if _, err := op.ParseCursor(in.Cursor, &before); err != nil {
		return op.Page[HistoryRow]{}, err
	}
	d, err := s.document(tx, in.Topic)
	if err != nil {
		return op.Page[HistoryRow]{}, err
	}
	rows, err := revisions(tx, d.ID, before.Revision, in.Limit+1)
	if err != nil {
		return op.Page[HistoryRow]{}, err
	}
	more := len(rows) > in.Limit
	if more {
		rows = rows[:in.Limit]
	}
	done := &op.Next{Tool: "driftless_context_get", Arguments: map[string]any{"topic": in.Topic}, Why: "read it as it is now"}
	page := op.NewPage(rows, more, done, func(last HistoryRow, _ int) (string, *op.Next) {
		before.Revision = last.Revision
		cursor := op.Cursor(before)
		return cursor, &op.Next{
			Tool: "driftless_context_history", Arguments: map[string]any{"topic": in.Topic, "cursor": cursor, "limit": in.Limit},
			Why: "there are older revisions",
		}
	})
	page.ContentTrust = UntrustedData
	return page, nil
}
