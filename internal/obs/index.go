package obs

import "github.com/prometheus/client_golang/prometheus"

// Indexes are the metrics of the search indexes in memory.
type Indexes struct {
	registry *prometheus.Registry
	builds   *prometheus.HistogramVec
	building prometheus.Gauge
	topics   prometheus.Counter
	dropped  prometheus.Counter
	files    *prometheus.CounterVec
	embedded *prometheus.CounterVec
}

// Where an index came from.
const (
	FromDatabase = "database" // all topics of a workspace
	FromSnapshot = "snapshot" // a file
	FromHistory  = "history"  // the revisions of an earlier moment
)

// What happened to a snapshot.
const (
	SnapshotLoaded  = "loaded"
	SnapshotRefused = "refused" // damaged, of another version, or of another state of the database
	SnapshotWritten = "written"
	SnapshotFailed  = "failed"
)

func newIndexes(registry *prometheus.Registry) *Indexes {
	x := &Indexes{
		registry: registry,
		builds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "driftless_index_build_seconds", Help: "Duration of making a search index, by what it was made from: database, snapshot or history.",
			Buckets: []float64{.001, .005, .025, .1, .5, 1, 5, 15, 60},
		}, []string{"from"}),
		building: prometheus.NewGauge(prometheus.GaugeOpts{Name: "driftless_index_building", Help: "Search indexes that are being made."}),
		topics:   prometheus.NewCounter(prometheus.CounterOpts{Name: "driftless_index_topics_total", Help: "Topics that were read into a new search index."}),
		dropped:  prometheus.NewCounter(prometheus.CounterOpts{Name: "driftless_index_evictions_total", Help: "Search indexes that were dropped to make room."}),
		files: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "driftless_index_snapshots_total", Help: "Snapshots of search indexes by what happened to them: loaded, refused, written or failed.",
		}, []string{"outcome"}),
	}
	x.embedded = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "driftless_embeddings_total", Help: "Vectors of topics and questions by outcome: made or failed.",
	}, []string{"outcome"})
	registry.MustRegister(x.embedded, x.builds, x.building, x.topics, x.dropped, x.files)
	return x
}

// Began counts an index that is being made, until Made or Failed.
func (x *Indexes) Began() { x.building.Inc() }

// Made counts an index that is there now, what it was made from, and the seconds that took.
func (x *Indexes) Made(from string, seconds float64) {
	x.building.Dec()
	x.builds.WithLabelValues(from).Observe(seconds)
}

// Failed ends what Began began, without an index.
func (x *Indexes) Failed() { x.building.Dec() }

// Read counts topics that were read into a new index.
func (x *Indexes) Read(topics int) { x.topics.Add(float64(topics)) }

// Dropped counts an index that was dropped to make room.
func (x *Indexes) Dropped() { x.dropped.Inc() }

// Snapshot counts what happened to a snapshot.
func (x *Indexes) Snapshot(outcome string) { x.files.WithLabelValues(outcome).Inc() }

// Embedded counts vectors that were made, or failed to be.
func (x *Indexes) Embedded(outcome string, n int) {
	x.embedded.WithLabelValues(outcome).Add(float64(n))
}

// Watch shows how many indexes are held and their bytes, asked for at each reading. It is for the start of a server and panics the
// second time.
func (x *Indexes) Watch(held func() (indexes int, bytes int64)) {
	x.registry.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "driftless_indexes", Help: "Search indexes in memory."}, func() float64 {
			n, _ := held()
			return float64(n)
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "driftless_index_bytes", Help: "Memory that the search indexes hold, estimated."}, func() float64 {
			_, bytes := held()
			return float64(bytes)
		}),
	)
}
