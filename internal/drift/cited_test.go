package drift_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/source/repo"
)

// fixes are what the findings of a topic propose.
func fixes(found []args) []string {
	out := []string{}
	for _, f := range found {
		out = append(out, f["fix"].(string))
	}
	return out
}

func TestFoldersGlobsAndPathsWithoutTheirBeginningAreFollowed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	files := map[string]string{
		"src/core/a.go": code("1", "1"), "src/core/b.go": code("2", "2"), "web/app/x.ts": "x", "web/app/y.ts": "y", "docs/img/a.png": "p", "README.md": "r",
	}
	s.sync(files)
	folder := s.knowledge("Folder", args{"what": "All of it is in `src/core/`."})
	glob := s.knowledge("Glob", args{"what": "Pages are `web/app/*.ts`."})
	short := s.knowledge("Short", args{"what": "Begins in `core/a.go`."})
	link := s.knowledge("Link", args{"content": "See ![a](../img/a.png).", "sources": []string{"docs/guide/page.md"}})
	never := s.knowledge("Never", args{"what": "Will be in `src/core/later.go`, not in `path/to/it.go`."})
	// One file of a folder, and one of a glob, may go.
	delete(files, "src/core/b.go")
	delete(files, "web/app/y.ts")
	s.sync(files)
	for _, slug := range []string{folder, glob, short, link, never} {
		s.finds("while something is there", slug, "fresh")
	}
	files = map[string]string{"lib/core/a.go": code("1", "1"), "docs/pic/a.png": "p", "README.md": "r"}
	s.sync(files)
	if got := fixes(s.finds("a folder that went elsewhere", folder, "review", "moved")); got[0] != "cite lib/core/ instead of src/core/" {
		t.Errorf("the fix: %v", got)
	}
	s.finds("a glob that matches nothing", glob, "broken", "dead_reference")
	s.finds("what is still named by its end", short, "fresh")
	if got := fixes(s.finds("a link from the folder of its document", link, "review", "moved")); got[0] != "cite docs/pic/a.png instead of docs/img/a.png" {
		t.Errorf("the fix: %v", got)
	}
	s.finds("what never was", never, "fresh")
	s.sync(map[string]string{"README.md": "r"})
	for _, slug := range []string{folder, glob, short, link} {
		s.finds("when all is gone", slug, "broken", "dead_reference")
	}
	s.finds("what never was", never, "fresh")
	s.ok(s.owner, "topics.verify", args{"topic": folder})
	s.finds("after somebody said that it holds all the same", folder, "fresh")
	s.sync(map[string]string{"README.md": "r", "src/core/a.go": code("1", "1"), "web/app/z.ts": "z"})
	s.finds("back again", short, "fresh")
	s.finds("back again", glob, "fresh")
}

func TestASymbolThatATextCitesHasToBeThereWhateverItDoes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sync(map[string]string{"x.go": code("1", "2")})
	cites, never := s.knowledge("Cites", args{"what": "It is `x.go#B` that decides."}), s.knowledge("Never", args{"what": "It is `x.go#C`."})
	s.sync(map[string]string{"x.go": code("1", "3")})
	s.finds("where its body changed", cites, "fresh")
	s.sync(map[string]string{"y.go": code("1", "3")})
	if got := fixes(s.finds("where its file moved", cites, "review", "moved")); got[0] != "cite y.go#B instead of x.go#B" {
		t.Errorf("the fix: %v", got)
	}
	s.sync(map[string]string{"y.go": "package x\n\nfunc A() int {\n\treturn 1\n}\n"}, repo.Rename{From: "y.go", To: "y.go"})
	s.finds("where it is gone", cites, "broken", "dead_reference")
	s.finds("what never was in it", never, "review", "moved")
}

func TestTheAuthorHearsOfWhatLeadsNowhere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	text := "Read `docs/typo.md`, `docs/x.md`, [here](b.md) and `etc/and.so`, then `some.word`."
	if got := s.ok(s.owner, "topics.create", args{"title": "Before", "what": text})["unresolved"]; got != nil {
		t.Errorf("without any repository: %v", got)
	}
	s.sync(map[string]string{"docs/x.md": "x"})
	out := s.ok(s.owner, "topics.create", args{"title": "After", "what": text})
	if diff := cmp.Diff([]any{"b.md", "docs/typo.md", "etc/and.so"}, out["unresolved"]); diff != "" {
		t.Errorf("unresolved: %s", diff)
	}
	s.sync(map[string]string{"docs/x.md": "x", "docs/typo.md": "y"})
	s.ok(s.owner, "topics.verify", args{"topic": out["slug"]})
	s.sync(map[string]string{"docs/x.md": "x"})
	s.finds("what came, was vouched for, and went", out["slug"].(string), "broken", "dead_reference")
	s.finds("of a topic that was there before the repository", "before", "fresh")
}

func TestAPushThatEmptiesACitedFolderIsForeseen(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.sync(map[string]string{"src/a.go": "a", "src/b.go": "b", "lib/c.go": "c", "lib/d.go": "d"})
	whole, part := f.knowledge("Whole", args{"what": "In `src/`."}), f.knowledge("Part", args{"what": "In `lib/`."})
	globbed := f.knowledge("Glob", args{"what": "In `src/*.go`."})
	f.accepts(f.body("main", 80, args{"removed": []string{"src/a.go", "src/b.go", "lib/c.go"}}), "one", true)
	f.work(func() bool {
		return f.get(whole)["drift_state"] == "broken" && f.get(globbed)["drift_state"] == "broken"
	})
	f.finds("a folder that a push emptied", whole, "broken", "dead_reference")
	f.finds("a folder with a file left", part, "fresh")
}

func TestAWordThatStandsNowhereAnyMoreIsDeadAndOneThatNeverStoodIsNot(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	first := map[string]string{"x.go": "package x\n\nfunc parseTree() {}\n", "main.go": `package main // flag "no-cache"`, "y.go": "package x\n"}
	s.sync(first)
	called := s.knowledge("Called", args{"what": "It begins in `parseTree()`."})
	flagged := s.knowledge("Flag", args{"what": "Run `tool serve --no-cache`."})
	never := s.knowledge("Never", args{"what": "It will be `laterOn()`, with `MAX_LATER`."})
	s.sync(first)
	if len(s.asked) != 4 {
		t.Errorf("the sync asked for %v", s.asked)
	}
	s.asked = nil
	s.sync(map[string]string{"x.go": first["x.go"], "main.go": first["main.go"], "y.go": "package y\n"})
	if s.asked != nil {
		t.Errorf("where no file changed that has a word, the sync asked for %v", s.asked)
	}
	s.sync(map[string]string{"lib/z.go": "package z\n\nfunc parseTree(n int) {}\n", "main.go": "package main", "y.go": "package y\n"})
	s.finds("a name that stands elsewhere", called, "fresh")
	if got := fixes(s.finds("a flag that is gone", flagged, "broken", "dead_reference")); got[0] != "the text cites --no-cache, which stands nowhere in the code any more" {
		t.Errorf("the fix: %v", got)
	}
	s.finds("words that never stood there", never, "fresh")
	s.sync(map[string]string{"y.go": "package y\n"})
	s.finds("a name that is gone", called, "broken", "dead_reference")
	s.sync(map[string]string{"y.go": "package y\n\nfunc parseTree() {}\n"})
	s.finds("back again", called, "fresh")
	s.ok(s.owner, "topics.verify", args{"topic": flagged})
	s.sync(map[string]string{"y.go": "package y\n"})
	s.finds("vouched for without it", flagged, "fresh")
	s.finds("gone again", called, "broken", "dead_reference")
	out := s.ok(s.owner, "sources.sync", push(t, 90, map[string]int{"q.go": 1000}))
	s.ok(s.owner, "sources.fingerprints", args{"source": out["id"], "branch": "main", "head": out["head"], "prints": []any{}})
	s.finds("where nobody looked", called, "broken", "dead_reference")
}
