package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
	meta   = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientCapabilities":{}}`
)

// allowed reports that the credential may be sent: there is one, it would arrive, and nobody on the way can read it.
func (v *visit) allowed(ctx context.Context) bool {
	switch {
	case v.Credential == nil:
		v.note = "not looked at without a credential"
	case v.stuck != "":
		v.note = "not looked at: " + v.stuck
	case v.base.Scheme != "https" && !v.local():
		v.note = "not looked at: the credential would travel in the open"
	case v.key == "":
		var err error
		if v.key, err = v.Credential(ctx); err != nil || v.key == "" {
			v.note = "not looked at without a credential"
		}
	}
	return v.note == ""
}

// call makes a call with the credential and answers its result. What fails it would fail the calls after it too.
func (v *visit) call(ctx context.Context, body string, header ...string) (answer, map[string]any, []Finding) {
	a := v.ask(ctx, http.MethodPost, "/mcp", []byte(body), append(header, "Authorization", "Bearer "+v.key)...)
	v.note = fmt.Sprintf("%d ms", a.took.Milliseconds())
	result, found := v.read(a)
	if found != nil {
		v.stuck = "the step before it failed"
	}
	return a, result, found
}

func (v *visit) read(a answer) (map[string]any, []Finding) {
	if found := unavailable(a); found != nil {
		return nil, found
	}
	switch a.status {
	case http.StatusUnauthorized:
		return nil, []Finding{{
			ID: "credential", Severity: Broken, Seen: a.String() + " to the credential of this machine", Why: "it is unknown, expired or revoked",
			Cure: "run 'driftless login', or make a new API key in the console",
		}}
	case http.StatusForbidden:
		return nil, []Finding{{
			ID: "scope", Severity: Broken, Seen: fmt.Sprintf("%s: %s", a, quote(string(a.body))), Why: "the credential may not do this",
			Cure: "sign in again and allow the scope that is named",
		}}
	}
	var message struct {
		Result map[string]any  `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(lastEvent(a), &message); err != nil || message.Result == nil {
		seen := a.String() + " and not with a result"
		if message.Error != nil {
			seen += ": " + quote(string(message.Error))
		}
		return nil, []Finding{{
			ID: "protocol", Severity: Broken, Seen: seen, Why: "clients expect a JSON-RPC result",
			Cure: "see whether the address is a Driftless server of this version, and what its log says about the request",
		}}
	}
	return message.Result, nil
}

// lastEvent is the body, or the data of the last event of a stream.
func lastEvent(a answer) []byte {
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream") {
		return a.body
	}
	var last []byte
	for line := range bytes.Lines(a.body) {
		if data, is := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:")); is {
			last = data
		}
	}
	return last
}

func initialize(ctx context.Context, v *visit) []Finding {
	if !v.allowed(ctx) {
		return nil
	}
	a, _, found := v.call(ctx, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+legacy+`","capabilities":{},"clientInfo":{"name":"driftless-doctor","version":"1"}}}`)
	if found != nil || a.header.Get("X-Accel-Buffering") != "" || strings.Contains(strings.ToLower(a.header.Get("Server")), "nginx") {
		return found
	}
	// nginx obeys the header and keeps it; any other proxy that takes it away leaves a second one uninformed.
	return []Finding{buffered(a.String() + " without X-Accel-Buffering, which the server sends")}
}

func discover(ctx context.Context, v *visit) []Finding {
	if !v.allowed(ctx) {
		return nil
	}
	_, _, found := v.call(ctx, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`, "MCP-Protocol-Version", modern, "Mcp-Method", "server/discover")
	return found
}

func listTools(ctx context.Context, v *visit) []Finding {
	if !v.allowed(ctx) {
		return nil
	}
	_, result, found := v.call(ctx, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`, "MCP-Protocol-Version", modern, "Mcp-Method", "tools/list")
	if found != nil {
		return found
	}
	tools, _ := result["tools"].([]any)
	if len(tools) == 0 {
		return []Finding{{
			ID: "no-tools", Severity: Warning, Seen: "the list of tools is empty", Why: "the credential has no scope or role for any of them",
			Cure: "sign in again and allow scopes, or make a key with some",
		}}
	}
	v.note = fmt.Sprintf("%d tools, %s", len(tools), v.note)
	return nil
}
