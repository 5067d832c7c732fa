package signon

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"golang.org/x/oauth2"

	"driftless/internal/config"
)

// gitHub is a provider that says who somebody is through its API instead of a token: GitHub, and servers that are like it.
type gitHub struct{ p *Provider }

func (g gitHub) oauth(context.Context) (oauth2.Config, error) {
	base := g.p.Base() + "/login/oauth"
	scopes := g.p.Scopes
	if len(scopes) == 0 {
		scopes = []string{"read:user", "user:email"}
	}
	return oauth2.Config{
		ClientID: g.p.ClientID, ClientSecret: g.p.ClientSecret, RedirectURL: g.p.redirect, Scopes: scopes,
		Endpoint: oauth2.Endpoint{AuthURL: base + "/authorize", TokenURL: base + "/access_token", AuthStyle: oauth2.AuthStyleInParams},
	}, nil
}

// promisesIssuer: GitHub names itself, Enterprise Servers of some age do not.
func (g gitHub) promisesIssuer() bool { return false }

// api is where GitHub itself, and where an Enterprise Server, has its API.
func (g gitHub) api() string {
	if g.p.Base() == config.GitHubURL {
		return "https://api.github.com"
	}
	return g.p.Base() + "/api/v3"
}

func (g gitHub) who(ctx context.Context, token *oauth2.Token, _ string) (Claims, error) {
	// The login may be given to somebody else one day, the number is not.
	var user struct {
		ID    int64  `json:"id"`
		Login string `json:"login"`
		Name  string `json:"name"`
	}
	if err := g.get(ctx, token, "/user", &user); err != nil {
		return Claims{}, err
	}
	if user.ID <= 0 {
		return Claims{}, fmt.Errorf("GET /user names nobody")
	}
	c := Claims{Subject: strconv.FormatInt(user.ID, 10), Name: user.Name}
	if c.Name == "" {
		c.Name = user.Login
	}
	// The address in the profile is whatever its owner wrote there.
	var emails []struct {
		Email    string `json:"email"`
		Primary  bool   `json:"primary"`
		Verified bool   `json:"verified"`
	}
	if err := g.get(ctx, token, "/user/emails?per_page=100", &emails); err != nil {
		return Claims{}, err
	}
	for _, e := range emails {
		if e.Primary && e.Verified {
			c.Email, c.EmailVerified = e.Email, true
		}
	}
	return c, nil
}

func (g gitHub) get(ctx context.Context, token *oauth2.Token, path string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, g.api()+path, nil)
	if err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	r.Header.Set("Accept", "application/vnd.github+json")
	token.SetAuthHeader(r)
	answer, err := g.p.client.Do(r)
	if err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s answered HTTP %d", path, answer.StatusCode)
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}
