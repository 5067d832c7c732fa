package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"driftless/internal/exchange/parse"
	"driftless/internal/relation"
	"driftless/internal/retrieve/measure"
)

// importTrees reads project trees as an import would. The id of a document is the folder of its project with the key of its
// draft: its path, and for a section its heading.
func importTrees(list string) ([]measure.Document, error) {
	raw, err := os.ReadFile(list)
	if err != nil {
		return nil, fmt.Errorf("read the list of trees: %w", err)
	}
	var all []measure.Document
	for _, root := range strings.Fields(string(raw)) {
		docs, err := importTree(root)
		if err != nil {
			return nil, err
		}
		all = append(all, docs...)
	}
	return all, nil
}

func importTree(root string) ([]measure.Document, error) {
	drafts, problems, err := parse.Tree(os.DirFS(root))
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	for _, p := range problems {
		fmt.Fprintf(os.Stderr, "%s: %s: %s\n", filepath.Base(root), p.Path, p.Reason)
	}
	ids := map[string]string{} // by key and by slug, as relations name drafts
	for _, d := range drafts {
		id := filepath.Base(root) + "/" + d.Key
		ids[d.Key], ids[d.Slug] = id, id
	}
	docs := make([]measure.Document, 0, len(drafts))
	for _, d := range drafts {
		doc := measure.Document{
			ID: ids[d.Key], Title: d.Title, Text: d.Content, What: d.What, How: d.How, Decisions: d.Decisions, Gotchas: d.Gotchas,
			Invariants: d.Invariants, RequiredChecks: d.RequiredChecks, Tags: d.Tags, Anchors: d.Anchors,
		}
		for _, r := range d.Relations {
			if to := ids[r.To]; to != "" {
				doc.Relations = append(doc.Relations, relation.Edge{To: to, Type: r.Type})
			}
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// write keeps the corpus as a file that `driftless admin eval` reads.
func write(path string, docs []measure.Document) error {
	var b strings.Builder
	for _, d := range docs {
		raw, err := json.Marshal(d)
		if err != nil {
			return fmt.Errorf("write %s: %w", d.ID, err)
		}
		b.Write(raw)
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("write the corpus: %w", err)
	}
	return nil
}
