// Package undo owns the tokens that let the writer of a revision take it back: who may present which, how long, and that
// each works once.
//
// It refuses to change a topic. The token identifies; what the undo does, and whether the role allows it, is decided by
// package topic.
package undo

import (
	"crypto/subtle"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/pg"
)

// TTL is how long a revision can be taken back.
const TTL = 30 * 24 * time.Hour

// Token is handed out once, with the write it belongs to. The database keeps a hash of it.
type Token struct {
	RevisionID uuid.UUID `json:"revision_id"`
	Token      string    `json:"token"`
	ExpiresAt  time.Time `json:"expires_at"`
}

// Issue makes the token of a revision that the actor has just written.
func Issue(tx *pg.Tx, revision uuid.UUID) (Token, error) {
	t := Token{RevisionID: revision, Token: opaque.New(""), ExpiresAt: tx.Now().Add(TTL)}
	return t, insert(tx, row{
		WorkspaceID: tx.Actor().Workspace, RevisionID: revision, PersonID: tx.Actor().Person, TokenHash: opaque.Hash(t.Token),
		ExpiresAt: t.ExpiresAt,
	})
}

// Redeem uses a token up. One that is wrong, expired, somebody else's or of a revision that the actor may not see gets the
// same refusal; one that was used before says so, to its holder alone.
func Redeem(tx *pg.Tx, revision uuid.UUID, token string) error {
	r, ok, err := byRevision(tx, revision)
	if err != nil {
		return err
	}
	holder := ok && r.PersonID == tx.Actor().Person && subtle.ConstantTimeCompare(r.TokenHash, opaque.Hash(token)) == 1
	switch {
	case !holder || tx.Now().After(r.ExpiresAt):
		return Invalid()
	case r.UsedAt != nil:
		return fault.New(fault.Conflict, fault.CodeUndoTokenUsed, "this token has been used; it works once",
			"the undo it made is a revision with a token of its own; look at driftless_context_history")
	}
	return use(tx, revision)
}

// Invalid is the one answer to a token that does not hold, whatever the reason.
func Invalid() error {
	return fault.New(fault.NotFound, fault.CodeUndoTokenInvalid, "there is no such token for this revision: it may be wrong, expired or somebody else's",
		"send revision_id and token of undo as the write answered them; or write the earlier text again with driftless_context_update")
}
