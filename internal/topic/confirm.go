package topic

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// confirmationRow is a pending human act, bound to the text that was meant and to the person who is to confirm it.
type confirmationRow struct {
	WorkspaceID uuid.UUID
	ID          string
	Kind        string
	TopicID     uuid.UUID
	EditID      *uuid.UUID
	Revision    int
	ContentHash string
	PersonID    uuid.UUID
	Via         string
	Client      string
	Resolution  map[string]any `gorm:"serializer:json"`
	CreatedAt   time.Time
	ExpiresAt   time.Time
	Status      string
	DecidedAt   *time.Time
}

// ask stores what a person is to confirm and answers where.
func (s *Service) ask(tx *pg.Tx, c confirmationRow) (Approval, error) {
	raw := make([]byte, 18)
	if _, err := rand.Read(raw); err != nil {
		return Approval{}, fmt.Errorf("read randomness: %w", err)
	}
	a := tx.Actor()
	c.WorkspaceID, c.ID, c.PersonID = a.Workspace, base64.RawURLEncoding.EncodeToString(raw), a.Person
	if c.Resolution == nil {
		c.Resolution = map[string]any{}
	}
	c.Via, c.Client, c.CreatedAt, c.ExpiresAt, c.Status = string(a.Via), a.Client, tx.Now(), tx.Now().Add(ConfirmationTTL), "pending"
	if err := insertConfirmation(tx, c); err != nil {
		return Approval{}, err
	}
	err := notice.Tell(tx, notice.Notice{Kind: notice.Confirmation, Topic: c.TopicID, About: c.ID, Until: c.ExpiresAt}, a.Person)
	return s.awaiting(c), err
}

func (s *Service) awaiting(c confirmationRow) Approval {
	until := c.ExpiresAt.UTC()
	return Approval{
		Status: "awaiting_confirmation", ConfirmURL: s.cfg.PublicURL + "/confirm/" + c.ID, ExpiresAt: &until, Confirmation: c.ID,
		NextAction: &op.Next{Tool: "driftless_context_proposals", Arguments: map[string]any{}, Why: "see what else waits while a person decides"},
	}
}

// Subject is what a human act is about: a topic by slug, a suggested edit by id, or with Edit any suggested edit of the topic. An
// empty workspace means any.
type Subject struct {
	Workspace string
	Topic     string
	Proposal  string
	Edit      bool
}

func (w Subject) is(c confirmationRow, workspace, slug string) bool {
	if w.Workspace != "" && w.Workspace != workspace {
		return false
	}
	if c.EditID != nil && !w.Edit {
		return w.Proposal == c.EditID.String()
	}
	return w.Topic == slug && w.Edit == (c.EditID != nil)
}

// Outcome tells the person who is to confirm what became of it, and changes nothing. Anybody else's confirmation, and one
// about another subject, look like none.
func (s *Service) Outcome(ctx context.Context, caller tenant.Caller, id string, about Subject) (out Approval, err error) {
	c, m, err := s.ownConfirmation(ctx, caller, id)
	if err != nil {
		return out, err
	}
	err = s.db.Workspace(ctx, caller.In(m), pg.ReadOnly, func(tx *pg.Tx) error {
		slug, err := slugOf(tx, c.TopicID)
		if err != nil {
			return err
		}
		if !about.is(c, m.Slug, slug) {
			return fault.Missing("confirmation", id)
		}
		switch state := c.state(tx.Now()); state {
		case "pending":
			out = s.awaiting(c)
			return nil
		case "approved":
			done := "approved"
			if c.EditID != nil {
				done = "merged"
			}
			out, err = s.decided(tx, slug, done)
			return err
		default:
			return fault.New(fault.State, fault.CodeStateConflict, "this confirmation is "+state, "ask for the approval again if it is still wanted")
		}
	})
	return out, err
}

// Confirmation is what a person is shown before they decide: the very text that becomes Knowledge.
type Confirmation struct {
	ID           string            `json:"id"`
	Kind         string            `json:"kind"`
	Status       string            `json:"status"` // pending, approved, declined or expired
	ExpiresAt    time.Time         `json:"expires_at"`
	Workspace    confirmationPlace `json:"workspace"`
	Topic        View              `json:"topic"`
	Before       *Content          `json:"before,omitempty"`
	Changes      []Change          `json:"changes"`
	Conflicts    []Conflict        `json:"conflicts,omitempty"`
	Absorbs      []string          `json:"absorbs,omitempty"`
	ContentHash  string            `json:"content_hash"`
	Warnings     []Warning         `json:"content_warnings,omitempty"`
	RequestedVia string            `json:"requested_via"`
	Client       string            `json:"client,omitempty"`
}

type confirmationPlace struct {
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// Confirmation reads a pending act for the person it belongs to. Anybody else's looks like none.
func (s *Service) Confirmation(ctx context.Context, caller tenant.Caller, id string) (out Confirmation, err error) {
	c, m, err := s.ownConfirmation(ctx, caller, id)
	if err != nil {
		return out, err
	}
	err = s.db.Workspace(ctx, caller.In(m), pg.ReadOnly, func(tx *pg.Tx) error {
		out, err = s.show(tx, c, m)
		return err
	})
	return out, err
}

func (s *Service) show(tx *pg.Tx, c confirmationRow, m tenant.Membership) (Confirmation, error) {
	slug, err := slugOf(tx, c.TopicID)
	if err != nil {
		return Confirmation{}, err
	}
	d, err := s.document(tx, slug)
	if err != nil {
		return Confirmation{}, err
	}
	out := Confirmation{
		ID: c.ID, Kind: c.Kind, Status: c.state(tx.Now()), ExpiresAt: c.ExpiresAt.UTC(),
		Workspace: confirmationPlace{Slug: m.Slug, Name: m.Name}, RequestedVia: c.Via, Client: c.Client,
		ContentHash: d.ContentHash, Changes: []Change{},
	}
	if c.EditID != nil {
		e, ok, err := editByID(tx, *c.EditID)
		if err != nil || !ok {
			return out, err
		}
		base, _, err := revisionOf(tx, c.TopicID, e.BaseRevision)
		if err != nil {
			return out, err
		}
		merged, conflicts, err := rebase(base.Snapshot, e.Snapshot, d.Content(), c.Resolution)
		if err != nil {
			return out, err
		}
		if out.Absorbs, err = duplicateSlugs(tx, e.Absorbs); err != nil {
			return out, err
		}
		before := d.Content()
		out.Before, out.Changes, out.Conflicts, out.ContentHash = &before, Diff(before, merged), conflicts, merged.Hash()
		d = d.saying(merged)
	} else if before, ok, err := lastReviewed(tx, c.TopicID); err != nil {
		return out, err
	} else if ok {
		out.Before, out.Changes = &before, Diff(before, d.Content())
	}
	out.Topic, out.Warnings = d.View(Full, tx.Actor()), d.Body.Warnings
	return out, nil
}

// saying is the document with other words.
func (d *Document) saying(c Content) *Document {
	other := *d
	other.Title, other.What, other.Body, other.Area, other.Tags, other.ContentHash = c.Title, c.What, bodyOf(c), c.Area, c.Tags, c.Hash()
	return &other
}

// Decision is what came of a pending act.
type Decision struct {
	Status string `json:"status"`
	Topic  *View  `json:"topic,omitempty"`
}

// Decide is the human act: the person confirms or declines what was asked for in their name. It works once, within the time,
// for the text that was shown, and with the role the person has now. No token or key decides, wherever it comes from.
func (s *Service) Decide(ctx context.Context, caller tenant.Caller, id string, approve bool, shown string) (out Decision, err error) {
	if caller.Via != tenant.ViaConsole {
		return out, op.ConsoleOnly("confirming")
	}
	found, m, err := s.ownConfirmation(ctx, caller, id)
	if err != nil {
		return out, err
	}
	err = s.db.Workspace(ctx, caller.In(m), pg.ReadWrite, func(tx *pg.Tx) error {
		if err := event.Lock(tx); err != nil {
			return err
		}
		c, err := confirmationByID(tx, found.ID)
		if err != nil {
			return err
		}
		if state := c.state(tx.Now()); state != "pending" {
			return fault.New(fault.State, fault.CodeStateConflict, "this confirmation is "+state+" already",
				"ask for the approval again if it is still wanted")
		}
		if err := notice.Settle(tx, notice.Confirmation, c.TopicID); err != nil {
			return err
		}
		if !approve {
			out = Decision{Status: "declined"}
			return decline(tx, c)
		}
		out, err = s.confirm(tx, c, shown)
		return err
	})
	return out, err
}

func decline(tx *pg.Tx, c confirmationRow) error {
	if err := closeConfirmation(tx, c.ID, "declined"); err != nil {
		return err
	}
	_, err := event.Append(tx, "confirmations.decide", "topic.approval_declined", &c.TopicID, map[string]any{"kind": c.Kind})
	return err
}

func (s *Service) confirm(tx *pg.Tx, c confirmationRow, shown string) (Decision, error) {
	a := tx.Actor()
	if !a.Role.AtLeast(tenant.Admin) {
		return Decision{}, op.InsufficientRole(a.Role, tenant.Admin)
	}
	slug, err := slugOf(tx, c.TopicID)
	if err != nil {
		return Decision{}, err
	}
	t, err := load(tx, slug, false)
	if err != nil {
		return Decision{}, err
	}
	if err := closeConfirmation(tx, c.ID, "approved"); err != nil {
		return Decision{}, err
	}
	if c.EditID != nil {
		return s.confirmMerge(tx, c, t, shown)
	}
	if t.ContentHash != c.ContentHash || (shown != "" && shown != t.ContentHash) {
		return Decision{}, textChanged(t)
	}
	if _, err := s.mayAct(tx, t.AuthorID == a.Person || t.EditorID == a.Person); err != nil {
		return Decision{}, err
	}
	if err := makeKnowledge(tx, t, string(byPerson)); err != nil {
		return Decision{}, err
	}
	done, err := s.decided(tx, t.Slug, "approved")
	return Decision{Status: done.Status, Topic: done.Topic}, err
}

func (s *Service) confirmMerge(tx *pg.Tx, c confirmationRow, t *Topic, shown string) (Decision, error) {
	e, _, err := loadEdit(tx, c.EditID.String())
	if err != nil {
		return Decision{}, err
	}
	if e.Status != "open" {
		return Decision{}, editClosed(e)
	}
	merged, err := rebased(tx, e, t, c.Resolution)
	if err != nil {
		return Decision{}, err
	}
	if hash := merged.Hash(); hash != c.ContentHash || (shown != "" && shown != hash) {
		return Decision{}, textChanged(t)
	}
	if _, err := s.mayAct(tx, e.AuthorID == tx.Actor().Person || len(c.Resolution) > 0); err != nil {
		return Decision{}, err
	}
	if err := s.merge(tx, e, t, c.Resolution, string(byPerson)); err != nil {
		return Decision{}, err
	}
	done, err := s.decided(tx, t.Slug, "merged")
	return Decision{Status: done.Status, Topic: done.Topic}, err
}

func (c confirmationRow) state(now time.Time) string {
	if c.Status == "pending" && now.After(c.ExpiresAt) {
		return "expired"
	}
	return c.Status
}

// ownConfirmation finds the person's own pending act and their place in its workspace.
func (s *Service) ownConfirmation(ctx context.Context, caller tenant.Caller, id string) (c confirmationRow, m tenant.Membership, err error) {
	err = s.db.System(ctx, caller.Person, func(tx *pg.Tx) error {
		c, err = confirmationByID(tx, id)
		return err
	})
	if err != nil {
		return c, m, err
	}
	for _, m := range caller.Memberships {
		if m.Workspace == c.WorkspaceID && c.PersonID == caller.Person {
			return c, m, nil
		}
	}
	return c, m, fault.Missing("confirmation", id)
}
