package retrieve

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// library makes texts from a vocabulary distributed as words of a language are; the most frequent are function words.
type library struct {
	rng   *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newLibrary() *library {
	rng := rand.New(rand.NewPCG(3, 5))
	l := &library{rng: rng, zipf: rand.NewZipf(rng, 1.07, 8, 49_999), words: strings.Fields(`the of and to a in is that it for as with
		was on are be by this have from or had not but what all were when we there can an your which their if do will each about
		how up out them then she many some so these would other into has more her two him`)}
	const consonants, vowels = "bcdfghjklmnprstvz", "aeiou"
	for n := range 50_000 {
		var b strings.Builder
		for m := n + 300; m > 0; m /= len(consonants) * len(vowels) {
			b.WriteByte(consonants[m%len(consonants)])
			b.WriteByte(vowels[m/len(consonants)%len(vowels)])
		}
		l.words = append(l.words, b.String())
	}
	return l
}

func (l *library) text(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = l.words[l.zipf.Uint64()]
	}
	return strings.Join(out, " ")
}

func (l *library) path() string {
	return fmt.Sprintf("svc%d/pkg%d/file%d.go", l.rng.IntN(40), l.rng.IntN(30), l.rng.IntN(20))
}

func (l *library) anchor() string {
	path := l.path()
	switch l.rng.IntN(3) {
	case 0:
		return path
	case 1:
		return path[:strings.LastIndexByte(path, '/')] + "/**"
	}
	return path[:strings.IndexByte(path, '/')] + "/**/*_" + path[strings.LastIndexByte(path, '/')+1:]
}

// stock fills a workspace with topics of about 150 words, two anchors and a relation each, in bulk.
func stock(t testing.TB, a tenant.Actor, l *library, count int) {
	t.Helper()
	const chunk = 1000
	for start := 0; start < count; start += chunk {
		err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
			var rows []args
			for i := start; i < min(count, start+chunk); i++ {
				rows = append(rows, args{
					"id": uuid.Must(uuid.NewV7()), "slug": fmt.Sprintf("topic-%d", i), "title": l.text(5), "what": l.text(20), "seq": i + 1,
					"body": args{
						"how": l.text(20), "content": l.text(70), "gotchas": []string{l.text(12), l.text(12), l.text(12)},
						"anchors": []string{l.anchor(), l.anchor()},
					},
				})
			}
			raw, err := json.Marshal(rows)
			if err != nil {
				return err
			}
			err = tx.Store().Exec(`insert into topic (workspace_id, id, slug, title, what, body, status, revision, content_hash, seq, author_id,
					editor_id, created_at, updated_at, proposed_at, review_state)
				select ?, x.id, x.slug, left(x.title, 120), left(x.what, 300), x.body, 'proposed', 1, '', x.seq, ?, ?, now(), now(), now(), 'waiting'
				from jsonb_to_recordset(?::jsonb) as x(id uuid, slug text, title text, what text, body jsonb, seq bigint)`,
				a.Workspace, a.Person, a.Person, string(raw)).Error
			if err != nil {
				return err
			}
			err = tx.Store().Exec(`insert into revision (workspace_id, topic_id, revision, id, status, snapshot, changes, content_hash, author_id, via, op, at, is_private)
				select workspace_id, id, 1, gen_random_uuid(), status, '{}', '[]', '', author_id, 'api', 'topics.create', now(), is_private
				from topic where workspace_id = ? and seq > ?`, a.Workspace, start).Error
			if err != nil {
				return err
			}
			return tx.Store().Exec(`update workspace_head set seq = ? where workspace_id = ?`, start+len(rows), a.Workspace).Error
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		return tx.Store().Exec(`insert into relation (workspace_id, from_id, type, to_id, created_by, created_at)
			select f.workspace_id, f.id, 'depends_on', t.id, ?, now() from topic f
			join topic t on t.workspace_id = f.workspace_id and t.seq = f.seq / 2 + 1
			where f.workspace_id = ? and f.id <> t.id`, a.Person, a.Workspace).Error
	})
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkRetrieve10k measures whole calls through the pipeline against a real database with 10,000 topics, beside the
// plain read of one topic in the same run. It reports the median and the 95th percentile in milliseconds.
func BenchmarkRetrieve10k(b *testing.B) { benchmarkRetrieve(b, 10_000) }

// BenchmarkRetrieve100k is the same with ten times as many, the size that the promise of speed is about.
func BenchmarkRetrieve100k(b *testing.B) { benchmarkRetrieve(b, 100_000) }

func benchmarkRetrieve(b *testing.B, count int) {
	b.Helper()
	s, owner := serve(b, 1024*mebibyte), pgtest.Workspace(b)
	l := newLibrary()
	stock(b, owner, l, count)
	begin := time.Now()
	s.ok(owner, "context.search", args{"query": "none"})
	size := s.svc.bytes
	b.Logf("the first read built the index in %v; it holds %.1f MiB", time.Since(begin).Round(time.Millisecond), float64(size)/mebibyte)
	calls := map[string]func() (string, args){
		"get":  func() (string, args) { return "topics.get", args{"topic": fmt.Sprintf("topic-%d", l.rng.IntN(count))} },
		"task": func() (string, args) { return "context.retrieve", args{"task": l.text(12)} },
		"taskfile": func() (string, args) {
			return "context.retrieve", args{"task": l.text(12), "files": []string{l.path(), l.path(), l.path()}}
		},
		"search": func() (string, args) { return "context.search", args{"query": l.text(2)} },
		"files":  func() (string, args) { return "context.get_for_files", args{"files": []string{l.path(), l.path()}} },
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				id, in := calls[name]()
				begin := time.Now()
				if _, err := s.raw(owner, id, in); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			at := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1000 }
			b.ReportMetric(at(0.5), "p50-ms")
			b.ReportMetric(at(0.95), "p95-ms")
		})
	}
}
