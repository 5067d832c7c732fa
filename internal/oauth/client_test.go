package oauth_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"driftless/internal/config"
	"driftless/internal/oauth"
)

// browse is the person in front of the client of somebody else: opens the address and allows everything.
func (w *world) browse(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	to := w.person.get(strings.TrimPrefix(args.URL, w.base)).to(w.t)
	path := "/api/v1/oauth/requests/" + to.Query().Get("request")
	asked := w.person.get(path).json(w.t)
	var scopes []string
	for _, s := range asked["scopes"].([]any) {
		scopes = append(scopes, s.(map[string]any)["name"].(string))
	}
	a := w.person.post(path, map[string]any{"approve": true, "scopes": scopes, "workspaces": []string{w.actor.Slug}})
	back := w.redirected(a)
	if back.Has("error") {
		return nil, fmt.Errorf("sent back with %s", back.Get("error"))
	}
	return &auth.AuthorizationResult{Code: back.Get("code"), State: back.Get("state"), Iss: back.Get("iss")}, nil
}

// use calls the resource as the transport of the SDK does: with the token if there is one, authorizing after a 401.
func (w *world) use(handler *auth.AuthorizationCodeHandler) string {
	w.t.Helper()
	for range 2 {
		request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.base+"/mcp", nil)
		if err != nil {
			w.t.Fatal(err)
		}
		source, err := handler.TokenSource(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		if source != nil {
			token, err := source.Token()
			if err != nil {
				w.t.Fatal(err)
			}
			token.SetAuthHeader(request)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			w.t.Fatal(err)
		}
		if response.StatusCode == http.StatusUnauthorized {
			if err := handler.Authorize(w.t.Context(), request, response); err != nil {
				w.t.Fatal(err)
			}
			continue
		}
		raw, err := io.ReadAll(response.Body)
		if err != nil {
			w.t.Fatal(err)
		}
		if err := response.Body.Close(); err != nil {
			w.t.Fatal(err)
		}
		return string(raw)
	}
	w.t.Fatal("refused again after authorizing")
	return ""
}

func TestTheClientOfTheGoSDKRegistersConnectsAndRefreshes(t *testing.T) {
	t.Parallel()
	// The client refreshes a token that has less than ten seconds left, so here it does on every call.
	w := newWorldWith(t, func(c *config.Config) { c.AccessTTL = 5 * time.Second })
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "SDK App", RedirectURIs: []string{callback}, GrantTypes: []string{"authorization_code", "refresh_token"},
		}},
		RequestRefreshToken: true, AuthorizationCodeFetcher: w.browse,
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if got := w.use(handler); got != "SDK App" {
			t.Errorf("the resource saw %q", got)
		}
	}
}

func TestTheClientOfTheGoSDKConnectsWithAMetadataDocument(t *testing.T) {
	t.Parallel()
	id := strings.Replace(documentID, "client", "sdk", 1)
	net := documents(map[string]string{id: strings.Replace(document, documentID, id, 1)})
	w := newWorldWith(t, func(c *config.Config) { c.AccessTTL = 5 * time.Second }, oauth.WithTransport(read{net}))
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		ClientIDMetadataDocumentConfig: &auth.ClientIDMetadataDocumentConfig{URL: id},
		RedirectURL:                    "http://localhost:50999/callback",
		RequestRefreshToken:            true, AuthorizationCodeFetcher: w.browse,
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := w.use(handler); got != "Doc App" {
			t.Errorf("the resource saw %q", got)
		}
	}
}
