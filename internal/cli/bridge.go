package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"driftless/internal/fault"
)

// JSON-RPC 2.0 error codes; the last one is ours, for what HTTP or the network refused.
const (
	parseError  = -32700
	serverError = -32000
)

const (
	// atOnce is how many requests the bridge has under way; more of them wait for one to end.
	atOnce = 32
	// lastAnswers is how long answers may take after the input ended.
	lastAnswers = 5 * time.Second
)

// bridge carries MCP between standard input and output and the server's HTTP endpoint: one JSON-RPC message a line (MCP
// 2025-06-18 and 2026-07-28, transport stdio). Nothing else is ever written to standard output.
type bridge struct {
	c        *client
	endpoint string
	key      string

	out   sync.Mutex // one message at a time
	state sync.Mutex
	// version is what initialize agreed on; requests without a version of their own carry it.
	version string
	// underWay are the requests that notifications/cancelled can stop, by the JSON of their id.
	underWay map[string]context.CancelFunc
}

func (c *client) bridgeCommand() *cobra.Command {
	toolset, readonly := "", false
	cmd := &cobra.Command{
		Use: "mcp", Short: "Speak MCP over standard input and output",
		Long: "Carries MCP messages between a client that starts programs and the server, with the credential of this machine.\n" +
			"Configure it in such a client as the command 'driftless' with the argument 'mcp'.",
		Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := c.newBridge(toolset, readonly)
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

func (c *client) newBridge(toolset string, readonly bool) (*bridge, error) {
	server, key, err := c.access()
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
	b := &bridge{c: c, endpoint: server + "/mcp", key: key, underWay: map[string]context.CancelFunc{}}
	if len(q) > 0 {
		b.endpoint += "?" + q.Encode()
	}
	return b, nil
}

// message is what the bridge looks at in a message; the bytes travel as they are.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		URI       string          `json:"uri"`
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
}

// run serves until the input ends or ctx does; then requests under way get a moment to finish.
func (b *bridge) run(ctx context.Context) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	var group sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	lines := b.lines(work)
	for {
		select {
		case <-ctx.Done():
			stop()
			group.Wait()
			return nil
		case line, more := <-lines:
			if !more {
				timer := time.AfterFunc(lastAnswers, stop)
				defer timer.Stop()
				group.Wait()
				return nil
			}
			m, batch, ok := b.read(line)
			if !ok || m.Method == "notifications/cancelled" && b.cancel(m) {
				continue
			}
			request, done := b.begin(work, m, batch)
			group.Go(func() {
				defer done()
				// The reader never waits for a slot: what frees one may be a cancellation that it has yet to read.
				select {
				case slots <- struct{}{}:
					defer func() { <-slots }()
					b.forward(request, m, batch, line)
				case <-request.Done():
				}
			})
		}
	}
}

// lines reads the input. The channel ends with it.
func (b *bridge) lines(ctx context.Context) <-chan []byte {
	out := make(chan []byte)
	go func() {
		defer close(out)
		r := bufio.NewReader(b.c.In)
		for {
			line, err := r.ReadBytes('\n')
			if line = bytes.TrimSpace(line); len(line) > 0 {
				select {
				case out <- line:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}

// read looks into a line. One that is not JSON is answered here.
func (b *bridge) read(line []byte) (m message, batch, ok bool) {
	if !json.Valid(line) {
		b.fail(json.RawMessage("null"), parseError, "the line is not valid JSON", nil)
		return m, false, false
	}
	// Fields of another shape than MCP has are the server's to refuse.
	_ = json.Unmarshal(line, &m)
	return m, line[0] == '[', true
}

// begin makes a request that can be cancelled by its id.
func (b *bridge) begin(ctx context.Context, m message, batch bool) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	id := string(m.ID)
	if batch || id == "" || m.Method == "" {
		return ctx, cancel
	}
	b.state.Lock()
	defer b.state.Unlock()
	b.underWay[id] = cancel
	return ctx, func() {
		b.state.Lock()
		defer b.state.Unlock()
		delete(b.underWay, id)
		cancel()
	}
}

// cancel stops the request that a notification names. Over HTTP ending the request is the cancellation, so that there is
// nothing to send; a request that is not ours is left to the server.
func (b *bridge) cancel(m message) bool {
	b.state.Lock()
	defer b.state.Unlock()
	stop := b.underWay[string(m.Params.RequestID)]
	if stop == nil {
		return false
	}
	stop()
	return true
}

// forward sends one message and writes what comes back.
func (b *bridge) forward(ctx context.Context, m message, batch bool, line []byte) {
	r, err := b.c.request(ctx, http.MethodPost, b.endpoint, b.key, line)
	if err != nil {
		b.refuse(m, batch, fault.From(err), 0)
		return
	}
	b.headers(r.Header, m)
	// The time that a request may take is the client's to decide: it can cancel.
	transport := http.Client{Transport: b.c.http.Transport}
	w, err := transport.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			b.refuse(m, batch, unreachable(r.URL, err), 0)
		}
		return
	}
	defer func() { _ = w.Body.Close() }()
	if strings.HasPrefix(w.Header.Get("Content-Type"), "text/event-stream") {
		err = b.stream(w.Body, m)
	} else {
		err = b.single(w, m, batch)
	}
	if err != nil && ctx.Err() == nil {
		b.refuse(m, batch, unreachable(r.URL, err), w.StatusCode)
	}
}

// headers are those that revision 2026-07-28 wants to match the body, and for older ones the version that was agreed on.
func (b *bridge) headers(h http.Header, m message) {
	h.Set("Accept", "application/json, text/event-stream")
	if m.Params.Meta.Version == "" {
		b.state.Lock()
		defer b.state.Unlock()
		if b.version != "" && m.Method != "initialize" {
			h.Set("MCP-Protocol-Version", b.version)
		}
		return
	}
	h.Set("MCP-Protocol-Version", m.Params.Meta.Version)
	h.Set("Mcp-Method", headerValue(m.Method))
	switch m.Method {
	case "tools/call", "prompts/get":
		h.Set("Mcp-Name", headerValue(m.Params.Name))
	case "resources/read":
		h.Set("Mcp-Name", headerValue(m.Params.URI))
	}
}

// headerValue writes a text that a header cannot carry as it is in the form =?base64?…?= of the MCP specification.
func headerValue(s string) string {
	plain := strings.TrimSpace(s) == s && !strings.HasPrefix(s, "=?base64?")
	for _, r := range s {
		plain = plain && r >= 0x20 && r < 0x7f
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

// single answers a request with the one JSON body of the response.
func (b *bridge) single(w *http.Response, m message, batch bool) error {
	raw, err := io.ReadAll(io.LimitReader(w.Body, answerMax))
	if err != nil {
		return err
	}
	if isMessage(raw) {
		b.learn(m, raw)
		return b.write(raw)
	}
	if w.StatusCode/100 != 2 {
		b.refuse(m, batch, refused(w, raw), w.StatusCode)
		return nil
	}
	if len(bytes.TrimSpace(raw)) > 0 || len(m.ID) > 0 && m.Method != "" && w.StatusCode != http.StatusAccepted {
		return errors.New("the answer is not a JSON-RPC message")
	}
	return nil
}

// isMessage reports a JSON-RPC message, or a batch of them.
func isMessage(raw []byte) bool {
	var one struct {
		Version string `json:"jsonrpc"`
	}
	if json.Unmarshal(raw, &one) == nil {
		return one.Version != ""
	}
	return len(raw) > 0 && raw[0] == '[' && json.Valid(raw)
}

// learn keeps the version that initialize agreed on.
func (b *bridge) learn(m message, raw []byte) {
	if m.Method != "initialize" {
		return
	}
	var answer struct {
		Result struct {
			Version string `json:"protocolVersion"`
		} `json:"result"`
	}
	if json.Unmarshal(raw, &answer) == nil && answer.Result.Version != "" {
		b.state.Lock()
		defer b.state.Unlock()
		b.version = answer.Result.Version
	}
}

// stream writes the messages of an event stream (WHATWG HTML, server-sent events): the data of each event is one message.
func (b *bridge) stream(body io.Reader, m message) error {
	var data []byte
	r := bufio.NewReader(body)
	for {
		line, err := r.ReadBytes('\n')
		line = bytes.TrimRight(line, "\r\n")
		if value, found := bytes.CutPrefix(line, []byte("data:")); found {
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		}
		if len(line) == 0 && len(data) > 0 {
			if isMessage(data) {
				b.learn(m, data)
				if err := b.write(data); err != nil {
					return err
				}
			}
			data = nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// refuse answers a request that HTTP or the network refused. A notification gets no answer; the person is told.
func (b *bridge) refuse(m message, batch bool, e *fault.Error, status int) {
	if !batch && (len(m.ID) == 0 || m.Method == "") {
		b.c.say("driftless: %s", printable(e.Error()))
		return
	}
	id := m.ID
	if batch {
		id = json.RawMessage("null")
	}
	data := map[string]any{"code": e.Code, "hint": e.Hint}
	if status != 0 {
		data["status"] = status
	}
	words := e.Message
	if e.Hint != "" {
		words += ": " + e.Hint
	}
	b.fail(id, serverError, words, data)
}

func (b *bridge) fail(id json.RawMessage, code int, words string, data map[string]any) {
	problem := map[string]any{"code": code, "message": words}
	if data != nil {
		problem["data"] = data
	}
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": problem})
	if err == nil {
		err = b.write(raw)
	}
	if err != nil {
		b.c.say("driftless: %v", err)
	}
}

// write writes one message on one line.
func (b *bridge) write(raw []byte) error {
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	line.WriteByte('\n')
	b.out.Lock()
	defer b.out.Unlock()
	_, err := b.c.Out.Write(line.Bytes())
	return err
}
