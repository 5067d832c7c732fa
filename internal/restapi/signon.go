package restapi

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"driftless/internal/account"
	"driftless/internal/fault"
	"driftless/internal/obs"
)

// signOn mounts signing in at other servers: the two addresses that a browser is sent to, and what the console asks for.
func (s *Server) signOn() {
	e := s.echo
	e.GET("/signon/:provider/start", s.startSignOn)
	e.GET("/signon/:provider/callback", s.ownSession(s.finishSignOn))
	e.GET("/api/v1/signon", s.waysIn)
	e.GET("/api/v1/identities", s.ownSession(s.identities))
	e.POST("/api/v1/identities", s.ownSession(s.linkIdentity))
	e.DELETE("/api/v1/identities/:identity", s.ownSession(s.unlinkIdentity))
}

// attemptCookie holds the secret of the browser that began an attempt. It has to come along when the provider sends the browser
// back, so it is lax.
const attemptCookie = "driftless_signon"

func (s *Server) startSignOn(c echo.Context) error {
	ctx := c.Request().Context()
	if err := s.Limit(limitSignOn, c.Request()); err != nil {
		return err
	}
	q := c.QueryParams()
	start := account.SignOnStart{
		Provider: segment(c, "provider"), ReturnTo: q.Get("return_to"), Invitation: q.Get("invitation"), Browser: s.cookie(c, attemptCookie),
	}
	redirect, browser, err := s.Accounts.SignOn().Begin(ctx, start)
	if fault.Is(err, fault.CodeNotFound) || fault.Is(err, account.CodeProviderFailed) {
		if cause := errors.Unwrap(fault.From(err)); cause != nil {
			s.failedSignOn(c, cause)
		}
		return s.seeOther(c, problemPage(account.ProviderFailed, start.Back()))
	}
	if err != nil {
		return err
	}
	s.setCookie(c, attemptCookie, browser, account.AttemptTTL, http.SameSiteLaxMode)
	return s.seeOther(c, redirect)
}

func (s *Server) finishSignOn(c echo.Context) error {
	ctx := c.Request().Context()
	caller, _, err := s.Accounts.Sessions().Caller(ctx)
	if err != nil {
		return err
	}
	out, err := s.Accounts.SignOn().Finish(ctx, segment(c, "provider"), s.cookie(c, attemptCookie), c.QueryParams(), caller.Person)
	if err != nil {
		return err
	}
	switch {
	case out.Problem == "" && out.Linking:
		return s.seeOther(c, out.ReturnTo)
	case out.Problem == "":
		if err := s.begin(c, out.Person); err != nil {
			return err
		}
		return s.seeOther(c, out.ReturnTo)
	}
	if out.Cause != nil {
		s.failedSignOn(c, out.Cause)
	}
	if out.Linking {
		return s.seeOther(c, withProblem(out.ReturnTo, out.Problem))
	}
	return s.seeOther(c, problemPage(out.Problem, out.ReturnTo))
}

// seeOther sends a browser on. What comes with the address is for this browser alone.
func (s *Server) seeOther(c echo.Context, to string) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Redirect(http.StatusSeeOther, to)
}

// problemPage is the page to sign in at, which says what was wrong.
func problemPage(p account.Problem, returnTo string) string {
	return "/sign-in?" + url.Values{"problem": {string(p)}, "return_to": {returnTo}}.Encode()
}

// withProblem adds what was wrong to the page that a link began at.
func withProblem(page string, p account.Problem) string {
	u, err := url.Parse(page)
	if err != nil {
		return problemPage(p, "/")
	}
	q := u.Query()
	q.Set("problem", string(p))
	u.RawQuery = q.Encode()
	return u.String()
}

// failedSignOn tells the log what a provider did wrong, and keeps what it wrote short.
func (s *Server) failedSignOn(c echo.Context, cause error) {
	s.Log.Warn("sign-on failed", "provider", c.Param("provider"), "error", fmt.Sprintf("%.500s", cause), "request_id", obs.RequestID(c.Request().Context()))
}

func (s *Server) waysIn(c echo.Context) error {
	ways := s.Accounts.WaysIn()
	ways.Passkeys = s.Passkeys.Available()
	writeJSON(c, http.StatusOK, echo.MIMEApplicationJSON, ways)
	return nil
}

func (s *Server) identities(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	page, err := s.Accounts.SignOn().Identities(c.Request().Context(), caller.Person)
	if err != nil {
		return err
	}
	return private(c, http.StatusOK, page)
}

// linkIdentity answers where the console has to send the browser.
func (s *Server) linkIdentity(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	if err := s.Limit(limitSignOn, c.Request()); err != nil {
		return err
	}
	in := struct {
		Provider string `json:"provider"`
		ReturnTo string `json:"return_to"`
	}{ReturnTo: "/"}
	if err := body(c, &in); err != nil {
		return err
	}
	redirect, browser, err := s.Accounts.SignOn().Link(c.Request().Context(), caller, account.SignOnStart{
		Provider: in.Provider, ReturnTo: in.ReturnTo, Browser: s.cookie(c, attemptCookie),
	})
	if err != nil {
		return err
	}
	s.setCookie(c, attemptCookie, browser, account.AttemptTTL, http.SameSiteLaxMode)
	return private(c, http.StatusOK, map[string]string{"redirect_to": redirect})
}

func (s *Server) unlinkIdentity(c echo.Context) error {
	caller, err := s.person(c)
	if err != nil {
		return err
	}
	if err := s.Accounts.SignOn().Unlink(c.Request().Context(), caller, segment(c, "identity")); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
