package notice

import (
	"context"
	"time"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type inboxIn struct {
	Unread bool   `json:"unread,omitempty" jsonschema:"only what was not read yet"`
	Limit  int    `json:"limit,omitempty" jsonschema:"rows"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

// Item is one thing that waits for the person who asks.
type Item struct {
	ID    uuid.UUID `json:"id"`
	Kind  Kind      `json:"kind" jsonschema:"shared, review, approved, changes_requested, rejected, merged, outdated, comment, confirmation or expiring"`
	Topic ItemTopic `json:"topic"`
	// About is what on the topic it is about.
	About  string     `json:"about,omitempty" jsonschema:"id of the suggested edit or confirmation"`
	From   *Sender    `json:"from,omitempty"`
	At     time.Time  `json:"at"`
	ReadAt *time.Time `json:"read_at,omitempty"`
}

// Sender is whose act an item tells of; nobody's, where it happened by itself.
type Sender struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// ItemTopic is the topic that an item leads to.
type ItemTopic struct {
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Trust string `json:"trust"`
	// Trashed is what was deleted, and cannot be opened.
	Trashed bool `json:"trashed,omitempty"`
}

func inboxOp() op.Operation {
	return op.Read(op.Spec{
		ID: "inbox.list", Title: "Inbox", Doc: "What waits for you in this workspace, newest first. What you may no longer read is left out.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, Human: true, REST: "GET /inbox", CLI: "inbox",
		Rules: op.Rules{"limit": op.Range(1, 200, 50)},
	}, inbox)
}

func inbox(_ context.Context, tx *pg.Tx, in inboxIn) (op.Page[Item], error) {
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
	page.ContentTrust = "untrusted-data"
	return page, nil
}
