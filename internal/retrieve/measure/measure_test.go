package measure

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

// small is a set that has everything: two projects, a document that replaces another, and one that comes later.
func small() Set {
	return Set{
		Documents: []Document{
			{ID: "old", Title: "Queue retries", Text: "A message is retried three times.", Project: "billing", History: "queue", AvailableAt: day(1)},
			{ID: "new", Title: "Queue retries are five", Text: "A message is retried five times.", Project: "billing", History: "queue", AvailableAt: day(3), Supersedes: []string{"old"}},
			{ID: "lock", Title: "Ledger lock", Text: "Rows are locked in order.", Project: "billing", History: "ledger", AvailableAt: day(1), Locators: Locators{Path: "ledger/lock.go", Symbol: "Lock"}},
			{ID: "other", Title: "Queue retries", Text: "The queue of another project retries for ever.", Project: "shop", AvailableAt: day(1)},
		},
		Questions: []Question{
			{ID: "now", Query: "how often are queue messages retried", Project: "billing", IssuedAt: day(4), Groups: []string{"words"}},
			{ID: "then", Query: "how often are queue messages retried", Project: "billing", IssuedAt: day(4), AsOf: day(2), Groups: []string{"words"}},
			{ID: "file", Files: []string{"ledger/lock.go"}, Project: "billing", IssuedAt: day(4)},
			{ID: "thread", Query: "queue retries", Project: "billing", History: "ledger", IssuedAt: day(4)},
			{ID: "open", Query: "colour of the lobby carpet", Project: "billing", IssuedAt: day(4)},
		},
		Judgements: []Judgement{{"now", "new", 3}, {"now", "old", 1}, {"then", "old", 3}, {"file", "lock", 3}},
		Labels:     []Label{{ID: "now", Superseded: []string{"old"}}, {ID: "thread", Abstain: true}, {ID: "open", Abstain: true}},
	}
}

func results(t *testing.T, s Set, scope Scope) map[string][]string {
	t.Helper()
	r, err := Run(t.Context(), s, scope)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, o := range r.Questions {
		got[o.ID] = o.Product.Results
	}
	return got
}

func TestAQuestionIsAskedInItsProjectAndAboutItsTime(t *testing.T) {
	t.Parallel()
	got := results(t, small(), Project)
	want := map[string][]string{"now": {"new", "old"}, "then": {"old"}, "file": {"lock"}, "thread": {"new", "old"}, "open": {}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := results(t, small(), History)["thread"]; len(got) > 0 {
		t.Errorf("the history has no queue, and answers %v", got)
	}
}

func TestAReportSumsUpBothSystems(t *testing.T) {
	t.Parallel()
	r, err := Run(t.Context(), small(), Project)
	if err != nil {
		t.Fatal(err)
	}
	want := System{NDCG10: 1, Recall5: 1, Recall10: 1, MRR: 1, Abstention: 0.5, Tokens: r.Product.Tokens}
	if diff := cmp.Diff(want, r.Product); diff != "" || r.Answerable != 3 || r.Unanswerable != 2 || r.Product.Tokens < 50 {
		t.Errorf("%d answerable, %d not, %d tokens: %s", r.Answerable, r.Unanswerable, r.Product.Tokens, diff)
	}
	if r.Plain.Abstention == 1 || r.Plain.Recall10 != 1 {
		t.Errorf("plain BM25 = %+v", r.Plain)
	}
	if words := r.Groups["words"]; words.Answerable != 2 || words.Unanswerable != 0 {
		t.Errorf("the group = %+v", words)
	}
	if n := r.Halves[0].Answerable + r.Halves[1].Answerable; n != 3 {
		t.Errorf("the halves have %d answerable questions", n)
	}
	var out bytes.Buffer
	if err := r.Print(&out); err != nil || strings.Count(out.String(), "BM25") != len(r.Lines()) {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestASupersededAnswerInFirstPlaceIsCounted(t *testing.T) {
	t.Parallel()
	s := small()
	s.Documents[1].Supersedes, s.Documents[1].Title, s.Documents[1].Text = nil, "Retries", "Five."
	r, err := Run(t.Context(), s, Project)
	if err != nil || r.Product.SupersededFirst != 1 {
		t.Errorf("%v: share %v", err, r.Product.SupersededFirst)
	}
}

func TestFilesThatDoNotFitTogetherAreRefused(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*Set){
		"a judgement of a question that is not there": func(s *Set) { s.Judgements = append(s.Judgements, Judgement{"none", "new", 1}) },
		"a judgement of a document that is not there": func(s *Set) { s.Judgements = append(s.Judgements, Judgement{"now", "none", 1}) },
		"a label of a question that is not there":     func(s *Set) { s.Labels = append(s.Labels, Label{ID: "none"}) },
		"an answer to what nothing answers":           func(s *Set) { s.Judgements = append(s.Judgements, Judgement{"open", "new", 1}) },
	} {
		s := small()
		spoil(&s)
		if _, err := Run(t.Context(), s, Project); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestPlainBM25IsTheTextbookFormula(t *testing.T) {
	t.Parallel()
	p := newPlain([]Document{{ID: "a", Title: "apple", Text: "apple pear"}, {ID: "b", Title: "pear", Text: "plum"}, {ID: "c", Title: "plum"}})
	if got := p.rank(Question{Query: "Apple, pear!"}); !cmp.Equal(got, []string{"a", "b"}) {
		t.Errorf("got %v", got)
	}
	if got := p.rank(Question{Query: "quince", Files: []string{"src/plum.go"}}); !cmp.Equal(got, []string{"c", "b"}) {
		t.Errorf("by a file %v", got)
	}
	if p.average != 2 || len(p.postings["pear"]) != 2 {
		t.Errorf("average length %v, postings %v", p.average, p.postings["pear"])
	}
}

func TestFiguresOfAnOrder(t *testing.T) {
	t.Parallel()
	g := grades{"a": 3, "b": 2, "c": 0}
	ideal := 3 + 2/math.Log2(3)
	for name, tt := range map[string]struct {
		got                  []string
		ndcg, recall, mutual float64
	}{
		"ideal":       {[]string{"a", "b"}, 1, 1, 1},
		"turned":      {[]string{"b", "a"}, (2 + 3/math.Log2(3)) / ideal, 1, 1},
		"second":      {[]string{"c", "a"}, 3 / math.Log2(3) / ideal, 0.5, 0.5},
		"nothing":     {nil, 0, 0, 0},
		"only others": {[]string{"c", "d"}, 0, 0, 0},
	} {
		if n, r, m := g.ndcg(tt.got), g.recall(tt.got, 5), g.reciprocal(tt.got); math.Abs(n-tt.ndcg) > 1e-12 || r != tt.recall || m != tt.mutual {
			t.Errorf("%s: nDCG %v, recall %v, reciprocal rank %v", name, n, r, m)
		}
	}
}

func TestNoOrderBeatsTheIdealOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,3}`), 1, 15, rapid.ID).Draw(t, "documents")
		g := grades{}
		for _, id := range ids {
			g[id] = rapid.IntRange(0, 3).Draw(t, id)
		}
		got := rapid.Permutation(ids).Draw(t, "order")
		for name, v := range map[string]float64{"nDCG": g.ndcg(got), "recall": g.recall(got, 5), "reciprocal rank": g.reciprocal(got)} {
			if v < 0 || v > 1+1e-9 {
				t.Errorf("%s = %v", name, v)
			}
		}
	})
}

func TestALineThatDoesNotHaveTheFormIsNamed(t *testing.T) {
	t.Parallel()
	good := `{"id":"a","title":"A","query":"q"}` + "\n\n"
	for name, tt := range map[string]struct {
		line string
		read func(string) error
	}{
		"no JSON":           {"{", readsDocuments},
		"another kind":      {"[]", readsDocuments},
		"no id":             {`{"title":"B"}`, readsDocuments},
		"no title":          {`{"id":"b"}`, readsDocuments},
		"an id twice":       {`{"id":"a","title":"B"}`, readsDocuments},
		"no time":           {`{"id":"b","title":"B","available_at":"soon"}`, readsDocuments},
		"nothing to ask":    {`{"id":"b","query":" "}`, readsQuestions},
		"a label of nobody": {`{"abstain":true}`, readsLabels},
	} {
		if err := tt.read(good + tt.line); err == nil || !strings.Contains(err.Error(), "line 3") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, line := range []string{"q\td", "q\td\t4", "q\td\t-1", "q\td\tx", "\td\t1", "a\tb\t1"} {
		_, err := ReadJudgements(strings.NewReader("query\tdoc\tgrade\na\tb\t2\n" + line))
		if err == nil || !strings.Contains(err.Error(), "line 3") {
			t.Errorf("%q: %v", line, err)
		}
	}
	if all, err := ReadJudgements(strings.NewReader("query\tdoc\tgrade\r\na\tb\t2\r\n")); err != nil || !cmp.Equal(all, []Judgement{{"a", "b", 2}}) {
		t.Errorf("%v, %v", all, err)
	}
}

func readsDocuments(text string) error {
	_, err := ReadDocuments(strings.NewReader(text))
	return err
}

func readsQuestions(text string) error {
	_, err := ReadQuestions(strings.NewReader(text))
	return err
}

func readsLabels(text string) error { _, err := ReadLabels(strings.NewReader(text)); return err }

// FuzzReaders holds that any bytes are read or refused, and that what was read can be run.
func FuzzReaders(f *testing.F) {
	s := small()
	var docs, questions, labels strings.Builder
	for _, d := range s.Documents {
		raw, _ := json.Marshal(d)
		docs.Write(append(raw, '\n'))
	}
	for _, q := range s.Questions {
		raw, _ := json.Marshal(q)
		questions.Write(append(raw, '\n'))
	}
	for _, l := range s.Labels {
		raw, _ := json.Marshal(l)
		labels.Write(append(raw, '\n'))
	}
	f.Add(docs.String(), questions.String(), "query\tdoc\tgrade\nnow\tnew\t3\n", labels.String())
	f.Add("{}", "[]", "a\tb\tc", "null")
	f.Fuzz(func(t *testing.T, docs, questions, judgements, labels string) {
		var s Set
		var err error
		if s.Documents, err = ReadDocuments(strings.NewReader(docs)); err != nil {
			return
		}
		if s.Questions, err = ReadQuestions(strings.NewReader(questions)); err != nil {
			return
		}
		if s.Judgements, err = ReadJudgements(strings.NewReader(judgements)); err != nil {
			return
		}
		if s.Labels, err = ReadLabels(strings.NewReader(labels)); err != nil {
			return
		}
		if _, err := s.check(); err != nil {
			return
		}
		if _, err := Run(t.Context(), s, Project); err != nil {
			t.Errorf("a set that fits together is refused: %v", err)
		}
	})
}
