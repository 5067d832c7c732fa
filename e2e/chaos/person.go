package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

// person is the owner in a browser, without its pages.
type person struct {
	issuer  string
	browser *http.Client
	csrf    string
}

// tokens are what a client holds.
type tokens struct {
	Client  string    `json:"client_id"`
	Access  string    `json:"access_token"`
	Refresh string    `json:"refresh_token"`
	Ends    time.Time `json:"ends"`
}

const redirect = "http://127.0.0.1:9/callback" // nobody listens there: the code is read off the address

func signIn(ctx context.Context, issuer string) (*person, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	p := &person{issuer: issuer, browser: &http.Client{
		Jar: jar, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	var session struct {
		CSRF string `json:"csrf_token"`
	}
	if _, err := p.send(ctx, http.MethodPost, "/api/v1/session", map[string]string{"email": ownerEmail, "password": ownerPassword}, &session); err != nil {
		return nil, err
	}
	p.csrf = session.CSRF
	return p, nil
}

// connect registers a client, allows it everything, and answers its first tokens.
func (p *person) connect(ctx context.Context) (tokens, error) {
	var client struct {
		ID string `json:"client_id"`
	}
	registration := map[string]any{
		"client_name": "Chaos", "redirect_uris": []string{redirect}, "token_endpoint_auth_method": "none",
		"grant_types": []string{"authorization_code", "refresh_token"},
	}
	if _, err := p.send(ctx, http.MethodPost, "/oauth/register", registration, &client); err != nil {
		return tokens{}, err
	}
	verifier := rand.Text() + rand.Text()
	challenge := sha256.Sum256([]byte(verifier))
	where, err := p.send(ctx, http.MethodGet, "/oauth/authorize?"+url.Values{
		"response_type": {"code"}, "client_id": {client.ID}, "redirect_uri": {redirect}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])}, "resource": {p.issuer + "/mcp"},
	}.Encode(), nil, nil)
	if err != nil {
		return tokens{}, err
	}
	request := "/api/v1/oauth/requests/" + where.Query().Get("request")
	var asked struct {
		Scopes []struct {
			Name string `json:"name"`
		} `json:"scopes"`
	}
	if _, err := p.send(ctx, http.MethodGet, request, nil, &asked); err != nil {
		return tokens{}, err
	}
	var scopes []string
	for _, s := range asked.Scopes {
		scopes = append(scopes, s.Name)
	}
	var next struct {
		To string `json:"redirect_to"`
	}
	allowed := map[string]any{"approve": true, "scopes": scopes, "workspaces": []string{workspace}}
	if _, err := p.send(ctx, http.MethodPost, request, allowed, &next); err != nil {
		return tokens{}, err
	}
	back, err := url.Parse(next.To)
	if err != nil {
		return tokens{}, err
	}
	return askForTokens(ctx, p.browser, p.issuer, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client.ID}, "code": {back.Query().Get("code")},
		"redirect_uri": {redirect}, "code_verifier": {verifier},
	})
}

// revocations are the grants that the log of the workspace says were ended for a misuse.
func (p *person) revocations(ctx context.Context) (grants map[string]bool, err error) {
	var page struct {
		Results []struct {
			Detail struct {
				Grant  string `json:"grant"`
				Reason string `json:"reason"`
			} `json:"detail"`
		} `json:"results"`
	}
	if _, err := p.send(ctx, http.MethodGet, "/api/v1/workspaces/"+workspace+"/events?types=grant.revoked&limit=100", nil, &page); err != nil {
		return nil, err
	}
	grants = map[string]bool{}
	for _, e := range page.Results {
		if strings.Contains(e.Detail.Reason, "after its grace") {
			grants[e.Detail.Grant] = true
		}
	}
	return grants, nil
}

// send answers where the browser is sent next, if it is.
func (p *person) send(ctx context.Context, method, path string, body, into any) (*url.URL, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, p.issuer+path, bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-CSRF-Token", p.csrf)
	got, err := p.browser.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = got.Body.Close() }()
	answer, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, err
	}
	if got.StatusCode >= http.StatusBadRequest {
		return nil, fmt.Errorf("%s %s: %d %s", method, path, got.StatusCode, answer)
	}
	if into != nil {
		return nil, json.Unmarshal(answer, into)
	}
	return got.Location()
}

// A refusedError is an answer of the token endpoint that no repetition changes.
type refusedError struct {
	status int
	Code   string `json:"error"`
	Text   string `json:"error_description"`
}

func (e *refusedError) Error() string { return fmt.Sprintf("%d %s: %s", e.status, e.Code, e.Text) }

// isSignedOut says whether the server wants a person to sign in again.
func isSignedOut(err error) bool {
	var refused *refusedError
	return errors.As(err, &refused) && refused.Code == "invalid_grant"
}

// askForTokens asks the token endpoint once.
func askForTokens(ctx context.Context, client *http.Client, issuer string, form url.Values) (tokens, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, issuer+"/oauth/token", strings.NewReader(form.Encode()))
	if err != nil {
		return tokens{}, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	asked := time.Now()
	got, err := client.Do(r)
	if err != nil {
		return tokens{}, err
	}
	defer func() { _ = got.Body.Close() }()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		return tokens{}, err
	}
	if got.StatusCode != http.StatusOK {
		refused := &refusedError{status: got.StatusCode}
		if err := json.Unmarshal(raw, refused); err != nil {
			return tokens{}, fmt.Errorf("%d without an object: %s", got.StatusCode, raw)
		}
		return tokens{}, refused
	}
	var t struct {
		tokens
		Life int `json:"expires_in"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return tokens{}, err
	}
	t.Client, t.Ends = form.Get("client_id"), asked.Add(time.Duration(t.Life)*time.Second)
	return t.tokens, nil
}
