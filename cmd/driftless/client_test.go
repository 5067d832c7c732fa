package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const password = "correct horse battery"

// machine is somebody's computer with the program and a folder of its own.
type machine struct {
	t    *testing.T
	url  string
	home string
}

func (m *machine) command(args ...string) *exec.Cmd {
	return program(m.t, map[string]string{"HOME": m.home, "XDG_CONFIG_HOME": m.home, "DRIFTLESS_URL": m.url, "BROWSER": "/bin/true"}, args...)
}

// run runs a command to its end and answers all that it said.
func (m *machine) run(in string, args ...string) (string, int) {
	m.t.Helper()
	cmd := m.command(args...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		m.t.Fatalf("%v: %v", args, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (m *machine) must(in string, args ...string) string {
	m.t.Helper()
	out, status := m.run(in, args...)
	if status != 0 {
		m.t.Fatalf("%v: exit status %d\n%s", args, status, out)
	}
	return out
}

func (m *machine) file() string { return filepath.Join(m.home, "driftless", "credentials.json") }

// access is the access token that is remembered.
func (m *machine) access() string {
	m.t.Helper()
	raw, err := os.ReadFile(m.file())
	if err != nil {
		m.t.Fatal(err)
	}
	found := regexp.MustCompile(`"access_token": "([^"]+)"`).FindSubmatch(raw)
	if found == nil {
		m.t.Fatal("no access token is remembered")
	}
	return string(found[1])
}

// expire replaces the access token by one that the server does not take.
func (m *machine) expire() {
	m.t.Helper()
	raw, err := os.ReadFile(m.file())
	if err == nil {
		err = os.WriteFile(m.file(), bytes.ReplaceAll(raw, []byte(m.access()), []byte("dat_expired")), 0o600)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// bootstrap makes an owner and answers their key.
func (s *running) bootstrap(t *testing.T) string {
	t.Helper()
	cmd := program(t, map[string]string{"DRIFTLESS_DATA_DIR": s.folder}, "admin", "bootstrap", "--email", "ada@example.test", "--password-stdin", "--workspace", "acme", "--json")
	cmd.Stdin = strings.NewReader(password + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bootstrap: %v", err)
	}
	var made struct {
		APIKey string `json:"api_key"`
	}
	if err := json.Unmarshal(out, &made); err != nil {
		t.Fatal(err)
	}
	return made.APIKey
}

// allow is a person who enters the code of a device and allows everything.
func (s *running) allow(t *testing.T, code string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: 20 * time.Second}
	var session struct {
		CSRF string `json:"csrf_token"`
	}
	post := func(path string, body any, into any) {
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-CSRF-Token", session.CSRF)
		w, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(w.Body)
		if err != nil || w.Body.Close() != nil || w.StatusCode != http.StatusOK || json.Unmarshal(answer, into) != nil {
			t.Fatalf("%s: HTTP %d %s, %v", path, w.StatusCode, answer, err)
		}
	}
	post("/api/v1/session", map[string]string{"email": "ada@example.test", "password": password}, &session)
	post("/api/v1/oauth/device/"+code, map[string]any{
		"approve": true, "scopes": []string{"context:read", "topics:create"}, "workspaces": []string{"acme"},
	}, &struct{}{})
}

// device signs in with a code.
func (m *machine) device(s *running) {
	m.t.Helper()
	cmd := m.command("login", "--device")
	said, err := cmd.StderrPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if found := regexp.MustCompile(`the code (\S+)`).FindStringSubmatch(lines.Text()); found != nil {
			s.allow(m.t, found[1])
			break
		}
	}
	_, _ = io.Copy(io.Discard, said)
	if err := cmd.Wait(); err != nil {
		m.t.Fatalf("login --device: %v", err)
	}
}

func TestASignInOutlivesTheServerAndEndsWithLogout(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil { // the database's account must get in
		t.Fatal(err)
	}
	s := start(t, folder)
	key := s.bootstrap(t)
	m := &machine{t, s.url, t.TempDir()}

	if out, status := m.run("", "status"); status != 4 {
		t.Errorf("before a sign-in: exit status %d\n%s", status, out)
	}
	m.must(key+"\n", "login", "--key-stdin")
	if out := m.must("", "status"); !strings.Contains(out, "ada@example.test") || !strings.Contains(out, "API key") || strings.Contains(out, key) {
		t.Errorf("with a key:\n%s", out)
	}
	m.must("", "logout")

	m.device(s)
	out := m.must("", "status")
	for _, want := range []string{"ada@example.test", m.url, "acme", "context:read", "topics:create", "renewed_after"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, "work:write") {
		t.Errorf("a scope that was not allowed is in\n%s", out)
	}
	if out := m.must("", "connect", "doctor"); !strings.Contains(out, "0 broken, 0 warnings") || !strings.Contains(out, " tools, ") {
		t.Errorf("the doctor says\n%s", out)
	}

	// A bridge that runs across a restart goes on, with a session that the server has to be told of again or not.
	bridge := m.bridge()
	bridge.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}`)
	bridge.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	bridge.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	address := strings.TrimPrefix(s.url, "http://")
	s.stop(t)
	s = startAt(t, folder, address)
	bridge.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"driftless_context_list","arguments":{}}}`)
	bridge.ask(`{"jsonrpc":"2.0","id":4,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)

	m.must("", "status")
	m.expire()
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if out, status := m.run("", "status"); status != 0 {
				t.Errorf("beside others: exit status %d\n%s", status, out)
			}
		})
	}
	group.Wait()
	bridge.ask(`{"jsonrpc":"2.0","id":5,"method":"tools/list"}`)
	bridge.end(func(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGTERM) })

	token := m.access()
	if status := s.get(t, "/api/v1/me", token); status != http.StatusOK {
		t.Errorf("the remembered token: HTTP %d", status)
	}
	m.must("", "logout")
	if status := s.get(t, "/api/v1/me", token); status != http.StatusUnauthorized {
		t.Errorf("the token of a sign-in that was ended: HTTP %d", status)
	}
	if out, status := m.run("", "status"); status != 4 {
		t.Errorf("after logout: exit status %d\n%s", status, out)
	}
	s.stop(t)
}

// stdio is a bridge of a client.
type stdio struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (m *machine) bridge() *stdio {
	m.t.Helper()
	cmd := m.command("mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	return &stdio{m.t, cmd, in, bufio.NewReader(out)}
}

func (s *stdio) say(line string) {
	s.t.Helper()
	if _, err := fmt.Fprintln(s.in, line); err != nil {
		s.t.Fatal(err)
	}
}

// ask wants a result.
func (s *stdio) ask(line string) {
	s.t.Helper()
	s.say(line)
	answer, err := s.out.ReadBytes('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	var m struct {
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(answer, &m) != nil || m.Result == nil {
		s.t.Errorf("%s\nis answered\n%s", line, answer)
	}
}

func (s *stdio) end(how func(*exec.Cmd) error) {
	s.t.Helper()
	if err := how(s.cmd); err != nil {
		s.t.Fatal(err)
	}
	if rest, err := io.ReadAll(s.out); err != nil || len(rest) > 0 {
		s.t.Errorf("at its end the bridge said %q, %v", rest, err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("the bridge ended with %v", err)
	}
}
