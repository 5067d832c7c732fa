package source

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// hookSecret signs the pushes of a repository. It is derived, so that no secret is kept beside the one key of the server.
func (s Source) hookSecret(key []byte) string {
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "hook %s %d", s.ID, s.HookNumber)
	return hex.EncodeToString(mac.Sum(nil))
}

// ByHook finds the connected repository whose hook has this address, with the secret that signs its deliveries, before any workspace is
// known. Where there is none, the secret is one that nobody has.
func ByHook(ctx context.Context, db *pg.DB, id string) (s Source, secret string, err error) {
	address, bad := uuid.Parse(id)
	err = db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		key, err := hookKey(tx)
		if err != nil {
			return err
		}
		s = Source{ID: uuid.New()}
		if bad == nil {
			found, ok, err := sourceByHook(tx, address)
			if err != nil {
				return err
			}
			if ok && found.Connected() {
				s = found
			}
		}
		secret = s.hookSecret(key)
		return nil
	})
	return s, secret, err
}
