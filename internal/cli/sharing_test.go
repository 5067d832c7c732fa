package cli_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// strict is an authorization server without mercy: a refresh token that comes a second time ends the sign-in.
type strict struct {
	*httptest.Server

	mu                 sync.Mutex
	generation         int
	dead, busy         bool
	refreshes, signIns int

	// trading is told of each trade, which then waits for release, where they are set.
	trading, release chan struct{}
}

func newStrict(t *testing.T) *strict {
	t.Helper()
	s := &strict{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *strict) count() (refreshes, signIns int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refreshes, s.signIns
}

func (s *strict) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/oauth/token" {
		s.token(w, r)
		return
	}
	if authorization(w, r) {
		return
	}
	s.mu.Lock()
	valid := !s.dead && s.generation > 0 && r.Header.Get("Authorization") == fmt.Sprintf("Bearer dat_%d", s.generation)
	s.mu.Unlock()
	switch {
	case !valid:
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path == "/mcp":
		echo(w, r)
	default:
		reply(w, `{"person":{"id":"1","name":"Ada","email":"ada@example.test"},"scopes":["context:read"],"workspaces":[{"slug":"acme","role":"owner"}]}`)
	}
}

func (s *strict) token(w http.ResponseWriter, r *http.Request) {
	if s.trading != nil {
		s.trading <- struct{}{}
		<-s.release
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := r.ParseForm(); err != nil {
		return
	}
	if s.busy {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"error":"too_many_requests","error_description":"too many requests"}`))
		return
	}
	if r.PostForm.Get("grant_type") == "refresh_token" {
		s.refreshes++
		if s.dead = s.dead || r.PostForm.Get("refresh_token") != fmt.Sprintf("drt_%d", s.generation); s.dead {
			protocolRefusal(w, "invalid_grant")
			return
		}
	} else {
		s.signIns++
	}
	s.generation++
	reply(w, fmt.Sprintf(`{"access_token":"dat_%d","token_type":"Bearer","refresh_token":"drt_%d","expires_in":3600}`, s.generation, s.generation))
}

// machine is a home folder that programs share.
type machine struct {
	t    *testing.T
	home string
	env  []string
}

func newMachine(t *testing.T, server string) *machine {
	t.Helper()
	home := t.TempDir()
	return &machine{t, home, append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "DRIFTLESS_URL="+server, "DRIFTLESS_API_KEY=", "BROWSER=browser")}
}

func (m *machine) file() string { return filepath.Join(m.home, ".config/driftless/credentials.json") }

func (m *machine) remember(server, access, refresh string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.file()), 0o700); err != nil {
		m.t.Fatal(err)
	}
	text := fmt.Sprintf(`{%q:{"tokens":{"client_id":"dcl_cli","access_token":%q,"refresh_token":%q}}}`, server, access, refresh)
	if err := os.WriteFile(m.file(), []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) program(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(m.t.Context(), "driftless", args...)
	cmd.Env = m.env
	return cmd
}

func TestTwentyProgramsRenewOnceAndNoneIsSignedOut(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	m := newMachine(t, s.URL)
	s.generation = 1
	m.remember(s.URL, "dat_expired", "drt_1")
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			out, err := m.program("status", "-o", "json").CombinedOutput()
			if err != nil || !strings.Contains(string(out), "ada@example.test") {
				t.Errorf("status: %v\n%s", err, out)
			}
		})
	}
	group.Wait()
	if refreshes, _ := s.count(); refreshes != 1 {
		t.Errorf("they renewed %d times", refreshes)
	}
}

func TestBridgesThatStartTogetherShareOneSignIn(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	m := newMachine(t, s.URL)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			cmd := m.program("mcp")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Error(err)
				return
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Error(err)
				return
			}
			var said strings.Builder
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Error(err)
				return
			}
			_, _ = fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
			line, _ := bufio.NewReader(out).ReadString('\n')
			_ = in.Close()
			var answer struct{ Result json.RawMessage }
			if err := cmd.Wait(); err != nil || json.Unmarshal([]byte(line), &answer) != nil || answer.Result == nil {
				t.Errorf("a bridge said %q, %v\n%s", line, err, said.String())
			}
		})
	}
	group.Wait()
	if refreshes, signIns := s.count(); signIns != 1 || refreshes != 0 {
		t.Errorf("%d sign-ins, %d renewals", signIns, refreshes)
	}
}

func TestM31CredentialsThatOthersCanReadAreRefused(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	m := newMachine(t, s.URL)
	s.generation = 1
	m.remember(s.URL, "dat_1", "drt_1")
	if err := os.Chmod(m.file(), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := m.program("status").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "chmod 600") || strings.Contains(string(out), "dat_1") {
		t.Errorf("status: %v\n%s", err, out)
	}
	cmd := m.program("mcp")
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	said, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "chmod 600") {
		t.Errorf("mcp: %v\n%s", err, said)
	}
	if err := os.Chmod(m.file(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := m.program("status").CombinedOutput(); err != nil {
		t.Errorf("status: %v\n%s", err, out)
	}
}

// A limit at the authorization server is not the end of a sign-in.
func TestARenewalThatIsRefusedForTheMomentIsSaidAndCanBeRepeated(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	m := newMachine(t, s.URL)
	s.generation, s.busy = 1, true
	m.remember(s.URL, "dat_0", "drt_1")
	out, err := m.program("status").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 || !strings.Contains(string(out), "try again in 7 seconds") {
		t.Errorf("while it is busy: %v\n%s", err, out)
	}
	s.mu.Lock()
	s.busy = false
	s.mu.Unlock()
	if out, err := m.program("status").CombinedOutput(); err != nil || !strings.Contains(string(out), "ada@example.test") {
		t.Errorf("afterwards: %v\n%s", err, out)
	}
}

func TestASignInElsewhereReachesARunningBridge(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	m := newMachine(t, s.URL)
	m.remember(s.URL, "dat_gone", "drt_gone")
	s.dead, s.generation = true, 7
	cmd := m.program("mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	ask := func() string {
		_, _ = fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		line, _ := out.ReadString('\n')
		return line
	}
	if line := ask(); !strings.Contains(line, "driftless login") {
		t.Errorf("a dead sign-in is told as %q", line)
	}
	s.mu.Lock()
	s.dead = false
	s.mu.Unlock()
	if said, err := m.program("login").CombinedOutput(); err != nil {
		t.Fatalf("login: %v\n%s", err, said)
	}
	if line := ask(); !strings.Contains(line, `"result"`) {
		t.Errorf("after the sign-in the bridge says %q", line)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestAScriptWithoutACredentialIsToldSo(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	m := newMachine(t, s.URL)
	m.env = append(m.env, "BROWSER=true") // nobody is there
	cmd := m.program("mcp")
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "driftless login") {
		t.Errorf("the bridge said %q, %v", out, err)
	}
}

func TestACancelledRequestDoesNotLoseTheTokenThatItRenewed(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	s.trading, s.release = make(chan struct{}, 8), make(chan struct{})
	s.generation = 1
	m := newMachine(t, s.URL)
	m.remember(s.URL, "dat_expired", "drt_1")
	cmd := m.program("mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	_, _ = fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	<-s.trading
	// What is no message is answered at once, so that the cancellation before it has been read.
	_, _ = fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\nnothing")
	if line, _ := out.ReadString('\n'); !strings.Contains(line, "-32700") {
		t.Fatalf("the bridge said %q", line)
	}
	close(s.release)
	_, _ = fmt.Fprintln(in, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if line, _ := out.ReadString('\n'); !strings.Contains(line, `"id":2`) || !strings.Contains(line, `"result"`) {
		t.Errorf("the next request is answered with %q", line)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if refreshes, _ := s.count(); refreshes != 1 {
		t.Errorf("%d renewals", refreshes)
	}
}
