package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"driftless/internal/cli"
)

// stdio is a bridge that runs against a handler, with its pipes.
type stdio struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

// withKey is an environment with a key and nothing else.
func withKey(name string) string { return map[string]string{"DRIFTLESS_API_KEY": "dl_good"}[name] }

func bridgeTo(t *testing.T, handler http.HandlerFunc) *stdio {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return bridgeAt(t, server.URL)
}

func bridgeAt(t *testing.T, server string, flags ...string) *stdio {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	root := cli.Root(cli.Options{Version: "1.2.3", In: inRead, Out: outWrite, Err: io.Discard, Env: withKey})
	root.SetArgs(append([]string{"mcp", "--url", server}, flags...))
	s := &stdio{t: t, in: inWrite, out: bufio.NewReader(outRead), done: make(chan error, 1)}
	go func() {
		s.done <- root.ExecuteContext(t.Context())
		_ = outWrite.Close()
	}()
	return s
}

func (s *stdio) say(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stdio) hear() map[string]any {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatalf("the bridge said %q: %v", line, err)
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		s.t.Fatalf("not a message: %q", line)
	}
	return m
}

func (s *stdio) end() {
	s.t.Helper()
	if err := s.in.Close(); err != nil {
		s.t.Fatal(err)
	}
	if rest, err := io.ReadAll(s.out); err != nil || len(rest) > 0 {
		s.t.Errorf("after the end of its input the bridge said %q, %v", rest, err)
	}
	if err := <-s.done; err != nil {
		s.t.Errorf("the bridge ended with %v", err)
	}
}

// echo answers each request with what it carried.
func echo(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if len(m.ID) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	result := map[string]any{"headers": map[string]string{
		"version": r.Header.Get("MCP-Protocol-Version"), "method": r.Header.Get("Mcp-Method"), "name": r.Header.Get("Mcp-Name"),
	}}
	if m.Method == "initialize" {
		result["protocolVersion"] = "2025-06-18"
	}
	raw, err := json.MarshalIndent(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result}, "", "  ")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if m.Method == "stream" {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, ": hello\n\ndata: "+strings.ReplaceAll(string(raw), "\n", "\ndata: ")+"\n\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(raw)
}

func headers(t *testing.T, m map[string]any) string {
	t.Helper()
	result, ok := m["result"].(map[string]any)
	if !ok {
		t.Fatalf("no result in %v", m)
	}
	h := result["headers"].(map[string]any)
	return strings.TrimSpace(h["version"].(string) + " " + h["method"].(string) + " " + h["name"].(string))
}

func TestM31TheBridgeSpeaksBothEras(t *testing.T) {
	t.Parallel()
	s := bridgeTo(t, echo)
	for _, step := range []struct{ message, headers string }{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, ""},
		{`{"jsonrpc":"2.0","id":"two","method":"tools/list"}`, "2025-06-18"},
		{`{"jsonrpc":"2.0","id":3,"method":"stream"}`, "2025-06-18"},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, "2026-07-28 tools/call x"},
		{`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"driftless://ü","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, "2026-07-28 resources/read =?base64?ZHJpZnRsZXNzOi8vw7w=?="},
	} {
		s.say(step.message)
		if got := headers(t, s.hear()); got != step.headers {
			t.Errorf("%s travelled with %q, want %q", step.message, got, step.headers)
		}
	}
	s.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.end()
}

// The server asks in the middle of a call, and the client answers. A refusal of an answer is not for the client.
func TestTheBridgeCarriesQuestionsAndTheirAnswersInTheirSession(t *testing.T) {
	t.Parallel()
	answered := make(chan string, 1)
	s := bridgeTo(t, func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		session := r.Header.Get("Mcp-Session-Id")
		r.Body = io.NopCloser(bytes.NewReader(raw))
		switch {
		case bytes.Contains(raw, []byte(`"initialize"`)):
			w.Header().Set("Mcp-Session-Id", "abc")
			echo(w, r)
		case bytes.Contains(raw, []byte(`"ask"`)):
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: "+`{"jsonrpc":"2.0","id":"q","method":"elicitation/create"}`+"\n\n")
			_ = http.NewResponseController(w).Flush()
			_, _ = io.WriteString(w, "data: "+`{"jsonrpc":"2.0","id":2,"result":{"answer":"`+<-answered+`"}}`+"\n\n")
		case bytes.Contains(raw, []byte(`"accept"`)):
			answered <- "in " + session
			w.WriteHeader(http.StatusAccepted)
		case bytes.Contains(raw, []byte(`"late"`)):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"nobody waits"}}`)
		default:
			echo(w, r)
		}
	})
	s.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	s.hear()
	s.say(`{"jsonrpc":"2.0","id":2,"method":"ask"}`)
	if q := s.hear(); q["method"] != "elicitation/create" {
		t.Fatalf("instead of the question: %v", q)
	}
	s.say(`{"jsonrpc":"2.0","id":"q","result":{"action":"accept"}}`)
	if m := s.hear(); fmt.Sprint(m["result"]) != "map[answer:in abc]" {
		t.Errorf("the call is answered %v", m)
	}
	s.say(`{"jsonrpc":"2.0","id":"q","result":{"action":"late"}}`)
	s.say(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	if m := s.hear(); m["id"] != 3.0 {
		t.Errorf("instead of the list: %v", m)
	}
	s.end()
}

func TestTheBridgeAnswersWhatIsNotJSON(t *testing.T) {
	t.Parallel()
	s := bridgeTo(t, echo)
	s.say("this is not JSON")
	m := s.hear()
	if id, there := m["id"]; !there || id != nil || m["error"].(map[string]any)["code"] != -32700.0 {
		t.Errorf("the bridge answered %v", m)
	}
	s.say("")
	s.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if m := s.hear(); m["id"] != 1.0 {
		t.Errorf("the bridge went on with %v", m)
	}
	s.end()
}

func TestM31ARefusalOverHTTPIsAMessage(t *testing.T) {
	t.Parallel()
	s := bridgeTo(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"code":"UNAUTHENTICATED","message":"the credential is not valid","hint":"sign in"}`)
	})
	s.say(`{"jsonrpc":"2.0","id":"a","method":"ping"}`)
	m := s.hear()
	problem := m["error"].(map[string]any)
	if m["id"] != "a" || !strings.Contains(problem["message"].(string), "not valid") || problem["data"].(map[string]any)["status"] != 401.0 {
		t.Errorf("the bridge answered %v", m)
	}
	s.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.end()
}

func TestM31ACancelledRequestIsEndedAndOthersGoOn(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan struct{}), make(chan struct{})
	s := bridgeTo(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if strings.Contains(string(body), `"slow"`) {
			close(begun)
			<-r.Context().Done()
			close(ended)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		echo(w, r)
	})
	s.say(`{"jsonrpc":"2.0","id":1,"method":"slow"}`)
	<-begun
	s.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if m := s.hear(); m["id"] != 2.0 {
		t.Fatalf("a request beside a slow one answered %v", m)
	}
	s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	<-ended
	s.end()
}

func TestACancellationIsReadWhileEveryPlaceIsTaken(t *testing.T) {
	t.Parallel()
	const places = 32
	begun, ended := make(chan struct{}, places+1), make(chan struct{}, places+1)
	s := bridgeTo(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if strings.Contains(string(body), `"slow"`) {
			begun <- struct{}{}
			<-r.Context().Done()
			ended <- struct{}{}
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		echo(w, r)
	})
	for id := range places {
		s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"slow"}`, id))
	}
	for range places {
		<-begun
	}
	s.say(`{"jsonrpc":"2.0","id":"waits","method":"ping"}`)
	s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`)
	<-ended
	if m := s.hear(); m["id"] != "waits" {
		t.Errorf("in the place that was freed came %v", m)
	}
	for id := 1; id < places; id++ {
		s.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
	}
	s.end()
}

func TestTheBridgePassesOnWhatNarrowsTheTools(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.RawQuery
		echo(w, r)
	}))
	t.Cleanup(server.Close)
	s := bridgeAt(t, server.URL, "--toolset", "core", "--readonly", "--workspace", "acme & co")
	s.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	s.hear()
	if got := <-asked; got != "readonly=1&toolset=core&workspace=acme+%26+co" {
		t.Errorf("the address has %q", got)
	}
	s.end()
}
