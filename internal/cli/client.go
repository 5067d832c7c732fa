package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"driftless/internal/fault"
)

const defaultURL = "http://127.0.0.1:8080"

// answerMax is the largest answer that is read, in bytes.
const answerMax = 64 << 20

// server is the address without a slash at its end: flag, environment, default.
func (c *client) server() (string, error) {
	text := c.url
	if text == "" {
		text = c.env("DRIFTLESS_URL")
	}
	if text == "" {
		text = defaultURL
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", usagef("%q is not the address of a server, such as %s", text, defaultURL)
	}
	if u.User != nil {
		return "", usagef("the address of the server must not hold a credential; use DRIFTLESS_API_KEY or driftless login")
	}
	return strings.TrimRight(text, "/"), nil
}

// access is the server and the credential for it: environment, then what was remembered. Empty means there is none.
func (c *client) access() (server, key string, err error) {
	if server, err = c.server(); err != nil {
		return "", "", err
	}
	if key = strings.TrimSpace(c.env("DRIFTLESS_API_KEY")); key != "" {
		return server, key, nil
	}
	known, err := loadCredentials()
	return server, known[server].secret(), err
}

// request makes a request to the server with the credential and the name of this program.
func (c *client) request(ctx context.Context, method, address, key string, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	r.Header.Set("User-Agent", "driftless-cli/"+c.Version)
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// call sends the input to a route with the credential, in the workspace where the route has one.
func (c *client) call(ctx context.Context, method, path string, input map[string]any) ([]byte, error) {
	server, key, err := c.access()
	if err != nil {
		return nil, err
	}
	if key == "" {
		return nil, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "not signed in to "+server,
			"run 'driftless login', or set DRIFTLESS_API_KEY to an API key from the console")
	}
	if strings.Contains(path, "{workspace}") {
		workspace, err := c.inWorkspace(ctx)
		if err != nil {
			return nil, err
		}
		path = strings.Replace(path, "{workspace}", url.PathEscape(workspace), 1)
	}
	return c.ask(ctx, server, key, method, path, input)
}

// callPublic reads what is open to anybody. No credential is sent, and none is needed.
func (c *client) callPublic(ctx context.Context, method, path string, input map[string]any) ([]byte, error) {
	server, err := c.server()
	if err != nil {
		return nil, err
	}
	workspace := c.chosenWorkspace()
	if workspace == "" {
		return nil, usagef("name the workspace with --workspace or DRIFTLESS_WORKSPACE: public knowledge is read without an account")
	}
	return c.ask(ctx, server, "", method, strings.Replace(path, "{workspace}", url.PathEscape(workspace), 1), input)
}

// ask sends the input: the parameters of the path, then the query of a read or deletion, or a JSON body.
func (c *client) ask(ctx context.Context, server, key, method, path string, input map[string]any) ([]byte, error) {
	for name, value := range input {
		if hole := "{" + name + "}"; strings.Contains(path, hole) {
			path = strings.Replace(path, hole, url.PathEscape(fmt.Sprint(value)), 1)
			delete(input, name)
		}
	}
	address, body := server+path, []byte(nil)
	if method == http.MethodGet || method == http.MethodDelete {
		if q := query(input).Encode(); q != "" {
			address += "?" + q
		}
	} else {
		var err error
		if body, err = json.Marshal(input); err != nil {
			return nil, fmt.Errorf("encode the input: %w", err)
		}
	}
	r, err := c.request(ctx, method, address, key, body)
	if err != nil {
		return nil, err
	}
	return c.send(r)
}

// query writes an input as a query: a list as its elements, an object as JSON.
func query(input map[string]any) url.Values {
	q := url.Values{}
	for name, value := range input {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				q.Add(name, plain(item))
			}
		default:
			q.Set(name, plain(v))
		}
	}
	return q
}

func plain(value any) string {
	switch value.(type) {
	case map[string]any, []any:
		return compact(value)
	}
	return fmt.Sprint(value)
}

func compact(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(raw)
}

// send answers the body of a success; everything else is a fault.
func (c *client) send(r *http.Request) ([]byte, error) {
	return c.exchange(r, func(w *http.Response, raw []byte) error { return refused(w, raw) })
}

// exchange sends a request and answers the body of a success; refusal reads everything else.
func (c *client) exchange(r *http.Request, refusal func(*http.Response, []byte) error) ([]byte, error) {
	w, err := c.http.Do(r)
	if err != nil {
		if r.Context().Err() != nil {
			return nil, interrupted(r.Context())
		}
		return nil, unreachable(r.URL, err)
	}
	defer func() { _ = w.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(w.Body, answerMax))
	if err != nil {
		return nil, unreachable(r.URL, err)
	}
	if w.StatusCode/100 != 2 {
		return nil, refusal(w, raw)
	}
	return raw, nil
}

// refused rebuilds the fault behind an answer. What is not a problem of the product, such as the page of a proxy, is told by
// its status.
func refused(w *http.Response, raw []byte) *fault.Error {
	var wire fault.Wire
	if json.Unmarshal(raw, &wire) != nil || wire.Code == "" {
		return fault.New(kindOf(w.StatusCode, ""), fault.CodeUnavailable, fmt.Sprintf("%s answered %s", w.Request.URL.Host, w.Status),
			"check that DRIFTLESS_URL names a Driftless server")
	}
	e := fault.New(kindOf(w.StatusCode, wire.Code), wire.Code, wire.Message, wire.Hint)
	e.Fields, e.Allowed, e.Current, e.Changes = wire.Fields, wire.Allowed, wire.Current, wire.ChangesSinceBase
	e.RetryAfter = time.Duration(wire.RetryAfterSeconds) * time.Second
	if e.Kind == fault.Internal && wire.RequestID != "" {
		e.Hint += " (request_id " + wire.RequestID + ")"
	}
	return e
}

// kindOf is the inverse of [fault.Kind.HTTPStatus], with the code where one status serves two kinds.
func kindOf(status int, code fault.Code) fault.Kind {
	switch status {
	case http.StatusUnauthorized:
		return fault.Unauthenticated
	case http.StatusForbidden:
		if code == fault.CodeInsufficientScope {
			return fault.Scope
		}
		return fault.Forbidden
	case http.StatusNotFound, http.StatusGone:
		return fault.NotFound
	case http.StatusConflict, http.StatusPreconditionFailed:
		return fault.Conflict
	case http.StatusRequestEntityTooLarge:
		return fault.Limit
	case http.StatusTooManyRequests:
		return fault.Rate
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return fault.Unavailable
	}
	if status >= 400 && status < 500 {
		return fault.Invalid
	}
	return fault.Internal
}

// get reads one answer into a value.
func (c *client) get(ctx context.Context, path string, input map[string]any, into any) error {
	raw, err := c.call(ctx, http.MethodGet, path, input)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}

// chosenWorkspace is the workspace that flag or environment name, or empty.
func (c *client) chosenWorkspace() string {
	if c.workspace != "" {
		return c.workspace
	}
	return c.env("DRIFTLESS_WORKSPACE")
}

// inWorkspace is the workspace to work in: the chosen one, or the only one the credential reaches, which is looked up once.
func (c *client) inWorkspace(ctx context.Context) (string, error) {
	if chosen := c.chosenWorkspace(); chosen != "" {
		return chosen, nil
	}
	var page struct {
		Results []struct {
			Slug string `json:"slug"`
		} `json:"results"`
	}
	if err := c.get(ctx, "/api/v1/workspaces", map[string]any{}, &page); err != nil {
		return "", err
	}
	switch len(page.Results) {
	case 0:
		return "", fault.New(fault.Forbidden, fault.CodeInsufficientRole, "this credential reaches no workspace", "ask an owner to invite you")
	case 1:
		c.workspace = page.Results[0].Slug
		return c.workspace, nil
	}
	words := make([]string, 0, len(page.Results))
	for _, w := range page.Results {
		words = append(words, w.Slug)
	}
	return "", usagef("this credential reaches several workspaces: name one of %s with --workspace or DRIFTLESS_WORKSPACE", strings.Join(words, ", "))
}
