package op

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/pg"
)

// KeyTTL is how long a write that was sent with a key is remembered; KeyMax is the length of a key in characters.
const (
	KeyTTL = 24 * time.Hour
	KeyMax = 255
)

// once runs a write that the client gave a key, in the transaction of the write: the same call with the same key again does
// nothing and answers as the first did; calls at the same moment wait for one another. A refusal is not remembered. The key
// is per credential, workspace and operation (draft-ietf-httpapi-idempotency-key-header).
//
// The key is kept as a hash and the answer sealed with the key itself, for an answer may hold a token that is handed out once.
func (o *Operation) once(ctx context.Context, tx *pg.Tx, key string, raw json.RawMessage) (any, error) {
	input := sha256.Sum256(raw)
	call := keyedCall{
		WorkspaceID: tx.Actor().Workspace, PersonID: tx.Actor().Person, Operation: o.ID, KeyHash: derive("name", tx.Actor().Credential.String()+key),
		InputHash: input[:], CreatedAt: tx.Now(),
	}
	first, err := remember(tx, call)
	if err != nil {
		return nil, err
	}
	if !first {
		before, err := recall(tx, call)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(before.InputHash, call.InputHash) {
			return nil, fault.Fieldf("Idempotency-Key", "it was used for another call within the last 24 hours; use a new key for each")
		}
		answer, err := opaque.Open(before.Answer, derive("seal", key))
		if err != nil {
			return nil, err
		}
		return o.reread(answer)
	}
	value, err := o.write(ctx, tx, raw)
	if err != nil {
		return nil, err
	}
	answer, err := Marshal(value)
	if err != nil {
		return nil, err
	}
	if call.Answer, err = opaque.Seal(answer, derive("seal", key)); err != nil {
		return nil, err
	}
	return value, answered(tx, call)
}

// checkKey refuses what cannot be a key.
func checkKey(key string) error {
	if len(key) > KeyMax {
		return fault.Fieldf("Idempotency-Key", "at most %d characters", KeyMax)
	}
	return nil
}

// derive makes 256 bits for one purpose out of a key.
func derive(purpose, key string) []byte {
	sum := sha256.Sum256([]byte(purpose + "\x00" + key))
	return sum[:]
}
