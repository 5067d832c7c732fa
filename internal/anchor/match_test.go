package anchor_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/anchor"
)

func TestAnchorMatches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text    string
		yes, no []string
	}{
		{"services/**/*.go", []string{"services/api/main.go", "services/main.go", "./services//a/b/c.go"}, []string{"services", "sub/services/main.go", "services/a.ts"}},
		{"Makefile", []string{"Makefile", "sub/Makefile", "a/b/Makefile", "sub/Makefile/x"}, []string{"sub/Makefile.am", "sub/makefile"}},
		{"./cmd/tool/main.go", []string{"cmd/tool/main.go"}, []string{"sub/cmd/tool/main.go", "cmd/tool/main.go.bak"}},
		{"/Makefile", []string{"Makefile"}, []string{"sub/Makefile"}},
		{"deploy/charts/", []string{"deploy/charts/a/b.yaml", "deploy/charts/a.yaml"}, []string{"deploy/chart", "x/deploy/charts/a.yaml"}},
		{"docs", []string{"docs/a.md", "x/docs/a/b.md"}, []string{"docs2/a.md"}},
		{"src/api", []string{"src/api", "src/api/x.go"}, []string{"src/api.go", "lib/src/api/x.go"}},
		{"docs/*.md", []string{"docs/page.md"}, []string{"docs/deep/page.md", "docs/page.mdx"}},
		{"*.md", []string{"a.md", "docs/a.md", "docs/deep/a.md"}, []string{"a.mdx"}},
		{"src/{api,web}/**", []string{"src/api/x.go", "src/web/a/b.ts"}, []string{"src/cli/x.go"}},
		{"src/[!_]*.go", []string{"src/a.go"}, []string{"src/_a.go"}},
		{"src**/a.go", []string{"src2/a.go"}, []string{"src/x/a.go"}},
		{"src/?.go", []string{"src/é.go"}, []string{"src/ab.go", "src/.go"}},
		{".github/**", []string{".github/workflows/ci.yml"}, []string{"github/ci.yml"}},
		{"docs/über.md", []string{"docs/u\u0308ber.md"}, []string{"docs/Über.md"}},
		{"src/calc.go#Add", []string{"src/calc.go"}, []string{"src/calc.go/x", "a/src/calc.go", "src/calc.go#Add"}},
		{"/", []string{"a", "a/b/c"}, []string{"", "/a", "../a"}},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			t.Parallel()
			a := parse(t, test.text)
			for _, path := range test.yes {
				if !a.Match(path) {
					t.Errorf("%q does not match %q", test.text, path)
				}
			}
			for _, path := range test.no {
				if a.Match(path) {
					t.Errorf("%q matches %q", test.text, path)
				}
			}
		})
	}
}

func parseAll(t testing.TB, texts ...string) anchor.Set {
	t.Helper()
	set, err := anchor.ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestAnExclusionVetoesWhateverItsPlace(t *testing.T) {
	t.Parallel()
	for _, texts := range [][]string{
		{"services/**/*.go", "Makefile", "!services/**/*_test.go"},
		{"!services/**/*_test.go", "services/**/*.go", "Makefile"},
	} {
		set := parseAll(t, texts...)
		if a, ok := set.Match("services/api/main.go"); !ok || a.Text != "services/**/*.go" {
			t.Errorf("%q: got %v, %v", texts, a, ok)
		}
		if a, ok := set.Match("services/Makefile"); !ok || a.Text != "Makefile" {
			t.Errorf("%q: got %v, %v", texts, a, ok)
		}
		for _, path := range []string{"services/api/main_test.go", "web/a.go", "/services/a.go", "../services/a.go"} {
			if a, ok := set.Match(path); ok {
				t.Errorf("%q: %q is matched by %q", texts, path, a.Text)
			}
		}
	}
}

func TestASetOfExclusionsMatchesNothing(t *testing.T) {
	t.Parallel()
	if _, ok := parseAll(t, "!src/**").Match("web/a.go"); ok {
		t.Error("a file is matched by exclusions alone")
	}
}

func texts(set anchor.Set) []string {
	var all []string
	for _, a := range set {
		all = append(all, a.Text)
	}
	return all
}

func TestDuplicatesAreDroppedByCanonicalForm(t *testing.T) {
	t.Parallel()
	set := parseAll(t, "./src/a.go", "src//a.go", "!src/a.go", "src/a.go#Run", "src/a.go#Stop", "{x,y}/*", "{y,x}/*", "src/a.go")
	want := []string{"./src/a.go", "!src/a.go", "src/a.go#Run", "src/a.go#Stop", "{x,y}/*"}
	if diff := cmp.Diff(want, texts(set)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestASetHoldsAtMostTwoHundred(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range anchor.MaxAnchors {
		all = append(all, fmt.Sprintf("d%d/*.go", i))
	}
	if got := len(parseAll(t, all...)); got != anchor.MaxAnchors {
		t.Errorf("%d anchors, want %d", got, anchor.MaxAnchors)
	}
	_, err := anchor.ParseAll(append(all, "one/more"))
	var over *anchor.LimitError
	if !errors.As(err, &over) || over.Count != 201 || !strings.Contains(err.Error(), "at most 200") {
		t.Errorf("got %v, want a LimitError for 201", err)
	}
}

func TestParseAllSaysWhichAnchorIsRefused(t *testing.T) {
	t.Parallel()
	_, err := anchor.ParseAll([]string{"src/*.go", "src/{a"})
	if err == nil || !strings.Contains(err.Error(), "src/{a") {
		t.Errorf("got %v", err)
	}
}

func TestRepositoriesKeepAnchorsApart(t *testing.T) {
	t.Parallel()
	inRepo := func(text, repo string) anchor.Anchor {
		a := parse(t, text)
		a.Repo = repo
		return a
	}
	set, err := anchor.NewSet([]anchor.Anchor{inRepo("a/*", "one"), inRepo("a/*", "two"), inRepo("b/*", ""), inRepo("a/*", "one")})
	if err != nil {
		t.Fatal(err)
	}
	if len(set) != 3 {
		t.Fatalf("%d anchors, want 3: the same pattern in two repositories is no duplicate", len(set))
	}
	if diff := cmp.Diff([]string{"a/*", "b/*"}, texts(set.In("one"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b/*"}, texts(set.In("three"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
