package account

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type createKeyIn struct {
	Name      string     `json:"name" jsonschema:"what the key is for"`
	Kind      string     `json:"kind,omitempty" jsonschema:"personal acts as you; service acts as a named service account and never approves"`
	Scopes    []string   `json:"scopes" jsonschema:"what the key may do"`
	ExpiresAt *time.Time `json:"expires_at,omitempty" jsonschema:"when it stops working, RFC 3339"`
}

type createdKey struct {
	keyView
	Secret string `json:"secret"`
}

func scopeWords() []string {
	words := make([]string, 0, 5)
	for _, s := range tenant.Scopes() {
		words = append(words, string(s))
	}
	return words
}

func (s *Service) createKeyOp() op.Operation {
	return op.Write(op.Spec{
		ID: "keys.create", Title: "Create an API key",
		Doc:   "Make an API key for this workspace. The secret is answered once.",
		Scope: tenant.WorkWrite, Role: tenant.Viewer, Human: true, REST: "POST /keys", Created: true, CLI: "key create <name>",
		Rules: op.Rules{
			"name": op.Length(1, 120), "kind": op.OneOf("personal", "personal", "service"),
			"scopes": op.Items(1, 5), "scopes[]": op.OneOf("", scopeWords()...),
		},
	}, s.createKey)
}

func (s *Service) createKey(_ context.Context, tx *pg.Tx, in createKeyIn) (createdKey, error) {
	a := tx.Actor()
	if a.Via != tenant.ViaConsole {
		return createdKey{}, op.ConsoleOnly("making a key")
	}
	if in.ExpiresAt != nil && !in.ExpiresAt.After(tx.Now()) {
		return createdKey{}, fault.Fieldf("expires_at", "lies in the past")
	}
	spec := keySpec{person: a.Person, name: in.Name, kind: in.Kind, workspaces: []uuid.UUID{a.Workspace}, by: a.Person, expires: in.ExpiresAt}
	for _, scope := range in.Scopes {
		if s := tenant.Scope(scope); !slices.Contains(spec.scopes, s) {
			spec.scopes = append(spec.scopes, s)
		}
	}
	if in.Kind == "service" {
		if !a.Role.AtLeast(tenant.Admin) {
			return createdKey{}, op.InsufficientRole(a.Role, tenant.Admin)
		}
		service, err := s.newService(tx, in.Name)
		if err != nil {
			return createdKey{}, err
		}
		spec.person = service
	}
	secret, row, err := issueKey(tx, spec)
	if err != nil {
		return createdKey{}, err
	}
	return createdKey{keyView: row.view(), Secret: secret}, keyCreated(tx, "keys.create", row)
}

func keyCreated(tx *pg.Tx, operation string, row keyRow) error {
	_, err := event.Append(tx, operation, "key.created", nil, map[string]any{"key": row.ID, "name": row.Name, "kind": row.Kind, "scopes": row.Scopes})
	return err
}

// newService makes a service account in the workspace with the role of a member: it can write and never decides.
func (s *Service) newService(tx *pg.Tx, name string) (uuid.UUID, error) {
	id, err := newID()
	if err != nil {
		return id, err
	}
	row := personRow{ID: id, Email: id.String() + "@service.invalid", Name: name, Kind: "service", CreatedAt: tx.Now()}
	if err := insertPerson(tx, row); err != nil {
		return id, err
	}
	return id, join(tx, "keys.create", id, tenant.Member)
}
