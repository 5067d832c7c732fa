// Retrieval measures how well retrieval answers on sets that lie beside the checkout: questions of ours about project trees
// that are imported when it runs, and a public set of records of coding sessions. It prints the figures, keeps those in the
// manual current, and fails where one is below its floor.
//
// It refuses to rank and to compute figures, which packages retrieve and measure do, and to keep the documents: they stay
// where they lie.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"driftless/internal/retrieve/measure"
)

// files are the paths that the command is given.
type files struct{ trees, corpus, questions, qrels, memory, page, floors string }

func main() {
	var f files
	flag.StringVar(&f.trees, "trees", "", "a list of project trees to import, one folder a line")
	flag.StringVar(&f.corpus, "corpus", "", "where to keep what was imported, for driftless admin eval; nowhere by default")
	flag.StringVar(&f.questions, "questions", "bench/retrieval/questions.jsonl", "questions about the trees")
	flag.StringVar(&f.qrels, "qrels", "bench/retrieval/qrels.tsv", "judgements of them")
	flag.StringVar(&f.memory, "memory", "", "folder with corpus.jsonl, queries.jsonl, qrels.tsv and labels.jsonl")
	flag.StringVar(&f.page, "page", "docs/retrieval-quality.md", "page of the manual whose table is kept current")
	flag.StringVar(&f.floors, "floors", "deploy/retrieval.tsv", "what must be reached")
	flag.Parse()
	if err := f.run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "retrieval:", err)
		os.Exit(1)
	}
}

func (f files) run(ctx context.Context, out io.Writer) error {
	all, err := f.measure(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		_, _ = fmt.Fprintf(out, "%s\n", r.name)
		if err := r.Print(out); err != nil {
			return err
		}
	}
	changed, err := keepCurrent(f.page, all)
	if err != nil {
		return err
	}
	if changed {
		_, _ = fmt.Fprintf(out, "%s was out of date and is written anew: commit it\n", f.page)
	}
	return checkFloors(out, f.floors, all)
}

// result is a report with the name of its set.
type result struct {
	name string
	measure.Report
}

func (f files) measure(ctx context.Context) ([]result, error) {
	imported, err := importTrees(f.trees)
	if err != nil {
		return nil, err
	}
	if f.corpus != "" {
		if err := write(f.corpus, imported); err != nil {
			return nil, err
		}
	}
	own := measure.Set{Documents: imported}
	if own.Questions, err = read(f.questions, measure.ReadQuestions); err != nil {
		return nil, err
	}
	if own.Judgements, err = read(f.qrels, measure.ReadJudgements); err != nil {
		return nil, err
	}
	memory, err := readFolder(f.memory)
	if err != nil {
		return nil, err
	}
	var all []result
	for _, s := range []struct {
		name  string
		set   measure.Set
		scope measure.Scope
	}{
		{"imported", own, measure.Project}, {"coding-memory, by project", memory, measure.Project}, {"coding-memory, by history", memory, measure.History},
	} {
		report, err := measure.Run(ctx, s.set, s.scope)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, result{s.name, report})
	}
	return all, nil
}

func readFolder(folder string) (s measure.Set, err error) {
	if s.Documents, err = read(folder+"/corpus.jsonl", measure.ReadDocuments); err != nil {
		return s, err
	}
	if s.Questions, err = read(folder+"/queries.jsonl", measure.ReadQuestions); err != nil {
		return s, err
	}
	if s.Judgements, err = read(folder+"/qrels.tsv", measure.ReadJudgements); err != nil {
		return s, err
	}
	s.Labels, err = read(folder+"/labels.jsonl", measure.ReadLabels)
	return s, err
}

func read[T any](path string, parse func(io.Reader) ([]T, error)) ([]T, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the set: %w", err)
	}
	all, err := parse(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}
