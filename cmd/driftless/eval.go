package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"driftless/internal/cli"
	"driftless/internal/retrieve/measure"
)

// evaluation names the files of a set.
type evaluation struct {
	corpus, queries, qrels, labels, scope string
	json                                  bool
}

func evalCommand() *cobra.Command {
	var e evaluation
	c := &cobra.Command{
		Use: "eval", Short: "Measure retrieval on a labelled set, beside plain BM25", Args: cobra.NoArgs,
		Long: "Measure retrieval on a labelled set, beside plain BM25. It needs neither a server nor a database.\n" +
			"The manual's page on search describes the files and the figures.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if e.corpus == "" || e.queries == "" || e.qrels == "" {
				return cli.UsageError{Message: "required: --corpus, --queries, --qrels"}
			}
			if e.scope != string(measure.Project) && e.scope != string(measure.History) {
				return cli.UsageError{Message: "--scope is project or history"}
			}
			return e.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	c.Flags().StringVar(&e.corpus, "corpus", "", "documents, JSON Lines")
	c.Flags().StringVar(&e.queries, "queries", "", "questions, JSON Lines")
	c.Flags().StringVar(&e.qrels, "qrels", "", "judgements: question, document, grade; tab-separated")
	c.Flags().StringVar(&e.labels, "labels", "", "which questions nothing answers and what is superseded, JSON Lines")
	c.Flags().StringVar(&e.scope, "scope", string(measure.Project), "ask about all documents of a question's project, or of its history")
	c.Flags().BoolVar(&e.json, "json", false, "print one JSON object with the answer to each question")
	return c
}

func (e evaluation) run(ctx context.Context, out io.Writer) error {
	set, err := e.read()
	if err != nil {
		return err
	}
	report, err := measure.Run(ctx, set, measure.Scope(e.scope))
	if err != nil {
		return err
	}
	if e.json {
		return json.NewEncoder(out).Encode(report)
	}
	return report.Print(out)
}

func (e evaluation) read() (set measure.Set, err error) {
	if set.Documents, err = read(e.corpus, measure.ReadDocuments); err != nil {
		return set, err
	}
	if set.Questions, err = read(e.queries, measure.ReadQuestions); err != nil {
		return set, err
	}
	if set.Judgements, err = read(e.qrels, measure.ReadJudgements); err != nil || e.labels == "" {
		return set, err
	}
	set.Labels, err = read(e.labels, measure.ReadLabels)
	return set, err
}

// read reads a file with its reader.
func read[T any](path string, parse func(io.Reader) ([]T, error)) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the set: %w", err)
	}
	defer func() { _ = f.Close() }()
	all, err := parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}
