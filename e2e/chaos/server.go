package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// server is one process of the binary under test, which can be started again after it was killed.
type server struct {
	binary string
	addr   string
	env    []string
	log    string
	cmd    *exec.Cmd
}

// newServer reserves nothing: it asks the system for a port that is free now.
func newServer(ctx context.Context, binary, folder, name string, env ...string) (*server, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a port: %w", err)
	}
	s := &server{binary: binary, addr: listener.Addr().String(), log: filepath.Join(folder, name+".log")}
	if err := listener.Close(); err != nil {
		return nil, err
	}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "DRIFTLESS_") {
			s.env = append(s.env, pair)
		}
	}
	s.env = append(s.env, "DRIFTLESS_ADDR="+s.addr, "DRIFTLESS_DATA_DIR="+filepath.Join(folder, "data"))
	s.env = append(s.env, env...)
	return s, nil
}

// start answers once the server says that it runs.
func (s *server) start(ctx context.Context) error {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.cmd = exec.CommandContext(ctx, s.binary, "serve")
	s.cmd.Env, s.cmd.Stderr = s.env, log
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start a server: %w", err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "Driftless is running.") {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return nil
		}
	}
	said, _ := os.ReadFile(s.log)
	return fmt.Errorf("a server ended before it ran: %w\n%s", errors.Join(lines.Err(), s.cmd.Wait()), said)
}

// kill ends it without a word, as a lack of memory would.
func (s *server) kill() error {
	if err := s.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill a server: %w", err)
	}
	_ = s.cmd.Wait() // it says that it was killed
	return nil
}

// stop asks it to end, and wants a clean end.
func (s *server) stop() error {
	if s.cmd == nil || s.cmd.Process == nil || s.cmd.ProcessState != nil {
		return nil
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("a server that was asked to stop: %w", err)
	}
	return nil
}

// Who owns the workspace that everything happens in.
const (
	ownerEmail    = "owner@chaos.example"
	ownerPassword = "four random words here"
	workspace     = "chaos"
)

// found makes the owner and the workspace and answers an API key of the owner.
func (s *server) found(ctx context.Context) (key string, err error) {
	cmd := exec.CommandContext(ctx, s.binary, "admin", "bootstrap", "--email", ownerEmail, "--workspace", workspace, "--password-stdin", "--json")
	cmd.Env, cmd.Stdin = s.env, strings.NewReader(ownerPassword+"\n")
	var said bytes.Buffer
	cmd.Stderr = &said
	raw, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("found a workspace: %w: %s", err, said.String())
	}
	var g struct {
		Key string `json:"api_key"`
	}
	if err := json.Unmarshal(raw, &g); err != nil || g.Key == "" {
		return "", fmt.Errorf("found a workspace: %w in %s", errors.Join(err, errors.New("no key")), raw)
	}
	return g.Key, nil
}
