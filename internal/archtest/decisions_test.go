package archtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var recordName = regexp.MustCompile(`^(\d{4})-([a-z0-9-]+)\.md$`)

// TestEveryDecisionHasItsOwnNumberAndOneRow holds the records against each other and against their table: people and code name a decision by its
// number, and an import finds it again by its slug.
func TestEveryDecisionHasItsOwnNumberAndOneRow(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../../docs/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../docs/decisions/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no decisions: %v", err)
	}
	taken := map[string]string{}
	for _, path := range files {
		base := filepath.Base(path)
		name := recordName.FindStringSubmatch(base)
		if name == nil {
			t.Errorf("%s is not named by a number of four digits and its slug", base)
			continue
		}
		if other, ok := taken[name[1]]; ok {
			t.Errorf("%s has the number of %s; take the next free one", base, other)
		}
		taken[name[1]] = base
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(raw), "\nslug: "+name[2]+"\n") {
			t.Errorf("%s has another slug in its front matter", base)
		}
		if n := strings.Count(string(table), fmt.Sprintf("| %s | [", name[1])); n != 1 || !strings.Contains(string(table), "](decisions/"+base+")") {
			t.Errorf("docs/decisions.md has %d rows for %s, or one that leads elsewhere; it needs one", n, base)
		}
	}
	if rows := strings.Count(string(table), "](decisions/"); rows != len(files) {
		t.Errorf("docs/decisions.md has %d rows for %d decisions", rows, len(files))
	}
}
