package restapi

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"driftless/internal/account"
	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/passkey"
)

// passkeys mounts what belongs to passkeys, and the renewal of a session. Passkeys cannot be guessed, so no limit of guesses
// counts them; beginning to sign in, which anybody may, is limited like a sign-on.
func (s *Server) passkeys() {
	e := s.echo
	e.GET("/api/v1/passkeys", s.ownSession(s.listPasskeys))
	e.POST("/api/v1/passkeys/begin", s.ownSession(s.beginPasskey))
	e.POST("/api/v1/passkeys", s.ownSession(s.addPasskey))
	e.PATCH("/api/v1/passkeys/:passkey", s.ownSession(s.renamePasskey))
	e.DELETE("/api/v1/passkeys/:passkey", s.ownSession(s.removePasskey))
	e.POST("/api/v1/session/passkey/begin", s.beginPasskeySignIn)
	e.POST("/api/v1/session/passkey", s.ownSession(s.passkeySignIn))
	e.POST("/api/v1/session/step-up/begin", s.ownSession(s.beginStepUp))
	e.POST("/api/v1/session/step-up", s.ownSession(s.stepUp))
}

// ceremonyOptions is what a browser is given to begin with.
type ceremonyOptions struct {
	Options any `json:"options"`
}

// begins answers the options of a ceremony and makes sure that the browser can be recognised when it comes back. Ceremonies in
// several windows share the cookie.
func (s *Server) begins(c echo.Context, begin func(passkey.Browser) (any, error)) error {
	browser := s.ceremony(c)
	if browser == "" {
		browser = passkey.Browser(opaque.New(""))
	}
	options, err := begin(browser)
	if err != nil {
		return err
	}
	s.setCookie(c, ceremonyCookie, string(browser), passkey.CeremonyTTL, http.SameSiteStrictMode)
	return private(c, http.StatusOK, ceremonyOptions{options})
}

// ceremonyCookie is the name of the cookie by which the second half of a ceremony is known to come from where the first did.
const ceremonyCookie = "driftless_ceremony"

func (s *Server) ceremony(c echo.Context) passkey.Browser {
	return passkey.Browser(s.cookie(c, ceremonyCookie))
}

func (s *Server) listPasskeys(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	page, err := s.Passkeys.List(c.Request().Context(), caller)
	if err != nil {
		return err
	}
	return private(c, http.StatusOK, page)
}

func (s *Server) beginPasskey(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	return s.begins(c, func(b passkey.Browser) (any, error) {
		return s.Passkeys.BeginRegistration(c.Request().Context(), caller, b)
	})
}

func (s *Server) addPasskey(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	var in struct {
		Name       string          `json:"name"`
		Credential json.RawMessage `json:"credential"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	out, err := s.Passkeys.Register(c.Request().Context(), caller, s.ceremony(c), in.Name, in.Credential)
	if err != nil {
		return err
	}
	return private(c, http.StatusCreated, out)
}

func (s *Server) renamePasskey(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	var in struct {
		Name string `json:"name"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	out, err := s.Passkeys.Rename(c.Request().Context(), caller, segment(c, "passkey"), in.Name)
	if err != nil {
		return err
	}
	return private(c, http.StatusOK, out)
}

func (s *Server) removePasskey(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	if err := s.Passkeys.Delete(c.Request().Context(), caller, segment(c, "passkey")); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s *Server) beginPasskeySignIn(c echo.Context) error {
	if err := s.Limit(limitSignOn, c.Request()); err != nil {
		return err
	}
	return s.begins(c, func(b passkey.Browser) (any, error) {
		return s.Passkeys.BeginSignIn(c.Request().Context(), b)
	})
}

func (s *Server) passkeySignIn(c echo.Context) error {
	var in struct {
		Credential json.RawMessage `json:"credential"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	person, err := s.Passkeys.SignIn(c.Request().Context(), s.ceremony(c), in.Credential)
	if err != nil {
		return err
	}
	if err := s.begin(c, person); err != nil {
		return err
	}
	return s.describeSession(c, http.StatusOK)
}

func (s *Server) beginStepUp(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	return s.begins(c, func(b passkey.Browser) (any, error) {
		return s.Passkeys.BeginStepUp(c.Request().Context(), caller, b)
	})
}

// stepUp renews the session of somebody who proves again who they are, with the password or a passkey.
func (s *Server) stepUp(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	var in struct {
		Password   string          `json:"password"`
		Credential json.RawMessage `json:"credential"`
	}
	if err := body(c, &in); err != nil {
		return err
	}
	ctx := c.Request().Context()
	switch {
	case len(in.Credential) > 0 && in.Password == "":
		err = s.Passkeys.StepUp(ctx, caller, s.ceremony(c), in.Credential)
	case in.Password != "" && len(in.Credential) == 0:
		err = s.guess(c, account.CodeWrongPassword, func() error { return s.Accounts.Sessions().CheckPassword(ctx, in.Password) })
	default:
		err = fault.Fieldf("password", "send either the password or the credential of a passkey")
	}
	if err != nil {
		return err
	}
	if err := s.Accounts.Sessions().Renew(ctx); err != nil {
		return err
	}
	return s.describeSession(c, http.StatusOK)
}
