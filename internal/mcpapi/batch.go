package mcpapi

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"driftless/internal/op"
)

// BatchMax is the largest number of messages in one batch.
const BatchMax = 50

// batchVersion is the one protocol revision with batches. Its clients send no version header, and the revisions after it
// tell a server to take a request without one as this revision.
const batchVersion = mcp.ProtocolVersion20250326

// batch answers an array of messages with an array. Scopes and the allowance are checked for all messages before the first
// one runs, so a refusal of the batch leaves nothing half done.
func (g *guard) batch(w http.ResponseWriter, r *http.Request, q request, body []byte) {
	refuse := func(code int, text string) {
		(&rpcError{Code: code, Message: text}).write(w, http.StatusBadRequest)
	}
	if v := r.Header.Get(mcp.HeaderProtocolVersion); v != "" && v != batchVersion {
		refuse(mcp.INVALID_REQUEST, "batches are not taken at this revision; send one message in each request")
		return
	}
	var raws []json.RawMessage
	if json.Unmarshal(body, &raws) != nil {
		refuse(mcp.PARSE_ERROR, "the body is not valid JSON")
		return
	}
	if len(raws) == 0 || len(raws) > BatchMax {
		refuse(mcp.INVALID_REQUEST, fmt.Sprintf("a batch has 1 to %d messages", BatchMax))
		return
	}
	messages, problems := make([]message, len(raws)), make([]*rpcError, len(raws))
	for i, raw := range raws {
		messages[i], problems[i] = readMessage(raw)
		if problems[i] == nil && messages[i].Method == string(mcp.MethodInitialize) {
			problems[i] = &rpcError{Code: mcp.INVALID_REQUEST, Message: "initialize is never part of a batch", id: messages[i].ID}
		}
		if problems[i] != nil {
			continue
		}
		err := g.checkScope(q.caller, messages[i])
		if err == nil && i > 0 { // the request itself was counted already
			err = g.Limit(q.caller.Credential.String())
		}
		if err != nil {
			g.fail(w, r, err)
			return
		}
	}
	answers := []json.RawMessage{}
	for i, m := range messages {
		if problems[i] != nil {
			answers = append(answers, problems[i].encode())
			continue
		}
		answer, one := newRecorded(), q
		one.method = m.Method
		g.pass(answer, r, &one, m)
		switch raw := answer.body.Bytes(); {
		case len(raw) == 0 || m.Method == "": // a notification, or the answer to a question
		case !json.Valid(raw): // the library refuses the request as such
			answer.copyTo(w)
			return
		default:
			answers = append(answers, raw)
		}
	}
	if len(answers) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	raw, err := op.Marshal(answers)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(raw)
}
