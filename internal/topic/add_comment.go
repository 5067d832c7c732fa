package topic

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

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
	if err := commentable(in.Field); err != nil {
		return Commented{}, err
	}
	if err := event.Lock(tx); err != nil {
		return Commented{}, err
	}
	d, edit, err := s.subject(tx, in.Topic, in.Proposal)
	if err != nil {
		return Commented{}, err
	}
	a, id := tx.Actor(), pg.NewID()
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
	if err := tellOfComment(tx, d.ID, edit); err != nil {
		return Commented{}, err
	}
	return commented(tx, id)
}

// commentable refuses the name of a field that no topic has.
func commentable(field string) error {
	if field == "" {
		return nil
	}
	fields := writable().fields
	if _, known := fields[field]; known {
		return nil
	}
	return fault.Choice("field", field, slices.Sorted(maps.Keys(fields)))
}

// tellOfComment tells the author of what was commented on.
func tellOfComment(tx *pg.Tx, about uuid.UUID, edit *uuid.UUID) error {
	t, _, err := topicByID(tx, about)
	if err != nil {
		return err
	}
	author, of := t.AuthorID, ""
	if edit != nil {
		e, _, err := editByID(tx, *edit)
		if err != nil {
			return err
		}
		author, of = e.AuthorID, e.ID.String()
	}
	return tellAuthor(tx, notice.Comment, &t, author, of)
}
