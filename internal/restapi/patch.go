package restapi

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"driftless/internal/fault"
	"driftless/internal/op"
)

// The two standard forms of a change (RFC 6902, RFC 7396).
const (
	jsonPatch  = "application/json-patch+json"
	mergePatch = "application/merge-patch+json"
)

// call is the operation that a request is for, with its arguments: that of the route, or the patch that stands behind the
// route for a body in one of the standard forms. Both forms are the steps of a patch in other words; what a step may do is
// decided there.
func (s *Server) call(c echo.Context, o *op.Operation) (*op.Operation, map[string]any, error) {
	if kind := mediaType(c); c.Request().Method == http.MethodPatch && o.PatchForm != "" && (kind == jsonPatch || kind == mergePatch) {
		raw, err := readBody(c, BodyMax)
		if err != nil {
			return nil, nil, err
		}
		args, err := steps(kind, raw)
		if err != nil {
			return nil, nil, malformed{fault.From(err)}
		}
		return s.Registry.Operation(o.PatchForm), args, nil
	}
	args, err := arguments(c, o)
	return o, args, err
}

func steps(kind string, raw []byte) (map[string]any, error) {
	if kind == jsonPatch {
		if !json.Valid(raw) {
			return nil, fault.Fieldf("/", "the body is not valid JSON")
		}
		args, err := op.Arguments(slices.Concat([]byte(`{"ops":`), raw, []byte(`}`)))
		if err != nil {
			return nil, err
		}
		args["summary"] = "JSON Patch"
		return args, nil
	}
	fields, err := op.Arguments(raw)
	if err != nil {
		return nil, err
	}
	ops := []any{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		step := map[string]any{"op": "set", "path": "/" + pointerEscape.Replace(name), "value": fields[name]}
		if fields[name] == nil {
			step = map[string]any{"op": "remove", "path": step["path"]}
		}
		ops = append(ops, step)
	}
	return map[string]any{"ops": ops, "summary": "JSON Merge Patch"}, nil
}

// pointerEscape writes a name as a part of a JSON Pointer (RFC 6901 section 3).
var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")
