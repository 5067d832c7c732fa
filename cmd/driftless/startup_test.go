package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// binary is the program, built once for the tests of this package.
var binary string

func TestMain(m *testing.M) { os.Exit(built(m)) }

func built(m *testing.M) int {
	dir, err := os.MkdirTemp("", "dl-bin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "driftless")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// program is the program with these arguments and an environment of its own.
func program(t *testing.T, environ map[string]string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir()}
	for name, value := range environ {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// fails runs the program to its end and answers what it said about why it did not start.
func fails(t *testing.T, environ map[string]string, args ...string) string {
	t.Helper()
	cmd := program(t, environ, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() < 1 {
		t.Fatalf("it ended with %v\n%s%s", err, out.String(), said.String())
	}
	text := said.String()
	for _, trace := range []string{"goroutine ", "panic:", ".go:", "runtime error"} {
		if strings.Contains(text, trace) {
			t.Errorf("it shows its insides:\n%s", text)
		}
	}
	if out.Len() > 0 {
		t.Errorf("it printed as if it had started:\n%s", out.String())
	}
	return text
}

func one(t *testing.T, said string, words ...string) {
	t.Helper()
	if n := strings.Count(strings.TrimSpace(said), "\n"); n != 0 {
		t.Errorf("it took %d lines:\n%s", n+1, said)
	}
	for _, w := range words {
		if !strings.Contains(said, w) {
			t.Errorf("%q is not in: %s", w, said)
		}
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestAPortThatIsTakenIsSaidBeforeAnythingStarts(t *testing.T) {
	t.Parallel()
	taken := listen(t).Addr().String()
	folder := filepath.Join(t.TempDir(), "data")
	said := fails(t, map[string]string{"DRIFTLESS_ADDR": taken, "DRIFTLESS_DATA_DIR": folder}, "serve")
	one(t, said, taken, "address already in use", "DRIFTLESS_ADDR")
	if _, err := os.Stat(folder); err == nil {
		t.Error("a data folder was made")
	}
}

func TestAllProblemsOfTheEnvironmentAreSaidAtOnce(t *testing.T) {
	t.Parallel()
	wrong := map[string]string{
		"DRIFTLESS_ADDR": "nowhere", "DRIFTLESS_PUBLIC_URL": "ftp://files.example", "DRIFTLESS_LOG": "loud", "DRIFTLESS_LOG_FORMAT": "xml",
		"DRIFTLESS_TRUSTED_PROXIES": "everybody", "DRIFTLESS_ACCESS_TOKEN_TTL": "48h", "DRIFTLESS_LIMIT_CALLS": "0",
		"DRIFTLESS_DATABASE_URL_FILE": "/nonexistent/secret",
	}
	said := fails(t, wrong, "serve")
	for name, value := range wrong {
		if !strings.Contains(said, strings.TrimSuffix(name, "_FILE")) {
			t.Errorf("%s=%s is not in:\n%s", name, value, said)
		}
	}
}

func TestABrokenDataFolderIsSaid(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "a-file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	one(t, fails(t, map[string]string{"DRIFTLESS_ADDR": "127.0.0.1:0", "DRIFTLESS_DATA_DIR": file}, "serve"), file, "not a directory")
	below := filepath.Join(file, "below")
	one(t, fails(t, map[string]string{"DRIFTLESS_ADDR": "127.0.0.1:0", "DRIFTLESS_DATA_DIR": below}, "serve"), file, "not a directory")
}

func TestADataFolderThatIsNoClusterIsSaidAndLeftAlone(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil { // the database's account must get in
		t.Fatal(err)
	}
	// A real one, so that the test does not know where in the folder the cluster lies.
	s := start(t, folder)
	s.stop(t)
	var version string
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "PG_VERSION" && version == "" {
			version = path
		}
		return err
	})
	if err != nil || version == "" {
		t.Fatalf("there is no cluster: %v", err)
	}
	garbage := []byte("\x00garbage")
	if err := os.WriteFile(version, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	one(t, fails(t, map[string]string{"DRIFTLESS_ADDR": "127.0.0.1:0", "DRIFTLESS_DATA_DIR": folder}, "serve"), "PG_VERSION")
	if now, err := os.ReadFile(version); err != nil || !bytes.Equal(now, garbage) {
		t.Errorf("the folder was changed: %q, %v", now, err)
	}
}

func TestADatabaseThatCannotBeReachedIsSaid(t *testing.T) {
	t.Parallel()
	nobody := listen(t)
	address := nobody.Addr().String()
	if err := nobody.Close(); err != nil {
		t.Fatal(err)
	}
	said := fails(t, map[string]string{
		"DRIFTLESS_ADDR": "127.0.0.1:0", "DRIFTLESS_DATABASE_URL": "postgres://owner:hunter2secret@" + address + "/driftless",
	}, "serve")
	one(t, said, "the database cannot be reached", address, "connection refused")
	if strings.Contains(said, "hunter2secret") {
		t.Errorf("the password is printed: %s", said)
	}
	said = fails(t, map[string]string{"DRIFTLESS_ADDR": "127.0.0.1:0", "DRIFTLESS_DATABASE_URL": "owner:hunter2secret@" + address}, "serve")
	one(t, said, "DRIFTLESS_DATABASE_URL must look like postgres://")
	if strings.Contains(said, "hunter2secret") {
		t.Errorf("the password is printed: %s", said)
	}
}

// running is a server of the program.
type running struct {
	*exec.Cmd
	url    string
	folder string
	said   *bytes.Buffer
	ended  chan error
}

// start runs the server on a private database and returns when it says that it is running.
func start(t *testing.T, folder string) *running {
	t.Helper()
	free := listen(t)
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	return startAt(t, folder, address)
}

func startAt(t *testing.T, folder, address string) *running {
	t.Helper()
	s := &running{url: "http://" + address, folder: folder, said: &bytes.Buffer{}, ended: make(chan error, 1)}
	s.Cmd = program(t, map[string]string{"DRIFTLESS_ADDR": address, "DRIFTLESS_DATA_DIR": folder, "DRIFTLESS_LOG": "warn"}, "serve")
	s.Stderr = s.said
	s.Cancel = func() error { return s.Process.Signal(syscall.SIGTERM) }
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "/mcp") {
			go func() { _, _ = io.Copy(io.Discard, out); s.ended <- s.Wait() }()
			// The address is taken before anything else, so the question waits until it can be answered.
			if status := s.get(t, "/readyz", ""); status != http.StatusOK {
				t.Fatalf("ready: HTTP %d", status)
			}
			return s
		}
	}
	t.Fatalf("it did not start: %v\n%s", s.Wait(), s.said)
	return nil
}

func (s *running) stop(t *testing.T) {
	t.Helper()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("it ended with %v\n%s", err, s.said)
	}
}

func TestTheServerServesUntilItIsAskedToStop(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil { // the database's account must get in
		t.Fatal(err)
	}
	s := start(t, folder)
	bootstrap := func() (key string) {
		cmd := program(t, map[string]string{"DRIFTLESS_DATA_DIR": folder}, "admin", "bootstrap", "--email", "ada@example.test", "--password-stdin", "--workspace", "acme", "--json")
		cmd.Stdin = strings.NewReader("correct horse battery\n")
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("bootstrap: %v\n%s", err, &said)
		}
		var grant struct {
			UserID    string `json:"user_id"`
			Workspace string `json:"workspace"`
			APIKey    string `json:"api_key"`
		}
		if err := json.Unmarshal(out, &grant); err != nil || grant.UserID == "" || grant.Workspace != "acme" || grant.APIKey == "" {
			t.Fatalf("bootstrap printed %s, %v", out, err)
		}
		return grant.APIKey
	}
	first, second := bootstrap(), bootstrap()
	for _, key := range []string{first, second} {
		if status := s.get(t, "/api/v1/workspaces/acme/topics", key); status != http.StatusOK {
			t.Errorf("a key that was made beside the running server: HTTP %d", status)
		}
	}
	one(t, fails(t, map[string]string{"DRIFTLESS_ADDR": "127.0.0.1:0", "DRIFTLESS_DATA_DIR": folder}, "serve"), folder)
	s.stop(t)

	again := start(t, folder)
	if status := again.get(t, "/api/v1/workspaces/acme/topics", first); status != http.StatusOK {
		t.Errorf("after a restart: HTTP %d", status)
	}
	again.stop(t)
}

func (s *running) get(t *testing.T, path, key string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := (&http.Client{Timeout: 20 * time.Second}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode
}
