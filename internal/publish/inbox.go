package publish

import (
	"context"
	"time"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

type inboxIn struct {
	Unread bool   `json:"unread,omitempty" jsonschema:"only what was not read yet"`
	Limit  int    `json:"limit,omitempty" jsonschema:"rows"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

// Item is one thing that waits for the person who asks.
type Item struct {
	ID     uuid.UUID       `json:"id"`
	Kind   string          `json:"kind" jsonschema:"shared"`
	Topic  ItemTopic       `json:"topic"`
	From   topic.PersonRef `json:"from"`
	At     time.Time       `json:"at"`
	ReadAt *time.Time      `json:"read_at,omitempty"`
}

// ItemTopic is the topic that an item leads to.
type ItemTopic struct {
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Trust string `json:"trust"`
}

func (s *Service) inboxOp() op.Operation {
	return op.Read(op.Spec{
		ID: "inbox.list", Title: "Inbox", Doc: "What waits for you in this workspace, newest first. What you may no longer read is left out.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, Human: true, REST: "GET /inbox", CLI: "inbox",
		Rules: op.Rules{"limit": op.Range(1, 200, 50)},
	}, s.inbox)
}

func (s *Service) inbox(_ context.Context, tx *pg.Tx, in inboxIn) (op.Page[Item], error) {
	var before struct {
		ID uuid.UUID `json:"i"`
	}
	if _, err := op.ParseCursor(in.Cursor, &before); err != nil {
		return op.Page[Item]{}, err
	}
	rows, err := items(tx, in.Unread, before.ID, in.Limit+1)
	if err != nil {
		return op.Page[Item]{}, err
	}
	more := len(rows) > in.Limit
	if more {
		rows = rows[:in.Limit]
	}
	var done *op.Next
	if len(rows) > 0 {
		done = &op.Next{Tool: "driftless_context_get", Arguments: map[string]any{"topic": rows[0].Topic.Slug}, Why: "read the newest one"}
	}
	page := op.NewPage(rows, more, done, func(last Item, _ int) (string, *op.Next) {
		before.ID = last.ID
		return op.Cursor(before), done
	})
	page.ContentTrust = topic.UntrustedData
	return page, nil
}
