package mcpapi

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/question"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// A client that can open an address for its person (URL elicitation) is asked to. At 2026-07-28 an approval answers
// input_required with the page where the person confirms, and the client repeats the call when they are back; at the revisions
// before, the client is asked while the call runs. Nothing the
// client sends with the repeated call counts as the person's answer. It names a confirmation, and what is told is what
// became of that one; the state is its bare id, which decides nothing and is read for the person it belongs to alone.

// confirmKey names the one request for input.
const confirmKey = "confirm"

// subject reads off the arguments what a human act is about; ok is false for operations that are none.
func subject(o *op.Operation, workspace string, args map[string]any) (about topic.Subject, ok bool) {
	about.Workspace = workspace
	switch o.ID {
	case "topics.approve":
		about.Topic, ok = args["topic"].(string)
	case "edits.merge":
		about.Proposal, ok = args["proposal"].(string)
	case "topics.update", "topics.patch":
		// With apply: merge the call asks for the merge of the edit that it makes.
		about.Topic, ok = args["topic"].(string)
		about.Edit = true
		ok = ok && args["apply"] == "merge"
	}
	return about, ok
}

// elicits reports whether the client of this very request can open an address for its person.
func elicits(ctx context.Context) bool {
	info := server.RequestProtocolInfoFromContext(ctx)
	return info != nil && info.Modern && info.ClientCapabilities != nil &&
		info.ClientCapabilities.Elicitation != nil && info.ClientCapabilities.Elicitation.URL != nil
}

// outcome answers a repeated call with what became of the confirmation it names.
func (o Options) outcome(ctx context.Context, caller tenant.Caller, about topic.Subject, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a, err := o.Outcome(ctx, caller, request.Params.RequestState, about)
	if fault.Is(err, fault.CodeNotFound) {
		return nil, fault.Fieldf("requestState", "names no confirmation of yours for this call; call again without it")
	}
	if err != nil {
		return nil, err
	}
	if answer := server.ElicitationResponse(request.Params.InputResponses, confirmKey); answer == nil || answer.Action == mcp.ElicitationResponseActionAccept {
		if ask := confirmation(ctx, a); ask != nil {
			return ask, nil
		}
	}
	raw, err := op.Marshal(a)
	if err != nil {
		return nil, err
	}
	return result(raw, false), nil
}

// confirmation asks for the person behind the client, where one is awaited and the client can; otherwise it answers nil.
func confirmation(ctx context.Context, a topic.Approval) *mcp.CallToolResult {
	if a.ConfirmURL == "" || !elicits(ctx) {
		return nil
	}
	return server.NewInputRequestBuilder(a.Confirmation).Elicit(confirmKey, openConfirmation(a)).ToolResult()
}

func openConfirmation(a topic.Approval) mcp.ElicitationParams {
	return mcp.ElicitationParams{
		Mode: mcp.ElicitationModeURL, URL: a.ConfirmURL, ElicitationID: a.Confirmation,
		Message: "An owner or admin confirms this in the console, where the whole text is shown.",
	}
}

// confirmTime is how long a call before 2026-07-28 waits for its person. Client libraries give up on a call after a minute.
const confirmTime = 50 * time.Second

// confirmInCall asks a client before 2026-07-28 while its call runs, and answers what became of the confirmation in this time.
// Whatever else happens (the client cannot, the person turns away or takes longer) it is awaited still, as it was before.
func (o Options) confirmInCall(ctx context.Context, caller tenant.Caller, about topic.Subject, a topic.Approval) (topic.Approval, error) {
	c, ok := server.ClientSessionFromContext(ctx).(*conversation)
	if !ok || !c.can(question.URL) {
		return a, nil
	}
	ctx, cancel := context.WithTimeout(ctx, confirmTime)
	defer cancel()
	opened, err := c.RequestElicitation(ctx, mcp.ElicitationRequest{Params: openConfirmation(a)})
	if err != nil || opened.Action != mcp.ElicitationResponseActionAccept {
		return a, nil // the confirmation is there all the same, and the answer says where
	}
	decided := a
	err = o.Questions.Watch(ctx, func() (_ bool, err error) {
		decided, err = o.Outcome(ctx, caller, a.Confirmation, about)
		return decided.ConfirmURL == "", err
	})
	if fault.Is(err, fault.CodeUnavailable) {
		return a, nil
	}
	if err == nil {
		err = c.tell(mcp.NewElicitationCompleteNotification(a.Confirmation)) // the client may close what it showed
	}
	return decided, err
}
