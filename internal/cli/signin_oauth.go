package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"time"

	"driftless/internal/fault"
	"driftless/internal/opaque"
)

// signInTimeout bounds how long a person may take.
const signInTimeout = 10 * time.Minute

// signIn lets a person sign this program in with their browser, here or on another machine.
func (c *client) signIn(ctx context.Context, onDevice bool) error {
	server, err := c.server()
	if err != nil {
		return err
	}
	m, err := c.issuerOf(ctx, server)
	if err != nil {
		return err
	}
	clientID, err := c.register(ctx, m)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, signInTimeout)
	defer stop()
	way := c.inBrowser
	if onDevice {
		way = c.onDevice
	}
	t, err := way(ctx, m, clientID)
	var known *protocolError
	if errors.As(err, &known) {
		return signInRefused(known)
	}
	if err != nil {
		return err
	}
	before, err := remember(ctx, server, credential{Tokens: &t})
	if err != nil {
		return err
	}
	c.say("signed in to %s", server)
	if before.Tokens != nil {
		// Nobody can use the earlier sign-in any more, so that it need not live on; if it does, it ends by itself.
		_ = c.endTokens(ctx, server, *before.Tokens)
	}
	return nil
}

// signInOnce signs in with the browser, unless another program of this person has done so meanwhile.
func (c *client) signInOnce(ctx context.Context) error {
	server, err := c.server()
	if err != nil {
		return err
	}
	return locked(ctx, errandSignIn, server, func() error {
		if _, key, err := c.access(); err != nil || key != "" {
			return err
		}
		return c.signIn(ctx, false)
	})
}

// inBrowser is the code grant of a native program (RFC 8252): the answer comes to a port on this machine.
func (c *client) inBrowser(ctx context.Context, m issuer, clientID string) (tokens, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return tokens{}, fmt.Errorf("listen for the browser: %w", err)
	}
	state, verifier := opaque.New(""), opaque.New("")
	redirect := "http://" + l.Addr().String() + "/callback"
	address := m.Authorization + "?" + url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {redirect}, "state": {state},
		"code_challenge": {challengeOf(verifier)}, "code_challenge_method": {"S256"},
	}.Encode()
	c.say("sign in in your browser; if none opens, go to\n  %s", address)
	if err := c.openBrowser(ctx, address); err != nil {
		c.say("note: no browser could be opened (%v); without one on this machine, use --device", err)
	}
	code, err := awaitCode(ctx, l, m.Issuer, state)
	if err != nil {
		return tokens{}, err
	}
	return c.tokensFor(ctx, m, clientID, url.Values{
		"grant_type": {grantCode}, "code": {code}, "redirect_uri": {redirect}, "code_verifier": {verifier},
	})
}

// awaitCode serves the one request with which the browser comes back. A request that is not the answer to ours is told so and
// changes nothing.
func awaitCode(ctx context.Context, l net.Listener, issuer, state string) (string, error) {
	type result struct {
		code string
		err  error
	}
	got := make(chan result, 1)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		q := r.URL.Query()
		if r.URL.Path != "/callback" || q.Get("state") != state || q.Get("iss") != issuer {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		out, text := result{code: q.Get("code")}, "You are signed in. This window can be closed."
		if out.code == "" {
			out.err = &protocolError{Code: q.Get("error"), Description: q.Get("error_description")}
			text = "Nothing was allowed. This window can be closed."
		}
		_, _ = io.WriteString(w, text+"\n")
		select {
		case got <- out:
		default: // the browser came twice
		}
	})}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	var out result
	select {
	case out = <-got:
	case err := <-served:
		return "", fmt.Errorf("wait for the browser: %w", err)
	case <-ctx.Done():
		out.err = tooLong(ctx)
	}
	// The page that the browser is being shown is finished first.
	done, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stop()
	if err := server.Shutdown(done); err != nil {
		out.err = errors.Join(out.err, server.Close())
	}
	return out.code, out.err
}

// onDevice is the grant of devices (RFC 8628): the person enters a code elsewhere, and this program asks until they did.
func (c *client) onDevice(ctx context.Context, m issuer, clientID string) (tokens, error) {
	if m.Device == "" {
		return tokens{}, usagef("this server has no sign-in of devices; use --key-stdin")
	}
	var d deviceCodes
	if err := c.post(ctx, m.Device, url.Values{"client_id": {clientID}}, &d); err != nil {
		return tokens{}, err
	}
	c.say("open %s in a browser and enter the code %s", printable(d.URI), printable(d.UserCode))
	for interval := d.interval(); ; {
		pause := time.NewTimer(interval)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return tokens{}, tooLong(ctx)
		}
		t, err := c.tokensFor(ctx, m, clientID, url.Values{"grant_type": {grantDevice}, "device_code": {d.DeviceCode}})
		var known *protocolError
		switch {
		case err == nil:
			return t, nil
		case !errors.As(err, &known) || known.Code != "authorization_pending" && known.Code != "slow_down":
			return tokens{}, err
		case known.Code == "slow_down":
			interval += pollStep
		}
	}
}

func tooLong(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return interrupted(ctx)
	}
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "nobody signed in within ten minutes", "run 'driftless login' again").Because(ctx.Err())
}

// openBrowser opens an address with the program that $BROWSER names, or with the system's own.
func (c *client) openBrowser(ctx context.Context, address string) error {
	name, args := "xdg-open", []string{address}
	switch chosen := c.env("BROWSER"); {
	case chosen != "":
		name = chosen
	case runtime.GOOS == "darwin":
		name = "open"
	case runtime.GOOS == "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}
