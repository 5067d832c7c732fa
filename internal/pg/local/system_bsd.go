//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package local

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dieWithParent does nothing: these systems have no signal for the death of a
// parent. The next start finds the orphan and stops it.
func dieWithParent(*syscall.SysProcAttr) {}

// passFolder is not possible here.
func passFolder(*exec.Cmd, *os.File) (string, error) {
	return "", errors.New("choose a data folder whose parent folders let every account pass, or run driftless as an ordinary user")
}

// servesFolder reports whether the process is a PostgreSQL that runs on the
// folder: its program is called postgres, and somebody still answers on the
// private socket its pid file names.
func servesFolder(pid int, dir string) bool {
	program, err := exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	if err != nil || filepath.Base(strings.TrimSpace(string(program))) != "postgres" {
		return false
	}
	file, err := cluster{dir: dir}.pidFile()
	if err != nil {
		return false
	}
	conn, err := net.Dial("unix", socketPath(file.socketDir))
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
