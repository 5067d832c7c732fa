package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type keyView struct {
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name"`
	Kind       string     `json:"kind"`
	Scopes     []string   `json:"scopes"`
	Workspaces []string   `json:"workspaces" jsonschema:"slugs, as far as the credential that asks reaches them too"`
	Prefix     string     `json:"prefix"`
	CreatedAt  time.Time  `json:"created_at"`
	ExpiresAt  *time.Time `json:"expires_at,omitempty"`
	LastUsedAt *time.Time `json:"last_used_at"`
}

// view is the key as somebody with these places sees it.
func (k keyRow) view(places []tenant.Membership) keyView {
	slugs := []string{}
	for _, m := range Granted(places, k.Workspaces) {
		slugs = append(slugs, m.Slug)
	}
	return keyView{
		ID: k.ID, Name: k.Name, Kind: k.Kind, Scopes: k.Scopes, Workspaces: slugs, Prefix: k.Prefix, CreatedAt: k.CreatedAt.UTC(),
		ExpiresAt: k.ExpiresAt, LastUsedAt: k.LastUsedAt,
	}
}

type listKeysIn struct{}

func (s *Service) keysOp() op.Operation {
	return op.Read(op.Spec{
		ID: "keys.list", Title: "List API keys",
		Doc: "Your live API keys that reach this workspace; owners and admins also see those of service accounts. The personal keys of " +
			"others are theirs alone. Secrets are never shown again.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /keys", CLI: "key list",
	}, s.keys)
}

func (s *Service) keys(_ context.Context, tx *pg.Tx, _ listKeysIn) (op.Page[keyView], error) {
	rows, err := keysIn(tx, tx.Actor().Role.AtLeast(tenant.Admin))
	if err != nil {
		return op.Page[keyView]{}, err
	}
	out := make([]keyView, 0, len(rows))
	for _, k := range rows {
		out = append(out, k.view(tx.Actor().Memberships))
	}
	return op.NewPage(out, false, nil, nil), nil
}
