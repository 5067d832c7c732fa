package main

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// house is where the servers live: one folder, one database server, and the processes that have to end with the run.
type house struct {
	folder  string
	dsn     string
	running []*process
}

// process is one server.
type process struct {
	cmd   *exec.Cmd
	log   string
	ended chan struct{}
	err   error // of its end; set before ended is closed
}

// start starts a server whose output goes to a file that has its name.
func (h *house) start(ctx context.Context, name string, env []string, program string, args ...string) (*process, error) {
	p := &process{log: filepath.Join(h.folder, name+".log"), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	p.cmd = exec.CommandContext(ctx, program, args...)
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = environment(env), log, log
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

// patience bounds the start and the end of a server.
const patience = 30 * time.Second

// stop asks every server to end, and kills those that do not.
func (h *house) stop() {
	for _, p := range h.running {
		_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	}
	late := time.After(patience)
	for _, p := range h.running {
		select {
		case <-p.ended:
		case <-late:
			_ = p.cmd.Process.Kill()
			<-p.ended
		}
	}
}

// answers waits until the server answers 200 at the address.
func (p *process) answers(ctx context.Context, at string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
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

// environment is ours without what would reach into a server by accident.
func environment(more []string) []string {
	var env []string
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "DRIFTLESS_") && !strings.HasPrefix(pair, "PG") {
			env = append(env, pair)
		}
	}
	return append(env, more...)
}

// connections are how many each server may have to the database: as many as ours opens.
func connections() int { return max(8, 4*runtime.GOMAXPROCS(0)) }

// freeAddr reserves nothing: it asks the system for a port that is free now.
func freeAddr(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a port: %w", err)
	}
	return listener.Addr().String(), listener.Close()
}

func port(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return port
}

// moduleVersion is the version of the module that a Go program was built from: of its main package or, where it was built
// inside another module, of the dependency that the package is in.
func moduleVersion(program string) string {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "unknown"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == info.Path {
			return m.Version
		}
	}
	return "unknown"
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

// used is the processor time of a process and of the children that it has and had.
func used(pid int) (time.Duration, error) {
	pids, err := family(pid)
	if err != nil {
		return 0, err
	}
	ticks := 0
	for _, member := range pids {
		fields, err := stat(member)
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

// resident is the memory of a process with its children now and at most, in bytes.
func resident(pid int) (now, most int, err error) {
	pids, err := family(pid)
	if err != nil {
		return 0, 0, err
	}
	for _, member := range pids {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", member))
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
