//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package local

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
)

const supported = false

// Nothing below is reached: Options.complete refuses first. It keeps the rest
// of the product building for systems where only the client commands are used.

var (
	fastShutdown      = os.Interrupt
	immediateShutdown = os.Kill
)

func ownerOf(fs.FileInfo) (uid, gid int) { return 0, 0 }
func tryLock(*os.File) error             { return errors.ErrUnsupported }
func alive(int) bool                     { return false }
func confine(*exec.Cmd, account)         {}
func servesFolder(int, string) bool      { return false }

func passFolder(*exec.Cmd, *os.File) (string, error) { return "", errors.ErrUnsupported }
