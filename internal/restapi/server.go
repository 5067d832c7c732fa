package restapi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/drift"
	"driftless/internal/fault"
	"driftless/internal/obs"
	"driftless/internal/op"
	"driftless/internal/passkey"
	"driftless/internal/publish"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// BodyMax is the largest request body in bytes, of all operations that name no larger one.
const BodyMax = 1 << 20

// Options is what the HTTP side is built from.
type Options struct {
	Config   config.Config
	Registry *op.Registry
	// Public are the operations of anybody.
	Public   *op.Registry
	Accounts *account.Service
	Passkeys *passkey.Service
	Topics   *topic.Service
	Shares   *publish.Service
	Drift    *drift.Service
	Metrics  *obs.Metrics
	Log      *slog.Logger
	// Bearer turns a bearer credential into its caller; ok is false for one that is not valid.
	Bearer func(ctx context.Context, secret string) (caller tenant.Caller, ok bool, err error)
	// Challenge is the WWW-Authenticate header of a refusal.
	Challenge func(errorCode string, scopes []tenant.Scope, description string) string
	// Watch tells when there may be new events in a workspace, until done is called.
	Watch func(workspace uuid.UUID) (news <-chan struct{}, done func())
	// Ready answers nil when the server can serve.
	Ready func(ctx context.Context) error
	// Console and Manual are the files of the console and of the manual.
	Console fs.FS
	Manual  fs.FS
	Version string
}

// Server is the HTTP side.
type Server struct {
	Options
	echo    *echo.Echo
	limits  *limits
	streams streams
	beat    time.Duration
	stop    sync.Once
	stopped chan struct{}
}

// New builds the routes.
func New(o Options) *Server {
	s := &Server{Options: o, echo: echo.New(), limits: newLimits(o.Config, o.Metrics), streams: streams{open: map[uuid.UUID]int{}}, beat: streamBeat, stopped: make(chan struct{})}
	e := s.echo
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.fail
	e.IPExtractor = addressOf(o.Config)
	e.Use(s.identify, middleware.RecoverWithConfig(middleware.RecoverConfig{LogErrorFunc: s.logPanic}), s.headers)
	s.health()
	s.operations()
	s.public()
	s.people()
	s.passkeys()
	s.signOn()
	s.hooks()
	s.pages()
	return s
}

// Handle mounts a handler of another package, for every method where none is named. limit names the limit that each request
// counts against; it may be empty. session loads and keeps the console session around it. A path has {parameters}; one that
// ends in / means everything below.
func (s *Server) Handle(method, path, limit string, session bool, h http.Handler) {
	if session {
		h = s.Accounts.Sessions().Middleware(h)
	}
	handler := echo.WrapHandler(h)
	if limit != "" {
		inner := handler
		handler = func(c echo.Context) error {
			if err := s.Limit(limit, c.Request()); err != nil {
				return err
			}
			return inner(c)
		}
	}
	path = parameter.ReplaceAllString(path, ":$1")
	if strings.HasSuffix(path, "/") {
		path += "*"
	}
	if method == "" {
		s.echo.Any(path, handler)
		return
	}
	s.echo.Add(method, path, handler)
}

// CallLimit is the limit on calls of one credential; other transports take from it too.
func (s *Server) CallLimit(credential string) error { return s.limits.take(limitCalls, credential) }

// ServeHTTP serves.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// identify gives the request its id.
func (s *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, id := obs.WithRequestID(c.Request().Context(), c.Request().Header.Get(echo.HeaderXRequestID))
		c.SetRequest(c.Request().WithContext(ctx))
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		return next(c)
	}
}

func (s *Server) logPanic(c echo.Context, err error, stack []byte) error {
	s.Log.Error("panic", "error", err, "path", c.Path(), "request_id", obs.RequestID(c.Request().Context()), "stack", string(stack))
	return err
}

// headers are those of every answer. Pages add a content security policy of their own.
func (s *Server) headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		if s.Config.Secure() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		return next(c)
	}
}

// problem is RFC 9457 with the fields of the product's error.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	fault.Wire
}

// fail writes an error as a problem. What is our own fault is logged with its cause and told in neutral words.
func (s *Server) fail(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	var status int
	var known *fault.Error
	var routing *echo.HTTPError
	var unparsed malformed
	switch {
	case errors.As(err, &unparsed):
		known, status = unparsed.cause, http.StatusBadRequest
	case errors.As(err, &known) && known.Code == fault.CodeStaleBase && c.Request().Header.Get("If-Match") != "":
		// The condition was the client's own (RFC 9110 section 13.1.1).
		status = http.StatusPreconditionFailed
	case errors.As(err, &known):
		status = known.Kind.HTTPStatus()
	case errors.As(err, &routing) && routing.Code == http.StatusMethodNotAllowed && c.Path() == everything:
		// Only the console answers there, with a page; for another method there is nothing.
		c.Response().Header().Del(echo.HeaderAllow)
		known, status = fromRouting(echo.ErrNotFound), http.StatusNotFound
	case errors.As(err, &routing):
		known, status = fromRouting(routing), routing.Code
	default:
		known, status = fault.From(err), http.StatusInternalServerError
	}
	id := obs.RequestID(c.Request().Context())
	if known.Kind == fault.Internal {
		s.Log.Error("request failed", "path", c.Path(), "request_id", id, "error", errors.Unwrap(known))
	}
	h := c.Response().Header()
	switch known.Kind {
	case fault.Unauthenticated:
		code := ""
		if c.Request().Header.Get("Authorization") != "" || c.Request().Header.Get("X-API-Key") != "" {
			code = "invalid_token"
		}
		h.Set("WWW-Authenticate", s.Challenge(code, tenant.Scopes(), ""))
	case fault.Scope:
		var scopes []tenant.Scope
		for _, scope := range known.Allowed {
			scopes = append(scopes, tenant.Scope(scope))
		}
		h.Set("WWW-Authenticate", s.Challenge("insufficient_scope", scopes, known.Message))
	case fault.Rate:
		h.Set("Retry-After", retryAfter(known))
	default:
	}
	p := problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Wire: known.Wire(id)}
	h.Set("Cache-Control", "no-store")
	writeJSON(c, status, "application/problem+json", p)
}

func fromRouting(e *echo.HTTPError) *fault.Error {
	switch e.Code {
	case http.StatusNotFound:
		return fault.New(fault.NotFound, fault.CodeNotFound, "there is nothing at this address", "see /api/v1/openapi.json for what there is")
	case http.StatusMethodNotAllowed:
		return fault.New(fault.Invalid, "METHOD_NOT_ALLOWED", "this address does not take that method", "the Allow header lists those it takes")
	case http.StatusRequestEntityTooLarge:
		return tooLarge(BodyMax)
	}
	return fault.New(fault.Invalid, fault.CodeValidation, http.StatusText(e.Code), "see /api/v1/openapi.json")
}

func tooLarge(limit int64) *fault.Error {
	return fault.New(fault.Limit, fault.CodeTooLarge, fmt.Sprintf("the body is larger than %d MiB", limit>>20), "send less in one request")
}

func writeJSON(c echo.Context, status int, kind string, v any) {
	raw, err := op.Marshal(v)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"code":"INTERNAL"}`)
	}
	if err := c.Blob(status, kind, raw); err != nil && !errors.Is(err, context.Canceled) {
		c.Logger().Debug(err)
	}
}
