package restapi

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"driftless/internal/source"
)

// hookMax is the largest delivery of a forge in bytes. A push of two thousand commits stays below it.
const hookMax = 5 << 20

// hooks takes what forges send when somebody pushes. A delivery is checked, kept and answered at once: 202 where there is work to do
// about it, 204 where there is none. The work is a job.
func (s *Server) hooks() {
	s.echo.POST("/hooks/:provider/:source", func(c echo.Context) error {
		if !slices.Contains(source.Providers(), c.Param("provider")) {
			return echo.ErrNotFound
		}
		if err := s.Limit("public", c.Request()); err != nil {
			return err
		}
		body, err := readBody(c, hookMax)
		if err != nil {
			return err
		}
		accepted, err := s.Drift.Deliver(c.Request().Context(), c.Param("provider"), c.Param("source"), c.Request().Header, body)
		if err != nil {
			return err
		}
		if accepted {
			return c.NoContent(http.StatusAccepted)
		}
		return c.NoContent(http.StatusNoContent)
	})
}
