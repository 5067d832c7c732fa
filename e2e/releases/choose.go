package main

import (
	"cmp"
	"crypto/sha256"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"driftless/internal/anchor"
)

// chosenMax is how many topics there are of each kind in a module.
const chosenMax = 20

// topic is a topic to be made, with what the rule of touched files would watch for it.
type topic struct {
	title   string
	kind    int
	anchors []string
	watched anchor.Set
	slug    string
}

// choose draws packages, files and symbols of what is checked out, by a hash of their names.
func choose(dir string) ([]topic, error) {
	byPackage := map[string][]string{}
	exported := map[string][]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(dir, p)
		name := filepath.ToSlash(rel)
		switch {
		case err != nil || relErr != nil:
			return cmp.Or(err, relErr)
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), "example")):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || anchor.IsGenerated(name):
			return nil
		}
		names := exportedIn(p)
		if len(names) == 0 {
			return nil
		}
		byPackage[path.Dir(name)] = append(byPackage[path.Dir(name)], name)
		exported[name] = names
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []topic
	for _, folder := range draw(slices.Collect(maps.Keys(byPackage)), chosenMax) {
		glob := folder + "/*.go"
		if folder == "." {
			glob = "./*.go"
		}
		out = append(out, topic{title: "package " + folder, kind: packages, anchors: []string{glob, "!**/*_test.go"}})
	}
	names := slices.Collect(maps.Keys(exported))
	for _, file := range draw(names, chosenMax) {
		out = append(out, topic{title: "file " + file, kind: files, anchors: []string{file}})
	}
	names = slices.DeleteFunc(names, func(file string) bool { return len(exported[file]) < 3 })
	for _, file := range draw(names, chosenMax) {
		t := topic{title: "symbols of " + file, kind: symbols}
		for _, name := range draw(exported[file], 3) {
			t.anchors = append(t.anchors, file+"#"+name)
		}
		out = append(out, t)
	}
	for i := range out {
		if out[i].watched, err = anchor.ParseAll(out[i].anchors); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// draw takes at most n names, the ones with the smallest hashes.
func draw(names []string, n int) []string {
	sorted := slices.SortedFunc(slices.Values(names), func(a, b string) int {
		x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
		return cmp.Or(slices.Compare(x[:], y[:]), cmp.Compare(a, b))
	})
	return sorted[:min(n, len(sorted))]
}

// exportedIn are the exported functions, methods and types of a file; none of one that a program wrote.
func exportedIn(file string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return nil // a file that does not compile is drawn for nothing
	}
	var out []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				of := d.Recv.List[0].Type
				if star, is := of.(*ast.StarExpr); is {
					of = star.X
				}
				ident, is := of.(*ast.Ident)
				if !is || !ident.IsExported() {
					continue
				}
				name = ident.Name + "." + name
			}
			if d.Name.IsExported() {
				out = append(out, name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, is := spec.(*ast.TypeSpec); is && t.Name.IsExported() {
					out = append(out, t.Name.Name)
				}
			}
		}
	}
	return out
}

// touched reports whether the rule of touched files would flag a topic.
func (t topic) touched(changed []string) bool {
	return slices.ContainsFunc(changed, func(p string) bool {
		_, hit := t.watched.Match(p)
		return hit
	})
}

// relook rewrites all files of Go without their comments and with another layout, and answers how many.
func relook(dir string) (n int, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" || strings.Contains(p, "testdata") {
			return err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil //nolint:nilerr // a file that does not compile is left as it is
		}
		out, err := os.Create(p)
		if err != nil {
			return err
		}
		n++
		// Two blanks where a tab was, and no column is aligned.
		return cmp.Or((&printer.Config{Mode: printer.UseSpaces | printer.RawFormat, Tabwidth: 2}).Fprint(out, set, f), out.Close())
	})
	return n, err
}
