package fingerprint

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// goCode is a file of Go: its tokens without comments, and where its symbols are.
type goCode struct {
	tokens  []goToken
	symbols map[string]span
}

type goToken struct {
	pos  int // offset in the file
	text string
	ends bool // whether a statement ends with it
}

// span is where a symbol is, in offsets, and how far the part reaches that its callers see; 0 where there is no such part.
type span struct{ from, to, signature int }

func readGo(content []byte) goCode {
	code := goCode{symbols: map[string]span{}}
	if len(content) > ContentMax {
		content = content[:ContentMax]
	}
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(content))
	var s scanner.Scanner
	// A file that does not compile has a fingerprint too.
	s.Init(file, content, func(token.Position, string) {}, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		text := lit
		if lit == "" || tok.IsOperator() {
			text = tok.String()
		}
		code.add(goToken{pos: file.Offset(pos), text: text, ends: tok == token.SEMICOLON || tok == token.LBRACE || tok == token.RBRACE})
	}
	code.findSymbols(content)
	return code
}

// All takes the fingerprints of a file and of every symbol that is told in it by a parser which is always there; complete is true where
// that is so, and a symbol that is not among them is absent.
func All(file string, content []byte) (prints []Print, complete bool) {
	symbols := []string{""}
	if complete = Symbols(file); complete {
		symbols = append(symbols, slices.Sorted(maps.Keys(readGo(content).symbols))...)
	}
	return Of(file, content, symbols), complete
}

// add appends a token, without what only breaking a line asks for: a comma or semicolon before what closes.
func (c *goCode) add(t goToken) {
	closes := t.text == ")" || t.text == "}" || t.text == "]"
	if last := len(c.tokens) - 1; last >= 0 && closes && (c.tokens[last].text == "," || c.tokens[last].text == ";") {
		c.tokens = c.tokens[:last]
		if last > 0 && t.text == "}" {
			c.tokens[last-1].ends = true
		}
	}
	c.tokens = append(c.tokens, t)
}

func (c *goCode) findSymbols(content []byte) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", content, parser.SkipObjectResolution)
	if f == nil || err != nil && len(f.Decls) == 0 {
		return
	}
	at := func(p token.Pos) int { return files.Position(p).Offset }
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s := span{from: at(d.Pos()), to: at(d.End()), signature: at(d.End())}
			if d.Body != nil {
				s.signature = at(d.Body.Lbrace)
			}
			c.symbols[receiver(d)+d.Name.Name] = s
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				c.addSpec(spec, at)
			}
		}
	}
}

func (c *goCode) addSpec(spec ast.Spec, at func(token.Pos) int) {
	s := span{from: at(spec.Pos()), to: at(spec.End())}
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		// All of a type is what its users see.
		s.signature = s.to
		c.symbols[spec.Name.Name] = s
		if i, is := spec.Type.(*ast.InterfaceType); is {
			for _, m := range i.Methods.List {
				for _, name := range m.Names {
					c.symbols[spec.Name.Name+"."+name.Name] = span{from: at(m.Pos()), to: at(m.End()), signature: at(m.End())}
				}
			}
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			c.symbols[name.Name] = s
		}
	}
}

// receiver is the type of a method with a dot, or empty for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "."
		default:
			return ""
		}
	}
}

func (c *goCode) print(symbol string) Print {
	if symbol == "" {
		return ofUnits(units(c.tokens))
	}
	s, there := c.symbols[symbol]
	if !there {
		return Print{Symbol: symbol, Absent: true}
	}
	p := ofUnits(units(c.between(s.from, s.to)))
	p.Symbol = symbol
	if s.signature > 0 {
		p.Signature = ofUnits(units(c.between(s.from, s.signature))).Hash
	}
	return p
}

func (c *goCode) between(from, to int) []goToken {
	var out []goToken
	for _, t := range c.tokens {
		if t.pos >= from && t.pos < to {
			out = append(out, t)
		}
	}
	return out
}

// units are the statements; the space between tokens stays told, so that "a b" is not "ab".
func units(tokens []goToken) []string {
	var out []string
	var b strings.Builder
	for _, t := range tokens {
		if t.text == ";" || t.text == "\n" {
			t.text = ";"
		}
		b.WriteString(t.text)
		b.WriteByte(0)
		if t.ends {
			out = append(out, b.String())
			b.Reset()
		}
	}
	if b.Len() > 0 {
		out = append(out, b.String())
	}
	return out
}
