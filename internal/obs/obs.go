// Package obs owns what an operator sees: the log, the request id that ties a line to an answer, and the metrics.
//
// It refuses to log the text of a topic, a credential or an address of a person, and to name a tenant in a metric.
package obs

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
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

// Metrics are the counters of one server.
type Metrics struct {
	Registry *prometheus.Registry
	calls    *prometheus.HistogramVec
	limited  *prometheus.CounterVec
	jobs     *prometheus.HistogramVec
}

// NewMetrics makes the metrics of one server.
func NewMetrics() *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "driftless_operation_seconds", Help: "Duration of operations by name, way of arrival and error code.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}, []string{"operation", "via", "code"}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "driftless_rate_limited_total", Help: "Requests refused by a rate limit, by the limit.",
		}, []string{"limit"}),
		jobs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "driftless_job_seconds", Help: "Duration of attempts at jobs by kind and outcome: done, failed or given_up.",
			Buckets: []float64{.005, .025, .1, .5, 1, 5, 30, 120},
		}, []string{"kind", "outcome"}),
	}
	m.Registry.MustRegister(m.calls, m.limited, m.jobs, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Call counts one finished operation; code is empty for success, seconds the duration.
func (m *Metrics) Call(operation, via, code string, seconds float64) {
	m.calls.WithLabelValues(operation, via, code).Observe(seconds)
}

// Limited counts a request that a rate limit refused.
func (m *Metrics) Limited(limit string) { m.limited.WithLabelValues(limit).Inc() }

// Job counts one attempt at a job; outcome is done, failed or given_up, seconds the duration.
func (m *Metrics) Job(kind, outcome string, seconds float64) {
	m.jobs.WithLabelValues(kind, outcome).Observe(seconds)
}

// JobState is how many jobs of a kind are in a state.
type JobState struct {
	Kind, State string
	Jobs        int
}

// WatchJobs shows the jobs that wait or failed, counted at each reading of the metrics. Where they cannot be counted within
// a second, that reading lacks them.
func (m *Metrics) WatchJobs(count func(context.Context) ([]JobState, error)) {
	m.Registry.MustRegister(jobStates{
		count: count,
		about: prometheus.NewDesc("driftless_jobs", "Jobs that are not done, or were given up within a week, by kind and state.", []string{"kind", "state"}, nil),
	})
}

type jobStates struct {
	count func(context.Context) ([]JobState, error)
	about *prometheus.Desc
}

func (j jobStates) Describe(to chan<- *prometheus.Desc) { to <- j.about }

func (j jobStates) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	states, err := j.count(ctx)
	if err != nil {
		return
	}
	for _, s := range states {
		to <- prometheus.MustNewConstMetric(j.about, prometheus.GaugeValue, float64(s.Jobs), s.Kind, s.State)
	}
}
