package archtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// order is the house from the ground up: a package may import what stands before it, and nothing else of ours.
var order = []string{
	"internal/fault",
	"internal/opaque",
	"internal/egress",
	"internal/tenant",
	"internal/config",
	"internal/obs",
	"internal/leaked",
	"internal/screen",
	"internal/anchor",
	"internal/anchor/fingerprint",
	"internal/anchor/ctags",
	"migrations",
	"internal/pg/local",
	"internal/pg",
	"internal/pg/pgtest",
	"internal/event",
	"internal/job",
	"internal/mail",
	"internal/mail/mailtest",
	"internal/op",
	"internal/account/guess",
	"internal/account/reset",
	"internal/account/session",
	"internal/account/signon",
	"internal/account/signon/signontest",
	"internal/account/identity",
	"internal/account",
	"internal/passkey",
	"internal/passkey/passkeytest",
	"internal/label",
	"internal/relation",
	"internal/evidence",
	"internal/source/repo",
	"internal/drift/cite",
	"internal/source/git",
	"internal/source/hook",
	"internal/source/mirror",
	"internal/source",
	"internal/drift/unified",
	"internal/drift/claim",
	"internal/drift/word",
	"internal/drift",
	"internal/drift/fetch",
	"internal/notice",
	"internal/topic/trash",
	"internal/topic/lifetime",
	"internal/topic/undo",
	"internal/topic",
	"internal/drift/doctor",
	"internal/retrieve/embedding",
	"internal/retrieve/packed",
	"internal/retrieve/lexical",
	"internal/retrieve",
	"internal/publish",
	"internal/ask",
	"internal/exchange/parse",
	"internal/exchange",
	"internal/retrieve/measure",
	"internal/oauth",
	"internal/question",
	"internal/catalog/surface",
	"internal/catalog",
	"docs",
	"web",
	"internal/mcpapi",
	"internal/restapi",
	"internal/cli/doctor",
	"internal/cli/report",
	"internal/cli",
	"internal/app",
	"internal/archtest",
	"cmd/driftless",
	"e2e/talk",
	"e2e/gosdk",
	"e2e/mcpgo",
	"e2e/chaos",
	"e2e/screening",
	"e2e/globs",
	"bench/process",
	"e2e/drifting",
	"e2e/releases",
	"bench/token",
	"bench/load",
	"bench/retrieval",
	"conformance/fixture",
}

// never are the hard edges, each with its reason.
var never = []struct{ from, to, because string }{
	{"internal/mcpapi", "internal/pg", "a transport that sees the database grows rules of its own"},
	{"internal/restapi", "internal/pg", "a transport that sees the database grows rules of its own"},
	{"internal/cli", "internal/pg", "the command line is a client like any other"},
	{"internal/cli", "internal/op", "the command line is read off the committed catalogue, not off the code"},
	{"internal/cli", "internal/topic", "the command line is read off the committed catalogue, not off the code"},
	{"internal/screen", "internal/fault", "pure: text in, findings out"},
	{"internal/anchor", "internal/fault", "pure: text in, matches out"},
	{"internal/retrieve/lexical", "internal/fault", "pure: documents in, hits out"},
	{"internal/source/repo", "internal/fault", "pure: what is said about a repository in, the same in one form out"},
	{"internal/exchange/parse", "internal/fault", "pure: files in, drafts out"},
}

type listed struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
	Doc        string
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles,Doc", "driftless/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("list the packages: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.Dir, "node_modules") {
			all = append(all, p)
		}
	}
}

func TestImportsPointDown(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "driftless/")
		at := slices.Index(order, name)
		if at < 0 {
			t.Errorf("package %s has no place in the house; give it one in the order", name)
			continue
		}
		for _, path := range p.Imports {
			imported, ours := strings.CutPrefix(path, "driftless/")
			if !ours {
				continue
			}
			if slices.Index(order, imported) >= at {
				t.Errorf("%s imports %s, which stands above it", name, imported)
			}
			for _, edge := range never {
				if name == edge.from && imported == edge.to {
					t.Errorf("%s imports %s: %s", name, imported, edge.because)
				}
			}
		}
	}
}

func TestEveryPackageSaysWhatItOwnsAndRefuses(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if len(p.GoFiles) == 0 {
			continue
		}
		// The first sentence alone is in p.Doc, so the whole comment is read from the files.
		doc := ""
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if f.Doc != nil {
				doc += f.Doc.Text()
			}
		}
		if doc == "" {
			t.Errorf("%s has no package comment", p.ImportPath)
			continue
		}
		if strings.HasSuffix(p.ImportPath, "cmd/driftless") {
			continue
		}
		for _, word := range []string{"refuse"} {
			if !strings.Contains(doc, word) {
				t.Errorf("the comment of %s does not say what it refuses", p.ImportPath)
			}
		}
	}
}

// sources walks the Go files of the repository.
func sources(t *testing.T, visit func(path string)) {
	t.Helper()
	root := "../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, ".go") {
			visit(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheMapperStaysInTheStores(t *testing.T) {
	t.Parallel()
	sources(t, func(path string) {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		inPG := strings.Contains(filepath.ToSlash(path), "internal/pg/")
		store := filepath.Base(path) == "store.go"
		for _, imported := range f.Imports {
			if strings.Contains(imported.Path.Value, "gorm.io") && !inPG && !store {
				t.Errorf("%s imports the mapper; only pg and files called store.go do", path)
			}
		}
		if inPG || strings.HasSuffix(path, "_test.go") {
			return
		}
		inJob := strings.Contains(filepath.ToSlash(path), "internal/job/")
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || len(call.Args) > 0 {
				return true
			}
			if sel.Sel.Name == "Store" && !store {
				t.Errorf("%s takes the mapper out of a transaction; only files called store.go do", path)
			}
			if sel.Sel.Name == "Queue" && !inJob {
				t.Errorf("%s takes a connection out of its door; only package job does", path)
			}
			return true
		})
	})
}

func TestNoFileIsLongAndNoPackageIsADrawer(t *testing.T) {
	t.Parallel()
	const longest = 500
	sources(t, func(path string) {
		f, err := os.Open(path)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = f.Close() }()
		lines := 0
		for s := bufio.NewScanner(f); s.Scan(); {
			lines++
		}
		if lines > longest {
			t.Errorf("%s has %d lines; at most %d", path, lines, longest)
		}
		for _, drawer := range []string{"util", "utils", "common", "helpers", "models"} {
			if filepath.Base(filepath.Dir(path)) == drawer {
				t.Errorf("%s lies in a drawer", path)
			}
		}
	})
}

func TestNoTestIsSkippedOrSleeps(t *testing.T) {
	t.Parallel()
	sources(t, func(path string) {
		if !strings.HasSuffix(path, "_test.go") || strings.Contains(path, "archtest") {
			return
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			return
		}
		for _, word := range []string{"t.Skip", "b.Skip", "time.Sleep("} {
			if strings.Contains(string(raw), word) {
				t.Errorf("%s uses %s", path, word)
			}
		}
	})
}
