//go:build unix

package local

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
)

// childEnv makes the test program run as a second process of ours on a data
// folder instead of running tests.
const childEnv = "DRIFTLESS_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childEnv); mode != "" {
		if err := childMain(mode, os.Args[1]); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	if err := makeTemplate(template()); err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if err := os.RemoveAll(template()); err != nil {
			os.Stderr.WriteString(err.Error())
			code = 1
		}
		os.Exit(code)
	}))
}

// template is a data folder with a cluster, made once before the tests: a copy
// takes a tenth of the time.
func template() string {
	return filepath.Join(os.TempDir(), "driftless-template-"+strconv.Itoa(os.Getpid()))
}

func makeTemplate(dir string) error {
	s, err := Start(context.Background(), Options{DataDir: dir})
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return s.Stop(context.Background())
}

// usedFolder is a data folder that a server ran on before.
func usedFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	check(t, exec.Command("cp", "-Rp", template()+"/.", dir).Run())
	return dir
}

// childMain runs a server until its standard input ends.
func childMain(mode, dataDir string) error {
	ctx := context.Background()
	start := Start
	if mode == "command" {
		start = StartOrAttach
	}
	s, err := start(ctx, Options{DataDir: dataDir})
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(s.OwnerDSN()); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return s.Stop(ctx)
}

// child is a second process of ours.
type child struct {
	cmd   *exec.Cmd
	stdin io.Closer
	dsn   string
}

// startChild runs a server in a process of its own, as another account if who
// says so, and waits until it is ready.
func startChild(t *testing.T, mode, dataDir string, who account) *child {
	t.Helper()
	cmd := childCommand(t, mode, dataDir, who)
	stdin, err := cmd.StdinPipe()
	check(t, err)
	stdout, err := cmd.StdoutPipe()
	check(t, err)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	check(t, cmd.Start())
	c := &child{cmd: cmd, stdin: stdin}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			check(t, stdin.Close())
			check(t, cmd.Wait())
		}
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		_ = cmd.Wait()
		t.Fatalf("the second process did not start: %s", stderr.String())
	}
	check(t, json.Unmarshal(line, &c.dsn))
	return c
}

// childCommand is the test program as a second process. The program is reached
// through /proc because the folder it was built in is closed to other accounts.
func childCommand(t *testing.T, mode, dataDir string, who account) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	check(t, err)
	cmd := exec.Command(program, dataDir)
	if who.dropped {
		cmd.Path = "/proc/self/exe"
		cmd.Dir = "/"
		as(cmd, who)
	}
	cmd.Env = append(os.Environ(), childEnv+"="+mode)
	return cmd
}

// as makes a command run as an account.
func as(cmd *exec.Cmd, who account) {
	if who.dropped {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(who.uid), Gid: uint32(who.gid)}}
	}
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// kill ends the process the hard way.
func (c *child) kill(t *testing.T) {
	t.Helper()
	check(t, c.cmd.Process.Kill())
	var exit *exec.ExitError
	if err := c.cmd.Wait(); !errors.As(err, &exit) {
		t.Fatalf("killed process: %v", err)
	}
}

// start runs a server for the length of a test.
func start(t *testing.T, dataDir string) *Server {
	t.Helper()
	s, err := Start(t.Context(), Options{DataDir: dataDir, Logger: logTo(t)})
	check(t, err)
	t.Cleanup(func() { check(t, s.Stop(context.Background())) })
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	check(t, s.Stop(t.Context()))
}

// startError runs a start that must fail and returns what it says.
func startError(t *testing.T, o Options) error {
	t.Helper()
	s, err := Start(t.Context(), o)
	if err == nil {
		stop(t, s)
		t.Fatal("the server started")
	}
	return err
}

func logTo(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) }) // broken by some tests
	return conn
}

func exec1(t *testing.T, conn *pgx.Conn, sql string, args ...any) {
	t.Helper()
	_, err := conn.Exec(t.Context(), sql, args...)
	check(t, err)
}

func query1[T any](t *testing.T, conn *pgx.Conn, sql string, args ...any) T {
	t.Helper()
	var value T
	check(t, conn.QueryRow(t.Context(), sql, args...).Scan(&value))
	return value
}

// postmaster is the process id of the server on a data folder.
func postmaster(t *testing.T, dataDir string) int {
	t.Helper()
	file, err := folder(dataDir).pidFile()
	check(t, err)
	return file.pid
}

func folder(dataDir string) cluster { return cluster{dir: filepath.Join(dataDir, "postgres")} }

func signal(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	check(t, syscall.Kill(pid, s))
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := poll(ctx, 5*time.Millisecond, func() (bool, error) { return holds(), nil }); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// ordinary is an account that is not root: this one, or nobody when it is root.
func ordinary(t *testing.T) account {
	t.Helper()
	if uid := os.Geteuid(); uid != 0 {
		return account{uid: uid, gid: os.Getegid()}
	}
	return nobody(t)
}

// give makes a folder and everything in it belong to an account.
func give(t *testing.T, dir string, who account) {
	t.Helper()
	if who.dropped {
		check(t, exec.Command("chown", "-R", strconv.Itoa(who.uid)+":"+strconv.Itoa(who.gid), dir).Run())
	}
}

// openFolder is a temporary folder that every account can reach.
func openFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	check(t, os.Chmod(filepath.Dir(dir), 0o755))
	return dir
}

func wantText(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not mention %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error is more than one sentence: %q", err)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
