package oauth

import (
	"context"
	"fmt"
	"slices"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// ownClientsMax bounds the clients of one workspace.
const ownClientsMax = 100

type createClientIn struct {
	Name         string   `json:"name" jsonschema:"what people see when they are asked to allow it"`
	RedirectURIs []string `json:"redirect_uris" jsonschema:"where answers may go: https, http on 127.0.0.1, [::1] or localhost with any port, or a private scheme"`
	AuthMethod   string   `json:"auth_method,omitempty" jsonschema:"how it proves itself at the token endpoint; none is for programs on people's own machines"`
	Scopes       []string `json:"scopes,omitempty" jsonschema:"the most it may ask for; all of them when left out"`
}

type createdClient struct {
	ownClientView
	Secret string `json:"client_secret,omitempty" jsonschema:"answered once"`
}

func (s *Server) createClientOp() op.Operation {
	return op.Write(op.Spec{
		ID: "clients.create", Title: "Register an OAuth client",
		Doc: "Register an application that people of this workspace, and nobody else, may connect; it reaches this workspace alone. " +
			"Owners and admins, in the console or with an API key. A secret is answered once.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, REST: "POST /clients", Created: true, CLI: "client create <name>",
		Rules: op.Rules{
			"name": op.Length(1, nameMax), "redirect_uris": op.Items(1, redirectsMax), "redirect_uris[]": op.Length(1, redirectLength),
			"auth_method": op.OneOf(authNone, authMethods()...), "scopes": op.Items(0, 5), "scopes[]": op.OneOf("", scopeWords(tenant.Scopes())...),
		},
	}, s.createClient)
}

func (s *Server) createClient(_ context.Context, tx *pg.Tx, in createClientIn) (createdClient, error) {
	a := tx.Actor()
	if err := op.NoApplication(a, "registering an application"); err != nil {
		return createdClient{}, err
	}
	for i, uri := range in.RedirectURIs {
		if err := checkRedirect(uri); err != nil {
			return createdClient{}, fault.Fieldf(fmt.Sprintf("redirect_uris[%d]", i), "%v", err)
		}
	}
	rows, err := ownClients(tx)
	if err != nil {
		return createdClient{}, fmt.Errorf("count the clients: %w", err)
	}
	if len(rows) >= ownClientsMax {
		return createdClient{}, fault.New(fault.Conflict, fault.CodeStateConflict,
			fmt.Sprintf("a workspace has at most %d clients of its own", ownClientsMax), "delete one that nobody uses")
	}
	row := clientRow{
		Kind: kindPreregistered, Name: displayName(in.Name), RedirectURIs: in.RedirectURIs, GrantTypes: usualGrants(), AuthMethod: in.AuthMethod,
		Scopes: scopeWords(tenant.Scopes()), ApplicationType: "web", CreatedAt: tx.Now(), WorkspaceID: &a.Workspace, CreatedBy: &a.Person,
	}
	if len(in.Scopes) > 0 {
		row.Scopes = slices.DeleteFunc(row.Scopes, func(scope string) bool { return !slices.Contains(in.Scopes, scope) })
	}
	row.ID = opaque.New(prefixClient)
	out := createdClient{ownClientView: row.own(a.Name, nil)}
	if !row.public() {
		out.Secret = opaque.New(prefixSecret)
		row.SecretHash = hash(out.Secret)
	}
	if err := saveClient(tx, row); err != nil {
		return createdClient{}, err
	}
	detail := map[string]any{
		"client": row.ID, "name": row.Name, "redirect_uris": row.RedirectURIs, "scopes": row.Scopes, "auth_method": row.AuthMethod,
	}
	_, err = event.Append(tx, "clients.create", "client.created", nil, detail)
	return out, err
}
