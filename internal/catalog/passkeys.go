package catalog

import (
	"driftless/internal/account"
	"driftless/internal/op"
	"driftless/internal/passkey"
)

// ceremony is what navigator.credentials is given: PublicKeyCredential.parseCreationOptionsFromJSON or
// parseRequestOptionsFromJSON reads options.publicKey.
type ceremony struct {
	Options map[string]any `json:"options" jsonschema:"publicKey as PublicKeyCredential reads it from JSON (WebAuthn level 3 section 5.1)"`
}

type newPasskey struct {
	Name       string         `json:"name"`
	Credential map[string]any `json:"credential" jsonschema:"what credential.toJSON() gives"`
}

type passkeyName struct {
	Name string `json:"name"`
}

type assertion struct {
	Credential map[string]any `json:"credential" jsonschema:"what credential.toJSON() gives"`
}

type proof struct {
	Password   string         `json:"password,omitempty"`
	Credential map[string]any `json:"credential,omitempty" jsonschema:"what credential.toJSON() gives; instead of the password"`
}

// passkeyRoutes are the routes about passkeys, and the renewal of a session.
func passkeyRoutes() []plainRoute {
	return []plainRoute{
		{method: "POST", path: "/api/v1/session/passkey/begin", id: "session.passkey_options", summary: "Begin to sign in with a passkey", output: of[ceremony](), open: true},
		{method: "POST", path: "/api/v1/session/passkey", id: "session.passkey", summary: "Sign in with a passkey", input: of[assertion](), output: of[account.SignedIn](), open: true},
		{method: "POST", path: "/api/v1/session/step-up/begin", id: "session.step_up_options", summary: "Begin to renew the session with a passkey", output: of[ceremony]()},
		{method: "POST", path: "/api/v1/session/step-up", id: "session.step_up", summary: "Renew the session with the password or a passkey", input: of[proof](), output: of[account.SignedIn]()},
		{method: "GET", path: "/api/v1/passkeys", id: "passkeys.list", summary: "Your passkeys", output: of[op.Page[passkey.View]]()},
		{method: "POST", path: "/api/v1/passkeys/begin", id: "passkeys.options", summary: "Begin to register a passkey; needs a sign-in from the last 15 minutes", output: of[ceremony]()},
		{method: "POST", path: "/api/v1/passkeys", id: "passkeys.create", summary: "Register a passkey", input: of[newPasskey](), output: of[passkey.View](), created: true},
		{method: "PATCH", path: "/api/v1/passkeys/{passkey}", id: "passkeys.rename", summary: "Rename a passkey", input: of[passkeyName](), output: of[passkey.View]()},
		{method: "DELETE", path: "/api/v1/passkeys/{passkey}", id: "passkeys.delete", summary: "Remove a passkey; needs a sign-in from the last 15 minutes"},
	}
}
