package cite_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"driftless/internal/drift/cite"
	"driftless/internal/source/repo"
)

func read(markdown string) []string {
	var set cite.Set
	set.Read(markdown)
	out := []string{}
	for _, r := range set.Refs {
		out = append(out, string(r.Kind)+" "+r.Text)
	}
	return out
}

func TestReferencesAreReadWhereTextsMakeThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Read [this](docs/a.md#top) and ![that](../img/b.png).":                        {"link docs/a.md", "link ../img/b.png"},
		"[site](/guides/start) [page](./next%20page)":                                  {"link /guides/start", "link next page"},
		"`src/a.go`, `src/a.go:12`, `src/b.go#L3-L9`":                                  {"path src/a.go", "path src/b.go"},
		"`store.go#Store.Close` closes":                                                {"symbol store.go#Store.Close"},
		"`src/**/*.ts` and `web/{src,test}/*.ts`":                                      {"glob src/**/*.ts", "glob web/{src,test}/*.ts"},
		"the folder `src/core/` and core/cli/ here":                                    {"path src/core", "path core/cli"},
		"`pages/[id].tsx` is a route":                                                  {"path pages/[id].tsx"},
		"See ./docs/y.md, then docs/x_y.md.":                                           {"path docs/y.md", "path docs/x_y.md"},
		"Makefile, `Makefile`, `.github/workflows` and `.env`":                         {"path Makefile", "path .github/workflows", "path .env"},
		"Run `go test ./internal/drift -run X`":                                        {"path internal/drift"},
		"```sh\n$ python tools/gen.py --out=web/gen.ts # docs/no.md\n# docs/c.md\n```": {"path tools/gen.py", "word --out", "path web/gen.ts"},
		"```\nscripts/run.sh\n```":                                                     {"path scripts/run.sh"},
		"`Store.Close`, `parseTree()`, `MAX_SIZE`, `retry.max_attempts` and `std::moveOnly`": {
			"path Store.Close", "word Store.Close", "word parseTree()", "word MAX_SIZE", "path retry.max_attempts", "word retry.max_attempts", "word std::moveOnly",
		},
		"`--no-cache=1` or `tool run --dry-run src/a.go`": {"word --no-cache", "word --dry-run", "path src/a.go"},
		"`make check` then `pnpm run build:web`":          {"word check", "word build:web"},
		"v0.31.x-topology/a.md is a record":               {"path v0.31.x-topology/a.md"},
	} {
		if diff := cmp.Diff(want, read(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestWhatPlainlySpeaksOfSomethingElseIsNoReference(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"<https://example.test/a/b.md>, https://example.test/x/y.go and [x](https://example.test/a.md) [mail](mailto:a@b.test) [top](#top)",
		"```go\nopen(\"config/app.yaml\")\n```", "```json\n{\"file\": \"src/a.go\"}\n```",
		"`path/to/file.go`, `your-app/main.go`, `<name>/x.go`, `{repo}/x.go`, `$HOME/a.go`, `.../a.go`",
		"`~/.config/x.toml` `/usr/local/bin/x.sh` `/etc/hosts.conf` `C:\\a\\b.txt`",
		"`v1.2.3`, `1.20`, 2.0.1-rc.1", "`application/json` `text/event-stream` `image/svg+xml` application/problem+json",
		"`github.com/acme/shop/x.go` `example.com/a.md`", "`-o` `--v` and/or read/write", "`word` `two words` `Word` `NULL` `f()`",
		"`a\x00b/c.go` [x](%00/a.md) [y](%ff/a.md)", "`../..` `.` `/` `./`",
	} {
		if got := read(text); len(got) > 0 {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func index(paths ...string) *cite.Index {
	var tree repo.Tree
	slices.Sort(paths)
	for _, p := range slices.Compact(paths) {
		tree = append(tree, repo.File{Path: p})
	}
	return cite.NewIndex(tree)
}

func TestAReferenceMeansAFileByTheWayItIsWritten(t *testing.T) {
	t.Parallel()
	files := index("README.md", "docs/guide/start.md", "docs/guide/next.mdx", "docs/img/a.png", "docs/README.md",
		"src/core/a.go", "src/core/b.go", "src/web/a.go", "lib/one/only.go", "Makefile")
	for _, tc := range []struct {
		kind       cite.Kind
		text, base string
		want       string
		because    string
	}{
		{cite.Path, "src/core/a.go", "", "src/core/a.go", "from the root"},
		{cite.Path, "src/core", "", "src/core/", "a folder"},
		{cite.Path, "core/a.go", "", "src/core/a.go", "without its leading part"},
		{cite.Path, "only.go", "", "lib/one/only.go", "a name alone"},
		{cite.Path, "a.go", "", "", "two of that name"},
		{cite.Path, "a.go", "src/web", "src/web/a.go", "the one beside the document"},
		{cite.Path, "README.md", "docs/guide", "README.md", "at the root where there is none beside it"},
		{cite.Path, "/api/v1", "", "", "an address"},
		{cite.Path, "src/core/c.go", "", "", "never there"},
		{cite.Link, "start.md", "docs/guide", "docs/guide/start.md", "relative"},
		{cite.Link, "../img/a.png", "docs/guide", "docs/img/a.png", "relative with a step up"},
		{cite.Link, "/guide/next", "docs/guide", "docs/guide/next.mdx", "the page of a site"},
		{cite.Link, "./next", "docs/guide", "docs/guide/next.mdx", "a page beside it"},
		{cite.Glob, "src/*/a.go", "", "src/*/a.go", "a glob"},
		{cite.Glob, "src/*.py", "", "", "a glob that matches nothing"},
		{cite.Symbol, "core/a.go#Run", "", "src/core/a.go", "the file of a symbol"},
		{cite.Symbol, "src/core#Run", "", "", "a folder has no symbols"},
	} {
		got, is := files.Resolve(cite.Ref{Kind: tc.kind, Text: tc.text}, []string{tc.base})
		if is != (tc.want != "") || is && got.Path != tc.want {
			t.Errorf("%s: %s %s from %q means %q, %v; want %q", tc.because, tc.kind, tc.text, tc.base, got.Path, is, tc.want)
		}
	}
}

func TestRemovedMovedAndBackAgainAreToldApart(t *testing.T) {
	t.Parallel()
	type stage struct {
		files   []string
		moved   map[string]string
		verdict cite.Verdict
		now     string
	}
	for name, tc := range map[string]struct {
		kind   cite.Kind
		text   string
		first  []string
		stages []stage
	}{
		"a file": {cite.Path, "a/x.go", []string{"a/x.go"}, []stage{
			{[]string{"b/x.go"}, map[string]string{"a/x.go": "b/x.go"}, cite.Moved, "b/x.go"},
			{[]string{"c/x.go"}, map[string]string{"b/x.go": "c/x.go"}, cite.Moved, "c/x.go"},
			{[]string{"z"}, nil, cite.Dead, "c/x.go"},
			{[]string{"a/x.go"}, nil, cite.Holds, "a/x.go"},
		}},
		"a folder": {cite.Path, "a", []string{"a/x.go", "a/b/y.go"}, []stage{
			{[]string{"a/b/y.go"}, nil, cite.Holds, "a/"},
			{[]string{"n/b/y.go", "o/z.go"}, map[string]string{"a/b/y.go": "n/b/y.go", "q/z.go": "o/z.go"}, cite.Moved, "n/"},
			{[]string{"o/z.go"}, nil, cite.Dead, "n/"},
		}},
		"a path without its beginning": {cite.Path, "core/x.go", []string{"old/core/x.go"}, []stage{
			{[]string{"new/core/x.go"}, map[string]string{"old/core/x.go": "new/core/x.go"}, cite.Holds, "new/core/x.go"},
			{[]string{"new/other/x.go"}, map[string]string{"new/core/x.go": "new/other/x.go"}, cite.Moved, "new/other/x.go"},
		}},
		"a link is read from its place alone": {cite.Link, "a/x.md", []string{"a/x.md"}, []stage{
			{[]string{"new/a/x.md"}, map[string]string{"a/x.md": "new/a/x.md"}, cite.Moved, "new/a/x.md"},
		}},
		"a page whose file has another ending": {cite.Link, "/guide/start", []string{"docs/guide/start.md"}, []stage{
			{[]string{"docs/guide/start.mdx"}, map[string]string{"docs/guide/start.md": "docs/guide/start.mdx"}, cite.Holds, "docs/guide/start.mdx"},
			{[]string{"docs/guide/begin.mdx"}, map[string]string{"docs/guide/start.mdx": "docs/guide/begin.mdx"}, cite.Moved, "docs/guide/begin.mdx"},
		}},
		"a glob": {cite.Glob, "a/*.go", []string{"a/x.go"}, []stage{
			{[]string{"a/y.go"}, nil, cite.Holds, "a/*.go"},
			{[]string{"b/y.go"}, map[string]string{"a/y.go": "b/y.go"}, cite.Dead, "a/*.go"},
			{[]string{"a/z.go"}, nil, cite.Holds, "a/*.go"},
		}},
	} {
		r := cite.Ref{Kind: tc.kind, Text: tc.text}
		target, is := index(tc.first...).Resolve(r, nil)
		if !is {
			t.Fatalf("%s: it means nothing", name)
		}
		trail := cite.Begin(r, target)
		for i, s := range tc.stages {
			trail.Step(index(s.files...), s.moved)
			if trail.Verdict() != s.verdict || trail.Now != s.now {
				t.Errorf("%s, step %d: %v at %q, want %v at %q", name, i+1, trail.Verdict(), trail.Now, s.verdict, s.now)
			}
		}
	}
}

func TestAWordStandsInCodeAsAWhole(t *testing.T) {
	t.Parallel()
	code := []byte("func parseTree(noCache bool) { flag(\"dry-run\") /* build:web */ }")
	for text, want := range map[string]bool{
		"parseTree()": true, "repo.parseTree()": true, "parseTre()": false, "Tree.parse_tree": false, "--dry-run": true, "--dr": false, "--run-dry": false,
		"build:web": true, "build:we": false, "--no-cache": false, "x->noCache": true,
	} {
		sought, got := cite.Ref{Kind: cite.Word, Text: text}.Sought(), false
		cite.Find(code, map[string]bool{sought: true}, func(w string) { got = got || w == sought })
		if got != want {
			t.Errorf("%s, sought as %s: %v", text, sought, got)
		}
	}
	cite.Find([]byte("parseTree\x00"), map[string]bool{"parseTree": true}, func(string) { t.Error("a binary has words") })
	if cite.Code("docs/a.md") || cite.Code("vendor/x.go") || !cite.Code("src/a.go") {
		t.Error("words are looked for in the wrong files")
	}
}

// TestWhatResolvesIsThere holds for any files and any text: a target is among the files, and it stands as long as they do.
func TestWhatResolvesIsThere(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{"a", "b", "src", "core", "x.go", "y.md", "README.md", "index.md"})
	path := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "parts"), "/")
	})
	rapid.Check(t, func(t *rapid.T) {
		files := index(rapid.SliceOfNDistinct(path, 1, 12, rapid.ID).Draw(t, "files")...)
		r := cite.Ref{Kind: rapid.SampledFrom([]cite.Kind{cite.Link, cite.Path}).Draw(t, "kind"), Text: path.Draw(t, "text")}
		target, is := files.Resolve(r, []string{path.Draw(t, "base")})
		if !is {
			return
		}
		at := strings.TrimSuffix(target.Path, "/")
		if _, file := files.Files.Find(at); !file && len(files.Files.Below(at)) == 0 {
			t.Fatalf("%+v means %q, which is not there", r, target.Path)
		}
		trail := cite.Begin(r, target)
		if trail.Step(files, nil); trail.Verdict() != cite.Holds {
			t.Fatalf("%+v does not hold where nothing changed: %+v", r, trail)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add("Read [this](docs/a.md#top), `src/a.go#Run` and `src/{a,b}/**`.\n\n```sh\nmake x\n```\n", "docs/a.md", "src")
	f.Add("[a](<../%2e%2e/x>) `a/[b`", "x", "")
	f.Add("[](0)x.A000A00", "/", "x") // the table of an absolute path had no end
	f.Fuzz(func(t *testing.T, markdown, file, base string) {
		var set cite.Set
		set.Read(markdown)
		if len(set.Refs) > cite.RefsMax {
			t.Fatalf("%d references", len(set.Refs))
		}
		files := index(file, "docs/a.md", "src/a.go")
		for _, r := range set.Refs {
			if r.Text == "" || len(r.Text) > cite.TextMax || strings.ContainsRune(r.Text, 0) {
				t.Errorf("the reference %q", r.Text)
			}
			r.Certain()
			cite.Find([]byte(markdown), map[string]bool{r.Sought(): true}, func(string) {})
			if target, is := files.Resolve(r, []string{base}); is {
				trail := cite.Begin(r, target)
				trail.Step(index("z"), map[string]string{file: "z"})
				trail.Verdict()
			}
		}
	})
}

// TestATextThatNestsWithoutEndIsReadInTime is about what takes a parser of Markdown minutes, and a topic may hold.
func TestATextThatNestsWithoutEndIsReadInTime(t *testing.T) {
	t.Parallel()
	const size = 256 << 10
	for _, part := range []string{"[", ">", "> ", "- ", "*a _b", "`a ``b", "[a](", "![", "<a ", "a/", "src/a.go ", "1. ", "\t- "} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		read := make(chan int)
		go func() {
			var set cite.Set
			set.Read(strings.Repeat(part, size/len(part)) + "\n\nSee `src/last.go`.")
			read <- len(set.Refs)
		}()
		select {
		case n := <-read:
			if n == 0 {
				t.Errorf("%q: what follows is not read", part)
			}
		case <-ctx.Done():
			t.Fatalf("%q: not read in twenty seconds", part)
		}
		cancel()
	}
}
