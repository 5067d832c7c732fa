package notice

import (
	"context"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type readItemIn struct {
	Item   string `json:"item" jsonschema:"id of an item of your inbox"`
	Unread bool   `json:"unread,omitempty" jsonschema:"mark it as not read again"`
}

type itemRead struct {
	Item string `json:"item"`
	Read bool   `json:"read"`
}

func readItemOp() op.Operation {
	return op.Write(op.Spec{
		ID: "inbox.read", Title: "Mark an item of the inbox as read", Doc: "Mark one item of your inbox as read, or as not read.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, Human: true, Effect: op.Idempotent,
		REST: "POST /inbox/{item}/read", CLI: "inbox read <item>",
	}, func(_ context.Context, tx *pg.Tx, in readItemIn) (itemRead, error) {
		id, err := uuid.Parse(in.Item)
		if err != nil {
			return itemRead{}, fault.Missing("item", in.Item)
		}
		exists, err := mark(tx, id, !in.Unread)
		if err == nil && !exists {
			err = fault.Missing("item", in.Item)
		}
		return itemRead{Item: in.Item, Read: !in.Unread}, err
	})
}
