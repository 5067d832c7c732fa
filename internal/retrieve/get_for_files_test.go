package retrieve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/fault"
)

func TestForFilesMatchesTheDialectExactly(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	for title, anchors := range map[string][]string{
		"Go services": {"services/**/*.go", "!services/**/*_test.go"}, "Any depth": {"Makefile"}, "One file": {"./cmd/tool/main.go"},
		"Folder": {"deploy/charts/"}, "Elsewhere": {"docs/*.md"}, "A symbol": {"store/db.go#DB.Close"},
	} {
		s.create(owner, args{"title": title, "anchors": anchors, "content": "longbody"})
	}
	for _, c := range []struct{ files, want []string }{
		{[]string{"services/api/main.go"}, []string{"go-services"}},
		{[]string{"services/main.go"}, []string{"go-services"}},
		{[]string{"services/api/main_test.go"}, []string{}},
		{[]string{"Makefile", "services/x/y/z.go"}, []string{"any-depth", "go-services"}},
		{[]string{"sub/Makefile"}, []string{"any-depth"}},
		{[]string{"sub/Makefile.am", "sub/makefile"}, []string{}},
		{[]string{"./cmd//tool/main.go"}, []string{"one-file"}},
		{[]string{"sub/cmd/tool/main.go"}, []string{}},
		{[]string{"deploy/charts/a/b.yaml"}, []string{"folder"}},
		{[]string{"docs/deep/page.md"}, []string{}},
		{[]string{"store/db.go"}, []string{"a-symbol"}},
		{[]string{"../../etc/passwd", "/etc/passwd", ""}, []string{}},
	} {
		page := s.ok(owner, "context.get_for_files", args{"files": c.files})
		got := found(page)
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v: %s", c.files, diff)
		}
		if page["next_action"] == nil {
			t.Errorf("%v: no next step", c.files)
		}
		for _, row := range results(page) {
			if row["content"] != nil || row["match_type"] != "anchor" || row["anchors"] == nil {
				t.Errorf("%v: row %v", c.files, row)
			}
		}
	}
	row := results(s.ok(owner, "context.get_for_files", args{"files": []string{"store/db.go"}}))[0]
	if diff := cmp.Diff([]string{"symbol:store/db.go#DB.Close"}, texts(row["why_matched"])); diff != "" {
		t.Error(diff)
	}
	s.fails(owner, "context.get_for_files", args{"files": []string{}}, fault.CodeValidation)
	s.fails(owner, "context.get_for_files", args{}, fault.CodeValidation)
	s.fails(owner, "context.get_for_files", args{"files": make([]string, 201)}, fault.CodeValidation)
}

func TestForFilesPutsTheClosestClaimFirst(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	for title, anchors := range map[string][]string{
		"All": {"**"}, "Tree": {"api/**"}, "Narrow": {"api/v1/*.go"}, "Exact": {"api/**", "api/v1/users.go"}, "Symbol": {"api/v1/users.go#List"},
	} {
		s.create(owner, args{"title": title, "anchors": anchors})
	}
	page := s.ok(owner, "context.get_for_files", args{"files": []string{"api/v1/users.go"}})
	if diff := cmp.Diff([]string{"exact", "symbol", "narrow", "tree", "all"}, found(page)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"anchor:api/v1/users.go ~ api/v1/users.go"}, texts(results(page)[0]["why_matched"])); diff != "" {
		t.Error(diff)
	}
	// Of equally close claims the one on more of the files comes first.
	s.create(owner, args{"title": "Two", "anchors": []string{"lib/a.go", "lib/b.go"}})
	s.create(owner, args{"title": "One", "anchors": []string{"lib/a.go"}})
	page = s.ok(owner, "context.get_for_files", args{"files": []string{"lib/a.go", "lib/b.go"}})
	if diff := cmp.Diff([]string{"two", "one", "all"}, found(page)); diff != "" {
		t.Error(diff)
	}
}

func TestForFilesNamesTheBestOfWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	for i := range 12 {
		s.create(owner, args{"title": fmt.Sprintf("Step %d", i), "anchors": []string{"steps/*.go"}})
	}
	page := s.ok(owner, "context.get_for_files", args{"files": []string{"steps/a.go"}})
	next := page["next_action"].(args)
	slug := next["arguments"].(args)["topic"].(string)
	if page["shown"] != 10.0 || page["has_more"] != true || next["tool"] != "driftless_context_get" || slices.Contains(found(page), slug) {
		t.Errorf("shown %v, has_more %v, next %v", page["shown"], page["has_more"], next)
	}
	s.ok(owner, "topics.get", next["arguments"].(args))
}
