package topic

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
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

func commented(tx *pg.Tx, id uuid.UUID) (Commented, error) {
	c, err := readComment(tx, id)
	if err != nil {
		return Commented{}, fmt.Errorf("read a comment back: %w", err)
	}
	return Commented{Comment: c}, nil
}
