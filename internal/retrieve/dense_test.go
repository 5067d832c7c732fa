package retrieve

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"driftless/internal/obs"
	"driftless/internal/pg/pgtest"
	"driftless/internal/retrieve/embedding"
	"driftless/internal/tenant"
)

// meanings are words that mean the same: their letters have nothing in common.
var meanings = map[string]string{"automobile": "car", "vehicle": "car", "physician": "doctor", "medic": "doctor"}

// endpoint answers embeddings as OpenAI does: a direction for each word, the same for words that mean the same. It breaks when told to.
func endpoint(t testing.TB) (address string, broken *atomic.Bool, asked *atomic.Int64) {
	t.Helper()
	broken, asked = &atomic.Bool{}, &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var in struct {
			Model string
			Input []string
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/embeddings" || in.Model != "words" || r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "what is that", http.StatusBadRequest)
			return
		}
		if broken.Load() {
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		}
		var data []any
		for i, text := range slices.Backward(in.Input) { // the order is told by the index
			v := make([]float64, 256)
			for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
				if same := meanings[word]; same != "" {
					word = same
				}
				h := fnv.New32a()
				_, _ = h.Write([]byte(word))
				v[h.Sum32()%256]++
			}
			data = append(data, args{"object": "embedding", "index": i, "embedding": v})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(args{"object": "list", "model": in.Model, "data": data, "usage": args{"prompt_tokens": 1, "total_tokens": 1}})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", broken, asked
}

func TestMeaningFindsWhatWordsDoNot(t *testing.T) {
	t.Parallel()
	address, broken, _ := endpoint(t)
	metrics := obs.NewMetrics()
	s := serveWith(t, 64*mebibyte, WithEmbedder(embedding.New(address, "secret", "words")), WithObservation(quiet, metrics))
	plain, owner := serve(t, 64*mebibyte), pgtest.Workspace(t)
	member := pgtest.Person(t, owner, tenant.Member)
	garage := s.create(owner, args{"title": "Vehicle repair", "what": "Vehicle repair garage."})
	s.create(owner, args{"title": "Soup", "what": "Boil onions slowly."})
	hidden := s.ok(member, "notes.add", args{"content": "Vehicle garage."})["slug"].(string)
	s.embed(owner)

	ask := args{"task": "automobile", "explain": true}
	if got := found(plain.ok(owner, "context.retrieve", ask)); len(got) != 0 {
		t.Fatalf("words alone find %v", got)
	}
	page := s.ok(owner, "context.retrieve", args{"task": "automobile repair", "explain": true})
	if got := found(page); !slices.Equal(got, []string{garage}) || page["semantic"] != "used" {
		t.Fatalf("found %v, semantic %v", got, page["semantic"])
	}
	page = s.ok(owner, "context.retrieve", ask)
	if got := found(page); !slices.Equal(got, []string{garage}) {
		t.Fatalf("found %v", got)
	}
	row := results(page)[0]
	if row["match_type"] != "semantic" || !slices.Equal(texts(row["why_matched"]), []string{"semantic"}) || row["score_parts"].(args)["semantic"] != semanticWeight {
		t.Errorf("the row is %v", row)
	}
	if got := found(s.ok(member, "context.retrieve", ask)); !slices.Contains(got, hidden) || len(got) != 2 {
		t.Errorf("the author finds %v", got)
	}
	// A new text has a new vector, and what is put away is gone at once.
	s.ok(owner, "topics.update", args{"topic": "soup", "what": "An automobile of onions.", "title": "Automobile", "base_revision": 1})
	s.embed(owner)
	if got := found(s.ok(owner, "context.retrieve", args{"task": "vehicle"})); !slices.Contains(got, "soup") {
		t.Errorf("after the change: %v", got)
	}
	s.ok(owner, "topics.archive", args{"topic": garage})
	if got := found(s.ok(owner, "context.retrieve", ask)); slices.Contains(got, garage) {
		t.Errorf("the archived one is among %v", got)
	}
	// An endpoint that fails costs the likeness and nothing else, and is left alone for a while.
	broken.Store(true)
	page = s.ok(owner, "context.retrieve", args{"task": "automobile of onions", "explain": true})
	if said, _ := page["semantic"].(string); !strings.HasPrefix(said, "unavailable") || !slices.Contains(found(page), "soup") {
		t.Errorf("with a broken endpoint: %v", page)
	}
	if n := counted(t, metrics, "driftless_embeddings_total", "failed"); n != 1 {
		t.Errorf("%v failures are counted", n)
	}
	s.create(owner, args{"title": "Another"})
	if err := s.svc.embedAll(t.Context(), owner.Workspace); err == nil || strings.Contains(err.Error(), "out of order") {
		t.Errorf("the job answers %v", err)
	}
}

func TestABrokenEndpointIsLeftAlone(t *testing.T) {
	t.Parallel()
	address, broken, asked := endpoint(t)
	broken.Store(true)
	s := serveWith(t, 64*mebibyte, WithEmbedder(embedding.New(address, "secret", "words")))
	owner := pgtest.Workspace(t)
	for range 5 {
		s.ok(owner, "context.retrieve", args{"task": "anything"})
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("it was asked %d times", n)
	}
	if page := serve(t, mebibyte).ok(owner, "context.retrieve", args{"task": "anything", "explain": true}); page["semantic"] != "off" {
		t.Errorf("without one: %v", page["semantic"])
	}
}

// embed makes the vectors of a workspace, as the job does.
func (s server) embed(a tenant.Actor) {
	s.t.Helper()
	if err := s.svc.embedAll(context.WithoutCancel(s.t.Context()), a.Workspace); err != nil {
		s.t.Fatal(err)
	}
}

func TestAVectorKeepsItsDirectionInBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 64).Draw(t, "n")
		numbers := rapid.SliceOfN(rapid.Float32Range(-1, 1), n, n)
		v := numbers.Draw(t, "v")
		q := newVector(quantize(v))
		if like := q.like(q); q.length > 0 && (like < 0.999 || like > 1.001) {
			t.Fatalf("it is like itself by %v", like)
		}
		half := make([]float32, n)
		for i := range v {
			half[i] = v[i] / 2
		}
		if other := newVector(quantize(half)); q.length > 0 && other.length > 0 && q.like(other) < 0.98 {
			t.Fatalf("the same direction is like it by %v", q.like(other))
		}
		if newVector([]byte{1}).like(q) != 0 {
			t.Fatal("vectors of two lengths are alike")
		}
	})
}
