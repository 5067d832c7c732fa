package account

import (
	"bytes"
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
	// Workspaces are slugs of the person's own.
	Workspaces []string `json:"workspaces,omitempty" jsonschema:"slugs of your workspaces that a personal key reaches, this one among them; this one alone when left out"`
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
		Doc: "Make an API key for this workspace, a personal one also for others of yours. It never does more than its scopes and the " +
			"role you hold, there and at that moment. The secret is answered once.",
		Scope: tenant.WorkWrite, Role: tenant.Viewer, Human: true, REST: "POST /keys", Created: true, CLI: "key create <name>",
		Rules: op.Rules{
			"name": op.Length(1, 120), "kind": op.OneOf("personal", "personal", "service"),
			"scopes": op.Items(1, 5), "scopes[]": op.OneOf("", scopeWords()...), "workspaces": op.Items(0, 100),
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
	places, err := reached(a, in)
	if err != nil {
		return createdKey{}, err
	}
	spec := keySpec{person: a.Person, name: in.Name, kind: in.Kind, by: a.Person, expires: in.ExpiresAt}
	for _, m := range places {
		spec.workspaces = append(spec.workspaces, m.Workspace)
	}
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
	view := createdKey{keyView: row.view(places), Secret: secret}
	return view, inEach(tx, places, func(tx *pg.Tx) error { return keyCreated(tx, "keys.create", row) })
}

// reached are the places of the maker that the key is for.
func reached(a tenant.Actor, in createKeyIn) ([]tenant.Membership, error) {
	if len(in.Workspaces) == 0 {
		in.Workspaces = []string{a.Slug}
	}
	own := make([]string, 0, len(a.Memberships))
	var places []tenant.Membership
	for _, m := range a.Memberships {
		own = append(own, m.Slug)
		if slices.Contains(in.Workspaces, m.Slug) {
			places = append(places, m)
		}
	}
	for _, slug := range in.Workspaces {
		if !slices.Contains(own, slug) {
			return nil, fault.Choice("workspaces", slug, own)
		}
	}
	if !slices.Contains(in.Workspaces, a.Slug) {
		return nil, fault.Fieldf("workspaces", "has to contain %s, where the key is made and listed", a.Slug)
	}
	if in.Kind == "service" && len(places) > 1 {
		return nil, fault.Fieldf("workspaces", "a service account belongs to one workspace; make one in each")
	}
	return places, nil
}

// inEach runs fn in each of these workspaces of the actor, always in the same order, because a workspace that is written to is
// locked until the transaction ends.
func inEach(tx *pg.Tx, places []tenant.Membership, fn func(*pg.Tx) error) error {
	places = slices.SortedFunc(slices.Values(places), func(a, b tenant.Membership) int { return bytes.Compare(a.Workspace[:], b.Workspace[:]) })
	for _, m := range places {
		var err error
		if m.Workspace == tx.Actor().Workspace {
			err = fn(tx)
		} else {
			err = tx.Beside(m, fn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keyCreated appends the event. It does not name the other workspaces of the key, which are the business of its person.
func keyCreated(tx *pg.Tx, operation string, row keyRow) error {
	_, err := event.Append(tx, operation, "key.created", nil, map[string]any{"key": row.ID, "name": row.Name, "kind": row.Kind, "scopes": row.Scopes})
	return err
}

// newService makes a service account in the workspace with the role of a member: it can write and never decides.
func (s *Service) newService(tx *pg.Tx, name string) (uuid.UUID, error) {
	id := pg.NewID()
	row := personRow{ID: id, Email: id.String() + "@service.invalid", Name: name, Kind: "service", CreatedAt: tx.Now()}
	if err := insertPerson(tx, row); err != nil {
		return id, err
	}
	return id, join(tx, "keys.create", id, tenant.Member)
}
