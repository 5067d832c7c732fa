//go:build unix

package local

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func nobody(t *testing.T) account {
	t.Helper()
	found, err := user.Lookup("nobody")
	check(t, err)
	uid, err := strconv.Atoi(found.Uid)
	check(t, err)
	gid, err := strconv.Atoi(found.Gid)
	check(t, err)
	return account{uid: uid, gid: gid, dropped: true}
}

func TestRolesAreWhatTheyClaim(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	app, owner := connect(t, s.AppDSN()), connect(t, s.OwnerDSN())

	type role struct {
		Name                                                    string
		Login, Super, CreateDB, CreateRole, Replication, Bypass bool
		Owned                                                   int
	}
	var got []role
	rows, err := app.Query(t.Context(), `
		select rolname, rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
			(select count(*) from pg_shdepend d where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid and d.deptype = 'o')
		from pg_roles r where rolname like 'driftless%' order by rolname`)
	check(t, err)
	for rows.Next() {
		var r role
		check(t, rows.Scan(&r.Name, &r.Login, &r.Super, &r.CreateDB, &r.CreateRole, &r.Replication, &r.Bypass, &r.Owned))
		got = append(got, r)
	}
	check(t, rows.Err())
	want := []role{
		{Name: "driftless_app", Login: true},
		{Name: "driftless_owner", Login: true, CreateDB: true, Owned: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}

	exec1(t, owner, "create table owned (v int); insert into owned values (1)")
	for _, sql := range []string{
		"create table mine (v int)",
		"create schema mine",
		"create temporary table mine (v int)",
		"create database mine",
		"create role mine",
		"select * from owned",
		"drop table owned",
		"set role driftless_owner",
		"set role postgres",
		"alter role driftless_app superuser",
	} {
		if _, err := app.Exec(t.Context(), sql); err == nil {
			t.Errorf("the application may %s", sql)
		}
	}
}

// A role that was given more by hand loses it at the next start.
func TestRolesAreTakenBackToWhatTheyClaim(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	s := start(t, dir)
	exec1(t, connect(t, dsn(s.socketDir, superuser, database)), "alter role driftless_app superuser bypassrls")
	stop(t, s)
	s = start(t, dir)
	if query1[bool](t, connect(t, s.AppDSN()), "select rolsuper or rolbypassrls from pg_roles where rolname = current_user") {
		t.Error("the application is still more than it claims")
	}
}

func TestServerIsReachedOnlyThroughItsPrivateSocket(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	conn := connect(t, s.OwnerDSN())
	got := map[string]string{}
	for _, name := range []string{"listen_addresses", "fsync", "full_page_writes", "data_checksums", "server_encoding", "jit", "shared_buffers", "max_connections"} {
		got[name] = query1[string](t, conn, "select current_setting($1)", name)
	}
	got["collation"] = query1[string](t, conn, "select datcollate from pg_database where datname = current_database()")
	want := map[string]string{
		"listen_addresses": "", "fsync": "on", "full_page_writes": "on", "data_checksums": "on", "server_encoding": "UTF8",
		"jit": "off", "shared_buffers": "64MB", "max_connections": "60", "collation": "C.UTF-8",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	for _, private := range []string{s.socketDir, s.cluster.dir} {
		info, err := os.Stat(private)
		check(t, err)
		if uid, _ := ownerOf(info); info.Mode().Perm() != 0o700 || uid != s.account.uid {
			t.Errorf("%s has mode %v and owner %d", private, info.Mode(), uid)
		}
	}
	if path := socketPath(s.socketDir); len(path) >= maxSocketPath {
		t.Errorf("socket path %s has %d bytes", path, len(path))
	}
	stop(t, s)
	if _, err := os.Stat(s.socketDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket folder stays behind: %v", err)
	}
}

func TestRestartKeepsWhatWasCommitted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	began := time.Now()
	s := start(t, dir)
	cold := time.Since(began)
	exec1(t, connect(t, s.OwnerDSN()), "create table kept as select 42 as v")
	stop(t, s)
	if err := s.Err(); err != nil {
		t.Errorf("after a clean stop: %v", err)
	}
	began = time.Now()
	s = start(t, dir)
	t.Logf("cold start %v, warm start %v", cold, time.Since(began))
	if got := query1[int](t, connect(t, s.OwnerDSN()), "select v from kept"); got != 42 {
		t.Errorf("v = %d", got)
	}
}

func TestStopWithoutPatienceLosesNothing(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	s, err := Start(t.Context(), Options{DataDir: dir, Logger: logTo(t)})
	check(t, err)
	exec1(t, connect(t, s.OwnerDSN()), "create table kept as select 42 as v")
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Stop(impatient); err != nil && !errors.Is(err, errForced) {
		t.Fatal(err)
	}
	s = start(t, dir)
	if got := query1[int](t, connect(t, s.OwnerDSN()), "select v from kept"); got != 42 {
		t.Errorf("v = %d", got)
	}
}

func TestCancelledStartLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := Start(ctx, Options{DataDir: dir, Logger: logTo(t)})
		failed <- err
	}()
	eventually(t, "the cluster is being created", func() bool {
		_, err := os.Stat(filepath.Join(dir, "postgres.new", "PG_VERSION"))
		return err == nil
	})
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled start: %v", err)
	}
	start(t, dir) // over what the cancelled one left
}

// Root starts a server under a home closed to everybody else, which is what the
// default data folder of root looks like.
func TestServerNeverRunsAsRoot(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]os.FileMode{"under a closed folder": 0o700, "under an open folder": 0o755} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			check(t, os.Chmod(filepath.Dir(dir), mode))
			dir = filepath.Join(dir, "data")
			s := start(t, dir)
			conn := connect(t, s.OwnerDSN())
			exec1(t, conn, "create table t as select generate_series(1, 1000) as v")
			out, err := exec.Command("ps", "-o", "uid=", "-p", strconv.Itoa(postmaster(t, dir))).Output()
			check(t, err)
			uid, err := strconv.Atoi(strings.TrimSpace(string(out)))
			check(t, err)
			if uid == 0 || uid != s.account.uid {
				t.Errorf("PostgreSQL runs as %d, want %d", uid, s.account.uid)
			}
			if want := os.Geteuid() == 0; s.account.dropped != want {
				t.Errorf("dropped = %v, want %v", s.account.dropped, want)
			}
			// A reload reads the files of the folder by their names again.
			signal(t, postmaster(t, dir), syscall.SIGHUP)
			stop(t, s)
			s = start(t, dir)
			if got := query1[int](t, connect(t, s.OwnerDSN()), "select count(*) from t"); got != 1000 {
				t.Errorf("%d rows", got)
			}
		})
	}
}

func TestOrdinaryUserRunsItsOwnServer(t *testing.T) {
	t.Parallel()
	who := ordinary(t)
	dir := openFolder(t)
	give(t, dir, who)
	c := startChild(t, "serve", dir, who)
	exec1(t, connect(t, c.dsn), "create table kept as select 42 as v")
	info, err := os.Stat(folder(dir).dir)
	check(t, err)
	if uid, _ := ownerOf(info); uid != who.uid {
		t.Errorf("the cluster belongs to %d, want %d", uid, who.uid)
	}
	check(t, c.stdin.Close())
	check(t, c.cmd.Wait())

	// Root, or the same user again, runs what that user made, as that user.
	s := start(t, dir)
	if got := query1[int](t, connect(t, s.OwnerDSN()), "select v from kept"); got != 42 || s.account.uid != who.uid {
		t.Errorf("v = %d as account %d, want 42 as %d", got, s.account.uid, who.uid)
	}
	stop(t, s)
	startChild(t, "serve", dir, who) // nothing was left that keeps the user out
}

func TestFolderOfAnotherAccountIsRefused(t *testing.T) {
	t.Parallel()
	who := ordinary(t)
	dir := openFolder(t)
	give(t, dir, who)
	check(t, os.Symlink("/", folder(dir).dir)) // a folder of root
	out, err := childCommand(t, "serve", dir, who).CombinedOutput()
	if err == nil {
		t.Fatal("the server started")
	}
	wantText(t, errors.New(string(out)), "belongs to the account with id 0")
}

func TestCtrlCInATerminalDoesNotReachTheServer(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	start(t, dir)
	group, err := syscall.Getpgid(postmaster(t, dir))
	check(t, err)
	if group == syscall.Getpgrp() {
		t.Error("PostgreSQL is in our process group")
	}
}

func TestLogHoldsNoValuesOfStatements(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s, err := Start(t.Context(), Options{DataDir: usedFolder(t), Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	check(t, err)
	conn := connect(t, s.OwnerDSN())
	exec1(t, conn, "create table t (v text unique); insert into t values ('hush-hush')")
	for _, sql := range []string{"insert into t values ('hush-hush')", "select 'hush-hush'::int", "hush-hush"} {
		if _, err := conn.Exec(t.Context(), sql); err == nil {
			t.Errorf("%s succeeded", sql)
		}
	}
	stop(t, s)
	if !strings.Contains(log.String(), "database system is ready") {
		t.Errorf("the log does not hold what PostgreSQL says: %s", log.String())
	}
	if strings.Contains(log.String(), "hush") {
		t.Errorf("the log holds a value: %s", log.String())
	}
}
