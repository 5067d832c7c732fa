package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-oauth2/oauth2/v4"
	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Limits of an authorization request.
const (
	queryMax   = 16 << 10
	requestTTL = 10 * time.Minute
)

// asked is an authorization request whose client and redirect address have been found good.
type asked struct {
	client    clientRow
	redirect  string
	state     *string
	scopes    []tenant.Scope
	challenge string
	prompt    []string
}

// authorize is GET /oauth/authorize (OAuth 2.1 §4.1.1). As long as it is not certain who asks and where the answer goes, the
// person gets a page and nobody is redirected (§4.1.2.1). Then the person signs in, also before an error goes back, so
// that the address cannot be used to send strangers anywhere (RFC 9700 §4.11.2).
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET")
		s.page(w, http.StatusMethodNotAllowed, "This address is opened in a browser", "Start again from your application.")
		return
	}
	ask, ok := s.identify(w, r)
	if !ok {
		return
	}
	problem := s.understand(&ask, r.URL.RawQuery)
	caller, signedIn, err := s.accounts.Sessions().Caller(r.Context())
	if err != nil {
		s.pageFault(w, r, err)
		return
	}
	if !signedIn {
		if slices.Contains(ask.prompt, "none") {
			s.sendBack(w, ask, refuse("login_required", "nobody is signed in"))
			return
		}
		here := r.URL.EscapedPath() + "?" + r.URL.RawQuery
		http.Redirect(w, r, "/sign-in?return_to="+url.QueryEscape(here), http.StatusSeeOther)
		return
	}
	if problem != nil {
		s.sendBack(w, ask, problem)
		return
	}
	to, err := s.decide(r.Context(), ask, caller)
	var refused *refusal
	if errors.As(err, &refused) {
		s.sendBack(w, ask, refused)
		return
	}
	if err != nil {
		s.pageFault(w, r, err)
		return
	}
	seeOther(w, to)
}

// identify finds the client and checks the redirect address. When it answers false, it has written the page that says why.
func (s *Server) identify(w http.ResponseWriter, r *http.Request) (asked, bool) {
	refused := func(text string) (asked, bool) {
		s.page(w, http.StatusBadRequest, "This request cannot be answered", text)
		return asked{}, false
	}
	if len(r.URL.RawQuery) > queryMax {
		return refused("The request is too long. Start again from your application.")
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || len(query["client_id"]) != 1 || len(query["redirect_uri"]) != 1 || len(query["state"]) > 1 {
		return refused("The request is not well-formed: client_id, redirect_uri and state are given once each.")
	}
	ask := asked{redirect: query.Get("redirect_uri")}
	if states := query["state"]; len(states) == 1 {
		ask.state = &states[0]
	}
	if _, err := parseParameters(url.Values{"client_id": query["client_id"], "state": query["state"]}.Encode()); err != nil {
		return refused("The request is not text.")
	}
	ask.client, err = s.client(r, query.Get("client_id"), true)
	var document *documentError
	switch {
	case errors.Is(err, errNoClient):
		return refused("The application is not known here, perhaps because it was registered long ago and never used.")
	case errors.As(err, &document):
		return refused("The application cannot be identified: " + document.Error() + ".")
	case err != nil:
		s.pageFault(w, r, err)
		return ask, false
	}
	if !matchRedirect(ask.client.RedirectURIs, ask.redirect, ask.client.public()) {
		return refused("The application asks for the answer to be sent to an address that it has not registered.")
	}
	return ask, true
}

// understand reads the rest of the request. What is wrong with it is told to the client.
func (s *Server) understand(ask *asked, rawQuery string) *refusal {
	query, err := parseParameters(rawQuery)
	var wrong *refusal
	if errors.As(err, &wrong) {
		return wrong
	}
	ask.prompt = strings.Fields(query.Get("prompt"))
	switch {
	case !query.Has("response_type"):
		return refuse("invalid_request", "response_type is missing; it is code")
	case query.Get("response_type") != "code":
		return refuse("unsupported_response_type", "response_type is code")
	case query.Has("response_mode") && query.Get("response_mode") != "query":
		return refuse("invalid_request", "response_mode is query")
	case query.Has("request") || query.Has("request_uri"):
		return refuse("request_not_supported", "send the request as plain parameters")
	case slices.Contains(ask.prompt, "none") && len(ask.prompt) > 1:
		return refuse("invalid_request", "prompt=none stands alone")
	case query.Get("code_challenge_method") != "S256" || !isChallenge(query.Get("code_challenge")):
		return refuse("invalid_request", "PKCE is needed: code_challenge with code_challenge_method=S256")
	case query.Has("resource") && !isResource(query.Get("resource"), s.resource):
		return refuse("invalid_target", "tokens are issued for "+s.resource+" only")
	}
	ask.challenge = query.Get("code_challenge")
	if ask.scopes, err = ask.client.asks(query.Get("scope")); errors.As(err, &wrong) {
		return wrong
	}
	return nil
}

// decide answers where the person goes: back to the client when they allowed all this before, else to the consent page.
func (s *Server) decide(ctx context.Context, ask asked, caller tenant.Caller) (to string, err error) {
	if ask.client.WorkspaceID != nil && len(ask.client.reach(caller.Memberships)) == 0 {
		return "", refuse("access_denied", "this application is for the people of one workspace, and this person is not in it")
	}
	err = s.db.System(ctx, caller.Person, func(tx *pg.Tx) error {
		workspaces, remembered, err := s.remembered(tx, ask, caller)
		if err != nil {
			return err
		}
		if remembered {
			to, err = s.issueCode(tx, ask, caller.Person, ask.scopes, workspaces)
			return err
		}
		if slices.Contains(ask.prompt, "none") {
			return refuse("consent_required", "the person has to be asked")
		}
		id := uuid.New()
		to = "/consent?request=" + id.String()
		return insertRequest(tx, requestRow{
			ID: id, ClientID: ask.client.ID, PersonID: caller.Person, RedirectURI: ask.redirect, State: ask.state,
			Scopes: scopeWords(ask.scopes), Resource: s.resource, Challenge: ask.challenge, ExpiresAt: s.clock().Add(requestTTL),
		})
	})
	return to, err
}

// remembered looks for a living grant that covers the request, in workspaces where the person still is. A person is always
// asked when the client wants them to be, and when the answer goes to a program on some machine: any other program there
// could pretend to be that one (RFC 8252 §8.6).
func (s *Server) remembered(tx *pg.Tx, ask asked, caller tenant.Caller) ([]uuid.UUID, bool, error) {
	if !strings.HasPrefix(strings.ToLower(ask.redirect), "https:") || slices.ContainsFunc(ask.prompt, func(p string) bool { return p != "none" }) {
		return nil, false, nil
	}
	grants, err := liveGrants(tx, ask.client.ID, caller.Person, s.resource)
	if err != nil {
		return nil, false, err
	}
	for _, g := range grants {
		var still []uuid.UUID
		for _, m := range account.Granted(caller.Memberships, g.Workspaces) {
			still = append(still, m.Workspace)
		}
		if within(scopeWords(ask.scopes), g.Scopes) && len(still) > 0 {
			return still, true, nil
		}
	}
	return nil, false, nil
}

// issueCode keeps what the person allowed and answers the address that takes the code to the client.
func (s *Server) issueCode(tx *pg.Tx, ask asked, person uuid.UUID, scopes []tenant.Scope, workspaces []uuid.UUID) (string, error) {
	now := s.clock()
	id, err := s.allow(tx, ask.client, person, scopes, workspaces, now)
	if err != nil {
		return "", err
	}
	l := &library{tx: tx, client: ask.client, grant: id, now: now}
	info, err := s.manager(l).GenerateAuthToken(tx.Context(), oauth2.Code, &oauth2.TokenGenerateRequest{
		ClientID: ask.client.ID, UserID: person.String(), RedirectURI: ask.redirect, Scope: joinScopes(scopes),
		CodeChallenge: ask.challenge, CodeChallengeMethod: oauth2.CodeChallengeS256,
	})
	if err != nil {
		return "", err
	}
	return answerURL(ask.redirect, s.issuer, ask.state, url.Values{"code": {info.GetCode()}}), nil
}

// allow keeps what a person allowed a client, and appends it to the events of the workspaces.
func (s *Server) allow(tx *pg.Tx, client clientRow, person uuid.UUID, scopes []tenant.Scope, workspaces []uuid.UUID, now time.Time) (uuid.UUID, error) {
	id := pg.NewID()
	g := grantRow{
		ID: id, ClientID: client.ID, PersonID: person, Scopes: scopeWords(scopes), Workspaces: workspaces,
		Resource: s.resource, CreatedAt: now, UsedAt: now,
	}
	if err := insertGrant(tx, g); err != nil {
		return id, err
	}
	detail := map[string]any{"grant": id, "client": client.ID, "name": client.Name, "scopes": g.Scopes}
	return id, note(tx, g, tenant.ViaConsole, "oauth.authorize", "grant.created", detail)
}

// sendBack tells the client what was wrong (OAuth 2.1 §4.1.2.1).
func (s *Server) sendBack(w http.ResponseWriter, ask asked, problem *refusal) {
	seeOther(w, answerURL(ask.redirect, s.issuer, ask.state, url.Values{
		"error": {problem.Code}, "error_description": {problem.Description},
	}))
}

// seeOther redirects without looking at the address: http.Redirect would tidy it, and a redirect address is used exactly as
// it was registered. 303 makes sure that nothing is sent along (RFC 9700 §4.12).
func seeOther(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}
