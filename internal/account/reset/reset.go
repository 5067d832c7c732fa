// Package reset owns requests for a link by which a forgotten password is replaced: when one may be sent, and that the newest
// works once, for an hour.
//
// It refuses to know passwords and addresses, and to do less for a request that no account stands behind.
package reset

import (
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

const (
	// TTL is how long a link works after it was sent, and how long its mail is tried to be sent.
	TTL = time.Hour
	// PerHour is how many mails an account is sent within an hour; who asks for more gets the same answer and no mail.
	PerHour = 3
)

// Prepare gives a request its link, by the hash of its secret, and answers whose it is; the links before it are void. ok is
// false where no mail is to be sent: the request is too old, was followed by another, or the account had its share. A request
// may be prepared again, when its mail could not be sent.
func Prepare(tx *pg.Tx, id uuid.UUID, hash []byte) (person uuid.UUID, ok bool, err error) {
	r, found, err := byID(tx, id)
	if err != nil || !found {
		return person, false, err
	}
	// Requests of one person at the same moment are counted one after the other.
	if found, err = lockPerson(tx, r.PersonID); err != nil || !found {
		return person, false, err
	}
	if r.UsedAt != nil || !r.RequestedAt.After(tx.Now().Add(-TTL)) {
		return person, false, nil
	}
	if r.SentAt == nil {
		sent, err := sentSince(tx, r.PersonID, tx.Now().Add(-time.Hour))
		if err != nil || sent >= PerHour {
			return person, false, err
		}
	}
	later, err := sentAfter(tx, r)
	if err != nil || later {
		return person, false, err
	}
	if err := Void(tx, r.PersonID); err != nil {
		return person, false, err
	}
	return r.PersonID, true, send(tx, id, hash)
}
