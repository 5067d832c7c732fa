package retrieve

import (
	"bufio"
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"driftless/docs"
	"driftless/internal/exchange/parse"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/topic"
)

// labelled is a question with the topics that answer it: any of them, or none.
type labelled struct {
	kind, text string
	files      []string
	want       []string
}

// labelledQuestions reads testdata/questions.tsv.
func labelledQuestions(t *testing.T) []labelled {
	t.Helper()
	f, err := os.Open("testdata/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []labelled
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) != 4 {
			t.Fatalf("%q has %d cells, want 4", lines.Text(), len(cells))
		}
		q := labelled{kind: cells[0], text: cells[1], files: strings.Fields(cells[2])}
		if cells[3] != "-" {
			q.want = strings.Split(cells[3], ",")
		}
		all = append(all, q)
	}
	return all
}

// lastLabelled is the last decision record that the labels know of. A later one may answer a question that they call open, or
// answer one better than what they name.
const lastLabelled = "0062"

// decisions indexes the decision records of the manual.
func decisions(t *testing.T) *index {
	t.Helper()
	ix := newIndex()
	for _, d := range records(t) {
		ix.apply([]*topic.Document{d}, d.Seq)
	}
	return ix
}

// records are the decision records of the manual the way the demo files them: most as Knowledge, some as drafts.
func records(t *testing.T) []*topic.Document {
	t.Helper()
	drafts, problems, err := parse.Tree(docs.Files, "decisions")
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	drafts = slices.DeleteFunc(drafts, func(d parse.Draft) bool { return path.Base(d.Key) > lastLabelled+"~" })
	if len(drafts) != 62 {
		t.Fatalf("%d records are labelled", len(drafts))
	}
	outgoing, incoming := map[string][]args{}, map[string][]args{}
	for _, d := range drafts {
		for _, r := range d.Relations {
			outgoing[d.Slug] = append(outgoing[d.Slug], args{"type": r.Type, "slug": r.To})
			incoming[r.To] = append(incoming[r.To], args{"type": r.Type, "slug": d.Slug})
		}
	}
	all := make([]*topic.Document, 0, len(drafts))
	for i, d := range drafts {
		status := topic.Reviewed
		if i%12 == 11 {
			status = topic.Draft
		}
		raw, err := json.Marshal(args{
			"id": uuid.NewSHA1(uuid.Nil, []byte(d.Key)), "slug": d.Slug, "title": d.Title, "what": d.What, "area": d.Area, "tags": d.Tags,
			"status": status, "seq": i + 1, "outgoing": outgoing[d.Slug], "incoming": incoming[d.Slug],
			"body": args{
				"how": d.How, "content": d.Content, "decisions": d.Decisions, "gotchas": d.Gotchas, "invariants": d.Invariants,
				"required_checks": d.RequiredChecks, "anchors": d.Anchors,
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		var doc topic.Document
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		all = append(all, &doc)
	}
	return all
}

// ask is what retrieve makes of a question, as slugs and how sure it is of the first.
func (l labelled) ask(ix *index) (slugs []string, sure float64) {
	q := question{text: lexical.FreeText(l.text), floor: lexical.DefaultFloor(), depth: retrieveDepth, related: true, drifted: true}
	q.files, _ = usable(l.files)
	for _, c := range ix.rank(q).rows {
		slugs = append(slugs, c.slug)
		sure = max(sure, c.certain)
	}
	return slugs, sure
}

// quality sums up how a set of questions was answered.
type quality struct {
	answerable, first, five int // with an answer, with it in first place, with it among the first five
	none, abstained         int // without an answer, left without one
}

func (s *quality) count(l labelled, got []string) (right bool) {
	if len(l.want) == 0 {
		s.none++
		if len(got) == 0 {
			s.abstained++
		}
		return len(got) == 0
	}
	s.answerable++
	at := slices.IndexFunc(got, func(slug string) bool { return slices.Contains(l.want, slug) })
	if at >= 0 && at < 5 {
		s.five++
	}
	if at == 0 {
		s.first++
	}
	return at == 0
}

// TestQuestionsAboutTheDecisionsAreAnsweredOrLeftOpen holds the quality of answers to floors. The weights were chosen with
// every other question; the rest, which nothing was chosen with, has the same floors.
func TestQuestionsAboutTheDecisionsAreAnsweredOrLeftOpen(t *testing.T) {
	t.Parallel()
	ix := decisions(t)
	var halves [2]quality
	for i, l := range labelledQuestions(t) {
		got, sure := l.ask(ix)
		if !halves[i%2].count(l, got) {
			t.Logf("%s %q %v: want %v, got %v (%.2f)", l.kind, l.text, l.files, l.want, got[:min(5, len(got))], sure)
		}
	}
	for i, s := range halves {
		t.Logf("%s half: %+v", []string{"tuned", "other"}[i], s)
		share := func(n, of int) float64 { return float64(n) / float64(of) }
		if share(s.five, s.answerable) < 0.95 || share(s.first, s.answerable) < 0.87 || share(s.abstained, s.none) < 0.85 {
			t.Errorf("of %d answerable questions %d are right in the first five places and %d in the first; of %d others %d are left open",
				s.answerable, s.five, s.first, s.none, s.abstained)
		}
	}
}
