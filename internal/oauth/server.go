package oauth

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/pg"
)

// Server is the authorization server of one issuer, and the guard of its one protected resource. Make one with [New]; it is
// safe for concurrent use and keeps nothing in memory.
type Server struct {
	db        *pg.DB
	accounts  *account.Service
	cfg       config.Config
	log       *slog.Logger
	issuer    string
	resource  string
	now       func() time.Time
	documents documentClient
	limit     func(limit string, r *http.Request) error
}

// Option changes how a [Server] reaches the world.
type Option func(*Server)

// WithClock replaces the clock by which codes, tokens and requests age.
func WithClock(now func() time.Time) Option { return func(s *Server) { s.now = now } }

// WithTransport replaces the way in which client id metadata documents are fetched. The default refuses every address that
// is not a public one.
func WithTransport(t http.RoundTripper) Option {
	return func(s *Server) { s.documents = newDocumentClient(t) }
}

// WithLimits sets what is asked before a request that counts against one of the limits is looked at; with an error it is not. The
// default allows every one.
func WithLimits(take func(limit string, r *http.Request) error) Option {
	return func(s *Server) { s.limit = take }
}

// New makes the server. The issuer is the configured public address and nothing that a request says.
func New(db *pg.DB, accounts *account.Service, cfg config.Config, log *slog.Logger, options ...Option) *Server {
	s := &Server{
		db: db, accounts: accounts, cfg: cfg, log: log,
		issuer:    cfg.PublicURL,
		resource:  cfg.PublicURL + "/mcp",
		now:       time.Now,
		documents: newDocumentClient(publicTransport(nil)),
		limit:     func(string, *http.Request) error { return nil },
	}
	for _, option := range options {
		option(s)
	}
	return s
}

// clock is the time now, as exact as the database keeps it.
func (s *Server) clock() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// The limits on requests, by address of the caller.
const (
	// LimitRegistration is also for documents of clients that are fetched: being described by one is another way to register.
	LimitRegistration = "registration"
	LimitToken        = "token"
	// LimitCodes is for the addresses at which somebody who is signed in could guess the code of another's device.
	LimitCodes = "codes"
)

// Route is one address of the server.
type Route struct {
	// Method is the method, or "" where the handler itself answers every method.
	Method string
	// Path has {id} for one segment; one that ends in a slash stands for everything below it.
	Path string
	// Limit names the limit that is taken from around the handler; "" is none, or one that the handler takes from itself, because
	// its refusals have a form of their own.
	Limit string
	// Session asks for the middleware of the console sessions around the handler.
	Session bool
	Handler http.Handler
}

const wellKnown = "/.well-known/"

// Routes lists the addresses of the server.
func (s *Server) Routes() []Route {
	resource, server := s.document(s.resourceMetadata()), s.document(s.serverMetadata())
	return []Route{
		{Path: wellKnown + "oauth-protected-resource", Handler: resource},
		{Path: wellKnown + "oauth-protected-resource/mcp", Handler: resource},
		{Path: wellKnown + "oauth-authorization-server", Handler: server},
		{Path: wellKnown + "oauth-authorization-server/mcp", Handler: server},
		{Path: wellKnown + "openid-configuration", Handler: server},
		{Path: wellKnown + "openid-configuration/mcp", Handler: server},
		{Path: wellKnown, Handler: http.HandlerFunc(unknownDocument)},
		{Path: "/oauth/authorize", Session: true, Handler: http.HandlerFunc(s.authorize)},
		{Path: "/oauth/token", Handler: s.post(LimitToken, s.token)},
		{Path: "/oauth/register", Handler: s.post(LimitRegistration, s.register)},
		{Path: "/oauth/revoke", Handler: s.post(LimitToken, s.revoke)},
		{Path: "/oauth/introspect", Handler: s.post(LimitToken, s.introspect)},
		{Path: "/oauth/device", Handler: s.post(LimitToken, s.device)},
		{Method: http.MethodGet, Path: devicePath + "{user_code}", Limit: LimitCodes, Session: true, Handler: s.consented(s.askDevice)},
		{Method: http.MethodPost, Path: devicePath + "{user_code}", Limit: LimitCodes, Session: true, Handler: s.consented(s.answerDevice)},
		{Method: http.MethodGet, Path: connectionsPath, Session: true, Handler: s.consented(s.connections)},
		{Method: http.MethodDelete, Path: connectionsPath + "/{grant}", Session: true, Handler: s.consented(s.disconnect)},
		{Method: http.MethodGet, Path: consentPath + "{id}", Session: true, Handler: s.consented(s.askConsent)},
		{Method: http.MethodPost, Path: consentPath + "{id}", Session: true, Handler: s.consented(s.answerConsent)},
	}
}

// oneLine makes foreign text fit for a header or a log line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
