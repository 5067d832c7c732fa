package drift_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// suggested are the anchors of an answer, each with the number of its files.
func suggested(in args, field string) []string {
	out := []string{}
	for _, s := range list(in, field) {
		out = append(out, fmt.Sprintf("%s %v", s["anchor"], s["count"]))
	}
	return out
}

func TestAnchorsAreSuggestedFromWhatATextCitesAndIsThere(t *testing.T) {
	t.Parallel()
	w := setup(t)
	text := "Charging is `pay/charge.go#Run`, see `pay/refund.go`, `lib/core/`, `web/*.ts` and `Makefile`; never `pay/gone.go`, nor `vendor/x/y.go`. `big/` is too much."
	if out := w.ok(w.owner, "notes.add", args{"content": text}); out["suggested_anchors"] != nil {
		t.Errorf("without a repository: %v", out["suggested_anchors"])
	}
	files := map[string]int{
		"pay/charge.go": 1, "pay/refund.go": 2, "lib/core/a.go": 3, "lib/core/b.go": 4, "web/a.ts": 5, "web/b/c.ts": 6, "Makefile": 7, "sub/Makefile": 8, "vendor/x/y.go": 9,
	}
	for i := range 150 {
		files[fmt.Sprintf("big/%03d.go", i)] = 100 + i
	}
	w.ok(w.owner, "sources.sync", push(t, 1, files))
	want := []string{"pay/charge.go#Run 1", "pay/refund.go 1", "lib/core/** 2", "web/*.ts 1", "./Makefile 1"}
	note := w.ok(w.owner, "notes.add", args{"content": text})
	if diff := cmp.Diff(want, suggested(note, "suggested_anchors")); diff != "" {
		t.Errorf("a note: %s", diff)
	}
	topic := w.ok(w.owner, "topics.create", args{"title": "Charging", "gotchas": []string{text}})
	if diff := cmp.Diff(want, suggested(topic, "suggested_anchors")); diff != "" {
		t.Errorf("a topic: %s", diff)
	}
	slug := topic["slug"].(string)
	anchored := w.ok(w.owner, "topics.update", args{"topic": slug, "add_anchors": []string{"pay/refund.go", "lib/core/**"}})
	if anchored["suggested_anchors"] != nil {
		t.Errorf("a topic with anchors: %v", anchored["suggested_anchors"])
	}
	rest := w.ok(w.owner, "topics.suggest_anchors", args{"topic": slug})
	if diff := cmp.Diff([]string{"pay/charge.go#Run 1", "web/*.ts 1", "./Makefile 1"}, suggested(rest, "results")); diff != "" {
		t.Errorf("asked: %s", diff)
	}
	// What is suggested can be taken as it is.
	next := rest["next_action"].(args)["arguments"].(args)
	for _, v := range list(w.ok(w.owner, "topics.update", next), "anchor_validation") {
		if v["result"] != "ok" || v["count"] == 0.0 {
			t.Errorf("a suggestion that was taken: %v", v)
		}
	}
}

func TestOnlyTenAnchorsAreSuggested(t *testing.T) {
	t.Parallel()
	w := setup(t)
	files, text := map[string]int{}, ""
	for i := range 30 {
		path := fmt.Sprintf("a/%02d.go", i)
		files[path] = i + 1
		text += "`" + path + "` "
	}
	w.ok(w.owner, "sources.sync", push(t, 1, files))
	if n := len(list(w.ok(w.owner, "notes.add", args{"content": text}), "suggested_anchors")); n != 10 {
		t.Errorf("%d anchors are suggested", n)
	}
}
