package topic

import (
	"fmt"
	"slices"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/tenant"
)

// Status is where a topic stands. A Note is a topic that is a draft or proposed; Knowledge is one that is reviewed.
type Status string

// The states.
const (
	Draft    Status = "draft"
	Proposed Status = "proposed"
	Reviewed Status = "reviewed"
	Archived Status = "archived"
	Trash    Status = "trash"
)

// Verb is what somebody does to a topic.
type Verb string

// The verbs of the state machine.
const (
	Propose        Verb = "propose"
	Withdraw       Verb = "withdraw"
	Approve        Verb = "approve"
	RequestChanges Verb = "request_changes"
	Reject         Verb = "reject"
	Update         Verb = "update"
	SuggestEdit    Verb = "suggest_edit"
	Verify         Verb = "verify"
	Merge          Verb = "merge_edit"
	Archive        Verb = "archive"
	Unarchive      Verb = "restore"
	Delete         Verb = "delete"
	Recover        Verb = "recover"
)

// who may take a step, beyond the role the operation asks for.
type who int

const (
	anyMember who = iota
	// authorOrShared: the author; any member where the draft is not private.
	authorOrShared
	authorOnly
	reviewer
	// reviewerOrAuthorOfDraft: an owner or admin; the author as long as it is their own draft.
	reviewerOrAuthorOfDraft
	// reviewerOrAuthorOfNote: an owner or admin; the author as long as it is their own draft or proposal.
	reviewerOrAuthorOfNote
)

// step is one row of the governance table. To "" means: back to where the topic came from.
type step struct {
	verb Verb
	from []Status
	to   Status
	who  who
}

// steps is the whole state machine. Nothing else changes a status, and the table topic_transition of the database, which a
// test compares with it, refuses what is not here.
var steps = []step{
	{Propose, []Status{Draft}, Proposed, authorOrShared},
	{Withdraw, []Status{Proposed}, Draft, authorOnly},
	{Approve, []Status{Proposed}, Reviewed, reviewer},
	{RequestChanges, []Status{Proposed}, Proposed, reviewer},
	{Reject, []Status{Proposed}, Draft, reviewer},
	{Update, []Status{Draft, Proposed}, "", anyMember},
	{SuggestEdit, []Status{Reviewed}, Reviewed, anyMember},
	{Merge, []Status{Reviewed}, Reviewed, reviewer},
	{Verify, []Status{Draft, Proposed, Reviewed}, "", reviewerOrAuthorOfDraft},
	{Archive, []Status{Draft, Proposed, Reviewed}, Archived, reviewerOrAuthorOfDraft},
	{Unarchive, []Status{Archived}, "", reviewerOrAuthorOfDraft},
	{Delete, []Status{Draft, Proposed, Reviewed, Archived}, Trash, reviewerOrAuthorOfNote},
	{Recover, []Status{Trash}, "", reviewerOrAuthorOfNote},
}

// decide says where a verb leads for this actor, or why it does not. It is pure: it reads the topic and the actor only.
func decide(t *Topic, a tenant.Actor, verb Verb) (Status, error) {
	for _, s := range steps {
		if s.verb != verb {
			continue
		}
		if !slices.Contains(s.from, t.Status) {
			return "", wrongState(t, a, verb)
		}
		if err := s.admits(t, a); err != nil {
			return "", err
		}
		if s.to == "" {
			if t.ReturnsTo != nil {
				return *t.ReturnsTo, nil
			}
			return t.Status, nil
		}
		return s.to, nil
	}
	return "", fmt.Errorf("there is no verb %s", verb)
}

func (s step) admits(t *Topic, a tenant.Actor) error {
	if !a.Role.AtLeast(tenant.Member) {
		return op.InsufficientRole(a.Role, tenant.Member)
	}
	author, decides := t.AuthorID == a.Person, a.Role.AtLeast(tenant.Admin)
	if t.IsPrivate && !author {
		return fault.New(fault.Forbidden, fault.CodeInsufficientRole, "this private draft was shared with you to read; only its author may "+string(s.verb)+" it",
			"ask the author, or comment on it")
	}
	ok := false
	switch s.who {
	case anyMember:
		ok = true
	case authorOrShared:
		ok = author || !t.IsPrivate
	case authorOnly:
		ok = author
	case reviewer:
		ok = decides
	case reviewerOrAuthorOfDraft:
		ok = decides || author && t.ownState() == Draft
	case reviewerOrAuthorOfNote:
		ok = decides || author && t.ownState() != Reviewed && !t.wasKnowledge()
	}
	if ok {
		return nil
	}
	if s.who == authorOnly {
		return fault.New(fault.Forbidden, fault.CodeInsufficientRole, "only the author may "+string(s.verb)+" this",
			"an owner or admin can reject it instead")
	}
	return op.InsufficientRole(a.Role, tenant.Admin)
}

// ownState is the state a topic is in or will come back to.
func (t *Topic) ownState() Status {
	if t.ReturnsTo != nil {
		return *t.ReturnsTo
	}
	return t.Status
}

// wasKnowledge reports whether a topic that is put away was once approved: its author alone may not take it back.
func (t *Topic) wasKnowledge() bool {
	return (t.Status == Archived || t.Status == Trash) && t.ApprovedRevision != nil
}

func wrongState(t *Topic, a tenant.Actor, verb Verb) error {
	e := fault.New(fault.State, fault.CodeStateConflict, fmt.Sprintf("a topic that is %s cannot be met with %s", t.Status, verb),
		"what is possible now stands in allowed")
	for _, v := range t.allowed(a) {
		e.Allowed = append(e.Allowed, string(v))
	}
	e.Current = map[string]any{"status": t.Status, "revision": t.Revision}
	return e
}

// allowed lists the verbs that would succeed now for this actor.
func (t *Topic) allowed(a tenant.Actor) []Verb {
	out := []Verb{}
	for _, s := range steps {
		if slices.Contains(s.from, t.Status) && s.admits(t, a) == nil && !(s.verb == Approve && a.Service) {
			out = append(out, s.verb)
		}
	}
	return out
}

// trust is the flat word on every read. What is put away is never Knowledge.
func trust(status Status, returnsTo *Status) string {
	if status == Reviewed {
		return string(Reviewed)
	}
	if returnsTo != nil {
		status = *returnsTo
	}
	if status == Proposed {
		return string(Proposed)
	}
	return string(Draft)
}
