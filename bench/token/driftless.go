package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"

	"driftless/bench/process"
)

// Who owns the workspace that clients are let into.
const (
	ownerEmail    = "owner@bench.example"
	ownerPassword = "four random words here"
	workspace     = "bench"
)

// startDriftless runs ours as it is, but for limits that no load of one address would pass, and with a grace that no repetition
// fits into: the others have none.
func startDriftless(ctx context.Context, p plan, h *process.House) (*contender, error) {
	addr, err := process.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}
	const many = "1000000000"
	env := []string{
		"DRIFTLESS_ADDR=" + addr, "DRIFTLESS_DATABASE_URL=" + h.DSN, "DRIFTLESS_DATA_DIR=" + filepath.Join(h.Folder, "data"),
		"DRIFTLESS_LOG=warn", "DRIFTLESS_REFRESH_GRACE=1ns", "DRIFTLESS_LIMIT_TOKEN_REQUESTS=" + many, "DRIFTLESS_LIMIT_CALLS=" + many,
	}
	found := exec.CommandContext(ctx, p.driftless, "admin", "bootstrap", "--email", ownerEmail, "--workspace", workspace, "--password-stdin", "--json")
	found.Env, found.Stdin = process.Environment(env), strings.NewReader(ownerPassword+"\n")
	if said, err := found.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("found a workspace: %w: %s", err, said)
	}
	said, err := exec.CommandContext(ctx, p.driftless, "version").Output()
	if err != nil {
		return nil, fmt.Errorf("ask for the version: %w", err)
	}
	version, _, _ := bytes.Cut(bytes.TrimSpace(said), []byte("\n"))
	running, err := h.Start(ctx, "driftless", env, p.driftless, "serve")
	if err != nil {
		return nil, err
	}
	issuer := "http://" + addr
	s := &contender{name: "driftless", version: strings.TrimPrefix(string(version), "driftless "), token: issuer + "/oauth/token", dsn: h.DSN, process: running}
	if err := running.Answers(ctx, issuer+"/.well-known/oauth-authorization-server"); err != nil {
		return nil, err
	}
	person, err := signIn(ctx, issuer)
	if err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	s.authorize = person.authorize
	return s, nil
}

// person is the owner in a browser, without its pages.
type person struct {
	issuer  string
	browser *http.Client
	csrf    map[string]string
	client  string
}

func signIn(ctx context.Context, issuer string) (*person, error) {
	b, err := browser()
	if err != nil {
		return nil, err
	}
	var session struct {
		CSRF string `json:"csrf_token"`
	}
	err = send(ctx, b, http.MethodPost, issuer+"/api/v1/session", nil, map[string]string{"email": ownerEmail, "password": ownerPassword}, &session)
	if err != nil {
		return nil, err
	}
	p := &person{issuer: issuer, browser: b, csrf: map[string]string{"X-CSRF-Token": session.CSRF}}
	p.client, err = register(ctx, issuer+"/oauth/register", "")
	return p, err
}

// register makes a public client by RFC 7591.
func register(ctx context.Context, to, scope string) (id string, err error) {
	b, err := browser()
	if err != nil {
		return "", err
	}
	client := map[string]any{
		"client_name": "Bench", "redirect_uris": []string{redirect}, "token_endpoint_auth_method": "none",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
	}
	if scope != "" {
		client["scope"] = scope
	}
	var made struct {
		ID string `json:"client_id"`
	}
	err = send(ctx, b, http.MethodPost, to, nil, client, &made)
	return made.ID, err
}

func (p *person) authorize(ctx context.Context) (ticket, error) {
	t, query := ask(p.client, "context:read")
	where, err := follow(ctx, p.browser, p.issuer+"/oauth/authorize?"+query.Encode(), p.issuer)
	if err != nil {
		return t, err
	}
	request := p.issuer + "/api/v1/oauth/requests/" + where.Query().Get("request")
	var next struct {
		To string `json:"redirect_to"`
	}
	allowed := map[string]any{"approve": true, "scopes": strings.Fields(query.Get("scope")), "workspaces": []string{workspace}}
	if err := send(ctx, p.browser, http.MethodPost, request, p.csrf, allowed, &next); err != nil {
		return t, err
	}
	back, err := url.Parse(next.To)
	if err != nil {
		return t, err
	}
	return t.with(back)
}
