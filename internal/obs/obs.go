// Package obs owns what an operator sees: the log, the request id that ties a line to an answer, and the metrics.
//
// It refuses to log the text of a topic, a credential or an address of a person, and to name a tenant in a metric.
package obs

import (
	"context"
	"io"
	"log/slog"

	"github.com/google/uuid"
)

type requestIDKey struct{}

// WithRequestID puts the id of a request into its context. An id that a proxy sent is kept when it is short and plain.
func WithRequestID(ctx context.Context, sent string) (context.Context, string) {
	id := sent
	if len(id) < 8 || len(id) > 64 || !plain(id) {
		id = uuid.NewString()
	}
	return context.WithValue(ctx, requestIDKey{}, id), id
}

// RequestID is the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

func plain(text string) bool {
	for _, r := range text {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.') {
			return false
		}
	}
	return true
}

// NewLogger makes the log: text for a terminal, json for a collector; level is debug, info, warn or error.
func NewLogger(w io.Writer, format, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: l}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// Quiet passes on what is at least a warning: for libraries that tell every request.
func Quiet(log *slog.Logger) *slog.Logger { return slog.New(quiet{log.Handler()}) }

type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }
