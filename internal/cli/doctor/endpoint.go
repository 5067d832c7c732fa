package doctor

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
)

// bigBody is nearly as much as the server takes, in bytes: imports and long topics come close to it.
const bigBody = 1_000_000

// madeUp is a credential that no server knows.
const madeUp = "Bearer driftless-doctor"

const header401 = "WWW-Authenticate"

// challenge looks at the refusal that leads a client to sign-in (RFC 9728 §5.1).
func challenge(_ context.Context, v *visit) []Finding {
	given := v.bare.header.Get(header401)
	switch {
	case v.bare.status == http.StatusUnauthorized && strings.Contains(given, "resource_metadata="):
		return nil
	case v.bare.status == http.StatusUnauthorized && given == "":
		return []Finding{{
			ID: "challenge", Severity: Broken, Seen: v.bare.String() + " without " + header401,
			Why:  "clients read there where to sign in; many never ask for sign-in without it",
			Cure: "let the proxy pass the header " + header401 + " on, also for refusals", Nginx: "proxy_pass_header WWW-Authenticate;",
		}}
	case v.bare.status == http.StatusUnauthorized:
		return []Finding{{
			ID: "challenge", Severity: Broken, Seen: fmt.Sprintf("%s with %s: %s", v.bare, header401, quote(given)),
			Why:  "that is the login of a proxy and does not say where clients sign in",
			Cure: "take /mcp, /oauth/ and /.well-known/ out of the login of the proxy", Nginx: "auth_basic off;",
		}}
	}
	return []Finding{{
		ID: "challenge", Severity: Broken, Seen: v.bare.String() + " to a call without a credential",
		Why:  "clients begin to sign in at a 401, and at nothing else",
		Cure: "pass POST /mcp to the server unchanged", Nginx: "location = /mcp { proxy_pass http://driftless; }",
	}}
}

// getStream looks at what clients of earlier revisions try first: a GET for a stream.
func getStream(ctx context.Context, v *visit) []Finding {
	a := v.ask(ctx, http.MethodGet, "/mcp", nil, "Accept", "text/event-stream")
	if a.status == http.StatusUnauthorized || a.status == http.StatusMethodNotAllowed {
		return nil
	}
	return []Finding{{
		ID: "get", Severity: Broken, Seen: a.String(), Why: "clients take only 401 or 405 for 'no stream here'; on anything else they wait or give up",
		Cure: "pass every method of /mcp to the server, and serve no page there", Nginx: "location = /mcp { proxy_pass http://driftless; }",
	}}
}

// headerArrives sends a credential that cannot be valid: the server says so, unless it never saw it.
func headerArrives(ctx context.Context, v *visit) []Finding {
	if !strings.Contains(v.bare.header.Get(header401), "resource_metadata=") {
		v.note = "not looked at without a challenge"
		return nil
	}
	a := v.ask(ctx, http.MethodPost, "/mcp", []byte(ping), "Authorization", madeUp)
	if a.status != http.StatusUnauthorized || strings.Contains(a.header.Get(header401), "invalid_token") {
		return nil
	}
	v.stuck = "the credential does not arrive"
	return []Finding{{
		ID: "authorization", Severity: Broken, Seen: a.String() + " to a credential that is not valid, as if there had been none",
		Why:  "the server never sees the credential, so that every client is asked to sign in for ever",
		Cure: "let the proxy pass the Authorization header on", Nginx: "proxy_set_header Authorization $http_authorization;",
	}}
}

// bodySize asks whether a large body may be sent. The server refuses for want of a credential before it reads it.
func bodySize(ctx context.Context, v *visit) []Finding {
	a := v.ask(ctx, http.MethodPost, "/mcp", bytes.Repeat([]byte(" "), bigBody), "Expect", "100-continue")
	if a.status != http.StatusRequestEntityTooLarge {
		return unavailable(a)
	}
	return []Finding{{
		ID: "body-limit", Severity: Broken, Seen: fmt.Sprintf("%s to %d bytes", a, bigBody),
		Why:  "long topics and imports are refused before they reach the server, which takes 1 MiB",
		Cure: "let the proxy take at least 2 MiB", Nginx: "client_max_body_size 2m;",
	}}
}

// compression finds a proxy that compresses streams: it holds events back until it has enough of them.
func compression(ctx context.Context, v *visit) []Finding {
	a := v.ask(ctx, http.MethodPost, "/mcp", []byte(ping), "Accept-Encoding", "gzip, br")
	if a.err == nil && a.header.Get("X-Accel-Buffering") == "yes" {
		return []Finding{buffered(a.String() + " with X-Accel-Buffering: yes")}
	}
	if a.header.Get("Content-Encoding") == "" {
		return nil
	}
	return []Finding{buffered(fmt.Sprintf("%s in the encoding %s", a, quote(a.header.Get("Content-Encoding"))))}
}

func buffered(seen string) Finding {
	return Finding{
		ID: "buffering", Severity: Warning, Seen: seen,
		Why:  "a proxy that compresses or buffers holds the events of a stream back, so that clients see no progress and time out",
		Cure: "neither compress nor buffer /mcp", Nginx: "proxy_buffering off; gzip off;",
	}
}

// someOrigin is a page that no server has heard of; metadata is for all of them.
const someOrigin = "https://client.example"

// browsers looks at what pages may read: clients that run in a browser need it, others do not.
func browsers(ctx context.Context, v *visit) []Finding {
	var missing []string
	for _, path := range []string{resourceSuffixed, serverOAuth} {
		if v.docs[path] == nil {
			continue
		}
		a := v.ask(ctx, http.MethodGet, path, nil, "Origin", someOrigin)
		if allowed := a.header.Get("Access-Control-Allow-Origin"); allowed != "*" && allowed != someOrigin {
			missing = append(missing, "GET "+path+" lacks Access-Control-Allow-Origin")
		}
	}
	before := v.ask(ctx, http.MethodOptions, "/mcp", nil, "Origin", v.origin(), "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "authorization,content-type,mcp-protocol-version")
	allowed := strings.ToLower(before.header.Get("Access-Control-Allow-Headers"))
	switch {
	case before.status/100 != 2:
		missing = append(missing, before.String())
	case allowed != "*" && (!strings.Contains(allowed, "authorization") || !strings.Contains(allowed, "mcp-protocol-version")):
		missing = append(missing, "OPTIONS /mcp does not allow the headers of MCP")
	}
	refused := v.ask(ctx, http.MethodPost, "/mcp", []byte(ping), "Origin", v.origin())
	if refused.header.Get("Access-Control-Allow-Origin") == "" {
		missing = append(missing, refused.String()+" lacks Access-Control-Allow-Origin")
	} else if !strings.Contains(strings.ToLower(refused.header.Get("Access-Control-Expose-Headers")), "www-authenticate") {
		missing = append(missing, refused.String()+" does not expose "+header401)
	}
	if len(missing) == 0 {
		return nil
	}
	return []Finding{{
		ID: "cors", Severity: Warning, Seen: strings.Join(missing, "; "),
		Why:  "clients that run in a browser can read neither the documents nor the refusals",
		Cure: "let the proxy pass the headers Access-Control-* and the method OPTIONS on, and add none of its own", Nginx: "proxy_pass_request_headers on;",
	}}
}
