package oauth

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"driftless/internal/fault"
	"driftless/internal/screen"
)

// bodyMax bounds every body that is read here, in bytes.
const bodyMax = 64 << 10

// refusal is an error of the protocol (RFC 6749 §5.2): its JSON form is what a client is told.
type refusal struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`

	status    int
	challenge bool // the client tried HTTP Basic and is told so
}

// refuse makes a refusal with status 400.
func refuse(code, description string) *refusal {
	return &refusal{Code: code, Description: description, status: http.StatusBadRequest}
}

// Error is the code with the description.
func (e *refusal) Error() string { return e.Code + ": " + e.Description }

// post makes an endpoint that browsers of any origin may post to and that answers nothing but JSON, never cached. Each POST
// counts against the limit.
func (s *Server) post(limit string, handle func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		allowOrigins(w)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Pragma", "no-cache")
		switch r.Method {
		case http.MethodOptions:
			w.WriteHeader(http.StatusNoContent)
			return
		case http.MethodPost:
		default:
			w.Header().Set("Allow", "POST, OPTIONS")
			writeJSON(w, http.StatusMethodNotAllowed, refuse("invalid_request", "this endpoint takes POST"))
			return
		}
		err := s.limit(limit, r)
		if err == nil {
			err = handle(w, r)
		}
		if err != nil {
			s.refused(w, r, err)
		}
	})
}

// refused writes an error in the form of the protocol. What is no refusal is our own trouble and goes to the log.
func (s *Server) refused(w http.ResponseWriter, r *http.Request, err error) {
	var known *refusal
	if errors.As(err, &known) {
		if known.challenge {
			w.Header().Set("WWW-Authenticate", `Basic realm="Driftless"`)
		}
		writeJSON(w, known.status, known)
		return
	}
	e := fault.From(err)
	if e.Kind == fault.Rate {
		w.Header().Set("Retry-After", strconv.Itoa(e.RetrySeconds()))
		writeJSON(w, http.StatusTooManyRequests, refuse("too_many_requests", printable(e.Message, 200)))
		return
	}
	s.log.ErrorContext(r.Context(), "oauth request failed", "path", r.URL.Path, "error", err, "cause", errors.Unwrap(err))
	if e.Kind == fault.Unavailable {
		w.Header().Set("Retry-After", "1")
		writeJSON(w, http.StatusServiceUnavailable, refuse("temporarily_unavailable", "try again in a moment"))
		return
	}
	writeJSON(w, http.StatusInternalServerError, refuse("server_error", "something went wrong on our side"))
}

// allowOrigins lets pages of any origin call: no endpoint that uses it looks at a cookie.
func allowOrigins(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, MCP-Protocol-Version")
	h.Set("Access-Control-Expose-Headers", "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, X-Request-Id, Retry-After")
	h.Set("Access-Control-Max-Age", "86400")
}

// readBody reads a bounded body.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		e := refuse("invalid_request", "the body is larger than 64 KiB")
		e.status = http.StatusRequestEntityTooLarge
		return nil, e
	}
	if err != nil {
		return nil, refuse("invalid_request", "the body cannot be read")
	}
	return raw, nil
}

// readForm reads the parameters of a request from its body. What stands in the address is not looked at: it would be kept in
// logs and histories (RFC 9700 §4.3).
func readForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, refuse("invalid_request", "send the parameters as application/x-www-form-urlencoded")
	}
	raw, err := readBody(w, r)
	if err != nil {
		return nil, err
	}
	return parseParameters(string(raw))
}

// parseParameters reads parameters of which each may be given once (RFC 6749 §3.1, §3.2); one without a value counts as
// left out. All are checked to be text that can be kept.
func parseParameters(raw string) (url.Values, error) {
	all, err := url.ParseQuery(raw)
	if err != nil {
		return nil, refuse("invalid_request", "the parameters are not form-encoded")
	}
	once := make(url.Values, len(all))
	for name, values := range all {
		if len(values) > 1 {
			return nil, refuse("invalid_request", "the parameter "+printable(name, 40)+" is given more than once")
		}
		if screen.Valid(name) != nil || screen.Valid(values[0]) != nil {
			return nil, refuse("invalid_request", "a parameter is not text")
		}
		if values[0] != "" {
			once[name] = values
		}
	}
	return once, nil
}

// printable bounds foreign text that is repeated in an answer: in characters, and to the ASCII that RFC 6749 §5.2 allows.
func printable(text string, most int) string {
	out := quoted(text)
	out = out[1 : len(out)-1]
	return out[:min(len(out), most)]
}
