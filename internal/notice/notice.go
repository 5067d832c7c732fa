// Package notice owns the inbox: what one person should know of in a workspace, stored in the transaction of what it tells
// about, and whether they have read it.
//
// It refuses to decide anything: it knows kinds, topics and people, and not what a review or an approval is. It keeps no text,
// and shows no topic that its reader may not see.
package notice

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/pg"
)

// Kind is what a notice tells.
type Kind string

// The kinds. All but Shared are said once about a topic, or an edit of it, until they are read.
const (
	Shared           Kind = "shared"
	Review           Kind = "review"
	Approved         Kind = "approved"
	ChangesRequested Kind = "changes_requested"
	Rejected         Kind = "rejected"
	Merged           Kind = "merged"
	Outdated         Kind = "outdated"
	Comment          Kind = "comment"
	Confirmation     Kind = "confirmation"
	Expiring         Kind = "expiring"
)

// Notice is what is told.
type Notice struct {
	Kind  Kind
	Topic uuid.UUID
	// About is the id of the suggested edit or confirmation, where it is about one.
	About string
	// Until is when it is over by itself; zero is never.
	Until time.Time
}

// Tell puts a notice into inboxes. Who is no person, or none of this workspace any more, is left out, and so is who has an
// unread one of the same kind about the same thing.
func Tell(tx *pg.Tx, n Notice, to ...uuid.UUID) error {
	slices.SortFunc(to, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	for _, person := range slices.Compact(to) {
		if by := tx.Actor().Person; person == by || by == uuid.Nil {
			// The younger one counts where the older one can be changed: one's own, and any by the server.
			if err := markRead(tx, person, n.Kind, n.Topic); err != nil {
				return err
			}
		}
		if err := insert(tx, n, person); err != nil {
			return err
		}
	}
	return nil
}

// AskReview tells who is to look at a topic: the reviewers of its area, or the owners and admins where it has none, and in any
// case nobody of those left out.
func AskReview(tx *pg.Tx, n Notice, area *uuid.UUID, leftOut ...uuid.UUID) error {
	to, err := reviewers(tx, area, leftOut)
	if err != nil {
		return err
	}
	n.Kind = Review
	return Tell(tx, n, to...)
}

// Settle marks what the actor was told of a kind about a topic as read: they have dealt with it.
func Settle(tx *pg.Tx, kind Kind, topic uuid.UUID) error {
	return markRead(tx, tx.Actor().Person, kind, topic)
}

// Operations lists what can be done with an inbox.
func Operations() []op.Operation { return []op.Operation{inboxOp(), readItemOp(), readAllOp()} }
