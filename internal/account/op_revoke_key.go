package account

import (
	"context"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type revokeKeyIn struct {
	Key string `json:"key" jsonschema:"id of the key"`
}

type revokedKey struct {
	ID      uuid.UUID `json:"id"`
	Revoked bool      `json:"revoked"`
}

func (s *Service) revokeKeyOp() op.Operation {
	return op.Write(op.Spec{
		ID: "keys.revoke", Title: "Revoke an API key",
		Doc: "Stop one of your keys at once, wherever it reaches; owners and admins may also stop those of service accounts. " +
			"A key that reaches further than the credential in use is stopped in the console.",
		Scope: tenant.WorkWrite, Role: tenant.Viewer, Human: true, Effect: op.Idempotent | op.Destroys,
		REST: "DELETE /keys/{key}", CLI: "key revoke <key>",
	}, s.revokeKey)
}

func (s *Service) revokeKey(_ context.Context, tx *pg.Tx, in revokeKeyIn) (revokedKey, error) {
	rows, err := keysIn(tx, tx.Actor().Role.AtLeast(tenant.Admin))
	if err != nil {
		return revokedKey{}, err
	}
	for _, k := range rows {
		if k.ID.String() != in.Key {
			continue
		}
		a := tx.Actor()
		places := Granted(a.Memberships, k.Workspaces)
		if a.Via != tenant.ViaConsole && len(places) < len(k.Workspaces) {
			return revokedKey{}, op.ConsoleOnly("stopping a key that reaches further than this credential")
		}
		if err := revokeKey(tx, k.ID); err != nil {
			return revokedKey{}, err
		}
		return revokedKey{ID: k.ID, Revoked: true}, inEach(tx, places, func(tx *pg.Tx) error {
			_, err := event.Append(tx, "keys.revoke", "key.revoked", nil, map[string]any{"key": k.ID, "name": k.Name})
			return err
		})
	}
	return revokedKey{}, fault.Missing("API key", in.Key)
}
