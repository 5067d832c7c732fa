package catalog

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"driftless/internal/op"
)

var pathParameter = regexp.MustCompile(`\{([a-z_]+)\}`)

// object is a JSON object of the OpenAPI document.
type object = map[string]any

// OpenAPI is openapi.json: an OpenAPI 3.1 document of all operations and of the few routes that are none.
func OpenAPI() ([]byte, error) {
	paths := object{}
	add := func(method, path string, operation object) {
		item, ok := paths[path].(object)
		if !ok {
			item = object{}
			paths[path] = item
		}
		item[strings.ToLower(method)] = operation
	}
	for _, o := range slices.Concat(Operations(Services{}), PublicOperations(Services{})) {
		add(o.Method(), o.Path(), describe(o))
	}
	for _, r := range plainRoutes() {
		add(r.method, r.path, r.operation())
	}
	return indented(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Driftless", "version": "1",
			"description": "What a team knows about its systems, under human review. The same operations answer over MCP and on the command line.",
			"license":     object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"servers": []any{object{"url": "/"}},
		"paths":   paths,
		"components": object{
			"securitySchemes": object{
				"bearer":  object{"type": "http", "scheme": "bearer", "description": "an access token or an API key"},
				"key":     object{"type": "apiKey", "in": "header", "name": "X-API-Key"},
				"session": object{"type": "apiKey", "in": "cookie", "name": "driftless_session", "description": "with X-CSRF-Token on every change"},
			},
			"schemas": object{"Problem": problemSchema()},
		},
		"security": []any{object{"bearer": []any{}}, object{"key": []any{}}, object{"session": []any{}}},
	})
}

func describe(o op.Operation) object {
	inPath := map[string]bool{}
	var parameters []any
	for _, m := range pathParameter.FindAllStringSubmatch(o.Path(), -1) {
		name := m[1]
		inPath[name] = true
		schema := &jsonschema.Schema{Type: "string", Description: "slug of the workspace"}
		if p := o.Input.Properties[name]; p != nil {
			schema = p
		}
		parameters = append(parameters, object{"name": name, "in": "path", "required": true, "schema": schema, "description": schema.Description})
	}
	body := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for name, p := range o.Input.Properties {
		if !inPath[name] {
			body.Properties[name] = p
		}
	}
	for _, name := range o.Input.Required {
		if !inPath[name] {
			body.Required = append(body.Required, name)
		}
	}
	success := "200"
	if o.Created {
		success = "201"
	}
	out := object{
		"operationId": o.ID, "summary": o.Title, "description": o.Doc, "tags": []any{strings.SplitN(o.ID, ".", 2)[0]},
		"responses": object{
			success:   object{"description": o.Title, "content": object{"application/json": object{"schema": o.Output}}},
			"default": problemResponse(),
		},
	}
	if o.Public {
		out["security"] = []any{}
	} else {
		out["x-scope"], out["x-role"] = o.Scope, o.Role
	}
	if o.Method() == http.MethodGet || o.Method() == http.MethodDelete {
		for _, name := range sortedNames(body) {
			p := body.Properties[name]
			parameter := object{"name": name, "in": "query", "required": slices.Contains(body.Required, name), "description": p.Description}
			if p.Type == "object" {
				parameter["content"] = object{"application/json": object{"schema": p}}
			} else {
				parameter["schema"] = p
			}
			parameters = append(parameters, parameter)
		}
	} else {
		content := object{"application/json": object{"schema": body}}
		if o.PatchForm != "" {
			content["application/merge-patch+json"] = object{"schema": object{"type": "object", "description": "RFC 7396: fields as a full read has them; null empties one"}}
			content["application/json-patch+json"] = object{"schema": jsonPatchSchema()}
		}
		out["requestBody"] = object{"required": len(body.Required) > 0, "content": content}
		if o.Method() == http.MethodPost && o.InWorkspace() {
			parameters = append(parameters, object{
				"name": "Idempotency-Key", "in": "header", "schema": object{"type": "string", "maxLength": op.KeyMax},
				"description": "a name of your choice for this one call: sent again within 24 hours, it answers as before and does nothing",
			})
		}
		if o.Input.Properties["base_revision"] != nil {
			parameters = append(parameters, object{
				"name": "If-Match", "in": "header", "schema": object{"type": "string"},
				"description": "the ETag that was read; stands for base_revision",
			})
		}
	}
	if len(parameters) > 0 {
		out["parameters"] = parameters
	}
	return out
}

// jsonPatchSchema describes what of RFC 6902 is taken.
func jsonPatchSchema() object {
	return object{
		"type": "array", "description": "RFC 6902, without test, move and copy",
		"items": object{
			"type": "object", "required": []any{"op", "path"},
			"properties": object{
				"op": object{"type": "string", "enum": []any{"add", "replace", "remove"}}, "path": object{"type": "string"}, "value": object{},
			},
		},
	}
}

func problemResponse() object {
	return object{
		"description": "a problem",
		"content":     object{"application/problem+json": object{"schema": object{"$ref": "#/components/schemas/Problem"}}},
	}
}

func problemSchema() object {
	text, flag := object{"type": "string"}, object{"type": "boolean"}
	return object{
		"type": "object", "required": []any{"code", "message", "hint", "retryable", "request_id"},
		"properties": object{
			"type": text, "title": text, "status": object{"type": "integer"}, "code": text, "message": text, "hint": text,
			"fields": object{"type": "array", "items": object{"type": "object", "properties": object{
				"path": text, "problem": text, "allowed": object{"type": "array", "items": text},
			}}},
			"allowed": object{"type": "array", "items": text}, "current": object{}, "changes_since_base": object{},
			"retryable": flag, "request_id": text, "retry_after_seconds": object{"type": "integer"},
		},
	}
}

func sortedNames(s *jsonschema.Schema) []string {
	return slices.Sorted(maps.Keys(s.Properties))
}

func status(code int) string { return strconv.Itoa(code) }
