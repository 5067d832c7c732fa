package account

import (
	"context"
	"crypto/subtle"
	"fmt"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/google/uuid"

	"driftless/internal/account/session"
	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Sessions are the console sessions: a cookie with a random token, hashed at rest, and the values kept with it.
type Sessions struct {
	manager  *scs.SessionManager
	accounts *Service
}

// The values of a session.
const (
	keyPerson   = "person"
	keySignedIn = "signed_in"
	keyCSRF     = "csrf"
	keyID       = "id"
	keyDevice   = "device"
)

func newSessions(s *Service) *Sessions {
	m := scs.New()
	m.Store = sessionStore{s.db}
	m.HashTokenInStore = true
	m.Lifetime = 90 * 24 * time.Hour
	m.IdleTimeout = s.cfg.SessionTTL
	m.Cookie.Name = "driftless_session"
	if s.cfg.Secure() {
		// The prefix binds the cookie to this host and to TLS (RFC 6265bis §4.1.3.2).
		m.Cookie.Name = "__Host-driftless_session"
	}
	m.Cookie.Secure = s.cfg.Secure()
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Path = "/"
	return &Sessions{manager: m, accounts: s}
}

// Sessions gives the console sessions of these accounts.
func (s *Service) Sessions() *Sessions { return s.sessions }

// Middleware loads the session of a request and keeps what changed.
func (s *Sessions) Middleware(next http.Handler) http.Handler { return s.manager.LoadAndSave(next) }

// SignedIn is what a console is told about its session.
type SignedIn struct {
	CSRFToken  string          `json:"csrf_token"`
	SignedInAt time.Time       `json:"signed_in_at"`
	Person     SignedInPerson  `json:"person"`
	Workspaces []WorkspaceRole `json:"workspaces"`
}

// SignedInPerson is the person behind a session.
type SignedInPerson struct {
	ID    uuid.UUID `json:"id"`
	Email string    `json:"email"`
	Name  string    `json:"name"`
	// HasPassword is false for a person who has only other ways to sign in.
	HasPassword bool `json:"has_password"`
}

// WorkspaceRole is a workspace with the role one has there.
type WorkspaceRole struct {
	Slug string      `json:"slug"`
	Name string      `json:"name"`
	Role tenant.Role `json:"role"`
}

// Begin signs the person in on this request: a new token, so that one set before the sign-in is worth nothing. The
// User-Agent becomes the name of the device in the list of sessions.
func (s *Sessions) Begin(ctx context.Context, person uuid.UUID, userAgent string) error {
	if err := s.manager.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew a session: %w", err)
	}
	s.manager.Put(ctx, keyID, pg.NewID().String())
	s.manager.Put(ctx, keyDevice, device(userAgent))
	s.manager.Put(ctx, keyPerson, person.String())
	s.manager.Put(ctx, keySignedIn, time.Now().Unix())
	s.manager.Put(ctx, keyCSRF, opaque.New(""))
	return nil
}

// Renew notes on this request that the person proved again who they are: a new token, and a sign-in of now. It stays the same
// session, with the CSRF token that other windows hold.
func (s *Sessions) Renew(ctx context.Context) error {
	if err := s.manager.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew a session: %w", err)
	}
	s.manager.Put(ctx, keySignedIn, time.Now().Unix())
	return nil
}

// End signs out on the server.
func (s *Sessions) End(ctx context.Context) error {
	if err := s.manager.Destroy(ctx); err != nil {
		return fmt.Errorf("end a session: %w", err)
	}
	return nil
}

// Person is who is signed in on this request; ok is false when nobody is.
func (s *Sessions) Person(ctx context.Context) (id uuid.UUID, ok bool) {
	id, err := uuid.Parse(s.manager.GetString(ctx, keyPerson))
	return id, err == nil
}

// CheckCSRF compares the token of an unsafe request with the one of the session, in constant time.
func (s *Sessions) CheckCSRF(ctx context.Context, token string) error {
	want := s.manager.GetString(ctx, keyCSRF)
	if want == "" || subtle.ConstantTimeCompare([]byte(want), []byte(token)) != 1 {
		return fault.New(fault.Forbidden, "CSRF_TOKEN_INVALID", "the X-CSRF-Token header is missing or not the one of this session",
			"read csrf_token from GET /api/v1/session and send it with every change")
	}
	return nil
}

// Caller is the signed-in person as a caller with all scopes. ok is false when nobody is signed in.
func (s *Sessions) Caller(ctx context.Context) (caller tenant.Caller, ok bool, err error) {
	id, ok := s.Person(ctx)
	if !ok {
		return caller, false, nil
	}
	err = s.accounts.db.ReadGlobal(ctx, func(b *pg.Batch) {
		queuePerson(b, id, &caller)
		QueueMemberships(b, &caller.Memberships)
	})
	if err != nil || caller.Person == uuid.Nil {
		return tenant.Caller{}, false, err
	}
	caller.Via, caller.Scopes = tenant.ViaConsole, tenant.Scopes()
	caller.SignedInAt = s.signedInAt(ctx)
	return caller, true, nil
}

// CallerOf is [Sessions.Caller] for a request whose session was not loaded: as the session is now, and without keeping it alive.
func (s *Sessions) CallerOf(r *http.Request) (caller tenant.Caller, ok bool, err error) {
	cookie, err := r.Cookie(s.manager.Cookie.Name)
	if err != nil {
		return caller, false, nil //nolint:nilerr // nobody is signed in
	}
	ctx, err := s.manager.Load(r.Context(), cookie.Value)
	if err != nil {
		return caller, false, fmt.Errorf("load a session: %w", err)
	}
	return s.Caller(ctx)
}

func (s *Sessions) signedInAt(ctx context.Context) time.Time {
	return time.Unix(s.manager.GetInt64(ctx, keySignedIn), 0)
}

// Describe is the answer of the session endpoint for a caller.
func (s *Sessions) Describe(ctx context.Context, c tenant.Caller) (SignedIn, error) {
	out := SignedIn{
		CSRFToken:  s.manager.GetString(ctx, keyCSRF),
		SignedInAt: c.SignedInAt.UTC(),
		Person:     SignedInPerson{ID: c.Person, Email: c.Email, Name: c.Name},
		Workspaces: []WorkspaceRole{},
	}
	for _, m := range c.Memberships {
		out.Workspaces = append(out.Workspaces, WorkspaceRole{Slug: m.Slug, Name: m.Name, Role: m.Role})
	}
	err := s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) (err error) {
		out.Person.HasPassword, err = hasPassword(tx, c.Person)
		return err
	})
	if err != nil {
		return SignedIn{}, fmt.Errorf("describe a session: %w", err)
	}
	return out, nil
}

// sessionStore keeps sessions in the database; the token arrives here hashed.
type sessionStore struct{ db *pg.DB }

func (st sessionStore) FindCtx(ctx context.Context, hash string) (data []byte, found bool, err error) {
	err = st.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		data, found, err = session.Data(tx, hash)
		return err
	})
	return data, found, err
}

func (st sessionStore) CommitCtx(ctx context.Context, hash string, data []byte, expires time.Time) error {
	var person *uuid.UUID
	if _, values, err := (scs.GobCodec{}).Decode(data); err == nil {
		if text, ok := values[keyPerson].(string); ok {
			if id, err := uuid.Parse(text); err == nil {
				person = &id
			}
		}
	}
	return st.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error { return session.Save(tx, hash, person, data, expires) })
}

func (st sessionStore) DeleteCtx(ctx context.Context, hash string) error {
	return st.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error { return session.End(tx, hash) })
}

// The forms without a context are part of the interface but are not called when the others exist.

func (st sessionStore) Find(hash string) ([]byte, bool, error) {
	return st.FindCtx(context.Background(), hash)
}

func (st sessionStore) Commit(hash string, data []byte, expires time.Time) error {
	return st.CommitCtx(context.Background(), hash, data, expires)
}

func (st sessionStore) Delete(hash string) error { return st.DeleteCtx(context.Background(), hash) }
