package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// writers is how many programs write at once.
const writers = 8

// note is a write that was acknowledged: the server answered with its slug.
type note struct{ slug, content string }

// acknowledged kills a server and its private database under a load of writes, starts them again on the same data, and wants
// every note that was acknowledged. It answers its figures.
func acknowledged(ctx context.Context, p plan, folder string) (said string, err error) {
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", err
	}
	one, err := newServer(ctx, p.binary, folder, "server", "DRIFTLESS_LOG=warn",
		"DRIFTLESS_LIMIT_CALLS=1000000", "DRIFTLESS_LIMIT_WORKSPACE=1000000")
	if err != nil {
		return "", err
	}
	key, err := one.found(ctx)
	if err != nil {
		return "", err
	}
	if err := one.start(ctx); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, one.stop()) }()
	w := &writing{base: "http://" + one.addr + "/api/v1/workspaces/" + workspace + "/topics", key: key, client: &http.Client{Timeout: 10 * time.Second}}
	rng := newRand(p.seed, 3<<32)
	for crash := range p.crashes {
		fresh, err := w.until(ctx, time.Duration(500+rng.IntN(2000))*time.Millisecond, func() error {
			if crash%2 == 1 {
				if err := killDatabase(filepath.Join(folder, "data")); err != nil {
					return err
				}
			}
			return one.kill()
		})
		if err != nil {
			return "", err
		}
		if err := one.start(ctx); err != nil {
			return "", fmt.Errorf("after crash %d: %w", crash+1, err)
		}
		for _, n := range fresh {
			if err := w.find(ctx, n); err != nil {
				return "", fmt.Errorf("after crash %d: %w", crash+1, err)
			}
		}
		w.kept = append(w.kept, fresh...)
	}
	for _, n := range w.kept {
		if err := w.find(ctx, n); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d crashes under writes, all of %d acknowledged ones there", p.crashes, len(w.kept)), nil
}

// killDatabase ends PostgreSQL as it stands, before the server that watches over it.
func killDatabase(folder string) error {
	raw, err := os.ReadFile(filepath.Join(folder, "postgres", "postmaster.pid"))
	if err != nil {
		return fmt.Errorf("find the database: %w", err)
	}
	first, _, _ := strings.Cut(string(raw), "\n")
	id, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || id < 2 {
		return fmt.Errorf("find the database: %q is no process: %w", first, err)
	}
	return syscall.Kill(id, syscall.SIGKILL)
}

// writing is the load, and what of it was acknowledged.
type writing struct {
	base, key string
	client    *http.Client
	next      atomic.Int64
	kept      []note
}

// until writes for a while, and until there is something to lose, then crashes, and answers what was acknowledged.
func (w *writing) until(ctx context.Context, long time.Duration, crash func() error) (fresh []note, err error) {
	down, stop := context.WithCancel(ctx)
	defer stop()
	written := make(chan note)
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for down.Err() == nil {
				// What failed was not promised.
				if n, err := w.write(down); err == nil {
					written <- n
				}
			}
		})
	}
	go func() {
		all.Wait()
		close(written)
	}()
	enough, patience, due, crashed := time.After(long), time.After(time.Minute), false, false
	for {
		select {
		case n, more := <-written:
			if !more {
				return fresh, errors.Join(err, ctx.Err())
			}
			fresh = append(fresh, n)
		case <-enough:
			due = true
		case <-patience:
			err = errors.New("nothing is written any more")
			stop()
		}
		if due && len(fresh) >= writers && !crashed {
			crashed = true
			err = crash()
			stop()
		}
	}
}

func (w *writing) write(ctx context.Context) (note, error) {
	n := w.next.Add(1)
	content := fmt.Sprintf("Written as number %d.", n)
	raw, err := json.Marshal(map[string]string{"title": fmt.Sprintf("Note %d", n), "content": content, "status": "draft"})
	if err != nil {
		return note{}, err
	}
	var made struct {
		Slug string `json:"slug"`
	}
	err = w.send(ctx, http.MethodPost, w.base, raw, &made)
	return note{made.Slug, content}, err
}

func (w *writing) find(ctx context.Context, n note) error {
	var got struct {
		Content string `json:"content"`
	}
	if err := w.send(ctx, http.MethodGet, w.base+"/"+n.slug+"?view=full", nil, &got); err != nil {
		return fmt.Errorf("a write that was acknowledged is gone: %w", err)
	}
	if got.Content != n.content {
		return fmt.Errorf("%s holds %q, and %q was acknowledged", n.slug, got.Content, n.content)
	}
	return nil
}

func (w *writing) send(ctx context.Context, method, address string, body []byte, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+w.key)
	r.Header.Set("Content-Type", "application/json")
	got, err := w.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = got.Body.Close() }()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	if got.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %d %s", method, address, got.StatusCode, raw)
	}
	return json.Unmarshal(raw, into)
}
