package cli

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"driftless/internal/fault"
)

// The grants of the authorization server that this program uses.
const (
	grantCode    = "authorization_code"
	grantRefresh = "refresh_token"
	grantDevice  = "urn:ietf:params:oauth:grant-type:device_code"
)

// issuer is what is used of the metadata of the authorization server (RFC 8414 §2).
type issuer struct {
	Issuer        string `json:"issuer"`
	Authorization string `json:"authorization_endpoint"`
	Token         string `json:"token_endpoint"`
	Registration  string `json:"registration_endpoint"`
	Revocation    string `json:"revocation_endpoint"`
	Device        string `json:"device_authorization_endpoint"`
}

// issuerOf reads the metadata of a server. One that calls itself something else is not trusted with a sign-in (§3.3).
func (c *client) issuerOf(ctx context.Context, server string) (issuer, error) {
	var m issuer
	if err := c.fetch(ctx, server+"/.well-known/oauth-authorization-server", &m); err != nil {
		return m, err
	}
	if m.Issuer != server {
		return m, usagef("%s calls itself %s: sign in there with --url or DRIFTLESS_URL", server, printable(m.Issuer))
	}
	// Nothing is opened in a browser, and no token sent, but below the address that the person named.
	for _, endpoint := range []string{m.Authorization, m.Token, m.Registration, m.Revocation, m.Device} {
		if endpoint != "" && !strings.HasPrefix(endpoint, server+"/") {
			return m, usagef("%s names an endpoint elsewhere: %s", server, printable(endpoint))
		}
	}
	return m, nil
}

// fetch reads a JSON document that needs no credential.
func (c *client) fetch(ctx context.Context, address string, into any) error {
	r, err := c.request(ctx, http.MethodGet, address, "", nil)
	if err != nil {
		return err
	}
	raw, err := c.send(r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s is not JSON: a proxy may stand before the server: %w", address, err)
	}
	return nil
}

// register makes this program known to the server (RFC 7591) and answers its id. It has no secret: what a program carries, its
// user can read.
func (c *client) register(ctx context.Context, m issuer) (string, error) {
	name := "driftless"
	if host, err := os.Hostname(); err == nil {
		name += " on " + host
	}
	body, err := json.Marshal(map[string]any{
		"client_name": name, "redirect_uris": []string{"http://127.0.0.1/callback"}, "application_type": "native",
		"token_endpoint_auth_method": "none", "grant_types": []string{grantCode, grantRefresh, grantDevice},
	})
	if err != nil {
		return "", fmt.Errorf("encode a registration: %w", err)
	}
	r, err := c.request(ctx, http.MethodPost, m.Registration, "", body)
	if err != nil {
		return "", err
	}
	raw, err := c.send(r)
	if err != nil {
		return "", err
	}
	var out struct {
		ClientID string `json:"client_id"`
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return "", fmt.Errorf("read a registration: %w", err)
	}
	return out.ClientID, nil
}

// protocolError is an error of the protocol (RFC 6749 §5.2).
type protocolError struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

func (e *protocolError) Error() string {
	if e.Description == "" {
		return printable(e.Code)
	}
	return printable(e.Description)
}

// post sends parameters to an endpoint of the authorization server. A refusal of the protocol is a *protocolError.
func (c *client) post(ctx context.Context, address string, form url.Values, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}
	r.Header.Set("User-Agent", "driftless-cli/"+c.Version)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	raw, err := c.exchange(r, func(w *http.Response, raw []byte) error {
		var known protocolError
		if json.Unmarshal(raw, &known) != nil || known.Code == "" {
			return refused(w, raw)
		}
		if w.StatusCode == http.StatusTooManyRequests || w.StatusCode >= http.StatusInternalServerError {
			return busy(w, known)
		}
		return &known
	})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("read the answer of the authorization server: %w", err)
	}
	return nil
}

// busy is a refusal of the moment, which says nothing about what was sent.
func busy(w *http.Response, known protocolError) *fault.Error {
	kind, code := kindOf(w.StatusCode, ""), fault.CodeUnavailable
	if kind == fault.Rate {
		code = fault.CodeRateLimited
	}
	e := fault.New(kind, code, w.Request.URL.Host+" refuses for the moment: "+known.Error(), "try again in a moment")
	if seconds, err := strconv.Atoi(w.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.RetryAfter, e.Hint = time.Duration(seconds)*time.Second, fmt.Sprintf("try again in %d seconds", seconds)
	}
	return e
}

// tokens is what is remembered of a sign-in: who this program is to the server, and its pair.
type tokens struct {
	ClientID string `json:"client_id"`
	Access   string `json:"access_token"`
	Refresh  string `json:"refresh_token"`
	// Expires is when the access token ends; then it is traded for another.
	Expires time.Time `json:"expires,omitzero"`
}

func (c *client) tokensFor(ctx context.Context, m issuer, clientID string, form url.Values) (tokens, error) {
	form.Set("client_id", clientID)
	var answer struct {
		tokens
		ExpiresIn int `json:"expires_in"` // seconds (RFC 6749 §5.1)
	}
	err := c.post(ctx, m.Token, form, &answer)
	out := answer.tokens
	out.ClientID = clientID
	if answer.ExpiresIn > 0 {
		out.Expires = time.Now().Add(time.Duration(answer.ExpiresIn) * time.Second).UTC().Truncate(time.Second)
	}
	return out, err
}

func signInRefused(err error) error {
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, fmt.Sprintf("not signed in: %v", err), "run 'driftless login' again").Because(err)
}

// deviceCodes is what a device is given to show (RFC 8628 §3.2).
type deviceCodes struct {
	DeviceCode string `json:"device_code"`
	UserCode   string `json:"user_code"`
	URI        string `json:"verification_uri"`
	ExpiresIn  int    `json:"expires_in"`
	Interval   *int   `json:"interval"`
}

// Without an interval a device waits 5 s between two polls, and 5 s longer each time it is told to slow down (RFC 8628 §3.5).
const pollStep = 5 * time.Second

func (d deviceCodes) interval() time.Duration {
	if d.Interval == nil {
		return pollStep
	}
	return time.Duration(*d.Interval) * time.Second
}

// challengeOf is the S256 of a verifier (RFC 7636 §4.2).
func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
