package local

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
)

// Bounds of what is kept of the programs' output.
const (
	maxLine  = 2000
	maxLines = 6
)

// output takes what a program writes to standard error: each line goes to the
// log, and the last few that are not routine are kept to explain a failure.
type output struct {
	log *slog.Logger

	mu      sync.Mutex
	partial []byte
	lines   []string
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	for {
		line, rest, found := bytes.Cut(p, []byte("\n"))
		if room := maxLine - len(o.partial); room > 0 {
			o.partial = append(o.partial, line[:min(room, len(line))]...)
		}
		if !found {
			return n, nil
		}
		o.say(string(o.partial))
		o.partial, p = o.partial[:0], rest
	}
}

func (o *output) say(line string) {
	severity, message, found := strings.Cut(line, ":  ")
	if !found {
		severity, message = "", line
	}
	level := slog.LevelDebug
	if severity == "FATAL" || severity == "PANIC" {
		level = slog.LevelWarn
	}
	o.log.Log(context.Background(), level, "PostgreSQL says", "severity", severity, "text", message)
	if severity == "LOG" || line == "" {
		return // explains nothing
	}
	o.lines = append(o.lines, line)
	if len(o.lines) > maxLines {
		o.lines = o.lines[1:]
	}
}

// last returns the last lines, joined into one.
func (o *output) last() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Join(o.lines, "; ")
}
