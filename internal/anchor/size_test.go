package anchor_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/anchor"
)

func TestVerdictTurnsAtItsBounds(t *testing.T) {
	t.Parallel()
	for files, want := range map[int]anchor.Result{
		0: anchor.Zero, 1: anchor.OK, 40: anchor.OK, 41: anchor.Wide, 100: anchor.Wide, 101: anchor.Overbroad,
	} {
		if got := anchor.Verdict(files); got != want {
			t.Errorf("Verdict(%d) = %s, want %s", files, got, want)
		}
	}
}

func TestValidateJudgesEachAnchorByTheTree(t *testing.T) {
	t.Parallel()
	files := []string{"src/a.go", "src/b.go", "src/b_test.go", "node_modules/x/index.js", "sub/dist/x.js"}
	for i := range 105 {
		files = append(files, fmt.Sprintf("many/f%03d.txt", i))
	}
	for i := range 41 {
		files = append(files, fmt.Sprintf("wide/f%03d.txt", i))
	}
	set := parseAll(t, "src/*.go", "!src/*_test.go", "nowhere/*.go", "node_modules/**", "many/*.txt", "wide/", "!many/none", "*.js", "src/a.go#Run")
	first := func(dir string) []string {
		var all []string
		for i := range anchor.MaxSamples {
			all = append(all, fmt.Sprintf("%s/f%03d.txt", dir, i))
		}
		return all
	}
	want := []anchor.Validation{
		{Anchor: "src/*.go", Result: anchor.OK, Count: 2, Samples: []string{"src/a.go", "src/b.go"}},
		{Anchor: "!src/*_test.go", Result: anchor.OK, Count: 1, Samples: []string{"src/b_test.go"}},
		{Anchor: "nowhere/*.go", Result: anchor.Zero, Reason: "it matches no file"},
		{Anchor: "node_modules/**", Result: anchor.Zero, Reason: "it matches only generated or vendored files, which do not count"},
		{Anchor: "many/*.txt", Result: anchor.Overbroad, Count: 105, Samples: first("many"), Reason: "it matches more than 100 files; name the part that the topic is about"},
		{Anchor: "wide/", Result: anchor.OK, Count: 41, Samples: first("wide"), Reason: "it is wide: more than 40 files"},
		{Anchor: "!many/none", Result: anchor.Zero, Reason: "it excludes no file"},
		{Anchor: "*.js", Result: anchor.Zero, Reason: "it matches only generated or vendored files, which do not count"},
		{Anchor: "src/a.go#Run", Result: anchor.OK, Count: 1, Samples: []string{"src/a.go"}},
	}
	if diff := cmp.Diff(want, anchor.Validate(set, files)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnExclusionIsNeverTooBroad(t *testing.T) {
	t.Parallel()
	var files []string
	for i := range 200 {
		files = append(files, fmt.Sprintf("gen/%d.go", i))
	}
	got := anchor.Validate(parseAll(t, "!gen/**"), files)[0]
	if got.Result != anchor.OK || got.Count != 200 {
		t.Errorf("got %s with %d files, want ok with 200", got.Result, got.Count)
	}
}

func TestSkipValidationGivesTheReasonForEach(t *testing.T) {
	t.Parallel()
	got := anchor.SkipValidation(parseAll(t, "a/*", "!b/*"), "no source is connected")
	want := []anchor.Validation{
		{Anchor: "a/*", Result: anchor.Skipped, Reason: "no source is connected"},
		{Anchor: "!b/*", Result: anchor.Skipped, Reason: "no source is connected"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIsGeneratedLooksAtFoldersAtAnyDepth(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"node_modules/x/index.js": true, "web/node_modules/x.js": true, "vendor/a.go": true, "a/dist/b.js": true,
		"build/x": true, ".git/config": true, "out/x": true, "coverage/x": true, ".next/x": true, ".turbo/x": true,
		"src/a.go": false, "build": false, "scripts/build": false, "vendors/a.go": false, "src/output/a.go": false, "dist.go": false, "": false,
	} {
		if got := anchor.IsGenerated(path); got != want {
			t.Errorf("IsGenerated(%q) = %v", path, got)
		}
	}
}
