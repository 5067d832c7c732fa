package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"driftless/internal/op"
	"driftless/internal/relation"
	"driftless/internal/retrieve"
)

// Set is a collection with questions and what is known of their answers.
type Set struct {
	Documents  []Document
	Questions  []Question
	Judgements []Judgement
	Labels     []Label
}

// Scope says which documents a question is asked about.
type Scope string

const (
	// Project asks each question in the workspace of its project. It is what Run does unless told otherwise.
	Project Scope = "project"
	// History narrows it to the area of its history there.
	History Scope = "history"
)

// Outcome is how one question was answered.
type Outcome struct {
	ID     string   `json:"id"`
	Groups []string `json:"groups,omitempty"`
	// Abstain tells that nothing answers it.
	Abstain    bool   `json:"abstain,omitempty"`
	Product    Answer `json:"driftless"`
	Plain      Answer `json:"bm25"`
	superseded []string
}

// Answer is what one system answered.
type Answer struct {
	Results  []string `json:"results"`
	NDCG10   float64  `json:"ndcg_10"`
	Recall5  float64  `json:"recall_5"`
	Recall10 float64  `json:"recall_10"`
	RR       float64  `json:"rr"`
	// Tokens is the size of the whole answer: characters of its JSON / 4.
	Tokens int `json:"tokens,omitempty"`
	// Confidence is that of the first row.
	Confidence float64 `json:"confidence,omitempty"`
}

// Run asks every question. It fails where the files do not fit together: a judgement or label of a question or document that
// is not there.
func Run(ctx context.Context, s Set, scope Scope) (Report, error) {
	known, err := s.check()
	if err != nil {
		return Report{}, err
	}
	r := &run{docs: s.Documents, scope: scope, stocks: map[string]*stock{}}
	var all []Outcome
	for _, q := range s.Questions {
		if err := ctx.Err(); err != nil {
			return Report{}, fmt.Errorf("measure: %w", err)
		}
		o, err := r.ask(q, known.grades[q.ID])
		if err != nil {
			return Report{}, fmt.Errorf("question %s: %w", q.ID, err)
		}
		if l, ok := known.labels[q.ID]; ok {
			o.Abstain, o.superseded = l.Abstain, l.Superseded
		} else {
			o.Abstain = known.grades[q.ID].relevant() == 0
		}
		all = append(all, o)
	}
	return newReport(all), nil
}

// knowledge is what the files say of each question.
type knowledge struct {
	grades map[string]grades
	labels map[string]Label
}

func (s Set) check() (knowledge, error) {
	k := knowledge{map[string]grades{}, map[string]Label{}}
	docs := map[string]bool{}
	for _, d := range s.Documents {
		docs[d.ID] = true
	}
	for _, q := range s.Questions {
		k.grades[q.ID] = grades{}
	}
	for _, j := range s.Judgements {
		if k.grades[j.Question] == nil {
			return k, fmt.Errorf("a judgement is about the question %q, which is not there", j.Question)
		}
		if !docs[j.Document] {
			return k, fmt.Errorf("question %q is judged with the document %q, which is not there", j.Question, j.Document)
		}
		k.grades[j.Question][j.Document] = j.Grade
	}
	for _, l := range s.Labels {
		if k.grades[l.ID] == nil {
			return k, fmt.Errorf("a label is about the question %q, which is not there", l.ID)
		}
		if l.Abstain && k.grades[l.ID].relevant() > 0 {
			return k, fmt.Errorf("question %q is labelled as one that nothing answers, and judged to have an answer", l.ID)
		}
		k.labels[l.ID] = l
	}
	return k, nil
}

// run keeps the collections that were made for questions before.
type run struct {
	docs   []Document
	scope  Scope
	stocks map[string]*stock
}

// stock is what is there when a question is asked.
type stock struct {
	product *retrieve.Collection
	plain   *plain
}

func (r *run) ask(q Question, g grades) (Outcome, error) {
	s, err := r.stock(q)
	if err != nil {
		return Outcome{}, err
	}
	now := q.IssuedAt
	if now.IsZero() {
		now = time.Unix(0, 0)
	}
	asked := retrieve.Asked{Task: q.Query, Files: q.Files, Now: now}
	if r.scope == History {
		asked.Area = q.History
	}
	a, err := s.product.Retrieve(asked)
	if err != nil {
		return Outcome{}, fmt.Errorf("retrieve: %w", err)
	}
	raw, err := op.Marshal(a)
	if err != nil {
		return Outcome{}, fmt.Errorf("write the answer: %w", err)
	}
	o := Outcome{ID: q.ID, Groups: q.Groups}
	got := make([]string, 0, len(a.Results))
	for _, row := range a.Results {
		got = append(got, s.product.Key(row.Slug))
	}
	o.Product = g.judge(got)
	o.Product.Tokens = (utf8.RuneCount(raw) + 3) / 4
	if len(a.Results) > 0 {
		o.Product.Confidence = a.Results[0].Confidence
	}
	o.Plain = g.judge(s.plain.rank(q))
	return o, nil
}

func (g grades) judge(got []string) Answer {
	return Answer{
		Results: got, NDCG10: round(g.ndcg(got)), Recall5: round(g.recall(got, 5)), Recall10: round(g.recall(got, depth)),
		RR: round(g.reciprocal(got)),
	}
}

// stock finds the documents that are there for a question. Two questions with the same ones share a collection.
func (r *run) stock(q Question) (*stock, error) {
	at := q.at()
	var there, near []Document // all of the workspace, and what of it the question is about
	var key strings.Builder
	for _, d := range r.docs {
		if q.Project != "" && d.Project != q.Project || !at.IsZero() && d.AvailableAt.After(at) {
			continue
		}
		there = append(there, d)
		if r.scope == History && q.History != "" && d.History != q.History {
			continue
		}
		near = append(near, d)
		key.WriteString(d.ID)
		key.WriteByte(0)
	}
	if s := r.stocks[key.String()]; s != nil {
		return s, nil
	}
	topics := make([]retrieve.Topic, 0, len(there))
	for _, d := range there {
		topics = append(topics, d.topic())
	}
	c, err := retrieve.NewCollection(topics)
	if err != nil {
		return nil, fmt.Errorf("index the documents: %w", err)
	}
	s := &stock{c, newPlain(near)}
	r.stocks[key.String()] = s
	return s, nil
}

func (d Document) topic() retrieve.Topic {
	t := retrieve.Topic{
		Key: d.ID, Area: d.History, Title: d.Title, What: d.What, How: d.How, Content: d.Text, Decisions: d.Decisions, Gotchas: d.Gotchas,
		Invariants: d.Invariants, RequiredChecks: d.RequiredChecks, Tags: slices.Clone(d.Tags), Anchors: d.anchors(),
		Updated: d.AvailableAt, Relations: slices.Clone(d.Relations),
	}
	for _, old := range d.Supersedes {
		t.Relations = append(t.Relations, relation.Edge{To: old, Type: string(relation.Supersedes)})
	}
	if t.What == "" {
		t.What, _, _ = strings.Cut(strings.TrimSpace(d.Text), "\n")
	}
	if d.Kind != "" {
		t.Tags = append(t.Tags, d.Kind)
	}
	return t
}

// anchors are those that are given and the one that the locators make.
func (d Document) anchors() []string {
	all := slices.Clone(d.Anchors)
	if d.Locators.Path != "" {
		anchor := d.Locators.Path
		if d.Locators.Symbol != "" {
			anchor += "#" + d.Locators.Symbol
		}
		all = append(all, anchor)
	}
	return all
}
