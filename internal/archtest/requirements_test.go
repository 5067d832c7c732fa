package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// letters are the requirements by their first letter, with how many there are.
var letters = map[string]int{"R": 47, "M": 31, "G": 10, "O": 15, "S": 23}

var (
	requirement = regexp.MustCompile(`^\| ([A-Z]\d+) \| (.+) \| (.+) \|$`)
	keptBy      = regexp.MustCompile("^`([^`]+)` (\\S+)$")
	lettersOf   = regexp.MustCompile(`^Test((?:[A-Z]\d+)+)`)
)

// tests lists the tests of a package of this repository.
func tests(t *testing.T, pkg string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// TestEveryRequirementHasATestThatExists reads the page of requirements: no letter is missing, each has a test that carries it or
// a script with its command, and all that is named is there.
func TestEveryRequirementHasATestThatExists(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	known, seen := map[string][]string{}, map[string]bool{}
	for line := range strings.Lines(string(page)) {
		row := requirement.FindStringSubmatch(strings.TrimSpace(line))
		if row == nil {
			continue
		}
		letter, carried := row[1], false
		if seen[letter] {
			t.Errorf("%s stands twice", letter)
		}
		seen[letter] = true
		for kept := range strings.SplitSeq(row[3], ", ") {
			part := keptBy.FindStringSubmatch(kept)
			if part == nil {
				t.Errorf("%s: %q is neither a package with a test nor a command with a script", letter, kept)
				continue
			}
			if target, is := strings.CutPrefix(part[1], "make "); is {
				carried = true
				if _, err := os.Stat(filepath.Join("../..", filepath.FromSlash(part[2]))); err != nil || !strings.Contains(string(makefile), "\n"+target+":") {
					t.Errorf("%s: %s with %s is not there: %v", letter, part[1], part[2], err)
				}
				continue
			}
			if known[part[1]] == nil {
				known[part[1]] = tests(t, part[1])
			}
			if !slices.Contains(known[part[1]], part[2]) {
				t.Errorf("%s: there is no %s in %s", letter, part[2], part[1])
			}
			if own := lettersOf.FindStringSubmatch(part[2]); own != nil && regexp.MustCompile(letter+`(?:\D|$)`).MatchString(own[1]) {
				carried = true
			}
		}
		if !carried {
			t.Errorf("%s: no test carries the letter", letter)
		}
	}
	for first, n := range letters {
		for i := 1; i <= n; i++ {
			if letter := fmt.Sprint(first, i); !seen[letter] {
				t.Errorf("%s is missing from docs/requirements.md", letter)
			}
		}
	}
}

// A message that is posted to any window can be read by whoever opened it (RFC 9700 section 4.17).
func TestS23NoPagePostsMessages(t *testing.T) {
	t.Parallel()
	looked := 0
	err := filepath.WalkDir("../../web/src", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		looked++
		if strings.Contains(string(raw), "postMessage") || strings.Contains(string(raw), "window.opener") {
			t.Errorf("%s talks to other windows", path)
		}
		return nil
	})
	if err != nil || looked < 50 {
		t.Errorf("%d files were looked at: %v", looked, err)
	}
}
