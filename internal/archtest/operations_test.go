package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestOneOperationOneFile: what a person or an agent can do is found in one file, and that file holds nothing else they can do.
func TestOneOperationOneFile(t *testing.T) {
	t.Parallel()
	kinds, seen := []string{"Write", "Read", "Query", "Global", "Public"}, 0
	sources(t, func(path string) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Error(err)
			return
		}
		var here int
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || len(call.Args) == 0 {
				return true
			}
			of, is := call.Fun.(*ast.SelectorExpr)
			if !is || !slices.Contains(kinds, of.Sel.Name) {
				return true
			}
			if pkg, is := of.X.(*ast.Ident); is && pkg.Name == "op" {
				here++
			}
			return true
		})
		if here > 1 {
			t.Errorf("%s defines %d operations; one file holds one", path, here)
		}
		seen += here
	})
	if seen < 50 {
		t.Errorf("%d operations were found; this test looks in the wrong place", seen)
	}
}
