package local

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dieWithParent lets the kernel stop the database when this process dies
// without a chance to do so itself. The signal is tied to the thread that
// started the child: it must stay alive and belong to one goroutine (prctl(2),
// PR_SET_PDEATHSIG).
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }

// passFolder hands a folder to a command as an open descriptor and returns the
// path under which the command finds it. The account needs no right on the
// folders above: this is how a data folder under a closed home of root works.
func passFolder(cmd *exec.Cmd, dir *os.File) (string, error) {
	cmd.ExtraFiles = append(cmd.ExtraFiles, dir)
	return fmt.Sprintf("/proc/self/fd/%d", 2+len(cmd.ExtraFiles)), nil
}

// servesFolder reports whether the process is a PostgreSQL that runs on the
// folder. The program alone proves nothing, because after a restart of the
// machine or the container the id may belong to any other server; but every
// PostgreSQL works inside its data folder. A process that ended and was not
// collected by its parent yet has no program any more and counts as gone.
func servesFolder(pid int, dir string) bool {
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	program, err := os.Readlink(filepath.Join(proc, "exe"))
	if err != nil {
		return false // gone, or of another account and so not ours
	}
	if filepath.Base(strings.TrimSuffix(program, " (deleted)")) != "postgres" {
		return false
	}
	working, err := os.Stat(filepath.Join(proc, "cwd"))
	if err != nil {
		return false
	}
	want, err := os.Stat(dir)
	return err == nil && os.SameFile(working, want)
}
