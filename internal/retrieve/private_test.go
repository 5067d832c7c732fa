package retrieve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"driftless/internal/pg/pgtest"
	"driftless/internal/relation"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// hints are words that change what is corrected, completed or rare when somebody writes them.
var hints = []string{
	"frobnicate", "frobnicale", "frobnicat", "kettle", "kettel", "kettles", "anchor", "anchors", "queue", "the", "code", "fix", "rotation", "rotaton", "retryAfter",
}

func phraseOf(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hints), 1, most).Draw(t, "words"), " ")
	})
}

// documentOf builds a topic the way the database hands it over.
func documentOf(t *rapid.T, fields args) *topic.Document {
	raw, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	var d topic.Document
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return &d
}

// everythingSaid is all that a reader can learn from an index with one question.
func everythingSaid(ix *index, q question, about []string) []string {
	var out []string
	r := ix.rank(q)
	for _, c := range r.rows {
		reasons, kind := c.why()
		out = append(out, fmt.Sprintf("%s %v %+v %v %v %s", c.slug, c.score, c.parts, c.certain, reasons, kind))
	}
	for _, f := range ix.nearest(q) {
		out = append(out, "near "+f.slug)
	}
	for _, slug := range about {
		i := ix.inquire(q, r, slug)
		out = append(out, fmt.Sprintf("%s %v %s %+v", slug, i.facts != nil, i.reason, i.parts))
	}
	return out
}

func TestNoAnswerDependsOnPrivateDraftsOfOthers(t *testing.T) {
	t.Parallel()
	reader, other := uuid.UUID{1}, uuid.UUID{2}
	rapid.Check(t, func(t *rapid.T) {
		const most = 8
		type edge struct {
			from, to int
			kind     string
		}
		topics := make([]args, rapid.IntRange(1, most).Draw(t, "topics"))
		hidden := make([]bool, len(topics))
		var slugs []string
		for i := range topics {
			author := rapid.SampledFrom([]uuid.UUID{reader, other}).Draw(t, "author")
			private := rapid.Bool().Draw(t, "private")
			status := topic.Draft
			if !private {
				status = rapid.SampledFrom([]topic.Status{topic.Draft, topic.Proposed, topic.Reviewed}).Draw(t, "status")
			}
			hidden[i] = private && author == other
			slugs = append(slugs, fmt.Sprintf("t%d", i))
			topics[i] = args{
				"id": uuid.UUID{9, byte(i)}, "slug": slugs[i], "title": phraseOf(3).Draw(t, "title"), "what": phraseOf(6).Draw(t, "what"),
				"status": status, "is_private": private, "author_id": author, "tags": []string{rapid.SampledFrom(hints).Draw(t, "tag")},
				"body": args{"content": phraseOf(9).Draw(t, "content"), "anchors": []string{rapid.SampledFrom([]string{"a/*.go", "a/b.go", "**"}).Draw(t, "anchor")}},
			}
		}
		edges := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) edge {
			end := rapid.IntRange(0, len(topics)-1)
			return edge{end.Draw(t, "from"), end.Draw(t, "to"), rapid.SampledFrom(relation.Types()).Draw(t, "type")}
		}), 0, 6, func(e edge) edge { return e }).Draw(t, "edges")
		// documents are the topics as a database without the ones left out would hand them over.
		documents := func(out []bool) []*topic.Document {
			var docs []*topic.Document
			for i, fields := range topics {
				if out[i] {
					continue
				}
				fields["outgoing"], fields["incoming"] = []args{}, []args{}
				for _, e := range edges {
					if e.from != e.to && e.from == i && !out[e.to] {
						fields["outgoing"] = append(fields["outgoing"].([]args), args{"type": e.kind, "slug": slugs[e.to]})
					}
					if e.from != e.to && e.to == i && !out[e.from] {
						fields["incoming"] = append(fields["incoming"].([]args), args{"type": e.kind, "slug": slugs[e.from]})
					}
				}
				docs = append(docs, documentOf(t, fields))
			}
			return docs
		}
		without := newIndex()
		for i, d := range documents(hidden) {
			d.Seq = int64(i + 1)
			without.apply([]*topic.Document{d}, d.Seq)
		}
		// The other index has seen more: topics come in any order, some more than once, some public first or private first.
		with, seq := newIndex(), int64(0)
		history := documents(make([]bool, len(topics)))
		for _, d := range rapid.Permutation(slices.Concat(history, history)).Draw(t, "history") {
			seen := *d
			seen.IsPrivate, seen.AuthorID = rapid.Bool().Draw(t, "was private"), rapid.SampledFrom([]uuid.UUID{reader, other}).Draw(t, "by")
			seq++
			seen.Seq = seq
			with.apply([]*topic.Document{&seen}, seq)
		}
		for _, d := range history {
			seq++
			d.Seq = seq
			with.apply([]*topic.Document{d}, seq)
		}
		for range 6 {
			q := question{depth: 10, related: rapid.Bool().Draw(t, "related"), drifted: true, now: time.Unix(1, 0), prefix: rapid.Bool().Draw(t, "prefix")}
			q.actor.Person = reader
			if q.text = lexical.FreeText(phraseOf(4).Draw(t, "task")); rapid.Bool().Draw(t, "search") {
				form := rapid.SampledFrom([]string{"%s", `"%s"`, "%s -queue", "kettle OR %s"}).Draw(t, "form")
				q.text = lexical.Parse(fmt.Sprintf(form, phraseOf(2).Draw(t, "query")))
			} else {
				q.floor = lexical.DefaultFloor()
			}
			if rapid.Bool().Draw(t, "files") {
				q.files = []string{"a/b.go"}
			}
			if diff := cmp.Diff(everythingSaid(without, q, slugs), everythingSaid(with, q, slugs)); diff != "" {
				t.Fatalf("(-without +with the drafts of somebody else):\n%s", diff)
			}
			for i, d := range history {
				if !d.IsPrivate {
					continue
				}
				ask := question{text: lexical.Parse(fmt.Sprintf(`"%s"`, d.Body.Text)), depth: 20}
				ask.actor.Person = d.AuthorID
				finds := slices.ContainsFunc(with.rank(ask).rows, func(c *candidate) bool { return c.slug == slugs[i] })
				if !finds && !ask.text.Empty() {
					t.Fatalf("the author does not find %s by %q", slugs[i], d.Body.Text)
				}
			}
		}
	})
}

func TestAnswersAreTheSameBytesWhateverOthersKeepPrivate(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	author := pgtest.Person(t, owner, tenant.Member)
	public := s.create(owner, args{"title": "How to frobnicate", "what": "Frobnicate the kettle before the rotation.", "anchors": []string{"kettle/*.go"}})
	for i := range 5 {
		s.create(owner, args{"title": fmt.Sprintf("Kettle %d", i), "what": "A kettle is descaled each month."})
	}
	asks := []struct {
		id string
		in args
	}{
		{"context.search", args{"query": "frobnicale"}},
		{"context.search", args{"query": "frobnicale kettle"}},
		{"context.search", args{"query": "frob", "prefix": true}},
		{"context.search", args{"query": "zanzibar"}},
		{"context.search", args{"query": `"kettle zanzibar"`}},
		{"context.retrieve", args{"task": "frobnicale the kettel", "explain": true, "topic": public}},
		{"context.retrieve", args{"task": "zanzibar descaling month", "explain": true, "topic": "zanzibar"}},
		{"context.retrieve", args{"task": "rotaton", "files": []string{"kettle/a.go"}, "explain": true}},
		{"context.get_for_files", args{"files": []string{"kettle/a.go"}}},
	}
	answers := func() (all []string) {
		for _, ask := range asks {
			raw, err := s.raw(owner, ask.id, ask.in)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(raw))
		}
		return all
	}
	before := answers()
	for i, content := range []string{"Frobnicale is not a word.", "The kettel of zanzibar, rotaton and descaling.", "Kettle, kettle, month."} {
		title := []string{"Frobnicale", "Zanzibar", "Monthly"}[i]
		note := s.ok(author, "notes.add", args{"title": title, "content": content, "anchors": []string{"kettle/a.go"}})["slug"].(string)
		s.ok(author, "topics.update", args{"topic": note, "rels": []args{{"to": public, "type": "depends_on"}}})
		if got := found(s.ok(author, "context.search", args{"query": title})); !slices.Contains(got, note) {
			t.Errorf("the author finds %v by the title of %s", got, note)
		}
	}
	if diff := cmp.Diff(before, answers()); diff != "" {
		t.Errorf("(-before +after somebody else wrote private notes):\n%s", diff)
	}
	if got := found(s.ok(owner, "context.search", args{"query": "frobnicale"})); !slices.Equal(got, []string{public}) {
		t.Errorf("a typing error found %v, want the public topic", got)
	}
	if n := len(s.svc.indexOf(t, owner).own); n != 1 {
		t.Errorf("%d people have drafts of their own, want 1", n)
	}
	for _, note := range []string{"frobnicale", "zanzibar", "monthly"} {
		s.ok(author, "topics.propose", args{"topic": note})
	}
	if n := len(s.svc.indexOf(t, owner).own); n != 0 {
		t.Errorf("%d shelves are left of drafts that everybody may see", n)
	}
	if got := found(s.ok(owner, "context.search", args{"query": "zanzibar"})); !slices.Equal(got, []string{"zanzibar"}) {
		t.Errorf("what was proposed is found as %v", got)
	}
}
