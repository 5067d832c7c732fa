//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package local

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

const supported = true

// ownerOf returns the account that owns a file.
func ownerOf(info fs.FileInfo) (uid, gid int) {
	st := info.Sys().(*syscall.Stat_t)
	return int(st.Uid), int(st.Gid)
}

// tryLock takes an exclusive lock on an open file, or fails with errLocked.
func tryLock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

// alive reports whether a process has this id, whoever owns it.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// confine makes a command run as the account and outside the process group of
// ours: Ctrl-C in a terminal reaches the whole group, and would stop the
// database before the requests under way are finished.
func confine(cmd *exec.Cmd, who account) {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if who.dropped {
		attr.Credential = &syscall.Credential{Uid: uint32(who.uid), Gid: uint32(who.gid)}
	}
	dieWithParent(attr)
	cmd.SysProcAttr = attr
}

// The three ways to end a PostgreSQL, from polite to rude: disconnect clients
// and write a checkpoint; end without a checkpoint; end at once.
var (
	fastShutdown      os.Signal = syscall.SIGINT
	immediateShutdown os.Signal = syscall.SIGQUIT
)
