package obs

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Metrics are the counters of one server. Their labels are words of the product, never ids: a page that grew with the tenants
// would tell who they are, and drown whoever collects it.
type Metrics struct {
	Registry *prometheus.Registry
	Indexes  *Indexes
	calls    *prometheus.HistogramVec
	taken    *prometheus.CounterVec
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
		taken: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "driftless_rate_limit_taken_total", Help: "Requests that a rate limit let through, by the limit.",
		}, []string{"limit"}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "driftless_rate_limited_total", Help: "Requests refused by a rate limit, by the limit.",
		}, []string{"limit"}),
		jobs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "driftless_job_seconds", Help: "Duration of attempts at jobs by kind and outcome: done, failed or given_up.",
			Buckets: []float64{.005, .025, .1, .5, 1, 5, 30, 120},
		}, []string{"kind", "outcome"}),
	}
	m.Indexes = newIndexes(m.Registry)
	m.Registry.MustRegister(m.calls, m.taken, m.limited, m.jobs, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Call counts one finished operation; code is empty for success, seconds the duration.
func (m *Metrics) Call(operation, via, code string, seconds float64) {
	m.calls.WithLabelValues(operation, via, code).Observe(seconds)
}

// Taken counts a request that a rate limit let through.
func (m *Metrics) Taken(limit string) { m.taken.WithLabelValues(limit).Inc() }

// Limited counts a request that a rate limit refused.
func (m *Metrics) Limited(limit string) { m.limited.WithLabelValues(limit).Inc() }

// Quota is one rate limit at this moment: how much is allowed a minute, and the share of its allowance, 0 to 1, that the key
// with the least left has used.
type Quota struct {
	Limit     string
	PerMinute int
	Fullest   float64
}

// Quotas shows what read answers, which is asked whenever the page is. It is for the start of a server and panics the second
// time.
func (m *Metrics) Quotas(read func() []Quota) {
	m.Registry.MustRegister(quotas{
		read: read,
		perMinute: prometheus.NewDesc("driftless_rate_limit_per_minute", "What a rate limit allows one key a minute, by the limit.",
			[]string{"limit"}, nil),
		fullest: prometheus.NewDesc("driftless_rate_limit_fullest_share",
			"Share of its allowance, 0 to 1, that the key with the least left has used, by the limit.", []string{"limit"}, nil),
	})
}

type quotas struct {
	read               func() []Quota
	perMinute, fullest *prometheus.Desc
}

// Describe tells which metrics there are.
func (q quotas) Describe(out chan<- *prometheus.Desc) {
	out <- q.perMinute
	out <- q.fullest
}

// Collect reads them.
func (q quotas) Collect(out chan<- prometheus.Metric) {
	for _, quota := range q.read() {
		out <- prometheus.MustNewConstMetric(q.perMinute, prometheus.GaugeValue, float64(quota.PerMinute), quota.Limit)
		out <- prometheus.MustNewConstMetric(q.fullest, prometheus.GaugeValue, quota.Fullest, quota.Limit)
	}
}

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
