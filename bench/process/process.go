// Package process runs the servers of a measurement: it starts them, waits for them, stops all of them at the end, and reads off
// the system what they used (proc(5), so on Linux alone).
//
// It refuses to know what they are.
package process

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// House is where the servers live: one folder for their logs, one database server, and the processes that have to end with the
// run.
type House struct {
	Folder  string
	DSN     string
	running []*Process
}

// Process is one server.
type Process struct {
	cmd   *exec.Cmd
	log   string
	ended chan struct{}
	err   error // of its end; set before ended is closed
}

// Start starts a server whose output goes to a file that has its name.
func (h *House) Start(ctx context.Context, name string, env []string, program string, args ...string) (*Process, error) {
	p := &Process{log: filepath.Join(h.Folder, name+".log"), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	p.cmd = exec.CommandContext(ctx, program, args...)
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = Environment(env), log, log
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	h.running = append(h.running, p)
	return p, nil
}

// Patience bounds the start and the end of a server.
const Patience = 30 * time.Second

// Stop asks every server to end, and kills those that do not.
func (h *House) Stop() {
	for _, p := range h.running {
		_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	}
	late := time.After(Patience)
	for _, p := range h.running {
		select {
		case <-p.ended:
		case <-late:
			_ = p.cmd.Process.Kill()
			<-p.ended
		}
	}
}

// Answers waits until the server answers 200 at the address.
func (p *Process) Answers(ctx context.Context, at string) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
		if err != nil {
			return err
		}
		got, err := (&http.Client{Timeout: time.Second}).Do(r)
		if err == nil {
			_ = got.Body.Close()
			if got.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.ended:
			said, _ := os.ReadFile(p.log)
			return fmt.Errorf("a server ended before it answered: %w\n%s", errors.Join(p.err, errors.New(p.cmd.String())), said)
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w", at, errors.Join(ctx.Err(), err))
		case <-again.C:
		}
	}
}

// Environment is ours without what would reach into a server by accident.
func Environment(more []string) []string {
	var env []string
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "DRIFTLESS_") && !strings.HasPrefix(pair, "PG") {
			env = append(env, pair)
		}
	}
	return append(env, more...)
}

// FreeAddr reserves nothing: it asks the system for a port that is free now.
func FreeAddr(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a port: %w", err)
	}
	return listener.Addr().String(), listener.Close()
}

// tick is the unit in which Linux counts processor time (sysconf(_SC_CLK_TCK), a hundredth of a second on every port).
const tick = 10 * time.Millisecond

// family is a process with the children that it has now.
func family(pid int) ([]int, error) {
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, err
	}
	pids := []int{pid}
	for _, dir := range all {
		child, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		if f, err := stat(child); err == nil && f[ppid] == pid { // others end while we look
			pids = append(pids, child)
		}
	}
	return pids, nil
}

// Used is the processor time of a process and of the children that it has and had.
func Used(pid int) (time.Duration, error) {
	pids, err := family(pid)
	if err != nil {
		return 0, err
	}
	ticks := 0
	for _, member := range pids {
		fields, err := stat(member)
		if member != pid && errors.Is(err, os.ErrNotExist) {
			continue // it has ended meanwhile; its parent counts it
		}
		if err != nil {
			return 0, err
		}
		ticks += fields[utime] + fields[stime]
		if member == pid {
			ticks += fields[cutime] + fields[cstime]
		}
	}
	return time.Duration(ticks) * tick, nil
}

// Fields of /proc/PID/stat after the name, by proc(5) from 3 on.
const (
	ppid   = 4 - 3
	utime  = 14 - 3
	stime  = 15 - 3
	cutime = 16 - 3
	cstime = 17 - 3
)

func stat(pid int) (fields [cstime + 1]int, err error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return fields, err
	}
	words := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	if len(words) < len(fields) {
		return fields, fmt.Errorf("process %d: %q", pid, raw)
	}
	for i := ppid; i < len(fields); i++ {
		if fields[i], err = strconv.Atoi(words[i]); err != nil {
			return fields, fmt.Errorf("process %d: %w", pid, err)
		}
	}
	return fields, nil
}

// Resident is the memory of a process with its children now and at most, in bytes.
func Resident(pid int) (now, most int, err error) {
	pids, err := family(pid)
	if err != nil {
		return 0, 0, err
	}
	for _, member := range pids {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", member))
		if member != pid && errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		for line := range strings.Lines(string(raw)) {
			words := strings.Fields(line)
			if len(words) != 3 || words[2] != "kB" {
				continue
			}
			n, err := strconv.Atoi(words[1])
			if err != nil {
				return 0, 0, err
			}
			switch words[0] {
			case "VmRSS:":
				now += n << 10
			case "VmHWM:":
				most += n << 10
			}
		}
	}
	return now, most, nil
}

// Parent is the process that started this one.
func Parent(pid int) (int, error) {
	fields, err := stat(pid)
	return fields[ppid], err
}

// ID is the number of the process.
func (p *Process) ID() int { return p.cmd.Process.Pid }
