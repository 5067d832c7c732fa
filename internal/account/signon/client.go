package signon

import (
	"fmt"
	"net/http"
	"time"

	"driftless/internal/config"
)

// Limits of one answer of a provider.
const (
	answerTimeout = 10 * time.Second
	answerMax     = 1 << 20
)

// newClient talks to providers. It follows no redirect: an answer that leads elsewhere would take the client secret or a
// token there.
func newClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		transport = http.DefaultTransport
	}
	return &http.Client{
		Transport: guard{transport}, Timeout: answerTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// guard refuses to speak without TLS to other machines, whatever the metadata of an issuer says, and to read without end.
type guard struct{ next http.RoundTripper }

// RoundTrip sends one request.
func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && !config.ThisMachine(r.URL.Hostname()) {
		return nil, fmt.Errorf("%s is not reached over https", r.URL.Host)
	}
	answer, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = http.MaxBytesReader(nil, answer.Body, answerMax)
	return answer, nil
}
