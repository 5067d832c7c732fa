package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"driftless/internal/topic"
)

// Embedder turns texts into vectors, all of one length, in their order. Vectors of two models cannot be compared.
type Embedder interface {
	Model() string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

const (
	// denseWait is how long a question waits for its vector; without one it is answered from the words alone.
	denseWait = 2 * time.Second
	// denseRest is how long the endpoint is left alone after it failed.
	denseRest = 30 * time.Second
	// denseDepth is how many topics the vectors may bring in, denseLeast how alike one has to be (cosine).
	denseDepth = 20
	denseLeast = 0.45
	// Reciprocal rank: the first counts in full, the eleventh half.
	semanticWeight = 0.3
	semanticHalf   = 10
	// embedBatch is how many topics one call sends, embedMax how many characters of each.
	embedBatch = 32
	embedMax   = 6000
	// denseOverlap is how far back a reading of vectors begins before the one before it ended: transactions commit out of order.
	denseOverlap = time.Minute
)

// dense is the second, optional signal: likeness of meaning as a model sees it. It never decides alone whether a read succeeds.
type dense struct {
	embedder Embedder

	mu      sync.Mutex
	rested  time.Time // the endpoint is left alone until then
	vectors map[uuid.UUID]*vectors
}

// vectors are those of one workspace, followed by time.
type vectors struct {
	mu    sync.Mutex
	until time.Time
	of    map[uuid.UUID]vector
}

// vector is a direction in whole numbers.
type vector struct {
	bytes  []byte // int8
	length float64
}

// quantize keeps the direction of a vector in one byte a number.
func quantize(v []float32) []byte {
	most := float32(0)
	for _, x := range v {
		most = max(most, x, -x)
	}
	out := make([]byte, len(v))
	if most == 0 {
		return out
	}
	for i, x := range v {
		out[i] = byte(int8(math.Round(float64(x / most * 127))))
	}
	return out
}

func newVector(bytes []byte) vector { return vector{bytes, math.Sqrt(float64(dot(bytes, bytes)))} }

func dot(a, b []byte) (sum int32) {
	for i := range a {
		sum += int32(int8(a[i])) * int32(int8(b[i]))
	}
	return sum
}

// like is the cosine of two vectors; those of two lengths have nothing in common.
func (v vector) like(o vector) float64 {
	if len(v.bytes) != len(o.bytes) || v.length == 0 || o.length == 0 {
		return 0
	}
	return float64(dot(v.bytes, o.bytes)) / (v.length * o.length)
}

// alike ranks the topics of a workspace by likeness to a question: the place of each, from 0.
func (v *vectors) alike(q vector, admits func(uuid.UUID) bool) map[uuid.UUID]int {
	type scored struct {
		id   uuid.UUID
		like float64
	}
	var all []scored
	v.mu.Lock()
	for id, one := range v.of {
		if like := one.like(q); like >= denseLeast && admits(id) {
			all = append(all, scored{id, like})
		}
	}
	v.mu.Unlock()
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.like, a.like), slices.Compare(a.id[:], b.id[:])) })
	out := map[uuid.UUID]int{}
	for i, s := range all[:min(len(all), denseDepth)] {
		out[s.id] = i
	}
	return out
}

// semanticPart is what a place among the alike is worth.
func semanticPart(place int) float64 {
	return semanticWeight * semanticHalf / (semanticHalf + float64(place))
}

// meaning is what is known about the meaning of one question. Its zero value knows nothing.
type meaning struct {
	asked vector
	held  *vectors
}

// near ranks the topics that may answer by likeness.
func (m meaning) near(ix *index, q question) map[uuid.UUID]int {
	if m.held == nil {
		return nil
	}
	return m.held.alike(m.asked, func(id uuid.UUID) bool { return q.admits(ix.topics[id]) })
}

// sense asks what a question means. Said is for explain: used, off, or why not.
func (s *Service) sense(ctx context.Context, workspace uuid.UUID, task string) (m meaning, said string) {
	if s.dense.embedder == nil || strings.TrimSpace(task) == "" {
		return m, "off"
	}
	m, err := s.ask(ctx, workspace, task)
	if err != nil {
		s.metrics.Embedded("failed", 1)
		s.log.Warn("embeddings not used", "error", err)
		return meaning{}, "unavailable: this is answered from words and files alone"
	}
	return m, "used"
}

var errResting = errors.New("the endpoint failed a moment ago")

func (s *Service) ask(ctx context.Context, workspace uuid.UUID, task string) (m meaning, err error) {
	s.dense.mu.Lock()
	resting := time.Now().Before(s.dense.rested)
	held := s.dense.vectors[workspace]
	if held == nil {
		held = &vectors{of: map[uuid.UUID]vector{}}
		s.dense.vectors[workspace] = held
	}
	s.dense.mu.Unlock()
	if resting {
		return m, errResting
	}
	if err := s.follow(ctx, workspace, held); err != nil {
		return m, err
	}
	soon, cancel := context.WithTimeout(ctx, denseWait)
	defer cancel()
	got, err := s.dense.embedder.Embed(soon, []string{shortened(task)})
	if err != nil && ctx.Err() == nil {
		s.dense.mu.Lock()
		s.dense.rested = time.Now().Add(denseRest)
		s.dense.mu.Unlock()
	}
	if err != nil {
		return m, err
	}
	return meaning{newVector(quantize(got[0])), held}, nil
}

// follow reads the vectors that were made since the last time.
func (s *Service) follow(ctx context.Context, workspace uuid.UUID, held *vectors) error {
	held.mu.Lock()
	defer held.mu.Unlock()
	now := time.Now()
	err := s.readVectors(ctx, workspace, held.until.Add(-denseOverlap), func(id uuid.UUID, bytes []byte) { held.of[id] = newVector(bytes) })
	if err != nil {
		return fmt.Errorf("read vectors: %w", err)
	}
	held.until = now
	return nil
}

// shortened bounds what is sent of a text, in characters.
func shortened(text string) string {
	if r := []rune(text); len(r) > embedMax {
		return string(r[:embedMax])
	}
	return text
}

// reading is what a model reads of a topic.
func reading(d *topic.Document) string {
	b := d.Body
	parts := slices.Concat([]string{d.Title, d.What, b.How}, b.Decisions, b.Gotchas, b.Invariants, []string{b.Text})
	return shortened(strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n"))
}

// Embed makes the vectors that are missing or of an older revision, in all workspaces, until all are there or ctx ends. What is done
// stays done: the next call goes on.
func (s *Service) Embed(ctx context.Context) error {
	if s.dense.embedder == nil {
		return nil
	}
	spaces, err := s.workspaces(ctx)
	if err != nil {
		return err
	}
	for _, workspace := range spaces {
		if err := s.embedAll(ctx, workspace); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) embedAll(ctx context.Context, workspace uuid.UUID) error {
	for done := 0; ; {
		docs, left, err := s.missing(ctx, workspace)
		if err != nil || len(docs) == 0 {
			return err
		}
		texts := make([]string, 0, len(docs))
		for _, d := range docs {
			texts = append(texts, reading(d))
		}
		got, err := s.dense.embedder.Embed(ctx, texts)
		if err != nil {
			s.metrics.Embedded("failed", len(docs))
			return err
		}
		if err := s.keepVectors(ctx, workspace, docs, got); err != nil {
			return err
		}
		done += len(docs)
		s.metrics.Embedded("made", len(docs))
		s.log.Info("embeddings made", "workspace", workspace, "topics", done, "left", left-len(docs))
	}
}
