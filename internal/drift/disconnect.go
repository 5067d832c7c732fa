package drift

import (
	"context"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/tenant"
)

type disconnectIn struct {
	Source string `json:"source" jsonschema:"its id, or a spelling of its remote"`
}

func (s *Service) disconnectOp() op.Operation {
	return op.Write(op.Spec{
		ID: "sources.disconnect", Title: "Disconnect a repository",
		Doc:   "Take no more news of a repository; what was found in it goes. Topics keep their anchors; the doctor tells which of them are orphaned.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, Effect: op.Idempotent | op.Destroys, REST: "DELETE /sources/{source}", CLI: "source disconnect <source>",
		Rules: op.Rules{"source": op.Length(1, 1000)},
	}, s.disconnect)
}

func (s *Service) disconnect(_ context.Context, tx *pg.Tx, in disconnectIn) (source.View, error) {
	if err := event.Lock(tx); err != nil {
		return source.View{}, err
	}
	row, err := source.Named(tx, in.Source)
	if err != nil || !row.Connected() {
		return row.View(nil), err
	}
	if row, err = source.Disconnect(tx, row); err != nil {
		return source.View{}, err
	}
	topics, err := forgetSource(tx, row.ID)
	if err != nil {
		return source.View{}, err
	}
	for _, topic := range topics {
		if _, _, err := settle(tx, "sources.disconnect", topic, nil); err != nil {
			return source.View{}, err
		}
	}
	_, err = event.Append(tx, "sources.disconnect", "source.disconnected", nil, map[string]any{"source": row.ID, "name": row.Name})
	return row.View(nil), err
}
