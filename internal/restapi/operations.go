package restapi

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"driftless/internal/catalog/surface"
	"driftless/internal/fault"
	"driftless/internal/obs"
	"driftless/internal/op"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

var parameter = regexp.MustCompile(`\{([a-z_]+)\}`)

// operations mounts one route for each operation; nobody writes one by hand.
func (s *Server) operations() {
	ops := s.Registry.Operations()
	for i := range ops {
		o := &ops[i]
		path, handler := parameter.ReplaceAllString(o.Path(), ":$1"), s.session(s.operation(o))
		s.echo.Add(o.Method(), path, handler)
		if o.Method() == http.MethodGet {
			s.echo.Add(http.MethodHead, path, handler)
		}
	}
	s.echo.GET("/api/v1/workspaces/:workspace/events/stream", s.stream)
	s.echo.GET("/api/v1/openapi.json", func(c echo.Context) error {
		return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, surface.OpenAPI)
	})
}

// session loads the console session around a handler, where the request carries no credential of its own.
func (s *Server) session(h echo.HandlerFunc) echo.HandlerFunc {
	loaded := s.ownSession(h)
	return func(c echo.Context) error {
		if bearer(c.Request()) != "" {
			return h(c)
		}
		return loaded(c)
	}
}

// ownSession loads the console session around a handler that is about nothing else.
func (s *Server) ownSession(h echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		var err error
		s.Accounts.Sessions().Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c.SetRequest(r)
			c.Response().Writer = w
			if err = h(c); err != nil {
				// The session middleware writes what was buffered; the error must be in it.
				s.fail(err, c)
			}
		})).ServeHTTP(c.Response().Writer, c.Request())
		return nil
	}
}

// bearer is the credential of a request: the Authorization header or X-API-Key, and nothing else.
func bearer(r *http.Request) string {
	if key := r.Header.Get("X-API-Key"); key != "" {
		return key
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(secret)
	}
	return ""
}

// caller finds who is calling: by credential, else by console session. A change that rides on the cookie needs the token of
// the session, so that no other site can make it.
func (s *Server) caller(c echo.Context) (tenant.Caller, error) {
	r := c.Request()
	if secret := bearer(r); secret != "" {
		return s.byBearer(r, secret)
	}
	caller, ok, err := s.Accounts.Sessions().Caller(r.Context())
	if caller, err = s.signedIn(r, caller, ok, err); err != nil {
		return caller, err
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		if err := s.Accounts.Sessions().CheckCSRF(r.Context(), r.Header.Get("X-CSRF-Token")); err != nil {
			return caller, err
		}
	}
	return caller, nil
}

// byBearer is the caller behind a credential, which takes from its limit.
func (s *Server) byBearer(r *http.Request, secret string) (tenant.Caller, error) {
	caller, ok, err := s.Bearer(r.Context(), secret)
	if err != nil {
		return caller, err
	}
	if !ok {
		return caller, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the credential is not valid: unknown, expired or revoked",
			"sign in again, or make a new API key in the console")
	}
	caller.Via = tenant.ViaAPI
	if strings.HasPrefix(r.UserAgent(), "driftless-cli/") {
		caller.Via = tenant.ViaCLI
	}
	caller.RequestID = obs.RequestID(r.Context())
	return caller, s.limits.take(limitCalls, caller.Credential.String())
}

// signedIn is the caller that was found in a session, where there was one.
func (s *Server) signedIn(r *http.Request, caller tenant.Caller, ok bool, err error) (tenant.Caller, error) {
	if err != nil {
		return caller, err
	}
	if !ok {
		return caller, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "this needs a credential",
			"send Authorization: Bearer with an API key or access token, or sign in to the console")
	}
	caller.RequestID = obs.RequestID(r.Context())
	return caller, nil
}

func (s *Server) operation(o *op.Operation) echo.HandlerFunc {
	names := parameter.FindAllStringSubmatch(o.Path(), -1)
	return func(c echo.Context) error {
		caller, err := s.caller(c)
		if err != nil {
			return err
		}
		o, args, err := s.call(c, o)
		if err != nil {
			return err
		}
		call := op.Call{Operation: o, Arguments: args, Key: c.Request().Header.Get("Idempotency-Key")}
		for _, m := range names {
			if m[1] == "workspace" {
				call.Workspace = segment(c, "workspace")
			} else {
				args[m[1]] = segment(c, m[1])
			}
		}
		if err := conditional(c, o, args); err != nil {
			return err
		}
		result, err := s.Registry.Call(c.Request().Context(), caller, call)
		if err != nil {
			return err
		}
		return answer(c, o, result)
	}
}

// segment is a parameter of the path as it was meant. The router leaves it escaped where an address escapes more than it
// must, as browsers do with & and +.
func segment(c echo.Context, name string) string {
	text := c.Param(name)
	if c.Request().URL.RawPath == "" {
		return text
	}
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// arguments are the query for reads and deletions, the body otherwise.
func arguments(c echo.Context, o *op.Operation) (map[string]any, error) {
	r := c.Request()
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodDelete {
		args := map[string]any{}
		for name, values := range c.QueryParams() {
			p := o.Input.Properties[name]
			switch {
			case len(values) == 0:
			case p != nil && p.Type == "array":
				list := []any{}
				for _, v := range values {
					for item := range strings.SplitSeq(v, ",") {
						list = append(list, item)
					}
				}
				args[name] = list
			case p != nil && p.Type == "object":
				fields, err := op.Arguments([]byte(values[len(values)-1]))
				if err != nil {
					return nil, fault.Fieldf(name, "must be a JSON object, as in ?%s={…}", name)
				}
				args[name] = fields
			default:
				args[name] = values[len(values)-1]
			}
		}
		return args, nil
	}
	raw, err := readBody(c, max(BodyMax, o.Body))
	if err != nil {
		return nil, err
	}
	if kind := mediaType(c); len(raw) > 0 && kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		return nil, echo.NewHTTPError(http.StatusUnsupportedMediaType)
	}
	args, err := op.Arguments(raw)
	if err != nil {
		// A body that is no JSON at all is a malformed request, not a wrong field.
		return nil, malformed{fault.From(err)}
	}
	return args, nil
}

// readBody reads the whole body of a request, up to a number of bytes.
func readBody(c echo.Context, limit int64) ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(c.Response().Writer, c.Request().Body, limit))
	if err == nil {
		return raw, nil
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, tooLarge(limit)
	}
	return nil, fault.New(fault.Invalid, fault.CodeValidation, "the body could not be read", "send it again")
}

// mediaType is the type of the body without parameters; empty when there is none or it cannot be read.
func mediaType(c echo.Context) string {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// malformed is a body that cannot be parsed: 400 where a wrong field is 422.
type malformed struct{ cause *fault.Error }

func (m malformed) Error() string { return m.cause.Error() }

func (m malformed) Unwrap() error { return m.cause }

// conditional lets If-Match stand for the revision that a change is based on; an asterisk is any (RFC 9110 section 13.1.1).
func conditional(c echo.Context, o *op.Operation, args map[string]any) error {
	tag := strings.Trim(strings.TrimPrefix(c.Request().Header.Get("If-Match"), "W/"), `"`)
	if tag == "" || o.Input.Properties["base_revision"] == nil {
		return nil
	}
	if tag == "*" {
		if args["base_revision"] == nil {
			args["base_revision"] = float64(topic.AnyRevision)
		}
		return nil
	}
	number, _, _ := strings.Cut(tag, "-")
	revision, err := strconv.Atoi(number)
	if err != nil || revision < 1 {
		return fault.Fieldf("If-Match", "%q is not an ETag of a topic", tag)
	}
	if given := args["base_revision"]; given != nil && fmt.Sprint(given) != number {
		return fault.Fieldf("If-Match", "says revision %s and base_revision says %v; send one", number, given)
	}
	args["base_revision"] = float64(revision)
	return nil
}

// validator is the ETag of an answer about a revision: of a read the revision and a digest of what is answered, for a topic can
// drift or be superseded without a new one (RFC 9110 section 8.8.1); of a write the revision alone, to base the next write on.
func validator(o *op.Operation, revision int, answer []byte) string {
	if !o.Effect.Has(op.Reads) {
		return `"` + strconv.Itoa(revision) + `"`
	}
	sum := sha256.Sum256(answer)
	return fmt.Sprintf(`"%d-%x"`, revision, sum[:8])
}

// matches reports whether a list of entity tags has this one, compared weakly (RFC 9110 section 13.1.2).
func matches(list, tag string) bool {
	for item := range strings.SplitSeq(list, ",") {
		if item = strings.TrimPrefix(strings.TrimSpace(item), "W/"); item == tag || item == "*" {
			return true
		}
	}
	return false
}

// answer writes a result, with an ETag where the answer is a topic.
func answer(c echo.Context, o *op.Operation, result op.Result) error {
	h := c.Response().Header()
	h.Set("Cache-Control", "private, no-cache")
	if tagged, ok := result.Value.(interface{ ETag() int }); ok && tagged.ETag() > 0 {
		tag := validator(o, tagged.ETag(), result.JSON)
		h.Set("ETag", tag)
		if o.Effect.Has(op.Reads) && matches(c.Request().Header.Get("If-None-Match"), tag) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	status := http.StatusOK
	if o.Created {
		status = http.StatusCreated
	}
	return c.Blob(status, echo.MIMEApplicationJSON, result.JSON)
}
