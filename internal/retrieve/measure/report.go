package measure

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report is what a run found.
type Report struct {
	Figures
	// Halves are the figures of the questions that [Tuned] says weights were chosen with, and of those kept out of it.
	Halves [2]Figures `json:"halves"`
	// Groups are the figures of the questions of each group.
	Groups    map[string]Figures `json:"groups,omitempty"`
	Questions []Outcome          `json:"questions"`
}

// Figures sum up questions.
type Figures struct {
	// Answerable and Unanswerable count the questions that a document answers, and those that none does.
	Answerable   int    `json:"answerable"`
	Unanswerable int    `json:"unanswerable"`
	Product      System `json:"driftless"`
	Plain        System `json:"bm25"`
}

// System is how one system did. Shares are between 0 and 1; the first four are means over the answerable questions.
type System struct {
	NDCG10   float64 `json:"ndcg_10"`
	Recall5  float64 `json:"recall_5"`
	Recall10 float64 `json:"recall_10"`
	MRR      float64 `json:"mrr"`
	// Abstention is the share of unanswerable questions without an answer, FalseAbstention that of answerable ones.
	Abstention      float64 `json:"abstention"`
	FalseAbstention float64 `json:"false_abstention"`
	// SupersededFirst is the share of the questions with a superseded document that have one in first place.
	SupersededFirst float64 `json:"superseded_first"`
	// Tokens is the median size of an answer with rows.
	Tokens int `json:"median_tokens,omitempty"`
}

// Tuned tells the half of the questions that weights may be chosen with from the half that is only reported: by the lowest
// bit of FNV-1a, 32 bits, of the id.
func Tuned(id string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // a hash takes everything
	return h.Sum32()&1 == 0
}

func newReport(all []Outcome) Report {
	r := Report{Figures: figures(all), Groups: map[string]Figures{}, Questions: all}
	byGroup := map[string][]Outcome{}
	var halves [2][]Outcome
	for _, o := range all {
		half := 1
		if Tuned(o.ID) {
			half = 0
		}
		halves[half] = append(halves[half], o)
		for _, g := range o.Groups {
			byGroup[g] = append(byGroup[g], o)
		}
	}
	for i, half := range halves {
		r.Halves[i] = figures(half)
	}
	for g, some := range byGroup {
		r.Groups[g] = figures(some)
	}
	return r
}

func figures(all []Outcome) Figures {
	f := Figures{
		Product: sum(all, func(o Outcome) Answer { return o.Product }), Plain: sum(all, func(o Outcome) Answer { return o.Plain }),
	}
	for _, o := range all {
		if o.Abstain {
			f.Unanswerable++
		} else {
			f.Answerable++
		}
	}
	return f
}

func sum(all []Outcome, of func(Outcome) Answer) System {
	var s System
	var answerable, unanswerable, replaced float64
	var tokens []int
	for _, o := range all {
		a := of(o)
		silent := len(a.Results) == 0
		if !silent {
			tokens = append(tokens, a.Tokens)
		}
		if len(o.superseded) > 0 {
			replaced++
			if !silent && slices.Contains(o.superseded, a.Results[0]) {
				s.SupersededFirst++
			}
		}
		if o.Abstain {
			unanswerable++
			if silent {
				s.Abstention++
			}
			continue
		}
		answerable++
		s.NDCG10 += a.NDCG10
		s.Recall5 += a.Recall5
		s.Recall10 += a.Recall10
		s.MRR += a.RR
		if silent {
			s.FalseAbstention++
		}
	}
	for _, mean := range []*float64{&s.NDCG10, &s.Recall5, &s.Recall10, &s.MRR, &s.FalseAbstention} {
		*mean = round(*mean / max(1, answerable))
	}
	s.Abstention = round(s.Abstention / max(1, unanswerable))
	s.SupersededFirst = round(s.SupersededFirst / max(1, replaced))
	if slices.Sort(tokens); len(tokens) > 0 {
		s.Tokens = tokens[len(tokens)/2]
	}
	return s
}

// Columns are the names of the figures, Row are those of one system in this order.
func Columns() []string {
	return []string{"nDCG@10", "Recall@5", "Recall@10", "MRR", "abstains rightly", "wrongly", "superseded first", "tokens"}
}

// Row are the figures in the order of [Columns], as text.
func (s System) Row() []string {
	tokens := "–"
	if s.Tokens > 0 {
		tokens = fmt.Sprint(s.Tokens)
	}
	var row []string
	for _, v := range []float64{s.NDCG10, s.Recall5, s.Recall10, s.MRR, s.Abstention, s.FalseAbstention, s.SupersededFirst} {
		row = append(row, fmt.Sprintf("%.3f", v))
	}
	return append(row, tokens)
}

// Print writes the figures as a table for people.
func (r Report) Print(out io.Writer) error {
	rows := [][]string{append([]string{"questions", "system"}, Columns()...)}
	for _, line := range r.Lines() {
		name := fmt.Sprintf("%s (%d + %d)", line.Name, line.Answerable, line.Unanswerable)
		rows = append(rows, append([]string{name, "driftless"}, line.Product.Row()...), append([]string{"", "BM25"}, line.Plain.Row()...))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
			return fmt.Errorf("print the figures: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("print the figures: %w", err)
	}
	return nil
}

// Line is the figures of some of the questions with their name.
type Line struct {
	Name string
	Figures
}

// Lines lists all figures: of all questions, of the halves, of the groups by name.
func (r Report) Lines() []Line {
	lines := []Line{{"all", r.Figures}, {"chosen with", r.Halves[0]}, {"held out", r.Halves[1]}}
	var groups []Line
	for name, f := range r.Groups {
		groups = append(groups, Line{name, f})
	}
	slices.SortFunc(groups, func(a, b Line) int { return cmp.Compare(a.Name, b.Name) })
	return append(lines, groups...)
}
