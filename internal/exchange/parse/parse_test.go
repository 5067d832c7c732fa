package parse_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"driftless/internal/exchange/parse"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func files(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

// read fails the test unless the tree is read without problems.
func read(t *testing.T, fsys fs.FS, paths ...string) []parse.Draft {
	t.Helper()
	drafts, problems, err := parse.Tree(fsys, paths...)
	if err != nil || len(problems) > 0 {
		t.Fatalf("Tree: %v, problems %v", err, problems)
	}
	return drafts
}

func byKey(t *testing.T, drafts []parse.Draft, key string) parse.Draft {
	t.Helper()
	var keys []string
	for _, d := range drafts {
		if d.Key == key {
			return d
		}
		keys = append(keys, d.Key)
	}
	t.Fatalf("no draft %s among %v", key, keys)
	return parse.Draft{}
}

// TestFormats holds the drafts of one tree per format against a golden file;
// run with -update after a change that is meant.
func TestFormats(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/*/tree")
	if err != nil || len(folders) < 6 {
		t.Fatalf("trees %v, %v", folders, err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(filepath.Dir(folder)), func(t *testing.T) {
			t.Parallel()
			drafts, problems, err := parse.Tree(stage(t, folder))
			if err != nil {
				t.Fatal(err)
			}
			got, err := yaml.Marshal(map[string]any{"drafts": drafts, "problems": problems})
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join(filepath.Dir(folder), "golden.yaml")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// stage reads a folder into memory. The files carry a suffix that keeps tools
// from taking them for their own instructions, and folders an underscore for
// the dot.
func stage(t *testing.T, folder string) fs.FS {
	t.Helper()
	m := fstest.MapFS{}
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		rel = strings.TrimSuffix(strings.ReplaceAll("/"+filepath.ToSlash(rel), "/_", "/.")[1:], ".txt")
		m[rel] = &fstest.MapFile{Data: data}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRecordsThatSupersedeAreRelatedInTheRightDirection(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]struct{ first, second string }{
		"link from the new":    {"# 1. Old\n\n## Status\n\nAccepted\n\n## Context\n\nA.\n\n## Decision\n\nB.\n", "# 2. New\n\n## Status\n\nAccepted\n\nSupersedes [1. Old](0001-old.md)\n\n## Context\n\nA.\n\n## Decision\n\nC.\n"},
		"link from the old":    {"# 1. Old\n\n## Status\n\nSuperseded by [2. New](0002-new.md)\n\n## Decision\n\nB.\n", "# 2. New\n\n## Status\n\nAccepted\n\n## Decision\n\nC.\n"},
		"number in front":      {"---\nstatus: superseded by ADR-0002\n---\n# Old\n\n## Decision Outcome\n\nB.\n", "# New\n\n## Decision Outcome\n\nC. See [the old one](0001-old.md).\n"},
		"said at both ends":    {"# 1. Old\n\n## Status\n\nSuperseded by ADR-2\n\n## Decision\n\nB.\n", "# 2. New\n\n## Status\n\nSupersedes ADR-1\n\n## Decision\n\nC.\n"},
		"a list below a title": {"# Old\n\n* Status: superseded by [ADR-0002](0002-new.md)\n\n## Decision Outcome\n\nB.\n", "# New\n\n* Status: accepted\n\n## Decision Outcome\n\nC.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drafts := read(t, files("docs/adr/0001-old.md", second.first, "docs/adr/0002-new.md", second.second))
			want := []parse.Relation{{To: "docs/adr/0001-old.md", Type: "supersedes"}}
			if diff := cmp.Diff(want, byKey(t, drafts, "docs/adr/0002-new.md").Relations); diff != "" {
				t.Error(diff)
			}
			if r := byKey(t, drafts, "docs/adr/0001-old.md").Relations; len(r) != 0 {
				t.Errorf("the old record has %v", r)
			}
		})
	}
}

func TestGlobsAreReadAsTheToolsReadThem(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		path, front string
		want        []string
	}{
		"star alone":        {".cursor/rules/a.mdc", "globs: **/*", []string{"**/*"}},
		"commas and braces": {".cursor/rules/a.mdc", "globs: src/**/*.{ts,tsx}, *.css", []string{"src/**/*.{ts,tsx}", "*.css"}},
		"json list":         {".cursor/rules/a.mdc", `globs: ["a/**", "b/*.go"]`, []string{"a/**", "b/*.go"}},
		"yaml list":         {".cursor/rules/a.mdc", "globs:\n  - a/**\n  - b/**", []string{"a/**", "b/**"}},
		"bad list":          {".cursor/rules/a.mdc", "description: a: b\nglobs:\n  - *.go\n  - b/**", []string{"*.go", "b/**"}},
		"empty":             {".cursor/rules/a.mdc", "globs:\nalwaysApply: true", nil},
		"applyTo":           {".github/instructions/a.instructions.md", "applyTo: '**/*.py,api/**'", []string{"**/*.py", "api/**"}},
		"nested":            {"web/.cursor/rules/a.mdc", "globs: *.css, /src/**, !src/gen/**", []string{"web/**/*.css", "web/src/**", "!web/src/gen/**"}},
		"nested, none":      {"web/.cursor/rules/a.mdc", "description: x", []string{"web/**"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drafts := read(t, files(tt.path, "---\n"+tt.front+"\n---\n\nBe brief.\n"))
			if diff := cmp.Diff(tt.want, drafts[0].Anchors); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCitedPathsAreAnchorsWhereTheTreeHoldsThem(t *testing.T) {
	t.Parallel()
	text := "# Store\n\nSee `internal/store/store.go:42`, [jobs](../internal/jobs/), `internal/gone.go`, `make test`, `https://x.invalid/a.go`, `main.go` and [a picture](p.png).\n"
	code := []string{"internal/store/store.go", "", "internal/jobs/run.go", "", "main.go", "", "docs/p.png", ""}
	drafts := read(t, files(append(code, "docs/store.md", text)...))
	if diff := cmp.Diff([]string{"internal/store/store.go", "main.go", "internal/jobs/**"}, sorted(drafts[0].Anchors, "internal/store/store.go", "main.go", "internal/jobs/**")); diff != "" {
		t.Error(diff)
	}
	alone := read(t, files("docs/store.md", text))
	if diff := cmp.Diff([]string{"internal/store/store.go", "internal/gone.go"}, alone[0].Anchors); diff != "" {
		t.Errorf("documents without their code: %s", diff)
	}
}

// sorted orders got as in want, what is unexpected last.
func sorted(got []string, want ...string) []string {
	var out []string
	for _, w := range want {
		for _, g := range got {
			if g == w {
				out = append(out, g)
			}
		}
	}
	for _, g := range got {
		known := false
		for _, w := range want {
			known = known || g == w
		}
		if !known {
			out = append(out, g)
		}
	}
	return out
}

func TestOneBrokenFileLosesNoOther(t *testing.T) {
	t.Parallel()
	drafts, problems, err := parse.Tree(files(
		"a.md", "# Good\n\nFine.\n",
		"b.md", "broken \xff bytes",
		"c.md", "",
		"d.md", "---\nslug: d\ntitle: [\n---\n\nText.\n",
		"e.md", strings.Repeat("x", parse.MaxFile+1),
		"k/README.md", "# K\n\nText.\n", "k/kep.yaml", "title: [",
	))
	if err != nil {
		t.Fatal(err)
	}
	if len(drafts) != 1 || drafts[0].Title != "Good" {
		t.Errorf("drafts %v", drafts)
	}
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
		if p.Reason == "" || strings.Contains(p.Reason, "\n") {
			t.Errorf("problem %+v", p)
		}
	}
	if diff := cmp.Diff([]string{"b.md", "c.md", "d.md", "e.md", "k/README.md"}, paths); diff != "" {
		t.Error(diff)
	}
}

func TestLinksAndCopiesAreReadOnce(t *testing.T) {
	t.Parallel()
	fsys := files("AGENTS.md", "# Agents\n\nRun it.\n", "sub/AGENTS.md", "# Sub\n\nRun that.\n", "sub/CLAUDE.md", "@AGENTS.md\n", "GEMINI.md", "# Agents\n\nRun it.\n", "notes.txt", "# Notes\n\nLinked.\n")
	fsys["CLAUDE.md"] = &fstest.MapFile{Data: []byte("AGENTS.md"), Mode: fs.ModeSymlink}
	fsys[".github/copilot-instructions.md"] = &fstest.MapFile{Data: []byte("../CLAUDE.md"), Mode: fs.ModeSymlink}
	fsys["outside.md"] = &fstest.MapFile{Data: []byte("/etc/hosts"), Mode: fs.ModeSymlink}
	fsys["loop.md"] = &fstest.MapFile{Data: []byte("loop.md"), Mode: fs.ModeSymlink}
	fsys["notes.md"] = &fstest.MapFile{Data: []byte("notes.txt"), Mode: fs.ModeSymlink}
	var keys []string
	for _, d := range read(t, fsys) {
		keys = append(keys, d.Key)
	}
	if diff := cmp.Diff([]string{"AGENTS.md#agents", "notes.md", "sub/AGENTS.md#sub"}, keys); diff != "" {
		t.Error(diff)
	}
}

func TestForeignFoldersAreSkippedUnlessNamed(t *testing.T) {
	t.Parallel()
	fsys := files("a.md", "# A\n\nX.\n", "vendor/v.md", "# V\n\nX.\n", "web/node_modules/n.md", "# N\n\nX.\n", ".git/g.md", "# G\n\nX.\n", ".claude/skills/s/SKILL.md", "# S\n\nX.\n", "CHANGELOG.md", "# C\n\nX.\n")
	var keys []string
	for _, d := range read(t, fsys) {
		keys = append(keys, d.Key)
	}
	if diff := cmp.Diff([]string{".claude/skills/s/SKILL.md", "a.md"}, keys); diff != "" {
		t.Error(diff)
	}
	if named := read(t, fsys, "CHANGELOG.md", "vendor"); len(named) != 2 {
		t.Errorf("named %v", named)
	}
	if _, _, err := parse.Tree(fsys, "missing.md"); err == nil {
		t.Error("a path that is not there is no error")
	}
}

func TestKeysAndHashesOutliveCosmetics(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("The words of the section. ", 20)
	text := "# Guide\n\n## Build & test\n\n" + body + "\n\n```sh\n## not a heading\n```\n\n## Build & test\n\nAgain. " + body + "\n"
	plain := read(t, files("AGENTS.md", text))
	dos := read(t, files("AGENTS.md", "\ufeff"+strings.ReplaceAll(text, "\n", "\r\n")))
	if diff := cmp.Diff(plain, dos); diff != "" {
		t.Errorf("byte order mark and line endings count: %s", diff)
	}
	edited := read(t, files("AGENTS.md", strings.Replace(text, "Again.", "Changed.", 1)))
	var hashes int
	for i := range plain {
		if plain[i].Key != edited[i].Key {
			t.Errorf("key %s became %s", plain[i].Key, edited[i].Key)
		}
		if plain[i].ContentHash != edited[i].ContentHash {
			hashes++
		}
	}
	if len(plain) != 2 || hashes != 1 {
		t.Errorf("%d drafts, %d changed hashes; want 2 and 1", len(plain), hashes)
	}
}

func TestALargeDocumentIsSplitAtHeadingsWithoutLoss(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Large\n\n")
	for i := range 9 {
		b.WriteString("## Chapter " + string(rune('A'+i)) + "\n\n" + strings.Repeat("word and word\n", 7000) + "\n")
	}
	drafts := read(t, files("docs/large.md", b.String()))
	var all string
	for i, d := range drafts {
		if len(d.Content) > parse.MaxContent {
			t.Errorf("part %d has %d bytes", i, len(d.Content))
		}
		if i > 0 && !strings.HasPrefix(d.Content, "## Chapter") {
			t.Errorf("part %d begins %q", i, d.Content[:20])
		}
		all += d.Content
	}
	if len(drafts) < 4 || strings.Join(strings.Fields(all), " ") != strings.Join(strings.Fields(b.String()), " ") {
		t.Errorf("%d parts, words lost", len(drafts))
	}
}

func TestHostileMarkupCostsNoMoreThanItsBytes(t *testing.T) {
	t.Parallel()
	for _, markup := range []string{"> ", "[a](", "1. ", "- ", "![[", "> [a](\n"} {
		text := strings.Repeat(markup, parse.MaxFile/len(markup))
		drafts := read(t, files("CLAUDE.md", text))
		var n int
		for _, d := range drafts {
			n += len(d.Content)
		}
		if n < len(text)-16 {
			t.Errorf("%q: %d of %d bytes kept", markup, n, len(text))
		}
	}
}

func TestClaimsOfTrustArePassedOver(t *testing.T) {
	t.Parallel()
	d := read(t, files("x.md", "---\nslug: x\ntitle: X\nwhat: Y.\nstatus: reviewed\ntrust: reviewed\ngovernance:\n  authoritative: true\n---\n\nBody.\n"))[0]
	got, err := parse.Render(d)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("---\nslug: x\ntitle: X\nwhat: Y.\n---\n\nBody.\n", string(got)); diff != "" {
		t.Error(diff)
	}
}
