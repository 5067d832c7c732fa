package fingerprint_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"driftless/internal/anchor/fingerprint"
)

func whole(file, content string) fingerprint.Print {
	return fingerprint.Of(file, []byte(content), []string{""})[0]
}

const calc = `package calc

// Add returns the sum of a and b.
func Add(a, b int) int {
	return a + b
}

type Point struct{ X, Y int }

func (p *Point) Len() int { return p.X + p.Y }

const Limit = 3
`

func TestCommentsAndLayoutDoNotCount(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ file, before, after string }{
		"Go, white space":          {"a.go", calc, strings.ReplaceAll(strings.ReplaceAll(calc, "\treturn", "\n\n\t\treturn  "), "(a, b int)", "(a,  b int)")},
		"Go, comments":             {"a.go", calc, strings.ReplaceAll("// Package calc counts.\n"+calc, "returns the sum", "/* x */ is the sum")},
		"Go, broken lines":         {"a.go", "package a\n\nvar x = f(1, 2)\n", "package a\n\nvar x = f(\n\t1,\n\t2,\n)\n"},
		"Go, one line":             {"a.go", "package a\n\nfunc f() { g() }\n", "package a\n\nfunc f() {\n\tg()\n}\n"},
		"TypeScript":               {"a.ts", "export function f(a: number) {\n  return a;\n}\n", "// all of it\nexport function f(a: number) {\n      return a; /* a */\n\n}\n"},
		"Python":                   {"a.py", "def f(a):\n    return a\n", "# says a\ndef f(a):\n\n    return a  # a\n"},
		"C, broken lines":          {"a.c", "int f(int a) { return a; }\n", "int f(int a)\n{\n\treturn a;\n}\n"},
		"no lexer":                 {"a.unknown-words", "one two\nthree\n", "one  two\n\n  three"},
		"line ends of Windows":     {"a.ts", "let a = 1\nlet b = 2\n", "let a = 1\r\nlet b = 2\r\n"},
		"Go that does not compile": {"a.go", "package a\n\nfunc {{{ x\n", "package a\n// x\nfunc {{{   x\n"},
	} {
		if a, b := whole(tc.file, tc.before), whole(tc.file, tc.after); a.Hash != b.Hash || fingerprint.Share(a, b) != 0 {
			t.Errorf("%s: another fingerprint", name)
		}
	}
}

func TestWhatRunsCounts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ file, before, after string }{
		"Go":                 {"a.go", calc, strings.Replace(calc, "a + b", "a - b", 1)},
		"a text in Go":       {"a.go", "package a\n\nvar s = \"a b\"\n", "package a\n\nvar s = \"a  b\"\n"},
		"TypeScript":         {"a.ts", "f(1);\n", "f(2);\n"},
		"a directive of C":   {"a.c", "#define A 1\n", "#define A 2\n"},
		"words that meet":    {"a.ts", "return a\n", "returna\n"},
		"a binary":           {"a.png", "\x00\x01", "\x00\x02"},
		"without any lexer":  {"a.unknown-words", "one\n", "two\n"},
		"a very long file":   {"a.txt", strings.Repeat("x", fingerprint.ContentMax+1), strings.Repeat("y", fingerprint.ContentMax+1)},
		"a value of YAML":    {"a.yaml", "a: 1\n", "a: 2\n"},
		"a command of a box": {"Dockerfile", "RUN a\n", "RUN b\n"},
	} {
		if a, b := whole(tc.file, tc.before), whole(tc.file, tc.after); a.Hash == b.Hash {
			t.Errorf("%s: the same fingerprint", name)
		}
	}
}

func TestASymbolIsToldFromTheRestOfItsFile(t *testing.T) {
	t.Parallel()
	symbols := []string{"Add", "Point", "Point.Len", "Limit", "Gone"}
	before := fingerprint.Of("a.go", []byte(calc), symbols)
	for _, tc := range []struct{ change, to, hash, signature string }{
		{"return a + b", "return b + a", "Add", ""},
		{"func Add(a, b int) int", "func Add(a, b int) int64", "Add", "Add"},
		{"p.X + p.Y", "p.X * p.Y", "Point.Len", ""},
		{"X, Y int", "X, Y, Z int", "Point", "Point"},
		{"= 3", "= 4", "Limit", ""},
		{"returns the sum", "is the sum", "", ""},
	} {
		after := fingerprint.Of("a.go", []byte(strings.Replace(calc, tc.change, tc.to, 1)), symbols)
		for i, symbol := range symbols {
			if changed := before[i].Hash != after[i].Hash; changed != (symbol == tc.hash) {
				t.Errorf("%q: %s changed %v", tc.change, symbol, changed)
			}
			if changed := before[i].Signature != after[i].Signature; changed != (symbol == tc.signature) {
				t.Errorf("%q: the signature of %s changed %v", tc.change, symbol, changed)
			}
		}
	}
	if !before[4].Absent || before[0].Absent {
		t.Error("what is there is not told from what is not")
	}
	if p := fingerprint.Of("a.py", []byte("def f(): pass\n"), []string{"f"})[0]; !p.Whole || p.Absent {
		t.Error("a symbol in a language without a parser does not say that its file stands for it")
	}
}

func TestTheShareGrowsWithWhatChanged(t *testing.T) {
	t.Parallel()
	source := func(changed int) string {
		var b strings.Builder
		b.WriteString("package long\n\nfunc Run(x int) int {\n")
		for i := range 100 {
			word := "step"
			if i < changed {
				word = "other"
			}
			fmt.Fprintf(&b, "\tx = %s%03d(x, %d)\n", word, i, i*7)
		}
		b.WriteString("\treturn x\n}\n")
		return b.String()
	}
	before := whole("long.go", source(0))
	for _, changed := range []int{0, 4, 14, 100} {
		got := fingerprint.Share(before, whole("long.go", source(changed)))
		if math.Abs(got-float64(changed)/104) > 0.01 {
			t.Errorf("%d of about 104 statements are %.3f", changed, got)
		}
	}
	if got := fingerprint.Share(whole("a.py", "a\nb\n"), whole("a.py", "a\nb\nc\nd\n")); got != 0.5 {
		t.Errorf("twice as long is %.3f", got)
	}
}

func FuzzOf(f *testing.F) {
	f.Add("a.go", calc)
	f.Add("a.ts", "let a = `x\n")
	f.Add("a.py", "'''\n")
	f.Fuzz(func(t *testing.T, file, content string) {
		prints := fingerprint.Of(file, []byte(content), []string{"", "Add"})
		again := fingerprint.Of(file, []byte(content), []string{"", "Add"})
		if len(prints) != 2 || prints[0].Hash == "" || prints[0].Hash != again[0].Hash || fingerprint.Share(prints[0], again[0]) != 0 {
			t.Errorf("%q %q: %+v", file, content, prints)
		}
		if got := fingerprint.UnpackUnits(fingerprint.PackUnits(prints[0].Units)); len(got) != len(prints[0].Units) {
			t.Error("units do not come back")
		}
	})
}
