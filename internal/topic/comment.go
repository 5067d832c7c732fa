package topic

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// CommentMax is the length of a comment in characters.
const CommentMax = 10_000

const commentDoc = "Comments on a topic, a suggested edit, or one field of either: add, list, resolve (status wont_fix or open reopens). " +
	`Example: {"action":"add","topic":"billing-retries","field":"how","body":"Which gateway?"}`

// Comment is a remark about a text. It changes neither text nor state.
type Comment struct {
	ID       string     `json:"id"`
	Topic    string     `json:"topic"`
	Proposal string     `json:"proposal,omitempty"`
	Field    string     `json:"field,omitempty"`
	Body     string     `json:"body"`
	Revision int        `json:"revision"`
	Status   string     `json:"status"` // open, resolved or wont_fix
	Author   *PersonRef `json:"author,omitempty"`
	Via      string     `json:"via"`
	At       time.Time  `json:"at"`
	ClosedBy *PersonRef `json:"closed_by,omitempty"`
	ClosedAt *time.Time `json:"closed_at,omitempty"`
}

// Commented is the answer to a write about a comment.
type Commented struct {
	Comment Comment `json:"comment"`
}

type commentRow struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	TopicID     uuid.UUID
	EditID      *uuid.UUID
	Field       string
	Body        string
	Revision    int
	AuthorID    uuid.UUID
	Via         string
	Status      string
	CreatedAt   time.Time
	ClosedBy    *uuid.UUID
	ClosedAt    *time.Time
}

type addCommentIn struct {
	Topic    string `json:"topic,omitempty" jsonschema:"slug"`
	Proposal string `json:"proposal,omitempty" jsonschema:"or id of a suggested edit"`
	Field    string `json:"field,omitempty" jsonschema:"one field of it"`
	Body     string `json:"body" jsonschema:"Markdown"`
}

func (s *Service) addCommentOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_comment", Action: "add", ID: "comments.add", Title: "Comment", Doc: commentDoc,
		Scope: tenant.WorkWrite, Role: tenant.Viewer, REST: "POST /comments", Created: true, CLI: "context comment",
		Rules: op.Rules{"body": op.Length(1, CommentMax), "field": op.Length(0, 200)},
	}, s.addComment)
}

func (s *Service) addComment(_ context.Context, tx *pg.Tx, in addCommentIn) (Commented, error) {
	if err := event.Lock(tx); err != nil {
		return Commented{}, err
	}
	d, edit, err := s.subject(tx, in.Topic, in.Proposal)
	if err != nil {
		return Commented{}, err
	}
	id, err := newID()
	if err != nil {
		return Commented{}, err
	}
	a := tx.Actor()
	row := commentRow{
		WorkspaceID: a.Workspace, ID: id, TopicID: d.ID, EditID: edit, Field: in.Field, Body: in.Body, Revision: d.Revision,
		AuthorID: a.Person, Via: string(a.Via), Status: "open", CreatedAt: tx.Now(),
	}
	if err := insertComment(tx, row); err != nil {
		return Commented{}, err
	}
	if _, err := event.Append(tx, "comments.add", "comment.added", &d.ID, map[string]any{"comment": id, "field": in.Field}); err != nil {
		return Commented{}, err
	}
	return commented(tx, id)
}

// subject finds what a comment is about: a topic by slug, or a suggested edit together with its topic.
func (s *Service) subject(tx *pg.Tx, slug, proposal string) (*Document, *uuid.UUID, error) {
	if proposal == "" {
		if slug == "" {
			return nil, nil, fault.Fieldf("topic", "required, or proposal for a suggested edit")
		}
		d, err := s.document(tx, slug)
		return d, nil, err
	}
	id, err := uuid.Parse(proposal)
	if err != nil {
		return nil, nil, fault.Missing("suggested edit", proposal)
	}
	e, ok, err := editByID(tx, id)
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		return nil, nil, fault.Missing("suggested edit", proposal)
	}
	about, err := slugOf(tx, e.TopicID)
	if err != nil {
		return nil, nil, err
	}
	d, err := s.document(tx, about)
	return d, &e.ID, err
}

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

type resolveCommentIn struct {
	Topic   string `json:"topic,omitempty" jsonschema:"slug"`
	Comment string `json:"comment" jsonschema:"id of the comment"`
	Status  string `json:"status,omitempty" jsonschema:"what becomes of it"`
}

func (s *Service) resolveCommentOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_comment", Action: "resolve", ID: "comments.resolve", Title: "Resolve a comment", Doc: commentDoc,
		Scope: tenant.WorkWrite, Role: tenant.Viewer, Effect: op.Idempotent, REST: "POST /comments/{comment}/resolve", CLI: "context resolve <comment>",
		Rules: op.Rules{"status": op.OneOf("resolved", "resolved", "wont_fix", "open")},
	}, s.resolveComment)
}

func (s *Service) resolveComment(_ context.Context, tx *pg.Tx, in resolveCommentIn) (Commented, error) {
	id, err := uuid.Parse(in.Comment)
	if err != nil {
		return Commented{}, fault.Missing("comment", in.Comment)
	}
	if err := event.Lock(tx); err != nil {
		return Commented{}, err
	}
	row, ok, err := commentByID(tx, id)
	if err != nil {
		return Commented{}, err
	}
	if !ok {
		return Commented{}, fault.Missing("comment", in.Comment)
	}
	a := tx.Actor()
	// A viewer may close what they opened; the rest is for those who work on the text.
	if row.AuthorID != a.Person && !a.Role.AtLeast(tenant.Member) {
		return Commented{}, op.InsufficientRole(a.Role, tenant.Member)
	}
	if row.Status == in.Status {
		return commented(tx, id)
	}
	if err := setCommentStatus(tx, id, in.Status); err != nil {
		return Commented{}, err
	}
	if _, err := event.Append(tx, "comments.resolve", "comment."+in.Status, &row.TopicID, map[string]any{"comment": id, "was": row.Status}); err != nil {
		return Commented{}, err
	}
	return commented(tx, id)
}

func commented(tx *pg.Tx, id uuid.UUID) (Commented, error) {
	c, err := readComment(tx, id)
	if err != nil {
		return Commented{}, fmt.Errorf("read a comment back: %w", err)
	}
	return Commented{Comment: c}, nil
}
