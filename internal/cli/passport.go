package cli

import (
	"context"
	"sync"

	"driftless/internal/fault"
)

// passport is how the bridge comes by a credential: it looks at each request, so that a sign-in or sign-out elsewhere on this
// machine counts at once, and where there is none, a person is asked in their browser.
type passport struct {
	c *client
	// life is the time of the bridge. A request that is cancelled does not end the sign-in that it waited for.
	life context.Context //nolint:containedctx // see above

	// alone is closed when the client has left: nobody waits for a person any more.
	alone chan struct{}

	mu      sync.Mutex
	attempt *attempt
}

// attempt is one sign-in in the browser.
type attempt struct {
	done chan struct{}
	err  error
}

// key answers the credential, and waits for a person where there is none. The error is a fault.
func (p *passport) key(ctx context.Context) (string, error) {
	if _, key, err := p.c.access(); err != nil || key != "" {
		return key, err
	}
	a := p.ask()
	select {
	case <-a.done:
	case <-p.alone:
		return "", fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "nobody has signed in",
			"run 'driftless login', or set DRIFTLESS_API_KEY to an API key from the console")
	case <-ctx.Done():
		return "", interrupted(ctx)
	}
	if a.err != nil {
		return "", a.err
	}
	_, key, err := p.c.access()
	return key, err
}

// ask starts a sign-in, or joins the one there is. Whoever said no is not asked again; a server that could not be reached is.
func (p *passport) ask() *attempt {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.attempt; a != nil {
		select {
		case <-a.done:
			if a.err == nil || fault.From(a.err).Kind != fault.Unavailable {
				return a
			}
		default:
			return a
		}
	}
	a := &attempt{done: make(chan struct{})}
	p.attempt = a
	go func() {
		defer close(a.done)
		a.err = p.c.signInOnce(p.life)
	}()
	return a
}

// advice says how to get a credential that the server takes.
func (p *passport) advice() string {
	if p.c.env("DRIFTLESS_API_KEY") != "" {
		return "DRIFTLESS_API_KEY is not valid here: make a new key in the console and put it into the configuration of the client"
	}
	return "run 'driftless login' and try again; the client need not be restarted"
}
