package git_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWordsAreFoundInCodeAndNotInDocuments(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.write("src/a.go", "func parseTree() {}\n")
	c.write("src/b.go", "func parseTrees(noCache bool) {}\n")
	c.write("docs/a.md", "laterOn\n")
	head := c.commit()
	git := open(t, c.dir)
	tree, err := git.Tree(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	found, whole, err := git.Words(t.Context(), tree, []string{"parseTree", "noCache", "laterOn", "parse"})
	if diff := cmp.Diff(map[string]string{"parseTree": "src/a.go", "noCache": "src/b.go"}, found); err != nil || !whole || diff != "" {
		t.Errorf("found, %v, whole %v: %s", err, whole, diff)
	}
	tree[1].Blob = "00000000000000000000000000000000deadbeef"
	if _, whole, err = git.Words(t.Context(), tree, []string{"nowhere"}); err != nil || whole {
		t.Errorf("a content that is missing is not told: %v, %v", whole, err)
	}
}
