package restapi

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"driftless/internal/obs"
	"driftless/internal/op"
	"driftless/internal/tenant"
)

// public mounts the operations of anybody. They look at no credential and no cookie, so a page of any origin may read their answers.
func (s *Server) public() {
	ops := s.Public.Operations()
	for i := range ops {
		o := &ops[i]
		path, handler := parameter.ReplaceAllString(o.Path(), ":$1"), s.publicOperation(o)
		s.echo.Add(o.Method(), path, handler)
		if o.Method() == http.MethodGet {
			s.echo.Add(http.MethodHead, path, handler)
		}
	}
}

func (s *Server) publicOperation(o *op.Operation) echo.HandlerFunc {
	names := parameter.FindAllStringSubmatch(o.Path(), -1)
	return func(c echo.Context) error {
		r, h := c.Request(), c.Response().Header()
		h.Set("Access-Control-Allow-Origin", "*")
		if err := s.Limit(limitPublic, r); err != nil {
			return err
		}
		args, err := arguments(c, o)
		if err != nil {
			return err
		}
		call := op.Call{Operation: o, Arguments: args}
		for _, m := range names {
			if m[1] == "workspace" {
				call.Workspace = segment(c, "workspace")
			} else {
				args[m[1]] = segment(c, m[1])
			}
		}
		if tag := r.Header.Get("If-None-Match"); tag != "" && o.Input.Properties["if_none_match"] != nil {
			args["if_none_match"] = tag
		}
		via := tenant.ViaAPI
		if strings.HasPrefix(r.UserAgent(), "driftless-cli/") {
			via = tenant.ViaCLI
		}
		result, err := s.Public.Call(r.Context(), tenant.Caller{Via: via, RequestID: obs.RequestID(r.Context())}, call)
		if err != nil {
			return err
		}
		h.Set("Cache-Control", "no-cache")
		if v, ok := result.Value.(interface{ Validator() (string, bool) }); ok {
			tag, current := v.Validator()
			h.Set("ETag", `"`+tag+`"`)
			if current && r.Header.Get("If-None-Match") != "" {
				return c.NoContent(http.StatusNotModified)
			}
		}
		return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, result.JSON)
	}
}
