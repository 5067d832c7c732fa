package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cluster is the folder PostgreSQL keeps its files in.
type cluster struct {
	dir string
}

// version reads the major version that made the cluster. It fails with
// fs.ErrNotExist when there is no cluster yet.
func (c cluster) version() (int, error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return 0, fmt.Errorf("read the database folder: %w", err)
	}
	if len(entries) == 0 {
		return 0, fmt.Errorf("%s is empty: %w", c.dir, fs.ErrNotExist)
	}
	raw, err := os.ReadFile(filepath.Join(c.dir, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		// Not wrapped: a folder with files in it must never be taken for a
		// missing one and be created again.
		return 0, fmt.Errorf("%s holds files but no PostgreSQL cluster: restore a backup, or move the folder away to start empty", c.dir)
	}
	if err != nil {
		return 0, fmt.Errorf("read the version of the cluster: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil || major <= 0 {
		return 0, fmt.Errorf("%s is damaged, PG_VERSION names no version: restore a backup, or move the folder away to start empty", c.dir)
	}
	return major, nil
}

// secure repairs what a copy made by root or with open modes looks like:
// PostgreSQL refuses to start on it.
func (c cluster) secure(who account, log *slog.Logger) error {
	info, err := os.Stat(c.dir)
	if err != nil {
		return fmt.Errorf("check the database folder: %w", err)
	}
	if uid, _ := ownerOf(info); who.dropped && uid != who.uid {
		log.Warn("giving the database folder to the account that runs PostgreSQL", "folder", c.dir, "uid", who.uid)
		err := filepath.WalkDir(c.dir, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, who.uid, who.gid))
		})
		if err != nil {
			return fmt.Errorf("give the database folder to the account that runs PostgreSQL: %w", err)
		}
	}
	if mode := info.Mode().Perm(); mode != 0o700 && mode != 0o750 {
		log.Warn("closing the database folder to other accounts", "folder", c.dir, "mode", mode.String())
		if err := os.Chmod(c.dir, 0o700); err != nil {
			return fmt.Errorf("close the database folder to other accounts: %w", err)
		}
	}
	return nil
}

// create makes the cluster beside its place and moves it there when it is
// complete and on disk, so that a start cut short leaves nothing half-made.
func (c cluster) create(ctx context.Context, p programs, who account, log *slog.Logger) error {
	unfinished := cluster{dir: c.dir + ".new"}
	if err := os.RemoveAll(unfinished.dir); err != nil {
		return fmt.Errorf("remove an unfinished cluster: %w", err)
	}
	if err := os.Mkdir(unfinished.dir, 0o700); err != nil {
		return fmt.Errorf("create the database folder: %w", err)
	}
	if err := who.own(unfinished.dir); err != nil {
		return fmt.Errorf("give the database folder to its account: %w", err)
	}
	err := unfinished.run(ctx, who, log, p.initdb(),
		"--username="+superuser, "--auth=trust", "--encoding=UTF8",
		// C.UTF-8 sorts the same under every C library: a folder moved to
		// another machine keeps its text indexes valid.
		"--locale=C.UTF-8",
		// A new cluster takes 9 MiB less on disk than with segments of 16 MB.
		"--wal-segsize=4", "--data-checksums")
	if err != nil {
		if strings.Contains(err.Error(), "could not look up effective user ID") {
			return fmt.Errorf("the account with id %d has no name, which PostgreSQL needs: add a line for it to /etc/passwd: %w", who.uid, err)
		}
		return fmt.Errorf("create the cluster: %w", err)
	}
	if err := os.Remove(c.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replace the empty database folder: %w", err)
	}
	if err := os.Rename(unfinished.dir, c.dir); err != nil {
		return fmt.Errorf("put the cluster in its place: %w", err)
	}
	return syncFolder(filepath.Dir(c.dir))
}

// run runs a program on the cluster to its end.
func (c cluster) run(ctx context.Context, who account, log *slog.Logger, program string, args ...string) error {
	p, err := c.start(who, log, program, args...)
	if err != nil {
		return err
	}
	select {
	case <-p.exited:
	case <-ctx.Done():
		return errors.Join(ctx.Err(), ignoreForced(p.end(ctx.Done())))
	}
	return p.failure()
}

// start starts a program on the cluster as the account.
func (c cluster) start(who account, log *slog.Logger, program string, args ...string) (*process, error) {
	//nolint:noctx // a server outlives the context it was started in, and is ended by signals
	cmd := exec.Command(program)
	cmd.Dir = "/" // ours may be closed to the account
	cmd.Env = environment()
	confine(cmd, who)
	dir := c.dir
	reached, err := who.reaches(c.dir)
	if err != nil {
		return nil, fmt.Errorf("check the folders above the database: %w", err)
	}
	if !reached {
		open, err := os.Open(c.dir)
		if err != nil {
			return nil, fmt.Errorf("open the database folder: %w", err)
		}
		defer func() { _ = open.Close() }()
		if dir, err = passFolder(cmd, open); err != nil {
			return nil, fmt.Errorf("a folder above %s is closed to the account that runs PostgreSQL: %w", c.dir, err)
		}
	}
	if reached, err := who.reaches(program); err != nil || !reached {
		return nil, errors.Join(fmt.Errorf("a folder above %s is closed to the account that runs PostgreSQL: install the programs elsewhere", program), err)
	}
	cmd.Args = append([]string{program, "-D", dir}, args...)
	return startProcess(cmd, log)
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// pidFile is what PostgreSQL writes about itself into postmaster.pid (one value
// a line; src/include/utils/pidfile.h).
type pidFile struct {
	pid       int
	socketDir string
	ready     bool
}

// pidFile reads postmaster.pid. It fails with fs.ErrNotExist when no server
// runs or the last one ended cleanly.
func (c cluster) pidFile() (pidFile, error) {
	raw, err := os.ReadFile(filepath.Join(c.dir, "postmaster.pid"))
	if err != nil {
		return pidFile{}, err
	}
	lines := strings.Split(string(raw), "\n")
	line := func(number int) string {
		if number > len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[number-1])
	}
	pid, err := strconv.Atoi(line(1))
	if err != nil {
		pid = 0 // cut short or damaged: the id of no process
	}
	return pidFile{pid: pid, socketDir: line(5), ready: line(8) == "ready"}, nil
}

// vacate makes sure that no PostgreSQL runs on the cluster and no pid file of a
// dead one stands in the way. The caller holds the lock of the data folder, so
// a server that still runs is an orphan: its parent was killed and it outlived
// it, or is just ending.
func (c cluster) vacate(ctx context.Context, log *slog.Logger) error {
	file, err := c.pidFile()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the pid file of PostgreSQL: %w", err)
	}
	if servesFolder(file.pid, c.dir) {
		log.Warn("stopping a PostgreSQL that outlived the process that ran it", "pid", file.pid)
		if err := c.stopOrphan(ctx, file.pid); err != nil {
			return fmt.Errorf("stop PostgreSQL process %d, which still runs on %s: %w", file.pid, c.dir, err)
		}
	}
	// PostgreSQL refuses to start while any process of its account has the
	// number in the file. It is gone after a clean stop.
	err = os.Remove(filepath.Join(c.dir, "postmaster.pid"))
	if err == nil {
		log.Info("removed the pid file of a PostgreSQL that ended without a clean stop", "pid", file.pid)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a stale pid file: %w", err)
	}
	return nil
}

// stopOrphan ends a server that is not our child and waits until it is gone.
func (c cluster) stopOrphan(ctx context.Context, pid int) error {
	orphan, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	defer func() { _ = orphan.Release() }()
	watching, stopWatching := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWatching()
	gone, watcher := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watcher)
		err := poll(watching, 10*time.Millisecond, func() (bool, error) { return !servesFolder(pid, c.dir), nil })
		if err == nil {
			close(gone)
		}
	}()
	defer func() {
		stopWatching()
		<-watcher
	}()
	if err := end(orphan.Signal, gone, ctx.Done()); err != nil && !errors.Is(err, errForced) {
		return err
	}
	return nil
}
