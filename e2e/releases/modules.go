package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// module is a module with ten of its releases, the oldest first.
type module struct {
	path     string
	releases []string
}

var modules = []module{
	{"github.com/spf13/cobra", []string{"v1.2.1", "v1.3.0", "v1.4.0", "v1.5.0", "v1.6.1", "v1.7.0", "v1.8.1", "v1.9.1", "v1.10.0", "v1.10.2"}},
	{"github.com/labstack/echo/v4", []string{"v4.7.2", "v4.8.0", "v4.9.0", "v4.10.2", "v4.11.4", "v4.12.0", "v4.13.4", "v4.14.0", "v4.15.4", "v4.16.5"}},
	{"github.com/jackc/pgx/v5", []string{"v5.7.1", "v5.7.3", "v5.7.5", "v5.8.0", "v5.9.0", "v5.9.2", "v5.10.0", "v5.11.0", "v5.12.0", "v5.13.0"}},
	{"github.com/prometheus/client_golang", []string{"v1.16.0", "v1.17.0", "v1.18.0", "v1.19.1", "v1.20.5", "v1.21.1", "v1.22.0", "v1.23.2", "v1.24.1", "v1.25.0"}},
	{"gorm.io/gorm", []string{"v1.25.9", "v1.25.10", "v1.25.12", "v1.26.0", "v1.26.1", "v1.30.0", "v1.30.2", "v1.30.5", "v1.31.0", "v1.31.2"}},
	{"google.golang.org/grpc", []string{"v1.76.0", "v1.77.0", "v1.78.0", "v1.79.0", "v1.80.0", "v1.81.0", "v1.82.0", "v1.83.0", "v1.84.0", "v1.85.0"}},
}

// downloaded is a release in the module cache.
type downloaded struct {
	Version string
	Dir     string
	Info    string
	Error   string
	at      time.Time
}

// history is a checkout with a commit for each release.
type history struct {
	module
	dir     string
	commits []string
	at      []time.Time
}

// history makes a git repository of the releases.
func (m module) history(ctx context.Context, dir string) (h history, err error) {
	h = history{module: m, dir: dir}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return h, err
	}
	if _, err := h.git(ctx, nil, "init", "-q", "-b", "main"); err != nil {
		return h, err
	}
	if _, err := h.git(ctx, nil, "remote", "add", "origin", "https://git.example.test/"+m.path+".git"); err != nil {
		return h, err
	}
	for _, version := range m.releases {
		d, err := m.download(ctx, version)
		if err != nil {
			return h, err
		}
		if err := h.clear(); err != nil {
			return h, err
		}
		if err := os.CopyFS(dir, writable{os.DirFS(d.Dir)}); err != nil {
			return h, fmt.Errorf("copy %s: %w", version, err)
		}
		if err := h.commit(ctx, version, d.at); err != nil {
			return h, err
		}
	}
	return h, nil
}

// download brings a release into the module cache, by the proxy that this machine uses.
func (m module) download(ctx context.Context, version string) (d downloaded, err error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", m.path+"@"+version)
	cmd.Dir = os.TempDir()
	raw, err := cmd.Output()
	if err := errors.Join(err, json.Unmarshal(raw, &d)); err != nil || d.Error != "" {
		return d, fmt.Errorf("download %s@%s: %w %s", m.path, version, err, d.Error)
	}
	var info struct{ Time time.Time }
	if raw, err = os.ReadFile(d.Info); err == nil {
		err = json.Unmarshal(raw, &info)
	}
	if err != nil {
		return d, fmt.Errorf("read when %s was released: %w", version, err)
	}
	d.at = info.Time
	return d, nil
}

// clear removes the files that are checked out.
func (h *history) clear() error {
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == ".git" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(h.dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (h *history) commit(ctx context.Context, message string, at time.Time) error {
	date := at.Format(time.RFC3339)
	env := []string{"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}
	if _, err := h.git(ctx, nil, "add", "-A", "-f", "."); err != nil {
		return err
	}
	if _, err := h.git(ctx, env, "commit", "-q", "--allow-empty", "-m", message); err != nil {
		return err
	}
	id, err := h.git(ctx, nil, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	h.commits, h.at = append(h.commits, id), append(h.at, at)
	return nil
}

// changed are the paths that differ between two commits.
func (h *history) changed(ctx context.Context, from, to string) ([]string, error) {
	out, err := h.git(ctx, nil, "diff-tree", "-r", "--no-renames", "--name-only", "-z", from, to)
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), err
}

func (h *history) git(ctx context.Context, env []string, args ...string) (string, error) {
	settings := []string{"-C", h.dir, "-c", "user.name=releases", "-c", "user.email=releases@example.test", "-c", "core.autocrlf=false", "-c", "gc.auto=0"}
	cmd := exec.CommandContext(ctx, "git", append(settings, args...)...)
	cmd.Env = append(os.Environ(), env...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(complaint.String()))
	}
	return strings.TrimRight(string(out), "\n"), nil
}

// writable gives the files of the module cache, which are there to be read alone, a mode in which they can be removed again.
type writable struct{ fs.FS }

// Open opens a file or folder.
func (w writable) Open(name string) (fs.File, error) {
	f, err := w.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if d, is := f.(fs.ReadDirFile); is {
		return writableFile{d}, nil
	}
	return f, nil
}

type writableFile struct{ fs.ReadDirFile }

// Stat adds that the owner may write.
func (f writableFile) Stat() (fs.FileInfo, error) {
	info, err := f.ReadDirFile.Stat()
	return writableInfo{info}, err
}

type writableInfo struct{ fs.FileInfo }

// Mode adds that the owner may write.
func (i writableInfo) Mode() fs.FileMode { return i.FileInfo.Mode() | 0o200 }
