package oauth

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/pg"
	"driftless/internal/screen"
	"driftless/internal/tenant"
)

// The ways in which a client proves itself at the token endpoint (RFC 7591 §2).
const (
	authNone  = "none"
	authBasic = "client_secret_basic"
	authPost  = "client_secret_post"
)

func authMethods() []string { return []string{authNone, authBasic, authPost} }

// The grants that a client may use.
const (
	grantCode    = "authorization_code"
	grantRefresh = "refresh_token"
	grantDevice  = "urn:ietf:params:oauth:grant-type:device_code"
)

func grantTypes() []string { return []string{grantCode, grantRefresh, grantDevice} }

// usualGrants are those of a client that does not say which it uses. The grant of devices is given to those that ask for it.
func usualGrants() []string { return []string{grantCode, grantRefresh} }

// errNoClient says that no client has this id, here or at its address.
var errNoClient = errors.New("no such client")

// public reports whether the client has no secret.
func (c clientRow) public() bool { return c.AuthMethod == authNone }

// proven compares a secret in constant time. A public client has none, and one that is given is wrong.
func (c clientRow) proven(secret string) bool {
	if c.public() {
		return secret == ""
	}
	return sameHash(hash(secret), c.SecretHash)
}

// reach is where the client may be let in, of the places that a person has: a client of one workspace in that one alone.
func (c clientRow) reach(own []tenant.Membership) []tenant.Membership {
	if c.WorkspaceID == nil {
		return own
	}
	return account.Granted(own, []uuid.UUID{*c.WorkspaceID})
}

// host is the host that vouches for the client: the one its metadata document was read from. What a client says about itself
// when it registers vouches for nothing.
func (c clientRow) host() string {
	if c.Kind != kindDocument {
		return ""
	}
	u, err := url.Parse(c.ID)
	if err != nil {
		return ""
	}
	return u.Host
}

// client finds a client. One that is described by a document is read again when its copy is no longer fresh and fresh is
// asked for; the endpoints that a program calls in the background work with the copy that the person saw. While the document
// cannot be read the copy does for another week, unless its headers forbid that (RFC 9111 §4.2.4).
func (s *Server) client(r *http.Request, id string, fresh bool) (clientRow, error) {
	var row clientRow
	var found bool
	if id == "" || len(id) > redirectLength {
		return row, errNoClient
	}
	err := s.db.System(r.Context(), uuid.Nil, func(tx *pg.Tx) (err error) {
		row, found, err = findClient(tx, id)
		return err
	})
	if err != nil {
		return row, err
	}
	if !isDocumentID(id) {
		if !found {
			return row, errNoClient
		}
		return row, nil
	}
	if found && (!fresh || row.FreshUntil.After(s.clock())) {
		return row, nil
	}
	read, err := s.readClient(r, id, row)
	var problem *documentError
	if errors.As(err, &problem) && problem.passing && found && row.StaleUntil.After(s.clock()) {
		return row, nil
	}
	return read, err
}

// readClient fetches the document of a client and keeps a copy. Anybody can name a document, so whoever makes the server
// fetch one pays for it.
func (s *Server) readClient(r *http.Request, id string, known clientRow) (clientRow, error) {
	if s.cfg.Offline {
		return clientRow{}, unreadDocument("this server reads no documents of applications; yours has to register")
	}
	if s.limit(LimitRegistration, r) != nil {
		return clientRow{}, unreadDocument("too many documents are being read for your address; try again in a minute")
	}
	ctx := r.Context()
	row, err := s.documents.fetch(ctx, id, known, s.clock())
	if err != nil {
		s.log.InfoContext(ctx, "client metadata document refused", "client", oneLine(id), "error", err)
		return row, err
	}
	return row, s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error { return saveClient(tx, row) })
}

// authenticate finds the client behind a request and checks its secret, which it answers too (RFC 6749 §2.3). A client that
// is not known is told invalid_client, on which programs register again.
func (s *Server) authenticate(r *http.Request, form url.Values) (client clientRow, secret string, err error) {
	id, secret, basic, err := credentials(r, form)
	if err != nil {
		return client, "", err
	}
	wrong := refuse("invalid_client", "the client is not known here, or its secret is wrong; register again")
	wrong.status, wrong.challenge = http.StatusUnauthorized, basic
	if id == "" {
		wrong.Description = "say which client is asking: client_id"
		return client, "", wrong
	}
	client, err = s.client(r, id, false)
	var document *documentError
	switch {
	case errors.Is(err, errNoClient), errors.As(err, &document):
		return client, "", wrong
	case err != nil:
		return client, "", err
	case !client.proven(secret):
		return client, "", wrong
	}
	return client, secret, nil
}

// credentials reads who asks from the header or the body. Basic carries both parts form-encoded (RFC 6749 §2.3.1), which
// matters for ids that are addresses; several clients send it with an empty secret although they are public.
func credentials(r *http.Request, form url.Values) (id, secret string, basic bool, err error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return form.Get("client_id"), form.Get("client_secret"), false, nil
	}
	malformed := refuse("invalid_client", "the Authorization header is not well-formed HTTP Basic")
	malformed.status, malformed.challenge = http.StatusUnauthorized, true
	user, password, ok := r.BasicAuth()
	if !ok {
		return "", "", true, malformed
	}
	if id, err = url.QueryUnescape(user); err != nil {
		return "", "", true, malformed
	}
	if secret, err = url.QueryUnescape(password); err != nil {
		return "", "", true, malformed
	}
	if screen.Valid(id) != nil || (form.Has("client_id") && form.Get("client_id") != id) {
		return "", "", true, malformed
	}
	if form.Has("client_secret") {
		return "", "", true, refuse("invalid_request", "use one way to authenticate, not two")
	}
	return id, secret, true, nil
}

// mayRefresh reports whether the client is given refresh tokens. It is whenever it can use them, whether or not it asked for
// offline_access: most do not know that they should.
func (c clientRow) mayRefresh() bool { return slices.Contains(c.GrantTypes, grantRefresh) }
