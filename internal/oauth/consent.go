package oauth

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

const consentPath = "/api/v1/oauth/requests/"

// consentView is what the consent page shows. What comes from the client is foreign text.
type consentView struct {
	ID           uuid.UUID          `json:"id"`
	Client       consentClient      `json:"client"`
	RedirectURI  string             `json:"redirect_uri"`
	RedirectHost string             `json:"redirect_host"`
	Loopback     bool               `json:"loopback"`
	Scopes       []consentScope     `json:"scopes"`
	Workspaces   []consentWorkspace `json:"workspaces"`
	ExpiresAt    time.Time          `json:"expires_at"`
}

type consentClient struct {
	Name string `json:"name"`
	URI  string `json:"uri,omitempty"`
	Host string `json:"host,omitempty"`
}

type consentScope struct {
	Name        tenant.Scope `json:"name"`
	Description string       `json:"description"`
}

type consentWorkspace struct {
	Slug string      `json:"slug"`
	Name string      `json:"name"`
	Role tenant.Role `json:"role"`
}

type consentAnswer struct {
	Approve    bool           `json:"approve"`
	Scopes     []tenant.Scope `json:"scopes"`
	Workspaces []string       `json:"workspaces"`
}

type consentResult struct {
	RedirectTo string `json:"redirect_to"`
}

// consented makes an endpoint for the signed-in person; a credential of a program is nobody here. A change rides on the cookie,
// so it needs the token of the session.
func (s *Server) consented(handle func(*http.Request, tenant.Caller) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		answer, err := s.asPerson(r, handle)
		if err != nil {
			s.problem(w, r, err)
			return
		}
		writeJSON(w, http.StatusOK, answer)
	})
}

func (s *Server) asPerson(r *http.Request, handle func(*http.Request, tenant.Caller) (any, error)) (any, error) {
	caller, ok, err := s.accounts.Sessions().Caller(r.Context())
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "only a person who is signed in answers this",
			"sign in to the console and open the page again")
	}
	if r.Method != http.MethodGet {
		if err := s.accounts.Sessions().CheckCSRF(r.Context(), r.Header.Get("X-CSRF-Token")); err != nil {
			return nil, err
		}
	}
	return handle(r, caller)
}

func gone() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "there is no such request for you, or it has expired",
		"start again from your application; a request can be answered for ten minutes")
}

func answered() error {
	return fault.New(fault.Conflict, fault.CodeStateConflict, "you have answered this already",
		"go back to your application; if it is not connected, start again from there")
}

// named is the id at the end of the address.
func named(r *http.Request) (uuid.UUID, error) {
	id, err := uuid.Parse(path.Base(r.URL.Path))
	if err != nil {
		return id, gone()
	}
	return id, nil
}

// open finds a request that the person may still answer, and its client.
func (s *Server) open(tx *pg.Tx, id, person uuid.UUID) (requestRow, clientRow, error) {
	row, found, err := findRequest(tx, id, person)
	switch {
	case err != nil:
		return row, clientRow{}, err
	case !found:
		return row, clientRow{}, gone()
	case row.AnsweredAt != nil:
		return row, clientRow{}, answered()
	case !row.ExpiresAt.After(s.clock()):
		return row, clientRow{}, gone()
	}
	client, found, err := findClient(tx, row.ClientID)
	if err == nil && !found {
		err = gone()
	}
	return row, client, err
}

// askConsent is GET /api/v1/oauth/requests/{id}.
func (s *Server) askConsent(r *http.Request, caller tenant.Caller) (any, error) {
	var view consentView
	id, err := named(r)
	if err != nil {
		return nil, err
	}
	err = s.db.System(r.Context(), caller.Person, func(tx *pg.Tx) error {
		row, client, err := s.open(tx, id, caller.Person)
		if err != nil {
			return err
		}
		_, loopback := loopbackRedirect(row.RedirectURI)
		view = consentView{
			ID: row.ID, Client: client.view(),
			RedirectURI: row.RedirectURI, RedirectHost: redirectHost(row.RedirectURI), Loopback: loopback,
			Scopes: describeScopes(row.Scopes), Workspaces: describeWorkspaces(client.reach(caller.Memberships)), ExpiresAt: row.ExpiresAt.UTC(),
		}
		return nil
	})
	return view, err
}

func (c clientRow) view() consentClient {
	return consentClient{Name: c.Name, URI: c.URI, Host: c.host()}
}

func describeScopes(words []string) []consentScope {
	out := make([]consentScope, 0, len(words))
	for _, scope := range scopesOf(words) {
		out = append(out, consentScope{Name: scope, Description: scope.Describe()})
	}
	return out
}

func describeWorkspaces(memberships []tenant.Membership) []consentWorkspace {
	out := make([]consentWorkspace, 0, len(memberships))
	for _, m := range memberships {
		out = append(out, consentWorkspace{Slug: m.Slug, Name: m.Name, Role: m.Role})
	}
	return out
}

// answerConsent is POST /api/v1/oauth/requests/{id}. The first answer counts, and gives one code.
func (s *Server) answerConsent(r *http.Request, caller tenant.Caller) (any, error) {
	id, err := named(r)
	if err != nil {
		return nil, err
	}
	in, err := decodeAnswer(r)
	if err != nil {
		return nil, err
	}
	var result consentResult
	err = s.db.System(r.Context(), caller.Person, func(tx *pg.Tx) error {
		row, client, err := s.open(tx, id, caller.Person)
		if err != nil {
			return err
		}
		first, err := answerRequest(tx, row.ID, s.clock())
		if err != nil {
			return err
		}
		if !first {
			return answered()
		}
		result.RedirectTo, err = s.answer(tx, row, client, caller, in)
		return err
	})
	return result, err
}

// answer makes the address that takes the person's answer to the client.
func (s *Server) answer(tx *pg.Tx, row requestRow, client clientRow, caller tenant.Caller, in consentAnswer) (string, error) {
	if !in.Approve {
		return answerURL(row.RedirectURI, s.issuer, row.State, url.Values{
			"error": {"access_denied"}, "error_description": {"the person said no"},
		}), nil
	}
	scopes, err := chosenScopes(in.Scopes, scopesOf(row.Scopes))
	if err != nil {
		return "", err
	}
	workspaces, err := chosenWorkspaces(in.Workspaces, client.reach(caller.Memberships))
	if err != nil {
		return "", err
	}
	ask := asked{client: client, redirect: row.RedirectURI, state: row.State, challenge: row.Challenge}
	return s.issueCode(tx, ask, caller.Person, scopes, workspaces)
}

// chosenScopes is the part of what was asked that the person allows.
func chosenScopes(chosen, asked []tenant.Scope) ([]tenant.Scope, error) {
	for _, scope := range chosen {
		if !slices.Contains(asked, scope) {
			return nil, fault.Choice("scopes", string(scope), scopeWords(asked))
		}
	}
	var allowed []tenant.Scope
	for _, scope := range asked {
		if slices.Contains(chosen, scope) {
			allowed = append(allowed, scope)
		}
	}
	if len(allowed) == 0 {
		return nil, fault.Fieldf("scopes", "allow at least one, or refuse the request")
	}
	return allowed, nil
}

// chosenWorkspaces are the workspaces that the person opens to the client. They are chosen by slug from the person's own.
func chosenWorkspaces(chosen []string, own []tenant.Membership) ([]uuid.UUID, error) {
	var out []uuid.UUID
	slugs := make([]string, 0, len(own))
	for _, m := range own {
		slugs = append(slugs, m.Slug)
		if slices.Contains(chosen, m.Slug) {
			out = append(out, m.Workspace)
		}
	}
	for _, slug := range chosen {
		if !slices.Contains(slugs, slug) {
			return nil, fault.Choice("workspaces", slug, slugs)
		}
	}
	if len(out) == 0 {
		return nil, fault.Fieldf("workspaces", "choose at least one")
	}
	return out, nil
}

func decodeAnswer(r *http.Request) (in consentAnswer, err error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, bodyMax+1))
	if err != nil || len(raw) > bodyMax {
		return in, fault.New(fault.Limit, fault.CodeTooLarge, "the answer is larger than 64 KiB", "send approve, scopes and workspaces only")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		return in, fault.New(fault.Invalid, fault.CodeValidation, "the answer is not the JSON object that is expected",
			`send {"approve": true, "scopes": ["context:read"], "workspaces": ["acme"]}`).Because(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return in, fault.New(fault.Invalid, fault.CodeValidation, "there is something behind the JSON object", "send one JSON object")
	}
	return in, nil
}

// problem is an error in the shape of RFC 9457 with the members that every surface has.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	fault.Wire
}

func (s *Server) problem(w http.ResponseWriter, r *http.Request, err error) {
	e := fault.From(err)
	if e.Kind == fault.Internal {
		s.log.ErrorContext(r.Context(), "oauth request failed", "path", r.URL.Path, "error", err, "cause", errors.Unwrap(e))
	}
	status := e.Kind.HTTPStatus()
	raw, err := json.Marshal(problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Wire: e.Wire(w.Header().Get("X-Request-Id")),
	})
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}
