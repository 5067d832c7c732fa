package unified_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/drift/unified"
	"driftless/internal/source/repo"
)

func TestADiffNamesItsFilesAndChangedLines(t *testing.T) {
	t.Parallel()
	modified := func(path string) repo.Change { return repo.Change{Path: path, Status: repo.Modified} }
	for name, tc := range map[string]struct {
		diff string
		want []unified.File
	}{
		"of git": {
			"diff --git a/pay/charge.py b/pay/charge.py\nindex 1..2 100644\n--- a/pay/charge.py\n+++ b/pay/charge.py\n@@ -1,2 +1,3 @@ def x\n def charge():\n-    use(key)\n+    pass\n+    pass\n",
			[]unified.File{{Change: modified("pay/charge.py"), Removed: []string{"    use(key)"}, Added: []string{"    pass", "    pass"}}},
		},
		"of diff -u": {
			"--- old/a.c\t2026-01-01 10:00:00\n+++ old/a.c\t2026-01-02 10:00:00\n@@ -1 +1 @@\n-x\n+y\n",
			[]unified.File{{Change: modified("old/a.c"), Removed: []string{"x"}, Added: []string{"y"}}},
		},
		"two files, lines that look like heads": {
			"--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n--- gone\n+++ come\n same\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n",
			[]unified.File{
				{Change: modified("a"), Removed: []string{"-- gone"}, Added: []string{"++ come"}},
				{Change: modified("b"), Removed: []string{"1"}, Added: []string{"2"}},
			},
		},
		"added, deleted, renamed, mode, binary": {
			"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n" +
				"diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-d\n" +
				"diff --git a/o b/p\nsimilarity index 100%\nrename from o\nrename to p\n" +
				"diff --git a/run b/run\nold mode 100644\nnew mode 100755\n" +
				"diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n" +
				"diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n",
			[]unified.File{
				{Change: repo.Change{Path: "n", Status: repo.Added}, Added: []string{"n"}},
				{Change: repo.Change{Path: "d", Status: repo.Deleted}, Removed: []string{"d"}},
				{Change: repo.Change{Path: "p", Status: repo.Renamed, OldPath: "o"}},
				{Change: modified("run")},
				{Change: modified("x.png")},
				{Change: repo.Change{Path: "e", Status: repo.Deleted}},
			},
		},
		"quoted names and no end of the last line": {
			"--- \"a/se\\303\\261or.go\"\n+++ \"b/se\\303\\261or.go\"\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file",
			[]unified.File{{Change: modified("señor.go"), Removed: []string{"a"}, Added: []string{"b"}}},
		},
		"ends of lines of Windows, a message before": {
			"commit 1\r\n\r\n    words\r\n\r\n--- a/a\r\n+++ b/a\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n",
			[]unified.File{{Change: modified("a"), Removed: []string{"a"}, Added: []string{"b"}}},
		},
	} {
		got, err := unified.Parse(tc.diff)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWhatIsNoDiffIsRefusedWithItsLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                        "changes no file",
		"hello\n":                                 "changes no file",
		"@@ -1 +1 @@\n":                           "line 1: a hunk stands before",
		"--- a/a\n+++ b/a\n@@ -1,x +1 @@\n":       "line 3: \"x\" is not a number",
		"--- a/a\n+++ b/a\n@@ nonsense\n":         "line 3: ",
		"--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\nx\n":  "line 4: ",
		"--- /dev/null\n+++ /dev/null\n":          "named on neither side",
		strings.Repeat("--- a\n+++ b\n", 2001):    "more than 2000 files",
		"--- a/a\n+++ b/a\n@@ -1,2 +1,0 @@\n x\n": "more lines than its head says",
	} {
		_, err := unified.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n")
	f.Add("diff --git a/o b/p\nrename from o\nrename to p\n--- \"a/\\303\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		files, err := unified.Parse(text)
		if err != nil {
			return
		}
		for _, file := range files {
			if file.Path == "" || (file.Status == repo.Renamed) != (file.OldPath != "") {
				t.Errorf("%q gives %+v", text, file.Change)
			}
		}
	})
}
