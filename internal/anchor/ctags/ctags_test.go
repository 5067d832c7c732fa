package ctags_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"driftless/internal/anchor/ctags"
	"driftless/internal/anchor/fingerprint"
)

func reader(t *testing.T, program string) *ctags.Reader {
	t.Helper()
	r := ctags.New(program)
	t.Cleanup(r.Close)
	return r
}

// languages are files with the same things in them: run, Box with area, LIMIT.
var languages = map[string]string{
	"a.py":   "LIMIT = 3\n\n\nclass Box:\n    def area(self, a):\n        # says\n        return a\n\n\ndef run(a, b):\n    return a + b\n",
	"a.ts":   "export const LIMIT = 3;\nexport class Box {\n  area(a: number): number {\n    return a;\n  }\n}\nexport function run(a: number, b: number) {\n  return a + b;\n}\n",
	"a.js":   "const LIMIT = 3;\nclass Box {\n  area(a) {\n    return a;\n  }\n}\nfunction run(a, b) {\n  return a + b;\n}\n",
	"a.java": "class Box {\n  static final int LIMIT = 3;\n  int area(int a) {\n    return a;\n  }\n  int run(int a, int b) {\n    return a + b;\n  }\n}\n",
	"a.rs":   "const LIMIT: i32 = 3;\nstruct Box {}\nimpl Box {\n  fn area(&self, a: i32) -> i32 {\n    a\n  }\n}\nfn run(a: i32, b: i32) -> i32 {\n  a + b\n}\n",
	"a.rb":   "LIMIT = 3\nclass Box\n  def area(a)\n    a\n  end\nend\ndef run(a, b)\n  a + b\nend\n",
	"a.c":    "#define LIMIT 3\nstruct Box { int area; };\nint run(int a, int b)\n{\n  return a + b;\n}\n",
	"a.php":  "<?php\nconst LIMIT = 3;\nclass Box {\n  function area($a) {\n    return $a;\n  }\n}\nfunction run($a, $b) {\n  return $a + $b;\n}\n",
}

func TestASymbolIsToldFromTheRestOfItsFileInManyLanguages(t *testing.T) {
	t.Parallel()
	r := reader(t, "")
	symbols := []string{"run", "Box.area", "", "Gone"}
	for file, code := range languages {
		before := r.Prints(t.Context(), file, []byte(code), symbols)
		changed := r.Prints(t.Context(), file, []byte(strings.NewReplacer("a + b", "b + a", "$a + $b", "$b + $a").Replace(code)), symbols)
		elsewhere := r.Prints(t.Context(), file, []byte(strings.Replace(code, "3", "4", 1)), symbols)
		if before[0].Method != fingerprint.MethodTags || before[0].Whole || before[0].Absent {
			t.Errorf("%s: run is %+v", file, before[0])
			continue
		}
		if before[0].Hash == changed[0].Hash || before[2].Hash == changed[2].Hash {
			t.Errorf("%s: what changed in run is not seen", file)
		}
		if before[0].Hash != elsewhere[0].Hash || before[2].Hash == elsewhere[2].Hash {
			t.Errorf("%s: what changed outside of run is seen in it", file)
		}
		if !before[1].Absent && (before[1].Whole || before[1].Hash != changed[1].Hash) {
			t.Errorf("%s: what changed in run is seen in Box.area: %+v", file, before[1])
		}
		if !before[3].Absent {
			t.Errorf("%s: a symbol that is nowhere is there", file)
		}
	}
}

func TestAChangedSignatureIsTold(t *testing.T) {
	t.Parallel()
	r := reader(t, "")
	before := r.Prints(t.Context(), "a.py", []byte(languages["a.py"]), []string{"run"})[0]
	after := r.Prints(t.Context(), "a.py", []byte(strings.Replace(languages["a.py"], "run(a, b)", "run(a, b, c)", 1)), []string{"run"})[0]
	body := r.Prints(t.Context(), "a.py", []byte(strings.Replace(languages["a.py"], "a + b", "a - b", 1)), []string{"run"})[0]
	if before.Signature == "" || before.Signature == after.Signature || before.Signature != body.Signature {
		t.Errorf("signatures: %q, %q with another argument, %q with another body", before.Signature, after.Signature, body.Signature)
	}
}

func TestWhatNobodyFindsButTheCodeNamesIsNotCalledGone(t *testing.T) {
	t.Parallel()
	code := "const api = {};\napi.run = wrap(() => 1);\n"
	p := reader(t, "").Prints(t.Context(), "a.js", []byte(code), []string{"wrap", "nothing"})
	if p[0].Absent || !p[0].Whole || !p[1].Absent {
		t.Errorf("%+v", p)
	}
}

func TestWithoutTheProgramTheFileStandsForItsSymbols(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scripts := map[string]string{
		"old": "#!/bin/sh\nexit 1\n", "dies": "#!/bin/sh\ncase $2 in --list*) echo interactive;; *) exit 3;; esac\n",
		"lies": "#!/bin/sh\ncase $2 in --list*) echo interactive;; *) read x; echo nonsense;; esac\n",
	}
	programs := []string{"none"}
	for name, text := range scripts {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, path)
	}
	for _, program := range programs {
		r := reader(t, program)
		for range 2 {
			if p := r.Prints(t.Context(), "a.py", []byte(languages["a.py"]), []string{"run"})[0]; !p.Whole || p.Method != fingerprint.MethodLexer {
				t.Errorf("%s: %+v", program, p)
			}
		}
	}
}

func TestItReadsNoOptionsAndOpensNoFile(t *testing.T) {
	t.Parallel()
	r := reader(t, "")
	// The name is data: a path in it is not looked at, and a line feed in it ends no command.
	for _, name := range []string{"../../etc/passwd.py", "a\nb.py", "--version.py", strings.Repeat("x", 5000) + ".py"} {
		if p := r.Prints(t.Context(), name, []byte(languages["a.py"]), []string{"run"})[0]; p.Absent {
			t.Errorf("%q: %+v", name, p)
		}
	}
}

func FuzzPrints(f *testing.F) {
	for name, code := range languages {
		f.Add(name, code)
	}
	r, ctx := ctags.New(""), f.Context()
	f.Cleanup(r.Close)
	f.Fuzz(func(t *testing.T, name, code string) {
		symbols := []string{"run", "", "Box.area"}
		prints := r.Prints(ctx, name, []byte(code), symbols)
		if len(prints) != len(symbols) || prints[1].Hash == "" || prints[0].Method == "" {
			t.Errorf("%q %q: %+v", name, code, prints)
		}
	})
}
