package mcpapi

import (
	"bytes"
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// The library reads a message into its own types and answers what does not fit with an error of the Go decoder, and it reads
// every number as a float. What can be said better is refused before it gets that far.

// idMax bounds a numeric id: beyond it a float, which is what JSON numbers are to many readers, no longer tells two ids apart
// (RFC 8259 section 6).
const idMax = 1 << 53

// checkID holds ids to the protocol: a string or an integer, never null (basic protocol, "Requests", every revision).
func checkID(m message) *rpcError {
	notification := strings.HasPrefix(m.Method, "notifications/")
	switch {
	case m.ID == nil || m.Method == "":
		return nil
	case notification:
		return &rpcError{Code: mcp.INVALID_REQUEST, Message: "a notification carries no id"}
	case m.ID[0] == '"':
		return nil
	}
	if n, err := strconv.ParseInt(string(m.ID), 10, 64); err != nil || n > idMax || n < -idMax {
		return &rpcError{Code: mcp.INVALID_REQUEST, Message: "an id is a string, or an integer between -2^53 and 2^53"}
	}
	return nil
}

// kinds are the JSON kinds of the parameters that the library reads; those of a tool are the pipeline's to judge.
var kinds = map[string]map[string]string{
	string(mcp.MethodInitialize): {
		"protocolVersion": "a string", "capabilities": "an object", "clientInfo": "an object",
	},
	string(mcp.MethodToolsList):              {"cursor": "a string"},
	string(mcp.MethodToolsCall):              {"name": "a string", "requestState": "a string", "inputResponses": "an object"},
	string(mcp.MethodPromptsList):            {"cursor": "a string"},
	string(mcp.MethodPromptsGet):             {"name": "a string", "arguments": "an object"},
	string(mcp.MethodResourcesList):          {"cursor": "a string"},
	string(mcp.MethodResourcesTemplatesList): {"cursor": "a string"},
	string(mcp.MethodResourcesRead):          {"uri": "a string"},
	string(mcp.MethodCompletionComplete):     {"ref": "an object", "argument": "an object", "context": "an object"},
}

// checkParams holds the parameters of a request to an object whose members have the kinds that the protocol gives them.
func checkParams(m message) *rpcError {
	wrong := func(name, kind string) *rpcError {
		return &rpcError{Code: mcp.INVALID_PARAMS, Message: name + " must be " + kind, id: m.ID}
	}
	// null stands for no parameters: clients send it, and nobody is misunderstood.
	if m.Method == "" || m.Params == nil || string(m.Params) == "null" {
		return nil
	}
	var params map[string]json.RawMessage
	if json.Unmarshal(m.Params, &params) != nil {
		return wrong("params", "an object")
	}
	want := kinds[m.Method]
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value, given := params[name]; given && kindOf(value) != want[name] {
			return wrong("params."+name, want[name])
		}
	}
	if meta, given := params["_meta"]; given && kindOf(meta) != "an object" {
		return wrong("params._meta", "an object")
	}
	// These lists have one page, so no cursor was ever given out.
	oneStep := []string{string(mcp.MethodToolsList), string(mcp.MethodPromptsList), string(mcp.MethodResourcesTemplatesList)}
	if cursor := string(params["cursor"]); slices.Contains(oneStep, m.Method) && cursor != "" && cursor != `""` {
		return wrong("params.cursor", "left out: this list has one page")
	}
	return nil
}

func kindOf(value json.RawMessage) string {
	switch value = bytes.TrimSpace(value); value[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	}
	return "something else"
}

// checkHeaders answers what the library would refuse in plain text, with the error of the protocol.
func checkHeaders(r *http.Request) *rpcError {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &rpcError{Code: mcp.INVALID_REQUEST, Message: "the Content-Type of a message is application/json"}
	}
	if v := r.Header.Get(mcp.HeaderProtocolVersion); v != "" && !slices.Contains(mcp.ValidProtocolVersions, v) {
		return &rpcError{
			Code: mcp.UNSUPPORTED_PROTOCOL_VERSION, Message: "this protocol revision is not one of this server",
			Data: map[string]any{"supported": mcp.ValidProtocolVersions, "requested": v},
		}
	}
	return nil
}
