//go:build unix

package local

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func TestKilledPostgreSQLComesBackWithEveryAcknowledgedRow(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	s := start(t, dir)
	exec1(t, connect(t, s.OwnerDSN()), "create table written (v bigint primary key)")

	load, endLoad := context.WithCancel(t.Context())
	var next, acknowledged atomic.Int64
	var mu sync.Mutex
	var rows []int64
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for load.Err() == nil {
				conn, err := pgx.Connect(load, s.OwnerDSN())
				if err != nil {
					continue // not back yet
				}
				for {
					v := next.Add(1)
					if _, err := conn.Exec(load, "insert into written values ($1)", v); err != nil {
						break
					}
					acknowledged.Add(1)
					mu.Lock()
					rows = append(rows, v)
					mu.Unlock()
				}
				_ = conn.Close(context.Background()) // broken
			}
		})
	}
	eventually(t, "rows are written", func() bool { return acknowledged.Load() > 500 })
	killed, first := time.Now(), postmaster(t, dir)
	signal(t, first, syscall.SIGKILL)
	eventually(t, "another server is ready", func() bool {
		file, err := s.cluster.pidFile()
		return err == nil && file.pid != first && file.ready
	})
	t.Logf("ready again after %v", time.Since(killed))
	before := acknowledged.Load()
	eventually(t, "rows are written again", func() bool { return acknowledged.Load() > before+100 })
	endLoad()
	writers.Wait()

	missing := query1[int](t, connect(t, s.OwnerDSN()),
		"select count(*) from unnest($1::bigint[]) v where not exists (select from written w where w.v = v)", rows)
	if missing != 0 {
		t.Errorf("%d of %d acknowledged rows are lost", missing, len(rows))
	}
	select {
	case <-s.Done():
		t.Errorf("Done is closed: %v", s.Err())
	default:
	}
}

func TestServerStoppedFromOutsideComesBack(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	s := start(t, dir)
	first := postmaster(t, dir)
	signal(t, first, syscall.SIGTERM)
	eventually(t, "another server is ready", func() bool {
		file, err := s.cluster.pidFile()
		return err == nil && file.pid != first && file.ready
	})
	connect(t, s.AppDSN())
}

func TestRepeatedCrashesEndTheServer(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	s, err := Start(t.Context(), Options{DataDir: dir, Logger: logTo(t)})
	check(t, err)
	last := 0
	for crash := range maxCrashes {
		eventually(t, "the server is ready", func() bool {
			file, err := s.cluster.pidFile()
			return err == nil && file.pid != last && file.ready
		})
		if err := s.Err(); err != nil {
			t.Fatalf("after %d crashes: %v", crash, err)
		}
		last = postmaster(t, dir)
		signal(t, last, syscall.SIGKILL)
	}
	<-s.Done()
	if s.Err() == nil {
		t.Fatal("Err is nil")
	}
	wantText(t, s.Err(), "not started again", "killed")
	if err := s.Stop(t.Context()); !errors.Is(err, s.Err()) {
		t.Errorf("Stop returns %v", err)
	}
	start(t, dir) // the folder is free and whole
}

func TestKilledProcessTakesPostgreSQLWithIt(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	c := startChild(t, "serve", dir, account{})
	conn := connect(t, c.dsn)
	exec1(t, conn, "create table kept as select 42 as v")
	old, pid := socketOf(t, dir), postmaster(t, dir)
	c.kill(t)
	killed := time.Now()
	eventually(t, "PostgreSQL ends", func() bool { return !servesFolder(pid, folder(dir).dir) })
	t.Logf("PostgreSQL ended after %v", time.Since(killed))
	if _, err := folder(dir).pidFile(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("PostgreSQL did not stop cleanly: its pid file is there (%v)", err)
	}
	s := start(t, dir)
	if got := query1[int](t, connect(t, s.OwnerDSN()), "select v from kept"); got != 42 {
		t.Errorf("v = %d", got)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old socket folder stays behind: %v", err)
	}
}

// A start right after the kill meets the old server while it is shutting down.
func TestStartRightAfterAKill(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	c := startChild(t, "serve", dir, account{})
	exec1(t, connect(t, c.dsn), "create table kept as select 42 as v")
	c.kill(t)
	s := start(t, dir)
	if got := query1[int](t, connect(t, s.OwnerDSN()), "select v from kept"); got != 42 {
		t.Errorf("v = %d", got)
	}
}

func TestBothProcessesKilledAtOnce(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	c := startChild(t, "serve", dir, account{})
	exec1(t, connect(t, c.dsn), "create table kept as select 42 as v")
	old := socketOf(t, dir)
	signal(t, c.pid(), syscall.SIGSTOP) // it must not start PostgreSQL again
	signal(t, postmaster(t, dir), syscall.SIGKILL)
	c.kill(t)
	s := start(t, dir)
	if got := query1[int](t, connect(t, s.OwnerDSN()), "select v from kept"); got != 42 {
		t.Errorf("v = %d", got)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old socket folder stays behind: %v", err)
	}
}

// Where the kernel does not pass on the death of a parent, PostgreSQL lives on.
func TestOrphanIsStoppedAndReplaced(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	s := start(t, dir)
	exec1(t, connect(t, s.OwnerDSN()), "create table kept as select 42 as v")
	stop(t, s)

	var err error
	s.socketDir, err = createSocketDir(s.account)
	check(t, err)
	orphan, err := s.launch(t.Context())
	check(t, err)
	exec1(t, connect(t, s.OwnerDSN()), "insert into kept values (43)")

	next := start(t, dir)
	check(t, orphan.failure()) // which means that it was stopped politely
	if got := query1[int](t, connect(t, next.OwnerDSN()), "select sum(v) from kept"); got != 85 {
		t.Errorf("sum = %d", got)
	}
	check(t, removeSocketDir(s.socketDir))
}

func TestStalePidFileIsRemoved(t *testing.T) {
	t.Parallel()
	for name, stale := range map[string]func(t *testing.T, who account) string{
		"of a dead process": func(t *testing.T, _ account) string {
			cmd := exec.Command("true")
			check(t, cmd.Run())
			return strconv.Itoa(cmd.Process.Pid)
		},
		"of a live program of the same account": func(t *testing.T, who account) string {
			return strconv.Itoa(startBystander(t, who))
		},
		"of a live program of root or another": func(*testing.T, account) string { return "1" },
		"of this process":                      func(*testing.T, account) string { return strconv.Itoa(os.Getpid()) },
		"cut short":                            func(*testing.T, account) string { return "" },
		"garbage":                              func(*testing.T, account) string { return "\x00\xffnot a number\n\n\n" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := usedFolder(t)
			who, err := chooseAccount(dir, folder(dir))
			check(t, err)
			path := filepath.Join(folder(dir).dir, "postmaster.pid")
			check(t, os.WriteFile(path, []byte(stale(t, who)), 0o600))
			check(t, who.own(path))
			connect(t, start(t, dir).AppDSN())
		})
	}
}

// A number that belongs to the PostgreSQL of another folder now must not be
// mistaken for an orphan of ours.
func TestStalePidFileNamesAnotherPostgreSQL(t *testing.T) {
	t.Parallel()
	other, dir := usedFolder(t), usedFolder(t)
	bystander := start(t, other)
	conn := connect(t, bystander.AppDSN())
	raw, err := os.ReadFile(filepath.Join(folder(other).dir, "postmaster.pid"))
	check(t, err)
	path := filepath.Join(folder(dir).dir, "postmaster.pid")
	check(t, os.WriteFile(path, raw, 0o600))
	connect(t, start(t, dir).AppDSN())
	check(t, conn.Ping(t.Context()))
}

// startBystander runs a program that has nothing to do with us, and checks at
// the end of the test that nobody harmed it.
func startBystander(t *testing.T, who account) int {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	cmd.Dir = "/"
	as(cmd, who)
	check(t, cmd.Start())
	t.Cleanup(func() {
		check(t, cmd.Process.Kill())
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Errorf("somebody ended the bystander: %v", err)
		}
	})
	return cmd.Process.Pid
}

// socketOf is the socket folder of the server that runs on a data folder.
func socketOf(t *testing.T, dataDir string) string {
	t.Helper()
	file, err := folder(dataDir).pidFile()
	check(t, err)
	return file.socketDir
}
