package drift_test

import (
	"fmt"
	"maps"
	"testing"
)

// BenchmarkSync is a push that changes a thousand of ten thousand anchored files, until the findings are committed.
func BenchmarkSync(b *testing.B) {
	w := setup(b)
	const files, topics, perTopic, changed = 10_000, 250, 40, 1_000
	tree := map[string]int{}
	for i := range files {
		tree[fmt.Sprintf("pkg%03d/f%04d.go", i%100, i)] = i + 1
	}
	w.ok(w.owner, "sources.sync", push(b, 1, tree))
	for i := range topics {
		anchors := make([]string, 0, perTopic)
		for j := range perTopic {
			n := (i*perTopic + j) % files
			anchors = append(anchors, fmt.Sprintf("pkg%03d/f%04d.go", n%100, n))
		}
		w.ok(w.owner, "topics.create", args{"title": fmt.Sprintf("Topic %d", i), "what": "x", "anchors": anchors})
	}
	head, content := 1, files
	for b.Loop() {
		head++
		next := maps.Clone(tree)
		for i := range changed {
			content++
			next[fmt.Sprintf("pkg%03d/f%04d.go", i%100, i)] = content
		}
		out := w.ok(w.owner, "sources.sync", push(b, head, next))
		var prints []args
		for _, want := range list(out, "want") {
			for _, symbol := range want["symbols"].([]any) {
				prints = append(prints, args{"blob": want["blob"], "symbol": symbol, "hash": want["blob"].(string)[:32], "units": "AAEAAgAD"})
			}
		}
		w.ok(w.owner, "sources.fingerprints", args{"source": out["id"], "branch": "main", "head": out["head"], "prints": prints})
	}
}
