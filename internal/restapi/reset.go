package restapi

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// forgotPassword answers the same whoever asks and whatever for: it must not tell whether there is an account.
func (s *Server) forgotPassword(c echo.Context) error {
	if err := s.Limit(limitResets, c.Request()); err != nil {
		return err
	}
	var in struct {
		Email string `json:"email"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	if err := s.Accounts.ForgotPassword(c.Request().Context(), in.Email); err != nil {
		return err
	}
	return c.NoContent(http.StatusAccepted)
}

// resetOf says whose password a link resets; whoever holds it has the mail of that address.
func (s *Server) resetOf(c echo.Context) error {
	email, err := s.Accounts.ResetOf(c.Request().Context(), segment(c, "token"))
	if err != nil {
		return err
	}
	return private(c, http.StatusOK, struct {
		Email string `json:"email"`
	}{email})
}

func (s *Server) resetPassword(c echo.Context) error {
	var in struct {
		Password string `json:"password"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	person, err := s.Accounts.ResetPassword(c.Request().Context(), segment(c, "token"), in.Password)
	if err != nil {
		return err
	}
	// Whoever reads the mail of the address gets in with the new password, however much others guess.
	if err := s.recognise(c, person); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
