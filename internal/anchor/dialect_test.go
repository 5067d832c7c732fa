package anchor_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"driftless/internal/anchor"
)

func parse(t testing.TB, text string) anchor.Anchor {
	t.Helper()
	a, err := anchor.Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return a
}

func TestParseBringsEachSpellingToCanonicalForm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		kind       anchor.Kind
		canonical  []string
	}{
		{"a glob stays", "services/**/*.go", anchor.Glob, []string{"services/**/*.go"}},
		{"dot slash goes", "./cmd/tool/*.go", anchor.Glob, []string{"cmd/tool/*.go"}},
		{"dot segments go", "cmd/./tool/*.go", anchor.Glob, []string{"cmd/tool/*.go"}},
		{"doubled slashes go", "cmd//tool///*.go", anchor.Glob, []string{"cmd/tool/*.go"}},
		{"leading slashes go", "//cmd/*.go", anchor.Glob, []string{"cmd/*.go"}},
		{"no slash means any depth", "*.go", anchor.Glob, []string{"**/*.go"}},
		{"a name means any depth, as file or folder", "Makefile", anchor.File, []string{"**/Makefile", "**/Makefile/**"}},
		{"a leading slash ties to the root", "/*.go", anchor.Glob, []string{"*.go"}},
		{"a leading dot slash ties to the root", "./Makefile", anchor.File, []string{"Makefile", "Makefile/**"}},
		{"a trailing slash means the folder", "deploy/charts/", anchor.Glob, []string{"deploy/charts/**"}},
		{"a trailing slash ties to the root", "deploy/", anchor.Glob, []string{"deploy/**"}},
		{"a trailing dot means the folder", "deploy/.", anchor.Glob, []string{"deploy/**"}},
		{"a plain path is a file or a folder", "src/api", anchor.File, []string{"src/api", "src/api/**"}},
		{"a folder behind ** is not doubled", "src/**/", anchor.Glob, []string{"src/**"}},
		{"repeated ** are one", "src/**/**/a.go", anchor.Glob, []string{"src/**/a.go"}},
		{"** alone", "**", anchor.Glob, []string{"**"}},
		{"the root as a slash", "/", anchor.Glob, []string{"**"}},
		{"the root as a dot", ".", anchor.Glob, []string{"**"}},
		{"braces are expanded", "src/*.{ts,tsx}", anchor.Glob, []string{"src/*.ts", "src/*.tsx"}},
		{"nested braces", "src/*.{a,{b,c}d}", anchor.Glob, []string{"src/*.a", "src/*.bd", "src/*.cd"}},
		{"two braces", "{a,b}/{c,d}/*", anchor.Glob, []string{"a/c/*", "a/d/*", "b/c/*", "b/d/*"}},
		{"braces without a slash mean any depth", "*.{go,mod}", anchor.Glob, []string{"**/*.go", "**/*.mod"}},
		{"a slash in one alternative ties all to the root", "{a/*.go,*.md}", anchor.Glob, []string{"*.md", "a/*.go"}},
		{"an alternative can be a bare folder", "src/{api,web/}", anchor.Glob, []string{"src/api", "src/api/**", "src/web/**"}},
		{"an alternative can be empty", "src/a{.go,}", anchor.Glob, []string{"src/a", "src/a.go", "src/a.go/**", "src/a/**"}},
		{"one alternative", "src/{a}*", anchor.Glob, []string{"src/a*"}},
		{"equal alternatives are one", "src/{a,a}*", anchor.Glob, []string{"src/a*"}},
		{"a comma outside braces", "src/a,b*", anchor.Glob, []string{"src/a,b*"}},
		{"a brace in a class", "src/[{,}]*", anchor.Glob, []string{"src/[{,}]*"}},
		{"a class in braces", "src/{[,}],a}*", anchor.Glob, []string{"src/[,}]*", "src/a*"}},
		{"composed characters", "docs/u\u0308ber*.md", anchor.Glob, []string{"docs/über*.md"}},
		{"characters composed by braces", "docs/*{e,x}\u0301", anchor.Glob, []string{"docs/*x\u0301", "docs/*é"}},
		{"blanks inside count", "docs/My File*.md", anchor.Glob, []string{"docs/My File*.md"}},
		{"parentheses are plain", "app/(shop)/**", anchor.Glob, []string{"app/(shop)/**"}},
		{"a # in a folder", "src/C#/*.cs", anchor.Glob, []string{"src/C#/*.cs"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			want := anchor.Anchor{Text: test.text, Kind: test.kind, Canonical: test.canonical}
			if diff := cmp.Diff(want, parse(t, test.text)); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", test.text, diff)
			}
			want = anchor.Anchor{Text: "!" + test.text, Kind: test.kind, Exclude: true, Canonical: test.canonical}
			if diff := cmp.Diff(want, parse(t, "!"+test.text)); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", "!"+test.text, diff)
			}
		})
	}
}

func TestParseReadsSymbols(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, path, symbol string }{
		{"src/calc.go#Add", "src/calc.go", "Add"},
		{"src/point.go#Point.Len", "src/point.go", "Point.Len"},
		{"./src//a.py#__init__", "src/a.py", "__init__"},
		{"main.go#run", "main.go", "run"},
		{"web/a.ts#$store.größe2", "web/a.ts", "$store.größe2"},
		{"C#/a.cs#Main", "C#/a.cs", "Main"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			t.Parallel()
			want := anchor.Anchor{Text: test.text, Kind: anchor.Symbol, Canonical: []string{test.path}, Symbol: test.symbol}
			if diff := cmp.Diff(want, parse(t, test.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRefusesWithThePlace(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("{a,b}", 7)
	tests := []struct {
		name, text string
		offset     int
		reason     string // a part of it
	}{
		{"nothing", "", 0, "empty"},
		{"blanks", " \t", 0, "empty"},
		{"too long", strings.Repeat("é", 501), 0, "500 characters"},
		{"not UTF-8", "src/\xff", 0, "UTF-8"},
		{"a control character", "src/\x07a", 4, "control character"},
		{"a line break", "src/*.go\n", 8, "control character"},
		{"a backslash", `src\*.go`, 3, "backslash"},
		{"an escaped brace", `a/\{b\}`, 2, "backslash"},
		{"a class without end", "src/[z.go", 4, "never closed"},
		{"a class without end in an exclusion", "!src/[z.go", 5, "never closed"},
		{"an empty class", "src/[]a.go", 4, "empty"},
		{"an empty negated class", "src/[!].go", 4, "empty"},
		{"a slash in a class", "src[/]a.go", 3, `cannot hold "/"`},
		{"a backslash in a class", `src/[\]]x`, 4, "backslash"},
		{"a reversed range", "src/[z-a].go", 4, "z-a"},
		{"a reversed range behind others", "src/[a-cz-a].go", 4, "z-a"},
		{"a named class", "[[:alpha:]].go", 0, "named classes"},
		{"an unclosed brace", "src/{a,b", 4, "never closed"},
		{"an unclosed inner brace", "src/{a,{b}", 4, "never closed"},
		{"a brace that closes nothing", "src/a}b", 5, "closes no brace"},
		{"too many alternatives", "x/" + many, 2, "more than 64"},
		{"too many alternatives inside", "x/{" + many + ",c}", 2, "more than 64"},
		{"an empty alternative alone", "{,x}", 0, "empty"},
		{"a climb", "../a.go", 0, `".."`},
		{"a climb inside", "src/../a.go", 4, `".."`},
		{"a climb made by braces", "src/{.,a}{.,b}/a.go", 4, `".."`},
		{"an exclusion of nothing", "!", 1, "exclusion"},
		{"two exclamation marks", "!!a", 1, "exclusion"},
		{"no symbol", "src/a.go#", 9, "Name or Type.method"},
		{"a bad symbol", "src/a.go#1st", 9, "Name or Type.method"},
		{"half a symbol", "src/a.go#Point.", 9, "Name or Type.method"},
		{"no file", "#Run", 0, "the path of its file"},
		{"a folder's symbol", "src/#Run", 4, "the path of its file"},
		{"a wildcard before a symbol", "src/*.go#Run", 4, "plain path"},
		{"braces before a symbol", "src/{a,b}.go#Run", 4, "plain path"},
		{"a climb before a symbol", "../a.go#Run", 0, `".."`},
		{"a symbol made by braces", "{src/a.go#Run,b/}", 0, "is a symbol"},
		{"an excluded symbol", "!src/a.go#Run", 0, "cannot be excluded"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := anchor.Parse(test.text)
			var refused *anchor.SyntaxError
			if !errors.As(err, &refused) {
				t.Fatalf("Parse(%q) = %v, want a SyntaxError", test.text, err)
			}
			if refused.Offset != test.offset || !strings.Contains(refused.Reason, test.reason) {
				t.Errorf("Parse(%q): offset %d, %q; want %d and %q", test.text, refused.Offset, refused.Reason, test.offset, test.reason)
			}
		})
	}
}

func TestSyntaxErrorIsOneSentenceThatCountsCharacters(t *testing.T) {
	t.Parallel()
	_, err := anchor.Parse("größe/{a,b")
	want := `"größe/{a,b" is refused at character 7: this "{" is never closed with "}"`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = anchor.Parse(strings.Repeat("é", 100_000))
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("the error for a very long text is itself very long: %d bytes", len(err.Error()))
	}
}

func TestLimitsHoldAtTheEdge(t *testing.T) {
	t.Parallel()
	parse(t, strings.Repeat("é", anchor.MaxText))
	if got := len(parse(t, "x/"+strings.Repeat("{a,b}", 6)+"*").Canonical); got != anchor.MaxAlternatives {
		t.Errorf("%d alternatives, want %d", got, anchor.MaxAlternatives)
	}
}

func TestNormalizePath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a.go":             "a.go",
		"./src//a.go":      "src/a.go",
		"src/./a.go":       "src/a.go",
		"src/":             "src",
		"u\u0308ber/a.go":  "über/a.go",
		"a*[b]\\{c}/!d":    "a*[b]\\{c}/!d",
		"..a/b../...":      "..a/b../...",
		" src/ with blank": " src/ with blank", //nolint:gocritic // a name may begin with a blank
	} {
		got, err := anchor.NormalizePath(path)
		if err != nil || got != want {
			t.Errorf("NormalizePath(%q) = %q, %v; want %q", path, got, err, want)
		}
	}
	if _, err := anchor.NormalizePath(strings.Repeat("a/", anchor.MaxPath/2)); err != nil {
		t.Errorf("a path of the greatest length is refused: %v", err)
	}
	tooLong := strings.Repeat("a", anchor.MaxPath+1)
	for path, offset := range map[string]int{tooLong: 0, "": 0, ".": 0, "./": 0, "/": 0, "/etc/passwd": 0, "..": 0, "a/../b": 2} {
		_, err := anchor.NormalizePath(path)
		var refused *anchor.SyntaxError
		if !errors.As(err, &refused) || refused.Offset != offset {
			t.Errorf("NormalizePath(%q): %v, want a SyntaxError at %d", path, err, offset)
		}
	}
}

// A canonical pattern, tied to the root as it is, must be its own canonical form.
func checkFixpoint(t rapid.TB, a anchor.Anchor) {
	t.Helper()
	for _, pattern := range a.Canonical {
		if len("/"+pattern) > anchor.MaxText || a.Kind == anchor.Symbol {
			continue
		}
		again, err := anchor.Parse("/" + pattern)
		if err != nil {
			t.Errorf("canonical %q of %q is refused: %v", pattern, a.Text, err)
			continue
		}
		for _, p := range again.Canonical {
			if !slices.Contains(a.Canonical, p) {
				t.Errorf("canonical %q of %q becomes %q", pattern, a.Text, again.Canonical)
			}
		}
		if !slices.Contains(again.Canonical, pattern) {
			t.Errorf("canonical %q of %q becomes %q", pattern, a.Text, again.Canonical)
		}
	}
}
