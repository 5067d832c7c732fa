// Command gosdk is an MCP client built on the Go SDK alone, for the end-to-end tests: it registers itself, signs in with PKCE
// over a loopback callback, and calls tools.
//
// It owns the conversation with the SDK and speaks JSON lines with the test that started it: one event a line on stdout, one
// call a line on stdin. It refuses everything that the SDK does not do by itself: it knows no route of the server but the MCP
// address, opens no browser, repairs no answer and imports nothing of the product, so that it fails where a client of somebody
// else would.
//
//	gosdk http://127.0.0.1:8080/mcp
//	→ {"event":"authorize","url":"http://127.0.0.1:8080/oauth/authorize?…"}   to open in a browser
//	→ {"event":"token","grant":"authorization_code","status":200}             each request for a token
//	→ {"event":"ready","server":"driftless","protocol":"2026-07-28","tools":["…"]}
//	← {"id":1,"call":"driftless_context_get","arguments":{"topic":"billing-retries"}}
//	→ {"event":"result","id":1,"is_error":false,"structured":{…},"text":"…"}
//
// The end of stdin ends it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// name is what the consent page shows for this client.
const name = "Driftless e2e (Go SDK)"

type event struct {
	Event string `json:"event"`

	URL string `json:"url,omitempty"` // authorize

	Grant  string `json:"grant,omitempty"` // token
	Status int    `json:"status,omitempty"`

	Server   string   `json:"server,omitempty"` // ready
	Protocol string   `json:"protocol,omitempty"`
	Tools    []string `json:"tools,omitempty"`

	ID         int    `json:"id,omitempty"` // result
	IsError    bool   `json:"is_error"`
	Structured any    `json:"structured,omitempty"`
	Text       string `json:"text,omitempty"`
	Error      string `json:"error,omitempty"` // the call itself failed
}

type command struct {
	ID        int            `json:"id"`
	Call      string         `json:"call"`
	Arguments map[string]any `json:"arguments"`
}

// lines writes events, one a line, from any goroutine.
type lines struct {
	mu  sync.Mutex
	out *json.Encoder
}

func (l *lines) write(e event) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Encode(e)
}

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gosdk:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) (err error) {
	if len(args) != 1 {
		return errors.New("usage: gosdk MCP-ADDRESS")
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	events := &lines{out: encoder}
	back, err := listen(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, back.server.Close()) }()
	oauth, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: name, RedirectURIs: []string{back.url}, GrantTypes: []string{"authorization_code", "refresh_token"},
		}},
		RequestRefreshToken: true,
		Client:              &http.Client{Transport: watch{events}},
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			if err := events.write(event{Event: "authorize", URL: args.URL}); err != nil {
				return nil, err
			}
			return back.wait(ctx)
		},
	})
	if err != nil {
		return fmt.Errorf("prepare the sign-in: %w", err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "driftless-e2e", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: args[0], OAuthHandler: oauth}, nil)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	ready := event{Event: "ready", Protocol: session.InitializeResult().ProtocolVersion, Server: session.InitializeResult().ServerInfo.Name}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return fmt.Errorf("list the tools: %w", err)
		}
		ready.Tools = append(ready.Tools, tool.Name)
	}
	if err := events.write(ready); err != nil {
		return err
	}
	return serve(ctx, session, in, events)
}

// serve makes the calls that arrive until there are no more.
func serve(ctx context.Context, session *mcp.ClientSession, in io.Reader, events *lines) error {
	input := bufio.NewScanner(in)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		var c command
		if err := json.Unmarshal(input.Bytes(), &c); err != nil {
			return fmt.Errorf("read a command: %w", err)
		}
		if err := events.write(call(ctx, session, c)); err != nil {
			return err
		}
	}
	return input.Err()
}

func call(ctx context.Context, session *mcp.ClientSession, c command) event {
	e := event{Event: "result", ID: c.ID}
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: c.Call, Arguments: c.Arguments})
	if err != nil {
		e.Error = err.Error()
		return e
	}
	e.IsError, e.Structured = answer.IsError, answer.StructuredContent
	for _, part := range answer.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			e.Text += text.Text
		}
	}
	return e
}

// watch reports each request for a token, so that a test can see whether a token was refreshed.
type watch struct{ events *lines }

func (w watch) RoundTrip(r *http.Request) (*http.Response, error) {
	grant, err := grantOf(r)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || grant == "" {
		return answer, err
	}
	if err := w.events.write(event{Event: "token", Grant: grant, Status: answer.StatusCode}); err != nil {
		return nil, errors.Join(err, answer.Body.Close())
	}
	return answer, nil
}

// grantOf reads the grant type off a request for a token and leaves its body as it was.
func grantOf(r *http.Request) (string, error) {
	if r.GetBody == nil || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return "", nil
	}
	body, err := r.GetBody()
	if err != nil {
		return "", err
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return "", err
	}
	form, err := url.ParseQuery(string(raw))
	return form.Get("grant_type"), err
}

// callback is the loopback address that the browser returns to.
type callback struct {
	url    string
	server *http.Server
	came   chan url.Values
}

func listen(ctx context.Context) (*callback, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the browser: %w", err)
	}
	c := &callback{url: "http://" + listener.Addr().String() + "/callback", came: make(chan url.Values, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		select {
		case c.came <- r.URL.Query():
			_, _ = io.WriteString(w, "Signed in. You can close this page.")
		default:
			// One code is one answer: a second visit would mean that the page answered twice.
			http.Error(w, "The browser was here before.", http.StatusConflict)
		}
	})
	c.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = c.server.Serve(listener) }()
	return c, nil
}

func (c *callback) wait(ctx context.Context) (*auth.AuthorizationResult, error) {
	select {
	case q := <-c.came:
		if q.Has("error") {
			return nil, fmt.Errorf("the browser came back with %s: %s", q.Get("error"), q.Get("error_description"))
		}
		return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
