package repo_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"driftless/internal/source/repo"
)

func blob(n int) string { return fmt.Sprintf("%040x", n) }

func tree(files map[string]int) repo.Tree {
	t := repo.Tree{}
	for path, content := range files {
		t = append(t, repo.File{Path: path, Blob: blob(content), Size: int64(content), Weight: content % 7})
	}
	slices.SortFunc(t, func(a, b repo.File) int { return strings.Compare(a.Path, b.Path) })
	return t
}

func TestATreeComesBackAsItWasSent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		files := rapid.MapOf(rapid.StringMatching(`[a-c]{1,2}(/[a-c .#\n]{1,3}x){0,3}`), rapid.IntRange(1, 50)).Draw(t, "files")
		sent := tree(files)
		text, err := sent.Text()
		if err != nil {
			t.Fatal(err)
		}
		got, err := repo.ParseTreeText(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sent, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestATreeThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	good := repo.File{Path: "a", Blob: blob(1)}
	for what, bad := range map[string]repo.Tree{
		"a path that climbs":   {{Path: "../a", Blob: blob(1)}},
		"an absolute path":     {{Path: "/a", Blob: blob(1)}},
		"an id of nothing":     {{Path: "a", Blob: "xyz"}},
		"a path twice":         {good, good},
		"a size below nothing": {{Path: "a", Blob: blob(1), Size: -1}},
	} {
		text, err := bad.Text()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := repo.ParseTreeText(text); err == nil {
			t.Errorf("%s is taken", what)
		}
	}
	for _, text := range []string{"!", "AAAA"} {
		if _, err := repo.ParseTreeText(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestASmallBodyDoesNotBecomeALargeMemory(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("a/", 1500)
	folder := strings.Repeat("0", 40) + " 1 0\t" + deep
	for what, want := range map[string]struct {
		write   func(io.Writer)
		refusal string
	}{
		"one line": {func(w io.Writer) { _, _ = io.CopyN(w, zeroes{}, 64<<20) }, "longer than"},
		"many files of one deep folder": {func(w io.Writer) {
			for n := range 64 << 20 / len(folder) {
				_, _ = fmt.Fprintf(w, "%s%d\x00", folder, n)
			}
		}, "packed tighter"},
	} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		want.write(z)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		sent := base64.StdEncoding.EncodeToString(packed.Bytes())
		if _, err := repo.ParseTreeText(sent); err == nil || !strings.Contains(err.Error(), want.refusal) {
			t.Errorf("%s: %d bytes that become 64 MiB are answered with %v", what, len(sent), err)
		}
	}
}

// zeroes is an endless text of one character.
type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func FuzzParseTree(f *testing.F) {
	packed, err := tree(map[string]int{"a/b.go": 1, "c": 2}).Pack()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(t *testing.T, packed []byte) {
		got, err := repo.ParseTree(packed)
		if err != nil {
			return
		}
		for _, file := range got {
			if found, ok := got.Find(file.Path); !ok || found != file {
				t.Errorf("%q is in the tree and not found", file.Path)
			}
		}
	})
}

func TestAFolderHoldsWhatLiesBelowIt(t *testing.T) {
	t.Parallel()
	whole := tree(map[string]int{"a": 1, "a-b/x": 2, "a/x": 3, "a/y/z": 4, "a0/x": 5, "b/x": 6})
	for folder, want := range map[string][]string{"": whole.Paths(), "a": {"a/x", "a/y/z"}, "a/y": {"a/y/z"}, "c": {}} {
		if diff := cmp.Diff(want, whole.Below(folder).Paths()); diff != "" {
			t.Errorf("below %q: %s", folder, diff)
		}
	}
}

func TestADiffIsTakenAtItsEndpoints(t *testing.T) {
	t.Parallel()
	after := tree(map[string]int{"same": 1, "changed": 20, "new": 6, "new/name": 4, "new/edited": 50})
	before := tree(map[string]int{"same": 1, "changed": 2, "gone": 3, "old/name": 4, "old/edited": 5})
	got := repo.Diff(before, after, []repo.Rename{{From: "old/edited", To: "new/edited"}, {From: "same", To: "new"}, {From: "nowhere", To: "new"}})
	want := []repo.Change{
		{Path: "changed", Status: repo.Modified},
		{Path: "gone", Status: repo.Deleted},
		{Path: "new", Status: repo.Added},
		{Path: "new/edited", Status: repo.Renamed, OldPath: "old/edited"},
		{Path: "new/name", Status: repo.Renamed, OldPath: "old/name"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := repo.Diff(before, before, nil); len(got) > 0 {
		t.Errorf("a tree differs from itself: %v", got)
	}
}

func TestAnEmptyFileWasNotRenamed(t *testing.T) {
	t.Parallel()
	const empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
	got := repo.Diff(repo.Tree{{Path: "a/__init__.py", Blob: empty}}, repo.Tree{{Path: "b/__init__.py", Blob: empty}}, nil)
	want := []repo.Change{{Path: "a/__init__.py", Status: repo.Deleted}, {Path: "b/__init__.py", Status: repo.Added}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPatternsPickBranches(t *testing.T) {
	t.Parallel()
	patterns := []string{"main", "release/*", "team/**"}
	for branch, want := range map[string]bool{"main": true, "release/1.2": true, "release/1.2/fix": false, "team/a/b": true, "mainly": false, "release": false} {
		if got := repo.Tracked(patterns, branch); got != want {
			t.Errorf("%s is tracked: %v", branch, got)
		}
	}
	for _, bad := range []string{"", "refs/heads/main", "a b", "/x", "x/", "a[", "a\\b", strings.Repeat("x", 256)} {
		if repo.CheckBranch(bad, true) == nil {
			t.Errorf("%q is taken as a pattern", bad)
		}
	}
	if repo.CheckBranch("release/*", false) == nil || repo.CheckBranch("main", false) != nil {
		t.Error("one branch is not told from a pattern")
	}
}
