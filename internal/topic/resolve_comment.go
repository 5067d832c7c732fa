package topic

import (
	"context"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

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
