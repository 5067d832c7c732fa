package drift_test

import (
	"fmt"
	"testing"
)

func TestAWriteSaysWhatItsAnchorsMatchAtTheTrackedHead(t *testing.T) {
	t.Parallel()
	w := setup(t)
	validate := func(title string, anchors ...string) []args {
		return list(w.ok(w.owner, "topics.create", args{"title": title, "anchors": anchors}), "anchor_validation")
	}
	if got := validate("Before", "src/*.go"); got[0]["result"] != "skipped" || got[0]["reason"] == nil {
		t.Errorf("without any repository: %v", got)
	}
	w.ok(w.owner, "sources.connect", args{"remote": remote})
	if got := validate("Connected", "src/*.go"); got[0]["result"] != "skipped" {
		t.Errorf("before the first sync: %v", got)
	}
	files := map[string]int{"src/a.go": 1, "src/b.go": 2, "src/deep/c.go": 3, "node_modules/x/index.js": 4, "README.md": 5}
	for i := range 105 {
		files[fmt.Sprintf("many/f%03d.txt", i)] = 10 + i
	}
	w.ok(w.owner, "sources.sync", push(t, 1, files))
	got := validate("After", "src/*.go", "nowhere/*.go", "node_modules/**", "many/*.txt", "README.md", "src/a.go#Run", "!src/b.go")
	for i, want := range []struct {
		result string
		count  float64
	}{{"ok", 1}, {"zero", 0}, {"zero", 0}, {"overbroad", 105}, {"ok", 1}, {"ok", 1}, {"ok", 1}} {
		if got[i]["result"] != want.result || got[i]["count"] != want.count {
			t.Errorf("%v, want %v", got[i], want)
		}
	}
	if samples := got[3]["samples"].([]any); len(samples) != 5 || samples[0] != "many/f000.txt" {
		t.Errorf("the samples: %v", samples)
	}
}
