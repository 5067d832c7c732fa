package topic

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type archiveIn struct {
	Topic   string `json:"topic" jsonschema:"slug"`
	Restore bool   `json:"restore,omitempty" jsonschema:"bring it back; Knowledge comes back as proposed"`
}

func (s *Service) archiveOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_archive", ID: "topics.archive", Title: "Archive a topic",
		Doc:   `Take a topic out of lists and search, or restore it. Example: {"topic":"old-queue"}`,
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Idempotent,
		REST: "POST /topics/{topic}/archive", CLI: "context archive <topic>",
	}, s.archive)
}

func (s *Service) archive(_ context.Context, tx *pg.Tx, in archiveIn) (Written, error) {
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Written{}, err
	}
	if (t.Status == Archived) != in.Restore {
		// It is where the caller wants it already.
		return s.written(tx, t, Written{})
	}
	if in.Restore {
		err = t.comeBack(tx, Unarchive, act{op: "topics.archive", event: "topic.restored"})
	} else {
		err = t.putAway(tx, Archive, act{op: "topics.archive", event: "topic.archived"})
	}
	if err != nil {
		return Written{}, err
	}
	return s.written(tx, t, Written{})
}

// putAway archives or trashes a topic and remembers where it comes back to. Knowledge never comes back as Knowledge: it
// passes a reviewer again.
func (t *Topic) putAway(tx *pg.Tx, verb Verb, w act) error {
	to, err := decide(t, tx.Actor(), verb)
	if err != nil {
		return err
	}
	return t.leaveFor(tx, to, w)
}

// leaveFor puts a topic into the archive or the trash, whoever decided that it may be.
func (t *Topic) leaveFor(tx *pg.Tx, to Status, w act) error {
	back := t.Status
	if back == Reviewed {
		back = Proposed
	}
	if t.Status == Archived && to == Trash {
		back = Archived
	}
	t.Status, t.ReturnsTo = to, &back
	if to == Trash {
		now := tx.Now()
		t.TrashedAt = &now
	}
	if err := save(tx, t, t.Content, w); err != nil {
		return err
	}
	return outdate(tx, t)
}

// comeBack takes a topic out of the archive or the trash.
func (t *Topic) comeBack(tx *pg.Tx, verb Verb, w act) error {
	to, err := decide(t, tx.Actor(), verb)
	if err != nil {
		return err
	}
	t.Status, t.ReturnsTo, t.TrashedAt, t.MergedInto = to, nil, nil, nil
	if to == Archived {
		// Where an archived topic came from is not kept through the trash: a draft is always right.
		draft := Draft
		t.ReturnsTo = &draft
	}
	if to == Proposed {
		now := tx.Now()
		t.submit()
		t.ProposedAt, t.IsPrivate = &now, false
	}
	return save(tx, t, t.Content, w)
}
