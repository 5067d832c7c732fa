package restapi

import (
	"encoding/json"
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"driftless/internal/account"
	"driftless/internal/account/guess"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/tenant"
)

// people mounts what belongs to a person rather than to a workspace: set-up, the session, and the human act.
func (s *Server) people() {
	e := s.echo
	e.POST("/api/v1/session", s.ownSession(s.signIn))
	e.GET("/api/v1/session", s.ownSession(s.whoAmI))
	e.DELETE("/api/v1/session", s.ownSession(s.signOut))
	e.GET("/api/v1/setup/:token", s.setupOpen)
	e.POST("/api/v1/setup/:token", s.ownSession(s.setUp))
	e.GET("/api/v1/sessions", s.ownSession(s.sessions))
	e.DELETE("/api/v1/sessions/:session", s.ownSession(s.revokeSession))
	e.PATCH("/api/v1/profile", s.ownSession(s.changeProfile))
	e.POST("/api/v1/password", s.ownSession(s.changePassword))
	e.POST("/api/v1/password/reset", s.forgotPassword)
	e.GET("/api/v1/password/reset/:token", s.resetOf)
	e.POST("/api/v1/password/reset/:token", s.resetPassword)
	e.GET("/api/v1/invitations/:token", s.invitation)
	e.POST("/api/v1/invitations/:token/accept", s.ownSession(s.acceptInvitation))
	e.GET("/api/v1/confirmations/:id", s.ownSession(s.confirmation))
	e.POST("/api/v1/confirmations/:id", s.ownSession(s.decide))
}

// private writes an answer that is for one person and one moment.
func private(c echo.Context, status int, v any) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	writeJSON(c, status, echo.MIMEApplicationJSON, v)
	return nil
}

// body decodes the JSON body of a route that is no operation, with the same bounds and errors.
func body(c echo.Context, into any) error {
	args, err := arguments(c, &op.Operation{})
	if err != nil {
		return err
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fault.New(fault.Invalid, fault.CodeValidation, "a field of the body has the wrong type", "see /api/v1/openapi.json")
	}
	return nil
}

func (s *Server) signIn(c echo.Context) error {
	var in struct {
		Email    string `json:"email"`
		Password string `json:"password"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	var person uuid.UUID
	err := s.guess(c, fault.CodeUnauthenticated, func() (err error) {
		person, err = s.Accounts.SignIn(c.Request().Context(), in.Email, in.Password, s.cookie(c, browserCookie))
		return err
	})
	if err != nil {
		return err
	}
	if err := s.begin(c, person); err != nil {
		return err
	}
	return s.describeSession(c, http.StatusOK)
}

// browserCookie is the name of the cookie by which a browser is known to those who signed in with it.
const browserCookie = "driftless_browser"

// begin signs a person in on this request, and makes the browser known to them.
func (s *Server) begin(c echo.Context, person uuid.UUID) error {
	r := c.Request()
	if err := s.Accounts.Sessions().Begin(r.Context(), person, r.UserAgent()); err != nil {
		return err
	}
	return s.recognise(c, person)
}

// recognise makes the browser known to somebody who has just proven who they are, so that nobody else's guesses keep them out
// of it.
func (s *Server) recognise(c echo.Context, person uuid.UUID) error {
	secret, err := s.Accounts.Recognise(c.Request().Context(), person, s.cookie(c, browserCookie))
	if err != nil {
		return err
	}
	s.setCookie(c, browserCookie, secret, guess.BrowserTTL, http.SameSiteStrictMode)
	return nil
}

func (s *Server) describeSession(c echo.Context, status int) error {
	caller, ok, err := s.Accounts.Sessions().Caller(c.Request().Context())
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "nobody is signed in", "sign in with POST /api/v1/session")
	}
	out, err := s.Accounts.Sessions().Describe(c.Request().Context(), caller)
	if err != nil {
		return err
	}
	return private(c, status, out)
}

func (s *Server) whoAmI(c echo.Context) error { return s.describeSession(c, http.StatusOK) }

func (s *Server) signOut(c echo.Context) error {
	if _, ok := s.Accounts.Sessions().Person(c.Request().Context()); ok {
		if err := s.Accounts.Sessions().CheckCSRF(c.Request().Context(), c.Request().Header.Get("X-CSRF-Token")); err != nil {
			return err
		}
	}
	if err := s.Accounts.Sessions().End(c.Request().Context()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s *Server) setupOpen(c echo.Context) error {
	open, err := s.Accounts.SetupOpen(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	if !open {
		return fault.Missing("set-up link", "this one")
	}
	return c.NoContent(http.StatusNoContent)
}

func (s *Server) setUp(c echo.Context) error {
	var in account.Setup
	if err := body(c, &in); err != nil {
		return err
	}
	person, err := s.Accounts.SetUp(c.Request().Context(), c.Param("token"), in)
	if err != nil {
		return err
	}
	if err := s.begin(c, person); err != nil {
		return err
	}
	return s.describeSession(c, http.StatusCreated)
}

// person is the signed-in person of a route that no token may use.
func (s *Server) person(c echo.Context) (tenant.Caller, error) {
	if bearer(c.Request()) != "" {
		return tenant.Caller{}, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "this is done by a person in the console, never with a token or key",
			"open the address in a browser and sign in")
	}
	return s.caller(c)
}

func (s *Server) confirmation(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	out, err := s.Topics.Confirmation(c.Request().Context(), caller, c.Param("id"))
	if err != nil {
		return err
	}
	return private(c, http.StatusOK, out)
}

func (s *Server) decide(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	var in struct {
		Approve     bool   `json:"approve"`
		ContentHash string `json:"content_hash"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	out, err := s.Topics.Decide(c.Request().Context(), caller, c.Param("id"), in.Approve, in.ContentHash)
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusOK, echo.MIMEApplicationJSON, out)
	return nil
}
