package mcpapi

import (
	"encoding/json"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"driftless/internal/fault"
	"driftless/internal/question"
	"driftless/internal/tenant"
)

const sessionHeader = "Mcp-Session-Id"

// session is what the client said when it began, where the request names its session. A client without one is served like any
// other; it can be asked nothing. At 2026-07-28 there are no sessions, and the header is not looked at.
func (g *guard) session(r *http.Request, caller tenant.Caller) (question.Session, error) {
	id := r.Header.Get(sessionHeader)
	if id == "" || mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
		return question.Session{}, nil
	}
	return g.Questions.Resume(r.Context(), caller.Person, id)
}

// initialize lets the library answer, and gives a client that can be asked something a session. Any other needs none: what an
// id does not say, no client can lose.
func (g *guard) initialize(w http.ResponseWriter, r *http.Request, q *request, m message) {
	answer := newRecorded()
	g.next.ServeHTTP(answer, r)
	var said struct {
		Result json.RawMessage `json:"result"`
	}
	if can := capabilities(m); can != 0 && json.Unmarshal(answer.body.Bytes(), &said) == nil && said.Result != nil {
		id, err := g.Questions.Begin(r.Context(), q.caller.Person, can)
		if err != nil {
			g.fail(w, r, err)
			return
		}
		answer.header.Set(sessionHeader, id)
	}
	answer.copyTo(w)
}

// capabilities reads what a client can be asked off its initialize. Elicitation that says no more means forms (2025-06-18,
// where there was nothing else).
func capabilities(m message) (can question.Can) {
	var p struct {
		Capabilities mcp.ClientCapabilities `json:"capabilities"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return 0
	}
	if e := p.Capabilities.Elicitation; e != nil {
		if e.URL != nil {
			can |= question.URL
		}
		if e.Form != nil || e.URL == nil {
			can |= question.Form
		}
	}
	if p.Capabilities.Sampling != nil {
		can |= question.Sampling
	}
	if p.Capabilities.Roots != nil {
		can |= question.Roots
	}
	return can
}

// answered takes the answer to a question. One that nobody waits for is refused, but never with 404, which would tell the client
// that its session is gone.
func (g *guard) answered(w http.ResponseWriter, r *http.Request, q *request, m message) {
	var id string
	err := json.Unmarshal(m.ID, &id)
	if err == nil {
		err = g.Questions.Answer(r.Context(), q.caller, q.session, id, m.raw)
	}
	switch {
	case err == nil:
		w.WriteHeader(http.StatusAccepted)
	case id == "" || fault.Is(err, fault.CodeNotFound):
		(&rpcError{
			Code: mcp.INVALID_REQUEST, Message: "nobody waits for this answer: it was given, it is late, or it was not asked of this session",
		}).write(w, http.StatusBadRequest)
	default:
		g.fail(w, r, err)
	}
}
