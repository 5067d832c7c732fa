package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"driftless/bench/process"
)

// contender is one authorization server under load.
type contender struct {
	name    string
	version string
	token   string // address of the token endpoint
	dsn     string // of its database
	process *process.Process
	// authorize goes the way of a person through the server, to a code.
	authorize func(ctx context.Context) (ticket, error)

	before, after stored
	grants        int
	issued        []string // of the last sequence, to look for in the database
	strict        bool     // a refresh token that is used twice ends what it gave
	turns         map[int][]turn
}

// redirect is where codes are sent; nobody listens there, they are read off the address.
const redirect = "http://127.0.0.1:9/callback"

// ticket is a code with what its redemption needs.
type ticket struct {
	client   string
	code     string
	verifier string
}

func (t ticket) form() url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "client_id": {t.client}, "code": {t.code}, "redirect_uri": {redirect},
		"code_verifier": {t.verifier},
	}
}

// ask begins the way to a code: a new verifier and the parameters of the authorization endpoint.
func ask(client, scope string) (ticket, url.Values) {
	t := ticket{client: client, verifier: rand.Text() + rand.Text()}
	sum := sha256.Sum256([]byte(t.verifier))
	return t, url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {redirect}, "state": {rand.Text()}, "scope": {scope},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}
}

// with takes the code off the address that the browser was sent to.
func (t ticket) with(where *url.URL) (ticket, error) {
	if t.code = where.Query().Get("code"); t.code == "" || !strings.HasPrefix(where.String(), redirect) {
		return t, fmt.Errorf("no code in %s", where)
	}
	return t, nil
}

// browser keeps cookies and follows nothing by itself.
func browser() (*http.Client, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// follow goes from redirection to redirection until one of them is at the address last.
func follow(ctx context.Context, browser *http.Client, at, last string) (*url.URL, error) {
	for range 10 {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
		if err != nil {
			return nil, err
		}
		got, err := browser.Do(r)
		if err != nil {
			return nil, err
		}
		said, err := io.ReadAll(got.Body)
		_ = got.Body.Close()
		if err != nil {
			return nil, err
		}
		to, err := got.Location()
		if err != nil {
			return nil, fmt.Errorf("%s answered %d without a way on: %s", at, got.StatusCode, said)
		}
		if at = to.String(); strings.HasPrefix(at, last) {
			return to, nil
		}
	}
	return nil, fmt.Errorf("the browser is sent around: %s", at)
}

// send sends a JSON body and reads one.
func send(ctx context.Context, client *http.Client, method, to string, headers map[string]string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, to, strings.NewReader(string(raw)))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	got, err := client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = got.Body.Close() }()
	said, err := io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	if got.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %d %s", method, to, got.StatusCode, said)
	}
	if err := json.Unmarshal(said, into); err != nil {
		return fmt.Errorf("%s %s: %w", method, to, err)
	}
	return nil
}
