package notice

import (
	"context"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type readAllIn struct {
	Newest string `json:"newest,omitempty" jsonschema:"id of the newest item that you saw; what came later stays unread"`
}

type allRead struct {
	Read int64 `json:"read" jsonschema:"how many were marked"`
}

func readAllOp() op.Operation {
	return op.Write(op.Spec{
		ID: "inbox.read_all", Title: "Mark the inbox as read", Doc: "Mark all of your inbox as read, or what you saw of it.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, Human: true, Effect: op.Idempotent,
		REST: "POST /inbox/read", CLI: "inbox read-all",
	}, func(_ context.Context, tx *pg.Tx, in readAllIn) (out allRead, err error) {
		newest := uuid.Max
		if in.Newest != "" {
			if newest, err = uuid.Parse(in.Newest); err != nil {
				return out, fault.Missing("item", in.Newest)
			}
		}
		out.Read, err = markAll(tx, newest)
		return out, err
	})
}
