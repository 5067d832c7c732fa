package doctor

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// registration sends a registration that cannot succeed: a server says so in JSON (RFC 7591 §3.2.2), a firewall does not.
func registration(ctx context.Context, v *visit) []Finding {
	path, known := v.at(v.first(serverOAuth, serverOpenID)["registration_endpoint"])
	if !known {
		return nil
	}
	a := v.ask(ctx, http.MethodPost, path, []byte(`{"redirect_uris":[]}`), "Origin", someOrigin)
	if a.refusal() || a.status == http.StatusTooManyRequests {
		return nil
	}
	return []Finding{{
		ID: "registration", Severity: Broken, Seen: a.String() + blocked(a), Why: "clients register themselves before they sign in",
		Cure: "let anybody POST to " + path + "; the server limits how often", Nginx: "location /oauth/ { proxy_pass http://driftless; }",
	}}
}

// tokenEndpoint sends a grant that there is not.
func tokenEndpoint(ctx context.Context, v *visit) []Finding {
	path, known := v.at(v.first(serverOAuth, serverOpenID)["token_endpoint"])
	if !known {
		return nil
	}
	a := v.form(ctx, path, url.Values{"grant_type": {"none"}})
	if a.refusal() || a.status == http.StatusTooManyRequests {
		return nil
	}
	return []Finding{{
		ID: "token", Severity: Broken, Seen: a.String() + blocked(a), Why: "clients trade their code and renew their sign-in there, and expect JSON",
		Cure: "let anybody POST to " + path, Nginx: "location /oauth/ { proxy_pass http://driftless; }",
	}}
}

// refusal reports an error of the protocol (RFC 6749 §5.2).
func (a answer) refusal() bool {
	o, is := a.object()
	_, named := o["error"].(string)
	return is && named && a.status >= 400 && a.status < 500
}

func blocked(a answer) string {
	if a.page() {
		return " with a page"
	}
	return " without an error of OAuth"
}

// clientID asks whether the server still knows a client, with a refresh token that nobody has. It would answer invalid_grant to
// one that it knows.
func clientID(ctx context.Context, v *visit) []Finding {
	path, known := v.at(v.first(serverOAuth, serverOpenID)["token_endpoint"])
	if v.ClientID == "" || !known {
		return nil
	}
	a := v.form(ctx, path, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"driftless-doctor"}, "client_id": {v.ClientID}})
	if o, is := a.object(); !is || o["error"] != "invalid_client" {
		return nil
	}
	return []Finding{{
		ID: "client-id", Severity: Broken, Seen: fmt.Sprintf("the server does not know the client %s", quote(v.ClientID)),
		Why:  "the client remembers a registration that is gone, as after a new database, and asks for ever with it",
		Cure: "let the client forget this server and connect again ('driftless logout' and 'driftless login'; mcp-remote: remove its folder ~/.mcp-auth)",
	}}
}
