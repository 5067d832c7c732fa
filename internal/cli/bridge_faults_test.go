package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"driftless/internal/cli"
)

// errorOf sends one request and answers the words of the error, and the HTTP status that it names.
func errorOf(t *testing.T, server, method string) (words string, status float64) {
	t.Helper()
	said := onlyMessages(t, everything(t, server, []byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`)))
	if len(said) != 1 || said[0]["id"] != 1.0 {
		t.Fatalf("the bridge said %v", said)
	}
	problem, failed := said[0]["error"].(map[string]any)
	if !failed {
		t.Fatalf("the bridge said %v", said)
	}
	data, _ := problem["data"].(map[string]any)
	status, _ = data["status"].(float64)
	return problem["message"].(string), status
}

func TestWhatHTTPRefusesIsAnErrorWithAdvice(t *testing.T) {
	t.Parallel()
	answers := map[string]struct {
		status       int
		header, body string
		words        []string
	}{
		"sign-in":  {401, "", `{"code":"UNAUTHENTICATED","message":"the credential is not valid","hint":"authorize again"}`, []string{"not valid", "DRIFTLESS_API_KEY"}},
		"scope":    {403, "", `{"code":"INSUFFICIENT_SCOPE","message":"needs context:read","hint":"ask for it"}`, []string{"context:read", "driftless login"}},
		"rebind":   {403, "", `{"code":"POLICY_FORBIDS","message":"this host name is not one of this server","hint":"use the public address"}`, []string{"host name", "public address"}},
		"broken":   {500, "", `oops`, []string{"500", "log"}},
		"gateway":  {502, "", `<html>`, []string{"502", "try again"}},
		"busy":     {429, "Retry-After: 3600", `{"code":"RATE_LIMITED","message":"too many calls","hint":"wait"}`, []string{"too many calls"}},
		"moved":    {301, "Location: https://elsewhere.test/mcp", ``, []string{"https://elsewhere.test/mcp", "DRIFTLESS_URL"}},
		"page":     {200, "Content-Type: text/html", `<html>sign in</html>`, []string{"text/html", "connect doctor"}},
		"nothing":  {200, "", ``, []string{"nothing", "connect doctor"}},
		"accepted": {202, "", ``, []string{"nothing"}},
		"lost":     {404, "", `not here`, []string{"404"}},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		for name, a := range answers {
			if strings.Contains(string(body), `"`+name+`"`) {
				w.Header()["Content-Type"] = nil
				if key, value, given := strings.Cut(a.header, ": "); given {
					w.Header().Set(key, value)
				}
				w.WriteHeader(a.status)
				_, _ = io.WriteString(w, a.body)
			}
		}
	}))
	t.Cleanup(server.Close)
	for name, a := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			words, status := errorOf(t, server.URL, name)
			for _, want := range a.words {
				if !strings.Contains(words, want) {
					t.Errorf("%q does not say %q", words, want)
				}
			}
			if status != float64(a.status) {
				t.Errorf("the error names status %v", status)
			}
		})
	}
}

func TestWhatTheNetworkRefusesIsAnErrorWithAdvice(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(echo))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := httptest.NewServer(http.HandlerFunc(echo))
	t.Cleanup(plain.Close)
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	cut.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(cut.Close)
	for name, tc := range map[string]struct {
		url   string
		words []string
	}{
		"nobody listens":      {gone.URL, []string{"refused", "driftless serve"}},
		"no such name":        {"http://nowhere.invalid", []string{"nowhere.invalid", "spelling"}},
		"unknown certificate": {secure.URL, []string{"certificate", "SSL_CERT_FILE"}},
		"no TLS":              {strings.Replace(plain.URL, "http:", "https:", 1), []string{"no TLS", "http://"}},
		"TLS only":            {strings.Replace(secure.URL, "https:", "http:", 1), []string{"400"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			words, _ := errorOf(t, tc.url, "ping")
			for _, want := range tc.words {
				if !strings.Contains(words, want) {
					t.Errorf("%q does not say %q", words, want)
				}
			}
		})
	}
	t.Run("cut off", func(t *testing.T) {
		t.Parallel()
		said := onlyMessages(t, everything(t, cut.URL, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`)))
		if len(said) != 2 || said[0]["method"] != "notifications/progress" || said[1]["error"] == nil {
			t.Errorf("the bridge said %v", said)
		}
	})
}

func TestACallThatWasOnItsWayIsNotRepeated(t *testing.T) {
	t.Parallel()
	var came atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		came.Add(1)
		panic(http.ErrAbortHandler)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	if words, _ := errorOf(t, server.URL, "tools/call"); came.Load() != 1 {
		t.Errorf("it came %d times: %s", came.Load(), words)
	}
	came.Store(0)
	if words, _ := errorOf(t, server.URL, "tools/list"); came.Load() != 2 {
		t.Errorf("a list came %d times: %s", came.Load(), words)
	}
}

func TestABusyServerIsAskedOnceMoreAfterTheTimeItNames(t *testing.T) {
	t.Parallel()
	var came atomic.Int32
	s := bridgeTo(t, func(w http.ResponseWriter, r *http.Request) {
		if came.Add(1) == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		echo(w, r)
	})
	s.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if m := s.hear(); m["result"] == nil || came.Load() != 2 {
		t.Errorf("after %d requests the bridge said %v", came.Load(), m)
	}
	s.end()
}

func TestAnAnswerWithoutAnIDIsAddressedToItsRequest(t *testing.T) {
	t.Parallel()
	s := bridgeTo(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"not this version"}}`)
	})
	s.say(`{"jsonrpc":"2.0","id":"mine","method":"ping"}`)
	if m := s.hear(); m["id"] != "mine" || m["error"].(map[string]any)["code"] != -32022.0 {
		t.Errorf("the bridge said %v", m)
	}
	s.end()
}

func TestNothingIsWrittenForACancelledRequest(t *testing.T) {
	t.Parallel()
	begun, cancelled := make(chan struct{}), make(chan struct{})
	s := bridgeTo(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"slow"`) {
			close(cancelled)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		close(begun)
		// The server does not notice and answers all the same.
		<-cancelled
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"a","result":{}}`)
	})
	s.say(`{"jsonrpc":"2.0","id":"a","method":"slow"}`)
	<-begun
	s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0061"}}`)
	s.say(`{"jsonrpc":"2.0","method":"notifications/other"}`)
	s.end()
}

func TestMessagesOfTheServerComeBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	answered := make(chan string, 1)
	s := bridgeTo(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"result"`) {
			answered <- string(body)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "id: 1\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"s1\",\r\ndata: \"method\":\"roots/list\"}\r\n\r\n")
		_ = http.NewResponseController(w).Flush()
		text := <-answered
		_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":%s}\n\n", text)
	})
	s.say(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}`)
	if m := s.hear(); m["id"] != "s1" || m["method"] != "roots/list" {
		t.Fatalf("the server asked %v", m)
	}
	s.say(`{"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}`)
	if m := s.hear(); m["id"] != 7.0 || m["result"].(map[string]any)["id"] != "s1" {
		t.Errorf("the answer is %v", m)
	}
	s.end()
}

func TestALongAnswerIsOneLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 4<<20)
	s := bridgeTo(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":"`+long+`"}`)
	})
	s.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if m := s.hear(); m["result"] != long {
		t.Errorf("the answer was changed")
	}
	s.end()
}

func TestOneConnectionServesCallsInARow(t *testing.T) {
	t.Parallel()
	var opened atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(echo))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	s := bridgeAt(t, server.URL)
	for id := range 20 {
		s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id))
		s.hear()
	}
	s.end()
	if n := opened.Load(); n != 1 {
		t.Errorf("20 calls opened %d connections", n)
	}
}

// stuck is a reader of standard output that stopped reading.
type stuck struct{ reached chan struct{} }

func (s stuck) Write([]byte) (int, error) {
	close(s.reached)
	select {}
}

func TestAClientThatStoppedReadingDoesNotHoldTheBridge(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(echo))
	t.Cleanup(server.Close)
	ctx, stop := context.WithCancel(t.Context())
	in, write := io.Pipe()
	out := stuck{make(chan struct{})}
	root := cli.Root(cli.Options{Version: "1.2.3", In: bufio.NewReader(in), Out: out, Err: io.Discard, Env: withKey})
	root.SetArgs([]string{"mcp", "--url", server.URL})
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	if _, err := io.WriteString(write, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	<-out.reached
	stop() // as SIGTERM does
	if err := <-done; err != nil {
		t.Errorf("the bridge ended with %v", err)
	}
}

func TestAClientThatOnlyAsksIsRefusedAtSomePoint(t *testing.T) {
	t.Parallel()
	const places = 32 + 1024
	release := make(chan struct{})
	s := bridgeTo(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		echo(w, r)
	})
	for id := range places {
		s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id))
	}
	s.say(`{"jsonrpc":"2.0","id":"one too many","method":"ping"}`)
	if m := s.hear(); m["id"] != "one too many" || !strings.Contains(fmt.Sprint(m["error"]), "wait for answers") {
		t.Errorf("the bridge said %v", m)
	}
	close(release)
	for range places {
		if m := s.hear(); m["result"] == nil {
			t.Errorf("the bridge said %v", m)
		}
	}
	s.end()
}
