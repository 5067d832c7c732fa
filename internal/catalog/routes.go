package catalog

import (
	"net/http"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/op"
	"driftless/internal/topic"
)

// plainRoute is a route of the API that is no operation: it belongs to a session or a request of a person, not to a
// workspace.
type plainRoute struct {
	method, path, id, summary string
	input, output             func() (*jsonschema.Schema, error)
	created, open             bool
	// accepted says that it answers before what was asked for is done.
	accepted bool
	// streams makes it a stream of server-sent events for any credential, each with the output as its data.
	streams bool
}

type credentials struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

type confirmed struct {
	Approve     bool   `json:"approve"`
	ContentHash string `json:"content_hash,omitempty"`
}

type passwordChange struct {
	Current string `json:"current,omitempty" jsonschema:"left out by somebody who has none yet"`
	New     string `json:"new"`
}

type profile struct {
	Name string `json:"name" jsonschema:"what others see; at most 120 characters"`
}

type forgotten struct {
	Email string `json:"email"`
}

type resets struct {
	Email string `json:"email" jsonschema:"address of the account"`
}

type newPassword struct {
	Password string `json:"password"`
}

type link struct {
	Provider string `json:"provider"`
	ReturnTo string `json:"return_to,omitempty" jsonschema:"a path of this server"`
}

type connection struct {
	ID         uuid.UUID               `json:"id"`
	Client     consentClient           `json:"client"`
	Scopes     []consentScope          `json:"scopes"`
	Workspaces []account.WorkspaceRole `json:"workspaces"`
	CreatedAt  time.Time               `json:"created_at"`
	LastUsedAt time.Time               `json:"last_used_at"`
}

type disconnected struct {
	ID      uuid.UUID `json:"id"`
	Revoked bool      `json:"revoked"`
}

type deviceRequest struct {
	UserCode   string                  `json:"user_code"`
	Client     consentClient           `json:"client"`
	Scopes     []consentScope          `json:"scopes"`
	Workspaces []account.WorkspaceRole `json:"workspaces"`
	ExpiresAt  time.Time               `json:"expires_at"`
}

type deviceResult struct {
	Approved bool `json:"approved"`
}

type consentAnswer struct {
	Approve    bool     `json:"approve"`
	Scopes     []string `json:"scopes,omitempty"`
	Workspaces []string `json:"workspaces,omitempty"`
}

type redirect struct {
	RedirectTo string `json:"redirect_to"`
}

type consentRequest struct {
	ID           string                  `json:"id"`
	Client       consentClient           `json:"client"`
	RedirectURI  string                  `json:"redirect_uri"`
	RedirectHost string                  `json:"redirect_host"`
	Loopback     bool                    `json:"loopback"`
	Scopes       []consentScope          `json:"scopes"`
	Workspaces   []account.WorkspaceRole `json:"workspaces"`
	ExpiresAt    string                  `json:"expires_at"`
}

type consentClient struct {
	Name string `json:"name"`
	URI  string `json:"uri,omitempty"`
	Host string `json:"host,omitempty"`
}

type consentScope struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func of[T any]() func() (*jsonschema.Schema, error) {
	return func() (*jsonschema.Schema, error) {
		s, err := jsonschema.For[T](nil)
		if err == nil {
			loosen(s)
		}
		return s, err
	}
}

// loosen takes off what inference adds: closed objects and lists that may be null.
func loosen(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.AdditionalProperties = nil
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	for _, p := range s.Properties {
		loosen(p)
	}
	loosen(s.Items)
}

func plainRoutes() []plainRoute {
	return append([]plainRoute{
		{method: "GET", path: "/api/v1/setup/{token}", id: "setup.check", summary: "Whether a set-up link still works", open: true},
		{method: "POST", path: "/api/v1/setup/{token}", id: "setup.run", summary: "Make the first account", input: of[account.Setup](), output: of[account.SignedIn](), created: true, open: true},
		{method: "POST", path: "/api/v1/session", id: "session.begin", summary: "Sign in", input: of[credentials](), output: of[account.SignedIn](), open: true},
		{method: "GET", path: "/api/v1/session", id: "session.get", summary: "Who is signed in", output: of[account.SignedIn]()},
		{method: "DELETE", path: "/api/v1/session", id: "session.end", summary: "Sign out"},
		{method: "GET", path: "/api/v1/oauth/requests/{id}", id: "consent.get", summary: "What an application asks for", output: of[consentRequest]()},
		{method: "POST", path: "/api/v1/oauth/requests/{id}", id: "consent.answer", summary: "Grant or refuse", input: of[consentAnswer](), output: of[redirect]()},
		{method: "GET", path: "/api/v1/oauth/device/{user_code}", id: "device.get", summary: "What a device asks for", output: of[deviceRequest]()},
		{method: "POST", path: "/api/v1/oauth/device/{user_code}", id: "device.answer", summary: "Connect a device or refuse it", input: of[consentAnswer](), output: of[deviceResult]()},
		{method: "GET", path: "/api/v1/connections", id: "connections.list", summary: "Connected applications", output: of[op.Page[connection]]()},
		{method: "DELETE", path: "/api/v1/connections/{grant}", id: "connections.revoke", summary: "Disconnect an application", output: of[disconnected]()},
		{method: "GET", path: "/api/v1/sessions", id: "sessions.list", summary: "Where you are signed in", output: of[op.Page[account.SessionView]]()},
		{method: "DELETE", path: "/api/v1/sessions/{session}", id: "sessions.revoke", summary: "End a session"},
		{method: "PATCH", path: "/api/v1/profile", id: "profile.change", summary: "Change your name", input: of[profile]()},
		{method: "POST", path: "/api/v1/password", id: "password.change", summary: "Change your password; other sessions end", input: of[passwordChange]()},
		{method: "POST", path: "/api/v1/password/reset", id: "password.forgot", summary: "Ask for a mail that a new password is set through; the answer is always the same", input: of[forgotten](), accepted: true, open: true},
		{method: "GET", path: "/api/v1/password/reset/{token}", id: "password.reset_link", summary: "Whose password the link of the mail sets", output: of[resets](), open: true},
		{method: "POST", path: "/api/v1/password/reset/{token}", id: "password.reset", summary: "Set a new password, once; all sessions end", input: of[newPassword](), open: true},
		{method: "GET", path: "/api/v1/signon", id: "signon.get", summary: "The ways to sign in", output: of[account.WaysIn](), open: true},
		{method: "GET", path: "/api/v1/identities", id: "identities.list", summary: "Who you are at other servers", output: of[op.Page[account.IdentityView]]()},
		{method: "POST", path: "/api/v1/identities", id: "identities.link", summary: "Begin to link another one", input: of[link](), output: of[redirect]()},
		{method: "DELETE", path: "/api/v1/identities/{identity}", id: "identities.unlink", summary: "Unlink one, unless it is your last way to sign in"},
		{method: "GET", path: "/api/v1/invitations/{token}", id: "invitation.get", summary: "What an invitation is for", output: of[account.Invitation](), open: true},
		{method: "POST", path: "/api/v1/invitations/{token}/accept", id: "invitation.accept", summary: "Join, signed in or with a new account", input: of[account.Acceptance](), output: of[account.SignedIn](), open: true},
		{method: "GET", path: "/api/v1/confirmations/{id}", id: "confirmation.get", summary: "What would become Knowledge", output: of[topic.Confirmation]()},
		{method: "POST", path: "/api/v1/confirmations/{id}", id: "confirmation.decide", summary: "The human act", input: of[confirmed](), output: of[topic.Decision]()},
		{
			method: "GET", path: "/api/v1/workspaces/{workspace}/events/stream", id: "events.stream", streams: true,
			summary: "Events as they happen, as server-sent events; any credential", output: of[topic.EventRow](),
		},
	}, passkeyRoutes()...)
}

func (r plainRoute) operation() object {
	out := object{"operationId": r.id, "summary": r.summary, "tags": []any{strings.SplitN(r.id, ".", 2)[0]}}
	switch {
	case r.open:
		out["security"] = []any{}
	case !r.streams:
		out["security"] = []any{object{"session": []any{}}}
	}
	var parameters []any
	for _, m := range pathParameter.FindAllStringSubmatch(r.path, -1) {
		parameters = append(parameters, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	media := "application/json"
	if r.streams {
		media = "text/event-stream"
		parameters = append(parameters, streamParameters()...)
	}
	if parameters != nil {
		out["parameters"] = parameters
	}
	if r.input != nil {
		if s, err := r.input(); err == nil {
			out["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": s}}}
		}
	}
	code := http.StatusOK
	if r.created {
		code = http.StatusCreated
	}
	responses := object{"default": problemResponse()}
	if r.output == nil {
		code = http.StatusNoContent
		if r.accepted {
			code = http.StatusAccepted
		}
		responses[status(code)] = object{"description": r.summary}
	} else if s, err := r.output(); err == nil {
		responses[status(code)] = object{"description": r.summary, "content": object{media: object{"schema": s}}}
	}
	out["responses"] = responses
	return out
}

// streamParameters are those of the stream of events.
func streamParameters() []any {
	text, number := object{"type": "string"}, object{"type": "integer"}
	return []any{
		object{"name": "topic", "in": "query", "schema": text, "description": "slug"},
		object{"name": "types", "in": "query", "schema": object{"type": "array", "items": text}, "description": "e.g. topic.approved"},
		object{"name": "after", "in": "query", "schema": number, "description": "seq of the last event you have; without it only what is new"},
		object{"name": "Last-Event-ID", "in": "header", "schema": number, "description": "the same, as a browser sends it when it comes back"},
	}
}
