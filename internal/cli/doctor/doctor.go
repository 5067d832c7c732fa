// Package doctor owns the diagnosis of a server and of what stands before it: it does what an AI client does, in its order, and
// names each thing that would make one fail, with what was seen, why that matters and the cure.
//
// It refuses to change anything: it registers no client, signs nobody in, and calls no tool. It talks to the address that it was
// given and to no other, whatever the documents there name; what it reads there is data that is shown quoted and cut; and it
// never shows the credential, nor sends one over plain http to another machine.
package doctor

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	requestTimeout = 10 * time.Second
	wholeTimeout   = time.Minute
)

// Options says what is looked at.
type Options struct {
	// Address is the server's or its endpoint's, as a client was given it; a path /mcp at its end is the endpoint.
	Address string
	// Credential answers a key or an access token to go the whole way with, or nothing. It is asked once the credential could be
	// sent in safety; nil is none.
	Credential func(context.Context) (string, error)
	// ClientID is what a client calls itself at the authorization server, or empty.
	ClientID string
	// Agent is the User-Agent header.
	Agent string
	// Transport is [http.DefaultTransport] where nil.
	Transport http.RoundTripper
	// Now is [time.Now] where nil.
	Now func() time.Time
}

// check is one thing that is looked at.
type check struct {
	name string
	// gate ends the visit where the check finds something broken: all later ones would find the same again.
	gate bool
	look func(context.Context, *visit) []Finding
}

// checks are looked at in this order, which is the order in which a client meets them. To add one, write a function that asks
// through the visit and answers what it found, and give it its place here.
func checks() []check {
	return []check{
		{name: "address", look: address},
		{name: "network", gate: true, look: network},
		{name: "redirects", gate: true, look: redirects},
		{name: "gateway", gate: true, look: gateway},
		{name: "host name", gate: true, look: hostName},
		{name: "clock", look: clock},
		{name: "challenge", look: challenge},
		{name: "GET", look: getStream},
		{name: "authorization header", look: headerArrives},
		{name: "body size", look: bodySize},
		{name: "compression", look: compression},
		{name: "documents", look: documents},
		{name: "public address", look: publicAddress},
		{name: "resource", look: resource},
		{name: "metadata", look: metadata},
		{name: "registration", look: registration},
		{name: "token endpoint", look: tokenEndpoint},
		{name: "client id", look: clientID},
		{name: "browsers", look: browsers},
		{name: "initialize", look: initialize},
		{name: "server/discover", look: discover},
		{name: "tools/list", look: listTools},
	}
}

// Run looks at everything, for at most a minute. The error is about an address that is none.
func Run(ctx context.Context, o Options) (Report, error) {
	v, err := newVisit(o)
	if err != nil {
		return Report{}, err
	}
	ctx, stop := context.WithTimeout(ctx, wholeTimeout)
	defer stop()
	report := Report{Endpoint: v.endpoint(), Results: []Finding{}}
	for _, c := range checks() {
		if ctx.Err() != nil {
			report.add(c.name, v, Finding{
				ID: "time", Severity: Broken, Seen: "the checks were not finished within " + wholeTimeout.String(),
				Why: "clients give up on a server that answers this slowly", Cure: "see what the server and the proxy before it wait for",
			})
			break
		}
		v.note = ""
		found := c.look(ctx, v)
		if len(found) == 0 {
			report.add(c.name, v, Finding{Severity: OK, Seen: v.note})
			continue
		}
		broken := false
		for _, f := range found {
			broken = broken || f.Severity == Broken
			report.add(c.name, v, f)
		}
		if broken && c.gate {
			break
		}
	}
	return report, nil
}

// Server is the address of the server behind what a client was given: without the endpoint and without a slash at its end.
func Server(given string) string {
	u, err := url.Parse(strings.TrimSpace(given))
	if err != nil {
		return given
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/mcp")
	u.RawQuery, u.Fragment = "", ""
	return strings.TrimRight(u.String(), "/")
}
