package oauth

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type deleteClientIn struct {
	Client string `json:"client" jsonschema:"client_id"`
}

type deletedClient struct {
	ClientID    string `json:"client_id"`
	Deleted     bool   `json:"deleted"`
	Connections int    `json:"connections" jsonschema:"connections of people that ended with it"`
}

func (s *Server) deleteClientOp() op.Operation {
	return op.Write(op.Spec{
		ID: "clients.delete", Title: "Delete an OAuth client",
		Doc:   "Delete a client of this workspace. Everything that people allowed it ends at once. Owners and admins.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, Effect: op.Idempotent | op.Destroys,
		REST: "DELETE /clients/{client}", CLI: "client delete <client>",
	}, s.deleteClient)
}

func (s *Server) deleteClient(_ context.Context, tx *pg.Tx, in deleteClientIn) (deletedClient, error) {
	if err := op.NoApplication(tx.Actor(), "deleting an application"); err != nil {
		return deletedClient{}, err
	}
	name, ended, found, err := deleteOwnClient(tx, in.Client)
	if err != nil {
		return deletedClient{}, fmt.Errorf("delete a client: %w", err)
	}
	if !found {
		return deletedClient{}, fault.Missing("OAuth client", in.Client)
	}
	_, err = event.Append(tx, "clients.delete", "client.deleted", nil, map[string]any{"client": in.Client, "name": name, "connections": ended})
	return deletedClient{ClientID: in.Client, Deleted: true, Connections: ended}, err
}
