package cli

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

const (
	// atOnce is how many requests the bridge has under way; more of them wait for one to end.
	atOnce = 32
	// waitingMax is how many may wait; the next one is refused, so that a client that only writes costs bounded memory.
	waitingMax = 1024
	// lastAnswers is how long answers may take after the input ended.
	lastAnswers = 10 * time.Second
	// lastMoment is how long requests that were stopped, and the end of a session, may take.
	lastMoment = time.Second
)

// bridge carries MCP between standard input and output and the server's HTTP endpoint: one JSON-RPC message a line (MCP
// 2025-06-18 and 2026-07-28, transport stdio). Nothing else is ever written to standard output.
//
// A message goes through the files in this order: bridge_input reads the line, bridge_calls keeps it by its id,
// bridge_send carries it over HTTP, bridge_session adds what revisions with a handshake agreed on, and bridge_answer writes
// what comes back.
type bridge struct {
	c        *client
	endpoint string
	http     *http.Client
	pass     *passport
	calls    calls
	session  session

	out sync.Mutex // one message at a time
}

func (c *client) bridgeCommand() *cobra.Command {
	toolset, readonly := "", false
	cmd := &cobra.Command{
		Use: "mcp", Short: "Speak MCP over standard input and output",
		Long: "Carries MCP messages between a client that starts programs and the server. Configure it in such a client as the command\n" +
			"'driftless' with the argument 'mcp'. The credential is DRIFTLESS_API_KEY, or the sign-in of this machine; where there is\n" +
			"neither, a browser opens once and every bridge that was started meanwhile shares that sign-in.",
		Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := c.newBridge(cmd.Context(), toolset, readonly)
			if err != nil {
				return err
			}
			return b.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&toolset, "toolset", "", "only these sets of tools, such as core")
	cmd.Flags().BoolVar(&readonly, "readonly", false, "only tools that read")
	return cmd
}

func (c *client) newBridge(ctx context.Context, toolset string, readonly bool) (*bridge, error) {
	server, _, err := c.access()
	if err != nil {
		return nil, err
	}
	q := url.Values{}
	if toolset != "" {
		q.Set("toolset", toolset)
	}
	if readonly {
		q.Set("readonly", "1")
	}
	if workspace := c.chosenWorkspace(); workspace != "" {
		q.Set("workspace", workspace)
	}
	b := &bridge{
		c: c, endpoint: server + "/mcp", pass: &passport{c: c, life: ctx, alone: make(chan struct{})}, calls: calls{byID: map[string]*call{}},
		// The time that a request may take is the client's to decide: it can cancel. A redirect would turn a POST into a GET.
		http: &http.Client{
			Transport:     c.http.Transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if len(q) > 0 {
		b.endpoint += "?" + q.Encode()
	}
	return b, nil
}

// run serves until the input ends or ctx does; then requests under way get a moment to finish.
func (b *bridge) run(ctx context.Context) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	var group sync.WaitGroup
	b.serve(work, &group)
	close(b.pass.alone)
	if ctx.Err() == nil {
		await(&group, lastAnswers)
	}
	stop()
	// A client that no longer reads would hold a writer for ever.
	await(&group, lastMoment)
	b.session.end(context.WithoutCancel(ctx), b)
	return nil
}

// serve reads messages and starts what each one asks for. It returns when the input or ctx ends.
func (b *bridge) serve(ctx context.Context, group *sync.WaitGroup) {
	slots, waiting := make(chan struct{}, atOnce), make(chan struct{}, atOnce+waitingMax)
	// hello is closed once the handshake before a message has been answered: messages after it may depend on it.
	hello := closed()
	for line := range lines(ctx, b.c.In) {
		m, ok := b.read(ctx, line)
		if !ok || m.Method == methodCancelled && b.calls.cancel(m.Params.RequestID) {
			continue
		}
		select {
		case waiting <- struct{}{}:
		default:
			b.refuse(ctx, m, tooMany())
			continue
		}
		before, answered := hello, make(chan struct{})
		if m.handshake() {
			hello = answered
		}
		request, done := b.calls.begin(ctx, m)
		group.Go(func() {
			defer func() { <-waiting }()
			defer close(answered)
			defer done()
			// The reader never waits for these: what frees a place may be a cancellation that it has yet to read.
			select {
			case <-before:
			case <-request.Done():
				return
			}
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
				b.forward(request, m)
			case <-request.Done():
			}
		})
	}
}

func closed() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// await waits for a group, but no longer than limit.
func await(group *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}
