package topic

import (
	"context"
	"time"

	"driftless/internal/account"
	"driftless/internal/fault"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// ConfirmationTTL is how long a person has to confirm what was asked for in their name.
const ConfirmationTTL = 15 * time.Minute

type approveIn struct {
	Topic       string `json:"topic" jsonschema:"slug"`
	Revision    int    `json:"revision,omitempty" jsonschema:"the revision you mean"`
	ContentHash string `json:"content_hash,omitempty" jsonschema:"the text you were shown"`
}

// Approval is the answer to asking for the human act: done, or where a person confirms it.
type Approval struct {
	Status     string     `json:"status"` // approved, merged or awaiting_confirmation
	ConfirmURL string     `json:"confirm_url,omitempty"`
	ExpiresAt  *time.Time `json:"expires_at,omitempty"`
	Topic      *View      `json:"topic,omitempty"`
	NextAction *op.Next   `json:"next_action,omitempty"`
	// Confirmation is the id of the confirmation that is awaited; its address says it already.
	Confirmation string `json:"-"`
}

// Awaiting is the approval itself as long as a person has to confirm it.
func (a Approval) Awaiting() (Approval, bool) { return a, a.ConfirmURL != "" }

func (s *Service) approveOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_approve", ID: "topics.approve", Title: "Approve a note",
		Doc: "Ask for a proposed note to become Knowledge. By default this answers confirm_url, which an owner or admin opens and confirms in the console: show it to them. " +
			`Example: {"topic":"billing-retries"}`,
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, REST: "POST /topics/{topic}/approve", CLI: "context approve <topic>",
		Rules: op.Rules{"revision": op.Number(0, 1<<31-1)},
	}, s.approve)
}

func (s *Service) approve(_ context.Context, tx *pg.Tx, in approveIn) (Approval, error) {
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Approval{}, err
	}
	if _, err := decide(t, tx.Actor(), Approve); err != nil {
		return Approval{}, err
	}
	if in.Revision != 0 && in.Revision != t.Revision {
		if err := sameText(tx, t, in.Revision); err != nil {
			return Approval{}, err
		}
	}
	if in.ContentHash != "" && in.ContentHash != t.ContentHash {
		return Approval{}, textChanged(t)
	}
	how, err := s.mayAct(tx, t.AuthorID == tx.Actor().Person || t.EditorID == tx.Actor().Person)
	if err != nil {
		return Approval{}, err
	}
	if how == askPerson {
		return s.ask(tx, confirmationRow{
			Kind: "approve", TopicID: t.ID, Revision: t.Revision, ContentHash: t.ContentHash,
		})
	}
	if err := makeKnowledge(tx, t, string(how)); err != nil {
		return Approval{}, err
	}
	return s.decided(tx, t.Slug, "approved")
}

// sameText accepts an older revision that says the same as the current one.
func sameText(tx *pg.Tx, t *Topic, revision int) error {
	r, ok, err := revisionOf(tx, t.ID, revision)
	if err != nil {
		return err
	}
	if !ok || r.ContentHash != t.ContentHash {
		return textChanged(t)
	}
	return nil
}

func textChanged(t *Topic) error {
	e := fault.New(fault.Conflict, fault.CodeVersionConflict, "the text has changed since it was shown",
		"read it as it is now and decide again")
	e.Current = map[string]any{"revision": t.Revision, "content_hash": t.ContentHash}
	return e
}

// way is how the human act may happen for this call.
type way string

const (
	byPerson  way = "console" // the caller is a person in the console: at once
	byAgent   way = "agent"   // the workspace lets an owner's or admin's token decide
	askPerson way = "ask"     // a person confirms in the console
)

// mayAct applies the workspace's policies to a decision that makes Knowledge. It is asked for both an approval and the
// merge of a suggested edit; involved says that the actor wrote or last edited the text.
func (s *Service) mayAct(tx *pg.Tx, involved bool) (way, error) {
	a := tx.Actor()
	settings, err := account.LoadSettings(tx)
	if err != nil {
		return "", err
	}
	if settings.FourEyes && involved {
		return "", fault.New(fault.Forbidden, fault.CodePolicyForbids, "this workspace wants a second pair of eyes: author and last editor cannot approve",
			"ask another owner or admin")
	}
	switch {
	case a.Via == tenant.ViaConsole:
		return byPerson, account.RequireSignInForDecision(a.Caller, tx.Now())
	case settings.AgentApproval == "off":
		return "", fault.New(fault.Forbidden, fault.CodePolicyForbids, "in this workspace approval happens in the console alone",
			"open "+s.cfg.PublicURL+"/w/"+a.Slug+"/review")
	case settings.AgentApproval == "direct" && a.OAuth:
		return byAgent, nil
	}
	return askPerson, nil
}

// makeKnowledge is the one place where a note becomes Knowledge.
func makeKnowledge(tx *pg.Tx, t *Topic, via string) error {
	status, err := decide(t, tx.Actor(), Approve)
	if err != nil {
		return err
	}
	by, now := tx.Actor().Person, tx.Now()
	t.Status, t.ReviewState, t.ReviewReason = status, "none", ""
	t.ApprovedBy, t.ApprovedAt, t.ApprovedVia = &by, &now, &via
	err = save(tx, t, t.Content, act{
		op: "topics.approve", event: "topic.approved", decides: true, detail: map[string]any{"approved_via": via, "content_hash": t.ContentHash},
	})
	if err != nil {
		return err
	}
	return tellAuthor(tx, notice.Approved, t, t.AuthorID, "")
}

func (s *Service) decided(tx *pg.Tx, slug, status string) (Approval, error) {
	d, err := s.document(tx, slug)
	if err != nil {
		return Approval{}, err
	}
	v := d.View(Full, tx.Actor())
	return Approval{Status: status, Topic: &v}, nil
}
