package drift_test

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/anchor/fingerprint"
	"driftless/internal/drift/cite"
	"driftless/internal/pg/pgtest"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

// code is a file of Go with two functions; a is the body of A, b that of B.
func code(a, b string) string {
	return fmt.Sprintf("package x\n\n// A says a.\nfunc A() int {\n\treturn %s\n}\n\nfunc B() int {\n\treturn %s\n}\n", a, b)
}

// site is a repository whose contents a test writes as text.
type site struct {
	world
	texts map[string]int // the number of each content
	heads int
	asked []any // the words that the last sync asked for
}

func newSite(t *testing.T) *site { return &site{world: setup(t), texts: map[string]int{}} }

// sync tells the server of the next commit, with these files, and answers what it asks for.
func (s *site) sync(files map[string]string, renames ...repo.Rename) args {
	s.t.Helper()
	numbers := map[string]int{}
	for path, text := range files {
		if s.texts[text] == 0 {
			s.texts[text] = len(s.texts) + 1
		}
		numbers[path] = s.texts[text]
	}
	s.heads++
	out := s.ok(s.owner, "sources.sync", push(s.t, s.heads, numbers, renames...))
	wants, words := list(out, "want"), out["words"].([]any)
	if len(wants)+len(words) == 0 {
		return out
	}
	s.asked = words
	return s.ok(s.owner, "sources.fingerprints", args{
		"source": out["id"], "branch": "main", "head": out["head"], "prints": s.prints(wants), "words": wordsIn(words, files),
	})
}

// wordsIn looks for words in texts.
func wordsIn(words []any, files map[string]string) []args {
	out := []args{}
	for _, w := range words {
		word, found := w.(string), ""
		for path, text := range files {
			cite.Find([]byte(text), map[string]bool{word: true}, func(string) { found = path })
		}
		if found != "" {
			out = append(out, args{"word": word, "path": found})
		} else {
			out = append(out, args{"word": word})
		}
	}
	return out
}

func (s *site) prints(wants []args) []args {
	byBlob := map[string]string{}
	for text, n := range s.texts {
		byBlob[hexOf(n)] = text
	}
	out := []args{}
	for _, w := range wants {
		var symbols []string
		for _, name := range w["symbols"].([]any) {
			symbols = append(symbols, name.(string))
		}
		for _, p := range fingerprint.Of(w["path"].(string), []byte(byBlob[w["blob"].(string)]), symbols) {
			out = append(out, args{
				"blob": w["blob"], "symbol": p.Symbol, "absent": p.Absent, "hash": p.Hash, "signature": p.Signature,
				"units": base64.StdEncoding.EncodeToString(fingerprint.PackUnits(p.Units)),
			})
		}
	}
	return out
}

// finds checks the state and the kinds of the findings of a topic.
func (s *site) finds(when, slug, state string, kinds ...string) []args {
	s.t.Helper()
	topic := s.get(slug)
	found := list(topic, "drift")
	got := []string{}
	for _, f := range found {
		got = append(got, f["kind"].(string))
	}
	if kinds == nil {
		kinds = []string{}
	}
	if diff := cmp.Diff(kinds, got); topic["drift_state"] != state || diff != "" {
		s.t.Errorf("%s: %s is %v: %v; want %s %v", when, slug, topic["drift_state"], found, state, kinds)
	}
	if stale := state == "review" || state == "broken"; topic["stale"] != stale {
		s.t.Errorf("%s: %s is stale %v", when, slug, topic["stale"])
	}
	return found
}

// edit changes Knowledge at once.
func (s *site) edit(slug string, fields args) {
	s.t.Helper()
	fields["topic"], fields["apply"], fields["base_revision"] = slug, "merge", s.get(slug)["revision"]
	if got := s.ok(s.owner, "topics.update", fields); got["applied"] != "merged" {
		s.t.Fatalf("the edit is %v", got["applied"])
	}
}

func TestAChangeDriftsWithItsEvidenceAndALookAlikeDoesNot(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sync(map[string]string{"a.go": code("1", "2"), "b.go": code("3", "4"), "c.go": code("5", "6")})
	real, look := s.knowledge("Real", args{"anchors": []string{"a.go"}}), s.knowledge("Look", args{"anchors": []string{"b.go"}})
	still := s.knowledge("Still", args{"anchors": []string{"c.go"}})
	before := s.get(real)
	out := s.sync(map[string]string{"a.go": code("10", "20"), "b.go": "// Package x.\n" + code("3", "  4"), "c.go": code("5", "6")})
	if got := out["drift"].(args); got["review"] != 1.0 || len(got) != 1 {
		t.Errorf("the sync says %v", got)
	}
	f := s.finds("after a real change", real, "review", "changed")[0]
	if f["commit"] != hexOf(2) || f["repository"] != "git.example.test/acme/shop" || f["score"].(float64) < 0.1 || f["paths"].([]any)[0] != "a.go" {
		t.Errorf("the finding: %v", f)
	}
	s.finds("after a comment and white space", look, "fresh")
	s.finds("where nothing changed", still, "fresh")
	after := s.get(real)
	if after["revision"] != before["revision"] || after["content_hash"] != before["content_hash"] || after["trust"] != "reviewed" {
		t.Errorf("drift changed the topic: %v", after)
	}
	if n := s.ok(s.owner, "events.list", args{"topic": real, "types": []string{"topic.drifted"}})["shown"]; n != 1.0 {
		t.Errorf("%v events tell of it", n)
	}
	if got := slugs(s.ok(s.owner, "topics.list", args{"stale": true})); len(got) != 1 || got[0] != real {
		t.Errorf("stale are %v", got)
	}
}

func TestDriftClosesByVerifyAndByItselfAndNotByAnEdit(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	first := map[string]string{"a.go": code("1", "1"), "b.go": code("2", "2"), "c.go": code("3", "3")}
	s.sync(first)
	a, b, c := s.knowledge("A", args{"anchors": []string{"a.go"}}), s.knowledge("B", args{"anchors": []string{"b.go"}}), s.knowledge("C", args{"anchors": []string{"c.go"}})
	changed := map[string]string{"a.go": code("10", "10"), "b.go": code("20", "20"), "c.go": code("30", "30")}
	s.sync(changed)
	for _, slug := range []string{a, b, c} {
		s.finds("after the change", slug, "review", "changed")
	}
	s.ok(s.owner, "topics.verify", args{"topic": a, "commit": hexOf(2)})
	s.finds("after verify", a, "fresh")
	s.edit(c, args{"what": "New words."})
	s.finds("after an edit", c, "review", "changed")
	changed["b.go"] = first["b.go"]
	s.sync(changed)
	s.finds("when the content returns", b, "fresh")
	s.finds("after verify and another sync", a, "fresh")
	s.finds("after an edit and another sync", c, "review", "changed")
	if n := s.ok(s.owner, "events.list", args{"topic": b, "types": []string{"topic.drift_closed"}})["shown"]; n != 1.0 {
		t.Errorf("%v events tell that it closed", n)
	}
}

func TestSmallChangesAddUpUntilSomebodyShouldLook(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	long := func(changed int) map[string]string {
		text := "package x\n\nfunc Run(x int) int {\n"
		for i := range 100 {
			word := "step"
			if i < changed {
				word = "other"
			}
			text += fmt.Sprintf("\tx = %s%d(x)\n", word, i)
		}
		return map[string]string{"long.go": text + "\treturn x\n}\n"}
	}
	s.sync(long(0))
	slug := s.knowledge("Long", args{"anchors": []string{"long.go"}})
	s.sync(long(4))
	s.finds("after four lines", slug, "touched", "changed")
	s.sync(long(14))
	if f := s.finds("after fourteen", slug, "review", "changed")[0]; f["score"].(float64) > 0.2 {
		t.Errorf("the score: %v", f)
	}
	s.ok(s.owner, "topics.verify", args{"topic": slug})
	s.sync(long(18))
	s.finds("after four more since verify", slug, "touched", "changed")
}

func TestASymbolDriftsAlone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sync(map[string]string{"x.go": code("1", "2"), "y.py": "def f():\n    return 1\n"})
	a, b := s.knowledge("A", args{"anchors": []string{"x.go#A"}}), s.knowledge("B", args{"anchors": []string{"x.go#B"}})
	never := s.knowledge("Never", args{"anchors": []string{"x.go#C", "gone.go#D"}})
	python := s.knowledge("Python", args{"anchors": []string{"y.py#f"}})
	s.sync(map[string]string{"x.go": code("1", "3"), "y.py": "def f():\n    return 2\n"})
	s.finds("where another symbol changed", a, "fresh")
	s.finds("where its body changed", b, "review", "changed")
	s.finds("what never was there", never, "fresh")
	if f := s.finds("in a language without a parser", python, "review", "changed")[0]; f["fix"] == nil {
		t.Errorf("it does not say that the file was compared: %v", f)
	}
	s.sync(map[string]string{"x.go": "package x\n\nfunc B(n int) int {\n\treturn 3\n}\n", "y.py": "def f():\n    return 1\n"})
	s.finds("where it is gone", a, "broken", "removed")
	s.finds("where its signature changed", b, "review", "signature_changed")
	s.finds("still never there", never, "fresh")
	s.finds("back again", python, "fresh")
	s.sync(map[string]string{"x.go": code("1", "2")})
	s.finds("when it returns", a, "fresh")
}

func TestRemovedIsToldFromMovedAndCitedPathsFromThoseThatNeverWere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sync(map[string]string{"src/a.go": code("1", "1"), "src/b.go": code("2", "2"), "docs/x.md": "x", "docs/y.md": "y", "lib/k.go": code("4", "4")})
	gone, moved := s.knowledge("Gone", args{"anchors": []string{"src/a.go"}}), s.knowledge("Moved", args{"anchors": []string{"src/b.go"}})
	cites := s.knowledge("Cites", args{"what": "Read `docs/x.md` and ./docs/y.md, then docs/never.md."})
	glob := s.knowledge("Glob", args{"anchors": []string{"lib/*.go"}})
	whole := s.knowledge("Folder", args{"anchors": []string{"docs/"}})
	s.sync(map[string]string{"pkg/b.go": code("2", "2"), "docs/z.md": "y", "lib2/k.go": code("4", "4")},
		repo.Rename{From: "src/b.go", To: "pkg/b.go"})
	s.finds("a deleted file", gone, "broken", "removed")
	if f := s.finds("a renamed file", moved, "review", "moved")[0]; f["fix"] != "anchor pkg/b.go instead of src/b.go" {
		t.Errorf("the fix: %v", f)
	}
	s.finds("cited paths", cites, "broken", "dead_reference", "moved")
	if f := s.finds("a glob whose files went", glob, "review", "moved")[0]; f["fix"] != "anchor lib2/k.go instead of lib/*.go" {
		t.Errorf("the fix: %v", f)
	}
	s.finds("a folder that lost a file and renamed another", whole, "review", "changed")
	// Taking the fix is what closes it.
	s.edit(moved, args{"remove_anchors": []string{"src/b.go"}, "add_anchors": []string{"pkg/b.go"}})
	s.finds("anchored anew", moved, "fresh")
	s.edit(cites, args{"what": "Read docs/z.md."})
	s.finds("cited anew", cites, "fresh")
}

func TestAFileThatCameUnderAnAnchorCountsAndAnExclusionTakesItAway(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	files := map[string]string{"pkg/a.go": code("1", "1")}
	s.sync(files)
	slug := s.knowledge("Package", args{"anchors": []string{"pkg/*.go"}})
	files["pkg/new.go"] = code("2", "2")
	s.sync(files)
	if f := s.finds("after a file came", slug, "review", "changed")[0]; f["paths"].([]any)[0] != "pkg/new.go" {
		t.Errorf("the finding: %v", f)
	}
	s.edit(slug, args{"add_anchors": []string{"!pkg/new.go"}})
	files["pkg/new.go"] = code("3", "3")
	s.sync(files)
	s.finds("after it was excluded", slug, "fresh")
}

func TestAPrivateDraftDoesNotDriftUntilItIsShown(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sync(map[string]string{"a.go": code("1", "1")})
	slug := s.ok(s.owner, "notes.add", args{"content": "Mine.", "anchors": []string{"a.go"}})["slug"].(string)
	s.sync(map[string]string{"a.go": code("2", "2")})
	s.finds("while private", slug, "fresh")
	s.ok(s.owner, "topics.propose", args{"topic": slug})
	s.sync(map[string]string{"a.go": code("3", "3")})
	s.finds("once shown", slug, "review", "changed")
}

func TestContentsThatNobodyHasAreTouched(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sync(map[string]string{"a.go": code("1", "1")})
	slug := s.knowledge("A", args{"anchors": []string{"a.go"}})
	out := s.ok(s.owner, "sources.sync", push(t, 9, map[string]int{"a.go": 99}))
	if len(list(out, "want")) != 2 {
		t.Fatalf("asked for %v", out["want"])
	}
	s.finds("before anything is known", slug, "fresh")
	s.ok(s.owner, "sources.fingerprints", args{"source": out["id"], "branch": "main", "head": out["head"], "prints": []any{}})
	if f := s.finds("without fingerprints", slug, "touched", "changed")[0]; f["score"] != nil {
		t.Errorf("a score of what is not known: %v", f)
	}
	_, err := s.call(s.owner, "sources.fingerprints", args{"source": out["id"], "branch": "main", "head": hexOf(1), "prints": []any{}})
	if err == nil {
		t.Error("fingerprints for another commit are taken")
	}
}

func TestDisconnectingARepositoryTakesItsFindings(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sync(map[string]string{"a.go": code("1", "1")})
	slug := s.knowledge("A", args{"anchors": []string{"a.go"}})
	s.sync(map[string]string{"b.go": code("2", "2")})
	s.finds("removed", slug, "broken", "removed")
	s.ok(s.owner, "sources.disconnect", args{"source": remote})
	s.finds("disconnected", slug, "fresh")
}

func TestFindingsOfOneWorkspaceAreNothingToAnother(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sync(map[string]string{"a.go": code("1", "1")})
	s.knowledge("A", args{"anchors": []string{"a.go"}})
	other := newSite(t)
	other.sync(map[string]string{"a.go": code("1", "1")})
	theirs := other.knowledge("A", args{"anchors": []string{"a.go"}})
	s.sync(map[string]string{"b.go": code("1", "2")})
	other.finds("in another workspace of the same repository", theirs, "fresh")
	viewer := pgtest.Person(t, s.owner, tenant.Viewer)
	if _, err := s.call(viewer, "sources.sync", push(t, 7, nil)); err == nil {
		t.Error("a viewer syncs")
	}
}

func TestAMergeClosesDriftOnlyWithTheWordThatItWasChecked(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sync(map[string]string{"a.go": code("1", "1")})
	slug := s.knowledge("A", args{"anchors": []string{"a.go"}})
	s.sync(map[string]string{"a.go": code("2", "2")})
	suggest := func(what string) any {
		in := args{"topic": slug, "summary": "x", "fields": args{"what": what}, "base_revision": s.get(slug)["revision"]}
		return s.ok(s.owner, "edits.create", in)["proposal_id"]
	}
	s.ok(s.owner, "edits.merge", args{"proposal": suggest("One.")})
	s.finds("after a merge", slug, "review", "changed")
	s.ok(s.owner, "edits.merge", args{"proposal": suggest("Two."), "checked": hexOf(2)})
	s.finds("after a merge that was checked", slug, "fresh")
	if n := s.ok(s.owner, "events.list", args{"topic": slug, "types": []string{"topic.verified"}})["shown"]; n != 1.0 {
		t.Errorf("%v events tell of it", n)
	}
}

func TestFingerprintsOfTwoMethodsAreNotComparedButTakenAgain(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.ok(w.owner, "sources.sync", push(t, 1, map[string]int{"a.py": 1}))
	topic := w.knowledge("Two machines", args{"anchors": []string{"a.py#run"}})
	id := list(w.ok(w.owner, "sources.list", args{}), "results")[0]["id"]
	bring := func(head int, prints ...args) args {
		return w.ok(w.owner, "sources.fingerprints", args{"source": id, "branch": "main", "head": hexOf(head), "prints": prints})
	}
	print := func(blob int, method, hash string) args {
		return args{"blob": hexOf(blob), "symbol": "run", "hash": hash, "units": "AAE=", "method": method}
	}
	out := w.ok(w.owner, "sources.sync", push(t, 2, map[string]int{"a.py": 2}))
	if n := len(list(out, "want")); n != 2 {
		t.Fatalf("%d contents are wanted", n)
	}
	bring(2, print(1, "lexer", "aa"), print(2, "ctags", "bb"))
	if state := w.get(topic)["drift_state"]; state != "touched" {
		t.Errorf("read in two ways it is %v", state)
	}
	again := push(t, 2, nil)
	again["files"] = ""
	if n := len(list(w.ok(w.owner, "sources.sync", again), "want")); n != 2 {
		t.Errorf("%d contents are wanted again", n)
	}
	bring(2, print(1, "ctags", "bb"), print(2, "ctags", "bb"))
	if state := w.get(topic)["drift_state"]; state != "fresh" {
		t.Errorf("read in one way it is %v", state)
	}
}
