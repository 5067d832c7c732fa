package restapi

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// cookieName is the name of a cookie with the prefix that binds it to this host and to TLS (RFC 6265bis section 4.1.3.2).
func (s *Server) cookieName(name string) string {
	if s.Config.Secure() {
		return "__Host-" + name
	}
	return name
}

func (s *Server) cookie(c echo.Context, name string) string {
	found, err := c.Cookie(s.cookieName(name))
	if err != nil {
		return ""
	}
	return found.Value
}

// setCookie keeps a secret in the browser that scripts do not get at. The site is strict unless the cookie has to come along when
// another server sends the browser back.
func (s *Server) setCookie(c echo.Context, name, value string, ttl time.Duration, site http.SameSite) {
	c.SetCookie(&http.Cookie{ //nolint:gosec // without TLS there is no Secure; that is for this machine alone
		Name: s.cookieName(name), Value: value, MaxAge: int(ttl.Seconds()), Path: "/", Secure: s.Config.Secure(), HttpOnly: true, SameSite: site,
	})
}
