package mcpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"driftless/internal/fault"
	"driftless/internal/obs"
	"driftless/internal/op"
	"driftless/internal/question"
	"driftless/internal/tenant"
)

// BodyMax is the largest request body in bytes.
const BodyMax = 1 << 20

// request is what the guard knows about a request; it travels in the context.
type request struct {
	caller tenant.Caller
	method string
	narrow narrow
	// session is what the client said when it began; modern is a request of 2026-07-28, where it says so each time.
	session question.Session
	modern  bool
	// out is the answer, while it can carry a question to the client.
	out *stream
	// header is that of the answer, as long as it has not begun.
	header http.Header
	// refused is what the answer is to be instead of the one that the library makes.
	refused error
}

type requestKey struct{}

func requestFrom(ctx context.Context) (*request, error) {
	q, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return nil, fmt.Errorf("a call arrived without a caller")
	}
	return q, nil
}

// narrow is what an address leaves of the tools, ?toolset= and ?readonly=1, and ?workspace=, where calls happen that name none.
type narrow struct {
	core      bool
	readOnly  bool
	workspace string
}

func narrowing(q url.Values) (narrow, error) {
	var n narrow
	if sets := q.Get("toolset"); sets != "" {
		n.core = true
		for set := range strings.SplitSeq(sets, ",") {
			switch strings.TrimSpace(set) {
			case "core":
			case "all":
				n.core = false
			default:
				return n, fault.Choice("toolset", set, []string{"core", "all"})
			}
		}
	}
	n.workspace = strings.TrimSpace(q.Get("workspace"))
	n.readOnly = q.Get("readonly") == "1" || q.Get("readonly") == "true"
	return n, nil
}

func (n narrow) keeps(t *op.Tool) bool {
	for _, o := range t.Operations {
		if n.readOnly && !o.Effect.Has(op.Reads) || n.core && !o.Core {
			return false
		}
	}
	return true
}

// guard stands before the protocol library and closes what it leaves open: it reads any body, validates no Origin, and lets
// one caller cancel another's request.
type guard struct {
	Options
	next    http.Handler
	origins []string
	hosts   []string
	// absent are methods that the library knows and this endpoint does not have.
	absent []string
}

func newGuard(o Options, next http.Handler, absent ...string) (http.Handler, error) {
	u, err := url.Parse(o.Config.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("the public address: %w", err)
	}
	return &guard{
		Options: o, next: next, absent: absent,
		origins: append([]string{u.Scheme + "://" + u.Host}, o.Config.Origins...), hosts: []string{u.Hostname()},
	}, nil
}

const (
	allowHeaders = "Authorization, X-API-Key, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID"
	showHeaders  = "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, X-Request-Id, Retry-After"
)

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !g.hostAllowed(r) {
		g.refuse(w, r, http.StatusForbidden, fault.New(fault.Forbidden, fault.CodePolicyForbids, "this host name is not one of this server",
			"use the public address of the server"))
		return
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if !g.originAllowed(origin) {
			g.refuse(w, r, http.StatusForbidden, fault.New(fault.Forbidden, fault.CodePolicyForbids, "pages of this origin may not call the server",
				"an operator can allow it with DRIFTLESS_ALLOWED_ORIGINS"))
			return
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", origin)
		h.Add("Vary", "Origin")
		h.Set("Access-Control-Expose-Headers", showHeaders)
	}
	if r.Method == http.MethodOptions {
		h := w.Header()
		h.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
		h.Set("Access-Control-Allow-Headers", allowHeaders)
		h.Set("Access-Control-Max-Age", "600")
		h.Set("Allow", "POST, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if g.remembered(w, r) {
		return
	}
	caller, err := g.authenticate(r)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST, OPTIONS")
		g.refuse(w, r, http.StatusMethodNotAllowed, fault.New(fault.Invalid, "METHOD_NOT_ALLOWED", "the endpoint takes POST alone; there are no streams to open",
			"send JSON-RPC messages with POST"))
		return
	}
	if err := g.Limit(caller.Credential.String()); err != nil {
		g.fail(w, r, err)
		return
	}
	g.post(w, r, caller)
}

func (g *guard) post(w http.ResponseWriter, r *http.Request, caller tenant.Caller) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, BodyMax))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			g.fail(w, r, fault.New(fault.Limit, fault.CodeTooLarge, "the body is larger than 1 MiB", "send less in one call"))
			return
		}
		g.fail(w, r, fault.New(fault.Invalid, fault.CodeValidation, "the body could not be read", "send it again"))
		return
	}
	if problem := checkHeaders(r); problem != nil {
		if m, unreadable := readMessage(body); unreadable == nil {
			problem.id = m.ID
		}
		problem.write(w, http.StatusBadRequest)
		return
	}
	n, err := narrowing(r.URL.Query())
	if err != nil {
		g.refuse(w, r, http.StatusBadRequest, fault.From(err))
		return
	}
	private(w.Header())
	session, missing := g.session(r, caller)
	q := request{caller: caller, narrow: n, session: session, modern: mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))}
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' && utf8.Valid(body) {
		if missing != nil {
			g.fail(w, r, missing)
			return
		}
		g.batch(w, r, q, body)
		return
	}
	m, problem := readMessage(body)
	if problem != nil {
		problem.write(w, problem.status(r))
		return
	}
	// Whoever lost a session begins anew, and may still name the lost one.
	if missing != nil && m.Method != string(mcp.MethodInitialize) {
		g.fail(w, r, missing)
		return
	}
	if err := g.checkScope(caller, m); err != nil {
		g.fail(w, r, err)
		return
	}
	q.method = m.Method
	g.pass(w, r, &q, m)
}

// private keeps an answer out of caches, and lets a stream through a proxy at once.
func private(h http.Header) {
	h.Set("X-Accel-Buffering", "no")
	h.Set("Cache-Control", "no-store")
}

// credential is what the headers carry. One in the address is never looked at.
func credential(r *http.Request) string {
	if secret := r.Header.Get("X-API-Key"); secret != "" {
		return secret
	}
	if scheme, value, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(value)
	}
	return ""
}

// authenticate finds the caller by the header.
func (g *guard) authenticate(r *http.Request) (tenant.Caller, error) {
	secret := credential(r)
	if secret == "" {
		return tenant.Caller{}, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "this endpoint needs a credential",
			"authorize over OAuth as WWW-Authenticate says, or send an API key as bearer")
	}
	caller, ok, err := g.Bearer(r.Context(), secret)
	if err != nil {
		return caller, err
	}
	if !ok {
		return caller, invalidTokenError{fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the credential is not valid: unknown, expired or revoked",
			"authorize again, or make a new API key in the console")}
	}
	caller.Via, caller.RequestID = tenant.ViaMCP, obs.RequestID(r.Context())
	return caller, nil
}

// invalidTokenError is a credential that was sent and is not valid; the challenge says so.
type invalidTokenError struct{ cause *fault.Error }

func (t invalidTokenError) Error() string { return t.cause.Error() }

func (t invalidTokenError) Unwrap() error { return t.cause }

// checkScope refuses a call before the protocol, with the HTTP status that lets a client ask for more scopes.
func (g *guard) checkScope(caller tenant.Caller, m message) error {
	var o *op.Operation
	switch m.Method {
	case string(mcp.MethodToolsCall):
		var call struct {
			Name      string         `json:"name"`
			Arguments map[string]any `json:"arguments"`
		}
		// What does not parse, or names no tool or action, is answered by the protocol and the pipeline.
		if readable := json.Unmarshal(m.Params, &call) == nil; !readable {
			return nil
		}
		if t := g.Registry.Tool(call.Name); t != nil {
			o, _ = t.Pick(call.Arguments)
		}
	case string(mcp.MethodResourcesRead):
		o = g.Registry.Operation(readOperation)
	}
	if o != nil && !caller.HasScope(o.Scope) {
		return op.MissingScope(o.Scope)
	}
	return nil
}

func (g *guard) fail(w http.ResponseWriter, r *http.Request, err error) {
	e := fault.From(err)
	h := w.Header()
	var invalid invalidTokenError
	switch {
	case errors.As(err, &invalid):
		h.Set("WWW-Authenticate", g.Challenge("invalid_token", tenant.Scopes(), e.Message))
	case e.Kind == fault.Unauthenticated:
		h.Set("WWW-Authenticate", g.Challenge("", tenant.Scopes(), ""))
	case e.Kind == fault.Scope:
		// What a write answers is context too, so a client that widens its grant gets both.
		scopes := []tenant.Scope{tenant.ContextRead}
		for _, s := range e.Allowed {
			if s := tenant.Scope(s); !slices.Contains(scopes, s) {
				scopes = append(scopes, s)
			}
		}
		h.Set("WWW-Authenticate", g.Challenge("insufficient_scope", scopes, e.Message))
		g.refuseCall(w, r, e)
		return
	case e.Kind == fault.Rate:
		comeBack(h, e)
		g.refuseCall(w, r, e)
		return
	case e.Kind == fault.Internal:
		g.Log.Error("request failed", "request_id", obs.RequestID(r.Context()), "error", e.Unwrap())
	}
	g.refuse(w, r, e.Kind.HTTPStatus(), e)
}

// serverError is the code of JSON-RPC for what a server refuses for reasons of its own (JSON-RPC 2.0 §5.1).
const serverError = -32000

// refuseCall answers a message that lacks a scope or comes too soon in the protocol's own form, without the id of a request.
// Most clients go by the status and the headers; those that do not, as mcp-go, show a person what the body says.
func (g *guard) refuseCall(w http.ResponseWriter, r *http.Request, e *fault.Error) {
	refused := &rpcError{Code: serverError, Message: e.Message + "; " + e.Hint, Data: e.Wire(obs.RequestID(r.Context()))}
	w.Header().Set("Cache-Control", "no-store")
	refused.write(w, e.Kind.HTTPStatus())
}

// comeBack tells when a call that is too much can be sent again, in whole seconds (RFC 9110 §10.2.3).
func comeBack(h http.Header, e *fault.Error) {
	h.Set("Retry-After", strconv.Itoa(e.RetrySeconds()))
}

func (g *guard) refuse(w http.ResponseWriter, r *http.Request, status int, e *fault.Error) {
	raw, err := op.Marshal(e.Wire(obs.RequestID(r.Context())))
	if err != nil {
		raw = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}

// originAllowed compares whole origins: the public address, those configured, and any of this machine while the server
// listens on this machine alone.
func (g *guard) originAllowed(origin string) bool {
	if slices.Contains(g.origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && g.Config.Loopback() && u.Scheme == "http" && u.Path == "" && isLoopback(u.Hostname())
}

// hostAllowed is the guard against DNS rebinding: a page that resolves its own name to this machine still sends that name.
func (g *guard) hostAllowed(r *http.Request) bool {
	if !g.Config.Loopback() {
		return true
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return isLoopback(host) || slices.Contains(g.hosts, host)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
