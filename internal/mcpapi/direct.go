package mcpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"driftless/internal/obs"
	"driftless/internal/op"
	"driftless/internal/tenant"
)

// Before 2026-07-28 a call of a tool that only reads is one question and one answer, with nothing asked of the client in between,
// and reading is what clients do all day. The guard answers it by itself: the library reads the message six times and copies the
// answer four times, which takes longer than finding what it says. A test holds both ways to the same answers.

// reading is a call of a tool that only reads.
type reading struct {
	tool      *op.Tool
	arguments json.RawMessage
	meta      *mcp.Meta
}

// reading takes a message for such a call; ok is false for any other, which is the library's.
func (g *guard) reading(q *request, m message) (c reading, ok bool) {
	var params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      *mcp.Meta       `json:"_meta"`
	}
	if q.modern || m.ID == nil || m.Method != string(mcp.MethodToolsCall) || json.Unmarshal(m.Params, &params) != nil ||
		mcp.IsModernProtocol(params.Meta.ProtocolVersion()) {
		return c, false
	}
	c = reading{g.Registry.Tool(params.Name), params.Arguments, params.Meta}
	return c, c.tool != nil && q.narrow.keeps(c.tool) && c.each(func(o *op.Operation) bool { return o.Effect.Has(op.Reads) })
}

func (c reading) each(holds func(*op.Operation) bool) bool {
	return !slices.ContainsFunc(c.tool.Operations, func(o *op.Operation) bool { return !holds(o) })
}

// direct answers a read, and reports whether the message was one.
func (g *guard) direct(w http.ResponseWriter, r *http.Request, q *request, m message) bool {
	c, ok := g.reading(q, m)
	if !ok {
		return false
	}
	answer, err := g.read(r.Context(), q, m, c)
	if err != nil {
		g.fail(w, r, err)
		return true
	}
	send(w, answer)
	return true
}

func send(w http.ResponseWriter, answer []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(answer)
}

// quickMax is the largest body in bytes that is read before its caller is known for certain.
const quickMax = 64 << 10

// remembered answers a read of a caller who was here a moment ago, which it proves in the same round trip as it reads. Whatever is
// not as simple as that it leaves as it was, and reports that it did.
func (g *guard) remembered(w http.ResponseWriter, r *http.Request) bool {
	if g.Recall == nil || r.Method != http.MethodPost || r.ContentLength <= 0 || r.ContentLength > quickMax || r.Header.Get(sessionHeader) != "" ||
		checkHeaders(r) != nil {
		return false
	}
	known, ok := g.Recall(credential(r))
	if !ok {
		return false
	}
	unread := r.Body
	body, err := io.ReadAll(unread)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), unread))
	n, misfit := narrowing(r.URL.Query())
	if err != nil || misfit != nil {
		return false
	}
	m, problem := readMessage(body)
	if problem != nil {
		return false
	}
	q := &request{caller: known.Caller, narrow: n, method: m.Method, header: w.Header(), modern: mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))}
	q.caller.Via, q.caller.RequestID = tenant.ViaMCP, obs.RequestID(r.Context())
	c, ok := g.reading(q, m)
	if !ok || !c.each(func(o *op.Operation) bool { return o.InBatches() && q.caller.HasScope(o.Scope) }) || g.Limit(q.caller.Credential.String()) != nil {
		return false
	}
	answer, err := g.read(known.Within(r.Context()), q, m, c)
	if err != nil || !known.Proven(r.Context()) {
		return false
	}
	private(w.Header())
	send(w, answer)
	return true
}

// read is the message that answers a read. An error is one of ours.
func (g *guard) read(ctx context.Context, q *request, m message, c reading) ([]byte, error) {
	call, err := pick(c.tool, c.arguments, q.narrow)
	if err == nil {
		var out op.Result
		if out, err = g.Registry.Call(ctx, q.caller, call); err == nil {
			return toolResult(m.ID, out.JSON, false), nil
		}
	}
	answer, err := g.failed(q, c.tool, c.meta, err)
	return toolResult(m.ID, answer, true), err
}

// toolResult is the message that answers a call with this JSON, once as text and once as structured content (revision 2025-06-18,
// Tools, "Structured Content").
func toolResult(id, answer json.RawMessage, failed bool) []byte {
	out := make([]byte, 0, 128+len(id)+5*len(answer)/2)
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	out = appendText(append(out, `,"result":{"content":[{"type":"text","text":`...), answer)
	out = append(append(out, `}],"structuredContent":`...), answer...)
	if failed {
		out = append(out, `,"isError":true`...)
	}
	return append(out, "}}\n"...)
}

// appendText adds JSON as a JSON string. JSON holds no control characters but white space, and is valid UTF-8.
func appendText(out, text []byte) []byte {
	out = append(out, '"')
	begin := 0
	for i, c := range text {
		var escape string
		switch c {
		case '"':
			escape = `\"`
		case '\\':
			escape = `\\`
		case '\n':
			escape = `\n`
		case '\r':
			escape = `\r`
		case '\t':
			escape = `\t`
		default:
			continue
		}
		out = append(append(out, text[begin:i]...), escape...)
		begin = i + 1
	}
	return append(append(out, text[begin:]...), '"')
}
