package topic

import (
	"context"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type listCommentsIn struct {
	Topic    string `json:"topic,omitempty" jsonschema:"slug"`
	Proposal string `json:"proposal,omitempty" jsonschema:"or id of a suggested edit"`
	Limit    int    `json:"limit,omitempty" jsonschema:"rows"`
	Cursor   string `json:"cursor,omitempty" jsonschema:"next_cursor"`
}

func (s *Service) listCommentsOp() op.Operation {
	return op.Read(op.Spec{
		Tool: "driftless_context_comment", Action: "list", ID: "comments.list", Title: "List comments", Doc: commentDoc,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /comments", CLI: "context comments",
		Rules: op.Rules{"limit": op.Range(1, 100, 50)},
	}, s.listComments)
}

func (s *Service) listComments(_ context.Context, tx *pg.Tx, in listCommentsIn) (op.Page[Comment], error) {
	var after struct {
		ID uuid.UUID `json:"i"`
	}
	if _, err := op.ParseCursor(in.Cursor, &after); err != nil {
		return op.Page[Comment]{}, err
	}
	d, edit, err := s.subject(tx, in.Topic, in.Proposal)
	if err != nil {
		return op.Page[Comment]{}, err
	}
	rows, err := comments(tx, d.ID, edit, after.ID, in.Limit+1)
	if err != nil {
		return op.Page[Comment]{}, err
	}
	more := len(rows) > in.Limit
	if more {
		rows = rows[:in.Limit]
	}
	done := &op.Next{Tool: "driftless_context_get", Arguments: map[string]any{"topic": d.Slug}, Why: "read the text they are about"}
	page := op.NewPage(rows, more, done, func(last Comment, _ int) (string, *op.Next) {
		after.ID = uuid.MustParse(last.ID)
		cursor := op.Cursor(after)
		args := map[string]any{"action": "list", "cursor": cursor, "limit": in.Limit}
		if in.Proposal != "" {
			args["proposal"] = in.Proposal
		} else {
			args["topic"] = in.Topic
		}
		return cursor, &op.Next{Tool: "driftless_context_comment", Arguments: args, Why: "there are newer comments"}
	})
	page.ContentTrust = UntrustedData
	return page, nil
}
