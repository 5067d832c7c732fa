package mcpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"driftless/internal/question"
)

// At the revisions before 2026-07-28 a server may send its client a request in the middle of a call, on the stream that answers
// the call. The library does that from the memory of one process, for whoever names a session; here the question waits in the
// database, for the person and the session that were asked, and its answer may arrive at another process.

// conversation is the library's session of one call. The library's ways to ask a client find it in the context.
type conversation struct {
	server.SessionWithStreamableHTTPConfig
	*request
	questions *question.Service
}

var (
	_ server.SessionWithElicitation = (*conversation)(nil)
	_ server.SessionWithSampling    = (*conversation)(nil)
	_ server.SessionWithRoots       = (*conversation)(nil)
	_ server.SessionWithLogging     = (*conversation)(nil)
)

// converse puts a conversation in place of the session that the library made for a call.
func converse(s *server.MCPServer, questions *question.Service) server.HTTPContextFunc {
	return func(ctx context.Context, _ *http.Request) context.Context {
		q, err := requestFrom(ctx)
		own, ok := server.ClientSessionFromContext(ctx).(server.SessionWithStreamableHTTPConfig)
		if err != nil || !ok || q.modern {
			return ctx
		}
		return s.WithContext(ctx, &conversation{own, q, questions})
	}
}

// RequestElicitation asks the person for values, or to open an address.
func (c *conversation) RequestElicitation(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	need := question.Form
	if r.Params.Mode == mcp.ElicitationModeURL {
		need = question.URL
	}
	return askClient[mcp.ElicitationResult](ctx, c, need, mcp.MethodElicitationCreate, r.Params)
}

// RequestSampling asks the client's model.
func (c *conversation) RequestSampling(ctx context.Context, r mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	out, err := askClient[mcp.CreateMessageResult](ctx, c, question.Sampling, mcp.MethodSamplingCreateMessage, r.CreateMessageParams)
	if err != nil {
		return nil, err
	}
	if out.Content, err = mcp.ParseSamplingContent(out.Content); err != nil {
		return nil, fmt.Errorf("read the answer of the model: %w", err)
	}
	return out, nil
}

// ListRoots asks the client for its folders.
func (c *conversation) ListRoots(ctx context.Context, _ mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return askClient[mcp.ListRootsResult](ctx, c, question.Roots, mcp.MethodListRoots, nil)
}

// SetLogLevel does nothing: a level would have to be kept, and the library would keep one for all callers.
func (c *conversation) SetLogLevel(mcp.LoggingLevel) {}

// GetLogLevel says that every message is sent.
func (c *conversation) GetLogLevel() mcp.LoggingLevel { return mcp.LoggingLevelDebug }

// can reports whether this call can ask its client for something.
func (c *conversation) can(need question.Can) bool { return c.out != nil && c.session.Can.Has(need) }

// askClient sends a request to the client and waits for its answer. One that the client did not say it can answer fails at once.
func askClient[T any](ctx context.Context, c *conversation, need question.Can, method mcp.MCPMethod, params any) (*T, error) {
	if !c.can(need) {
		return nil, fmt.Errorf("the client cannot be asked for %s: it did not say so when it began, or sent no session, or the call is one of a batch", method)
	}
	raw, err := c.questions.Ask(ctx, c.caller, c.session, func(id string) error {
		m := map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id, "method": method}
		if params != nil {
			m["params"] = params
		}
		return c.tell(m)
	})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Result *T `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	switch err := json.Unmarshal(raw, &answer); {
	case err != nil:
		return nil, fmt.Errorf("read the answer to %s: %w", method, err)
	case answer.Error != nil:
		return nil, fmt.Errorf("the client answered %s with error %d: %s", method, answer.Error.Code, answer.Error.Message)
	case answer.Result == nil:
		return nil, fmt.Errorf("the client answered %s with nothing", method)
	}
	return answer.Result, nil
}

// tell writes one message to the stream of the call, which it makes a stream if it is none yet.
func (c *conversation) tell(message any) error {
	if c.out == nil {
		return errors.New("the call has no stream")
	}
	c.UpgradeToSSEWhenReceiveNotification() // so that the library ends the answer as a stream too
	return c.out.event(message)
}
