package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"

	"driftless/bench/process"
)

// startHydra runs ory/hydra with opaque tokens, PKCE for public clients, and its log quiet. Its --dev allows an issuer without TLS.
func startHydra(ctx context.Context, p plan, h *process.House) (*contender, error) {
	dsn, err := createDatabase(ctx, h.DSN, "hydra")
	if err != nil {
		return nil, err
	}
	public, err := process.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}
	private, err := process.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}
	most := strconv.Itoa(connections())
	env := []string{
		"DSN=" + dsn + "&max_conns=" + most + "&max_idle_conns=" + most,
		"SECRETS_SYSTEM=not-a-secret-of-anybody", "LOG_LEVEL=error", "SQA_OPT_OUT=true",
		"SERVE_PUBLIC_HOST=127.0.0.1", "SERVE_PUBLIC_PORT=" + port(public), "SERVE_ADMIN_HOST=127.0.0.1", "SERVE_ADMIN_PORT=" + port(private),
		"URLS_SELF_ISSUER=http://" + public, "URLS_LOGIN=http://127.0.0.1:9/login", "URLS_CONSENT=http://127.0.0.1:9/consent",
		"OAUTH2_PKCE_ENFORCED_FOR_PUBLIC_CLIENTS=true", "STRATEGIES_ACCESS_TOKEN=opaque",
	}
	migrate := exec.CommandContext(ctx, p.hydra, "migrate", "sql", "up", "-e", "--yes")
	migrate.Env = process.Environment(env)
	if said, err := migrate.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("migrate the database of hydra: %w: %s", err, said)
	}
	running, err := h.Start(ctx, "hydra", env, p.hydra, "serve", "all", "--dev")
	if err != nil {
		return nil, err
	}
	at := hydra{public: "http://" + public, admin: "http://" + private + "/admin"}
	s := &contender{
		name: "hydra", version: moduleVersion(p.hydra), token: at.public + "/oauth2/token", dsn: dsn, process: running, authorize: at.authorize,
	}
	if err := running.Answers(ctx, "http://"+private+"/health/ready"); err != nil {
		return nil, err
	}
	client := map[string]any{
		"client_id": hydraClient, "redirect_uris": []string{redirect}, "token_endpoint_auth_method": "none", "scope": hydraScope,
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
	}
	var made struct{}
	return s, send(ctx, &http.Client{Timeout: process.Patience}, http.MethodPost, at.admin+"/clients", nil, client, &made)
}

const (
	hydraClient = "6f0f0d5e-8a06-4a53-8d0c-cc4d0a3f3d55"
	hydraScope  = "read offline_access" // a refresh token is given for the second word
)

type hydra struct{ public, admin string }

// authorize agrees to both questions at the admin address, as the pages would that hydra leaves to others.
func (h hydra) authorize(ctx context.Context) (ticket, error) {
	t, query := ask(hydraClient, hydraScope)
	b, err := browser()
	if err != nil {
		return t, err
	}
	at := h.public + "/oauth2/auth?" + query.Encode()
	for _, question := range []struct {
		name   string
		answer map[string]any
	}{
		{"login", map[string]any{"subject": "person"}},
		{"consent", map[string]any{"grant_scope": strings.Fields(hydraScope)}},
	} {
		where, err := follow(ctx, b, at, "http://127.0.0.1:9/"+question.name)
		if err != nil {
			return t, err
		}
		challenge := question.name + "_challenge"
		accept := h.admin + "/oauth2/auth/requests/" + question.name + "/accept?" + url.Values{challenge: {where.Query().Get(challenge)}}.Encode()
		var next struct {
			To string `json:"redirect_to"`
		}
		if err := send(ctx, b, http.MethodPut, accept, nil, question.answer, &next); err != nil {
			return t, err
		}
		at = next.To
	}
	where, err := follow(ctx, b, at, redirect)
	if err != nil {
		return t, err
	}
	return t.with(where)
}
