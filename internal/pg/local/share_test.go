//go:build unix

package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestSecondInstanceIsRefused(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	c := startChild(t, "serve", dir, account{})
	err := startError(t, Options{DataDir: dir})
	if !errors.Is(err, ErrInUse) {
		t.Errorf("error %v is no ErrInUse", err)
	}
	wantText(t, err, dir, fmt.Sprintf("already in use by process %d", c.pid()))
	connect(t, c.dsn) // undisturbed
}

func TestSecondServerInOneProcessIsRefused(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	s := start(t, dir)
	if err := startError(t, Options{DataDir: dir}); !errors.Is(err, ErrInUse) {
		t.Errorf("error %v is no ErrInUse", err)
	}
	connect(t, s.AppDSN())
}

func TestCommandUsesTheServerThatRuns(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	c := startChild(t, "serve", dir, account{})
	pid := postmaster(t, dir)
	s, err := StartOrAttach(t.Context(), Options{DataDir: dir})
	check(t, err)
	exec1(t, connect(t, s.OwnerDSN()), "create table shared as select 42 as v")
	if got := query1[int](t, connect(t, c.dsn), "select v from shared"); got != 42 {
		t.Errorf("v = %d", got)
	}
	stop(t, s)
	stop(t, s) // more than once
	<-s.Done()
	check(t, s.Err())
	if got := postmaster(t, dir); got != pid {
		t.Errorf("the server was disturbed: process %d became %d", pid, got)
	}
	connect(t, c.dsn)
}

func TestCommandRunsAServerWhenThereIsNone(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	s, err := StartOrAttach(t.Context(), Options{DataDir: dir, Logger: logTo(t)})
	check(t, err)
	connect(t, s.AppDSN())
	stop(t, s)
	if _, err := s.cluster.pidFile(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the server still runs: %v", err)
	}
}

// However the start of a server and of commands fall together, each of them
// ends with a working database.
func TestServerAndCommandsStartAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	finished := make(chan error)
	for range 3 {
		go func() {
			finished <- func() error {
				s, err := StartOrAttach(t.Context(), Options{DataDir: dir})
				if err != nil {
					return err
				}
				return errors.Join(ping(t.Context(), s.socketDir), s.Stop(t.Context()))
			}()
		}()
	}
	s := start(t, dir)
	for range 3 {
		check(t, <-finished)
	}
	connect(t, s.AppDSN())
}

// A command that comes while the server is stopping waits and runs its own.
func TestCommandDuringAStop(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	s := start(t, dir)
	stopped := make(chan error)
	go func() { stopped <- s.Stop(context.Background()) }()
	eventually(t, "the server is stopping", func() bool {
		file, err := s.cluster.pidFile()
		return err != nil || !file.ready
	})
	command, err := StartOrAttach(t.Context(), Options{DataDir: dir})
	check(t, err)
	connect(t, command.AppDSN())
	stop(t, command)
	check(t, <-stopped)
}

// A server that finds a command at work waits for its end.
func TestServerWaitsForACommand(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	c := startChild(t, "command", dir, account{})
	ready := make(chan error)
	var s *Server
	go func() {
		var err error
		s, err = Start(t.Context(), Options{DataDir: dir})
		ready <- err
	}()
	connect(t, c.dsn)
	check(t, c.stdin.Close())
	check(t, <-ready)
	check(t, c.cmd.Wait())
	connect(t, s.AppDSN())
	stop(t, s)
}

// Neither a server nor a command uses what a command runs, which ends with it.
func TestWaitForACommandIsBounded(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	startChild(t, "command", dir, account{})
	for name, start := range map[string]func(context.Context, Options) (*Server, error){"server": Start, "command": StartOrAttach} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 10*claimInterval)
			defer cancel()
			if _, err := start(ctx, Options{DataDir: dir}); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrInUse) {
				t.Errorf("error %v does not say both what was waited for and why it ended", err)
			}
		})
	}
}

// The lock file of a process that was killed names a server that is gone.
func TestLockFileLeftByAKilledProcessIsNotBelieved(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"dead holder": `{"pid": 4194304, "socket_dir": "/nonexistent"}`,
		"live number": fmt.Sprintf(`{"pid": %d, "ready": true, "socket_dir": "/nonexistent"}`, os.Getpid()),
		"cut short":   `{"pid": 12`,
		"garbage":     "\x00\xff",
		"empty":       "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := usedFolder(t)
			check(t, os.WriteFile(filepath.Join(dir, "postgres.lock"), []byte(content), 0o600))
			connect(t, start(t, dir).AppDSN())
		})
	}
}
