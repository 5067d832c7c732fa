package restapi

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"driftless/internal/account"
	"driftless/internal/fault"
)

// sessions lists where the person is signed in.
func (s *Server) sessions(c echo.Context) error {
	if _, err := s.person(c); err != nil {
		return err
	}
	page, err := s.Accounts.Sessions().List(c.Request().Context())
	if err != nil {
		return err
	}
	return private(c, http.StatusOK, page)
}

func (s *Server) revokeSession(c echo.Context) error {
	if _, err := s.person(c); err != nil {
		return err
	}
	if err := s.Accounts.Sessions().Revoke(c.Request().Context(), segment(c, "session")); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// changePassword takes from the limit of failed sign-ins: a session that was left open must not be a place to guess.
func (s *Server) changePassword(c echo.Context) error {
	if _, err := s.person(c); err != nil {
		return err
	}
	var in struct {
		Current string `json:"current"`
		New     string `json:"new"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	err := s.guess(c, account.CodeWrongPassword, func() error {
		return s.Accounts.Sessions().ChangePassword(c.Request().Context(), in.Current, in.New)
	})
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// invitation says what a link is about; whoever holds it may read that.
func (s *Server) invitation(c echo.Context) error {
	out, err := s.Accounts.Invitation(c.Request().Context(), segment(c, "token"))
	if err != nil {
		return err
	}
	return private(c, http.StatusOK, out)
}

// acceptInvitation lets the signed-in person in, or makes an account and signs it in. An address that has an account already
// counts as a failed sign-in, so that links are no way to try many addresses.
func (s *Server) acceptInvitation(c echo.Context) error {
	ctx := c.Request().Context()
	person, signedIn := s.Accounts.Sessions().Person(ctx)
	if signedIn || bearer(c.Request()) != "" {
		caller, err := s.person(c)
		if err != nil {
			return err
		}
		person = caller.Person
	}
	var in account.Acceptance
	if err := body(c, &in); err != nil {
		return err
	}
	accept := func() (err error) {
		person, err = s.Accounts.Accept(ctx, segment(c, "token"), person, in)
		return err
	}
	if signedIn {
		if err := accept(); err != nil {
			return err
		}
		return s.describeSession(c, http.StatusOK)
	}
	if err := s.guess(c, fault.CodeStateConflict, accept); err != nil {
		return err
	}
	if err := s.begin(c, person); err != nil {
		return err
	}
	return s.describeSession(c, http.StatusOK)
}

// changeProfile sets the name that others see.
func (s *Server) changeProfile(c echo.Context) error {
	if _, err := s.person(c); err != nil {
		return err
	}
	var in struct {
		Name string `json:"name"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	if err := s.Accounts.Sessions().Rename(c.Request().Context(), in.Name); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
