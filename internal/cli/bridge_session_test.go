package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// forgetful is a server of a revision with a handshake, which can forget its sessions as a restart does.
type forgetful struct {
	mu      sync.Mutex
	session int
	ready   bool
	// log is what came: the method, with the session it was sent in.
	log []string
}

func (f *forgetful) restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.session, f.ready = f.session+1, false
	f.log = nil
}

func (f *forgetful) seen() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.log...)
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	given, now := r.Header.Get("Mcp-Session-Id"), fmt.Sprintf("s%d", f.session)
	f.log = append(f.log, strings.TrimSpace(r.Method+" "+m.Method+" "+given))
	switch {
	case m.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", now)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":\"2025-11-25\"}}\n\n", m.ID)
	case given != now:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
	case m.Method == "notifications/initialized":
		f.ready = true
		w.WriteHeader(http.StatusAccepted)
	case !f.ready || r.Header.Get("MCP-Protocol-Version") != "2025-11-25":
		w.WriteHeader(http.StatusBadRequest)
	case m.Method == "absent":
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
	default:
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
	}
}

const greeting = `{"jsonrpc":"2.0","id":"hi","method":"initialize","params":{"protocolVersion":"2025-11-25"}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`

func TestMessagesAfterTheGreetingWaitForItsAnswer(t *testing.T) {
	t.Parallel()
	f := &forgetful{}
	s := bridgeTo(t, f.ServeHTTP)
	// All at once, as a script does.
	s.say(greeting + "\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if m := s.hear(); m["id"] != "hi" || m["result"] == nil {
		t.Fatalf("the greeting was answered with %v", m)
	}
	if m := s.hear(); m["id"] != 1.0 || m["result"] == nil {
		t.Errorf("the list was answered with %v", m)
	}
	s.end()
	if last := f.seen()[len(f.seen())-1]; last != "DELETE  s0" {
		t.Errorf("the session was left with %q", last)
	}
}

func TestAServerThatForgotTheSessionIsGreetedAgain(t *testing.T) {
	t.Parallel()
	f := &forgetful{}
	s := bridgeTo(t, f.ServeHTTP)
	s.say(greeting)
	s.hear()
	f.restart()
	const calls = 8
	for id := range calls {
		s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"x"}}`, id))
	}
	for range calls {
		if m := s.hear(); m["result"] == nil {
			t.Errorf("after the restart the bridge said %v", m)
		}
	}
	greetings := 0
	for _, line := range f.seen() {
		if strings.Contains(line, "initialize ") || strings.HasSuffix(line, "initialize") {
			greetings++
		}
	}
	if greetings != 1 {
		t.Errorf("%d calls greeted %d times: %v", calls, greetings, f.seen())
	}
	s.end()
}

func TestAMethodThatIsNotThereIsNoLostSession(t *testing.T) {
	t.Parallel()
	f := &forgetful{}
	s := bridgeTo(t, f.ServeHTTP)
	s.say(greeting)
	s.hear()
	s.say(`{"jsonrpc":"2.0","id":1,"method":"absent"}`)
	if m := s.hear(); m["error"].(map[string]any)["code"] != -32601.0 {
		t.Errorf("the bridge said %v", m)
	}
	if all := strings.Join(f.seen(), "\n"); strings.Count(all, "initialize\n") > 1 {
		t.Errorf("it greeted again: %s", all)
	}
	s.end()
}

func TestASessionThatCannotBeMadeAgainIsAnErrorWithAdvice(t *testing.T) {
	t.Parallel()
	greeted := false
	s := bridgeTo(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !greeted && strings.Contains(string(body), "initialize") {
			greeted = true
			w.Header().Set("Mcp-Session-Id", "one")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"hi","result":{"protocolVersion":"2025-11-25"}}`)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	})
	s.say(strings.Split(greeting, "\n")[0])
	s.hear()
	s.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if m := s.hear(); !strings.Contains(m["error"].(map[string]any)["message"].(string), "restart the client") {
		t.Errorf("the bridge said %v", m)
	}
	s.end()
}
