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
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// server is the binary under test, with its private database.
type server struct {
	binary string
	addr   string
	env    []string
	cmd    *exec.Cmd
}

// start answers once the server says that it runs.
func start(ctx context.Context, binary, folder string) (*server, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a port: %w", err)
	}
	s := &server{binary: binary, addr: listener.Addr().String()}
	if err := listener.Close(); err != nil {
		return nil, err
	}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "DRIFTLESS_") {
			s.env = append(s.env, pair)
		}
	}
	s.env = append(s.env, "DRIFTLESS_ADDR="+s.addr, "DRIFTLESS_DATA_DIR="+filepath.Join(folder, "data"), "DRIFTLESS_LOG=warn",
		"DRIFTLESS_LIMIT_CALLS=1000000", "DRIFTLESS_LIMIT_WORKSPACE=1000000", "DRIFTLESS_URL=http://"+s.addr)
	s.cmd = exec.CommandContext(ctx, binary, "serve")
	s.cmd.Env, s.cmd.Stderr = s.env, os.Stderr
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a server: %w", err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "Driftless is running.") {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return s, nil
		}
	}
	return nil, fmt.Errorf("the server ended before it ran: %w", errors.Join(lines.Err(), s.cmd.Wait()))
}

// stop asks it to end, and wants a clean end.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the server was asked to stop: %w", err)
	}
	return nil
}

// place is a workspace with the key of its owner.
type place struct {
	*server
	workspace, key string
	client         *http.Client
}

// found makes a workspace.
func (s *server) found(ctx context.Context, workspace string) (place, error) {
	cmd := exec.CommandContext(ctx, s.binary, "admin", "bootstrap", "--email", "owner@releases.example", "--workspace", workspace, "--password-stdin", "--json")
	cmd.Env, cmd.Stdin = s.env, strings.NewReader("four random words here\n")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	raw, err := cmd.Output()
	var g struct {
		Key string `json:"api_key"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &g)
	}
	if err != nil || g.Key == "" {
		return place{}, fmt.Errorf("found a workspace: %w: %s", err, complaint.String())
	}
	return place{s, workspace, g.Key, &http.Client{Timeout: time.Minute}}, nil
}

// sync runs the command in a checkout.
func (p place) sync(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, p.binary, "sync", dir, "-o", "json")
	cmd.Env = slices.Concat(p.env, []string{"DRIFTLESS_API_KEY=" + p.key, "DRIFTLESS_WORKSPACE=" + p.workspace})
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("sync: %w: %s", err, out)
	}
	return nil
}

// call asks the server and decodes its answer.
func (p place) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+p.addr+"/api/v1/workspaces/"+p.workspace+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("Content-Type", "application/json")
	res, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s answers %d: %s", method, path, res.StatusCode, raw)
	}
	return json.Unmarshal(raw, out)
}

// create makes a topic and answers its slug.
func (p place) create(ctx context.Context, title string, anchors []string) (string, error) {
	var out struct {
		Slug string `json:"slug"`
	}
	err := p.call(ctx, http.MethodPost, "/topics", map[string]any{"title": title, "what": "About code.", "anchors": anchors}, &out)
	return out.Slug, err
}

func (p place) verify(ctx context.Context, slug string) error {
	var out map[string]any
	return p.call(ctx, http.MethodPost, "/topics/"+slug+"/verify", map[string]any{}, &out)
}

// states reads how far each topic has drifted.
func (p place) states(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for cursor := ""; ; {
		var page struct {
			Results []struct {
				Slug  string `json:"slug"`
				Drift string `json:"drift_state"`
			} `json:"results"`
			More bool   `json:"has_more"`
			Next string `json:"next_cursor"`
		}
		if err := p.call(ctx, http.MethodGet, "/topics?limit=100&cursor="+url.QueryEscape(cursor), nil, &page); err != nil {
			return nil, err
		}
		for _, t := range page.Results {
			out[t.Slug] = t.Drift
		}
		if cursor = page.Next; !page.More {
			return out, nil
		}
	}
}
