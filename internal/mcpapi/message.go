package mcpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"driftless/internal/fault"
	"driftless/internal/obs"
	"driftless/internal/op"
)

// message is one JSON-RPC message, read as far as the guard needs it.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`

	raw []byte
}

func readMessage(raw []byte) (message, *rpcError) {
	m := message{raw: raw}
	switch {
	case !utf8.Valid(raw):
		return m, &rpcError{Code: mcp.PARSE_ERROR, Message: "the body is not valid UTF-8"}
	case !json.Valid(raw):
		return m, &rpcError{Code: mcp.PARSE_ERROR, Message: "the body is not valid JSON"}
	case json.Unmarshal(raw, &m) != nil:
		return m, &rpcError{Code: mcp.INVALID_REQUEST, Message: "the body is not a JSON-RPC message"}
	case m.Version != "2.0" || m.Method == "" && m.Result == nil && m.Error == nil:
		return m, &rpcError{Code: mcp.INVALID_REQUEST, Message: "a message has jsonrpc 2.0 and a method"}
	}
	if problem := checkID(m); problem != nil {
		return m, problem
	}
	return m, checkParams(m)
}

// uri is the address in the parameters of resources/read; the library has read them already.
func (m message) uri() string {
	var read struct {
		URI string `json:"uri"`
	}
	_ = json.Unmarshal(m.Params, &read)
	return read.URI
}

// pass hands one message to the protocol library.
func (g *guard) pass(w http.ResponseWriter, r *http.Request, q *request, m message) {
	if m.Method == "notifications/cancelled" {
		// The library keys running requests by their number alone, which callers share; closing the connection cancels.
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if m.Method == "" && !q.modern {
		g.answered(w, r, q, m)
		return
	}
	if slices.Contains(g.absent, m.Method) {
		status := http.StatusOK
		if q.modern {
			status = http.StatusNotFound
		}
		(&rpcError{Code: mcp.METHOD_NOT_FOUND, Message: "this server does not have the method " + m.Method, id: m.ID}).write(w, status)
		return
	}
	q.header = w.Header()
	r = r.WithContext(context.WithValue(r.Context(), requestKey{}, q))
	r.Body = io.NopCloser(bytes.NewReader(m.raw))
	r.ContentLength = int64(len(m.raw))
	switch m.Method {
	case string(mcp.MethodResourcesList), string(mcp.MethodResourcesRead), string(mcp.MethodPromptsGet), string(mcp.MethodCompletionComplete):
	case string(mcp.MethodInitialize):
		g.initialize(w, r, q, m)
		return
	case string(mcp.MethodToolsCall):
		g.call(w, r, q, m)
		return
	default:
		g.next.ServeHTTP(w, r)
		return
	}
	// The library answers whatever fails in these as an internal error; what the product refuses has its own codes.
	answer := newRecorded()
	g.next.ServeHTTP(answer, r)
	if q.refused == nil && answer.noResource() {
		q.refused = fault.Missing("resource", m.uri())
	}
	if q.refused == nil {
		answer.copyTo(w)
		return
	}
	e := fault.From(q.refused)
	if e.Kind == fault.Internal {
		g.Log.Error("request failed", "method", m.Method, "request_id", q.caller.RequestID, "error", e.Unwrap())
	}
	if e.Kind == fault.Rate {
		comeBack(w.Header(), e)
	}
	refusal := refusal(e, m, q.modern, obs.RequestID(r.Context()))
	status := http.StatusOK
	if refusal.Code == mcp.INVALID_PARAMS {
		status = refusal.status(r)
	}
	refusal.write(w, status)
}

// call lets the library answer a call, on a stream where there can be one.
func (g *guard) call(w http.ResponseWriter, r *http.Request, q *request, m message) {
	if g.direct(w, r, q, m) {
		return
	}
	if q.out = newStream(w); q.out == nil {
		g.next.ServeHTTP(w, r)
		return
	}
	g.next.ServeHTTP(q.out, r)
	var missing mcp.MissingRequiredClientCapabilityError
	if q.out.dropped && errors.As(q.out.refusal, &missing) {
		(&rpcError{
			Code: mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, Message: "the tool needs a client with the capability " + missing.Capability,
			Data: map[string]any{"requiredCapabilities": map[string]any{missing.Capability: map[string]any{}}}, id: m.ID,
		}).write(w, http.StatusBadRequest)
	}
}

// capable makes a tool that refuses a client for a capability it lacks say so in the words of 2026-07-28. The library would
// answer an internal error.
func capable(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, call mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		out, err := next(ctx, call)
		if q, _ := requestFrom(ctx); mcp.IsMissingRequiredClientCapability(err) && q != nil && q.modern && q.out != nil {
			q.out.refuse(err)
		}
		return out, err
	}
}

// rpcError is an error of the protocol, with the id it answers where there was one.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`

	id json.RawMessage
}

// refusal puts an error of the product into the words of the protocol. Since revision 2026-07-28 a resource that is not
// there is an invalid parameter; before, it had a code of its own.
func refusal(e *fault.Error, m message, modern bool, requestID string) *rpcError {
	out := &rpcError{Code: mcp.INVALID_PARAMS, Message: e.Message, Data: e.Wire(requestID), id: m.ID}
	switch {
	case e.Kind == fault.Internal || e.Kind == fault.Unavailable || e.Kind == fault.Rate:
		out.Code = mcp.INTERNAL_ERROR
	case e.Kind == fault.NotFound && m.Method == string(mcp.MethodResourcesRead):
		if !modern {
			out.Code = mcp.RESOURCE_NOT_FOUND
		}
		out.Data = map[string]string{"uri": m.uri()}
	}
	return out
}

// status is that of an answer that refuses a message. Before revision 2026-07-28 a request with wrong parameters is answered
// like any other: its clients read errors out of successful answers alone.
func (e *rpcError) status(r *http.Request) int {
	if e.Code == mcp.INVALID_PARAMS && !mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
		return http.StatusOK
	}
	return http.StatusBadRequest
}

func (e *rpcError) encode() []byte {
	id := e.id
	if id == nil {
		id = json.RawMessage("null")
	}
	raw, err := op.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": e})
	if err != nil {
		raw = []byte("{}")
	}
	return raw
}

func (e *rpcError) write(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(e.encode())
}

// recorded is an answer that is looked at before it is sent. It cannot stream, so it is always one JSON message.
type recorded struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorded() *recorded { return &recorded{header: http.Header{}, status: http.StatusOK} }

func (a *recorded) Header() http.Header { return a.header }

func (a *recorded) WriteHeader(status int) { a.status = status }

func (a *recorded) Write(p []byte) (int, error) { return a.body.Write(p) }

// noResource reports whether the library found no handler for an address, which it says without naming the address.
func (a *recorded) noResource() bool {
	var said struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	return json.Unmarshal(a.body.Bytes(), &said) == nil && strings.Contains(said.Error.Message, server.ErrResourceNotFound.Error())
}

func (a *recorded) copyTo(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body.Bytes())
}
