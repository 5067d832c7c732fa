package cite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Read adds the references of a Markdown text. They stand in links, in code between backquotes, in commands, and, where they look
// like nothing but a path, in prose. Blocks of code in a language are examples and are not read.
func (s *Set) Read(markdown string) {
	source := tame(markdown)
	doc := goldmark.New().Parser().Parse(text.NewReader(source))
	var prose strings.Builder
	// The walker below never fails.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock && prose.Len() > 0 {
				s.prose(prose.String())
				prose.Reset()
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			if shell(string(n.Language(source))) {
				s.commands(string(n.Lines().Value(source)))
			}
			return ast.WalkSkipChildren, nil
		case *ast.CodeBlock:
			s.commands(string(n.Lines().Value(source)))
			return ast.WalkSkipChildren, nil
		case *ast.HTMLBlock, *ast.RawHTML, *ast.AutoLink:
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan:
			prose.WriteByte('\n')
			s.code(inner(n, source))
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			s.add(link(string(n.Destination)))
		case *ast.Image:
			s.add(link(string(n.Destination)))
		case *ast.Text:
			prose.Write(n.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				prose.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
}

// What the parser takes grows with the square of how deep a line nests and of the brackets and stars that a paragraph has. Beyond these bounds,
// which no text that is written to be read comes near, it gets blanks.
const (
	marksMax    = 30  // of quotes and lists, at the beginning of a line
	indentMax   = 60  // blanks there
	bracketsMax = 300 // in a paragraph
	stressMax   = 2000
)

func tame(markdown string) []byte {
	out := []byte(markdown)
	brackets, stress, from := 0, 0, 0
	for line := range strings.Lines(markdown) {
		body := strings.TrimLeft(line, " \t>-+*0123456789.)")
		head := line[:len(line)-len(body)]
		blanks := strings.Count(head, " ") + 4*strings.Count(head, "\t")
		if len(head)-strings.Count(head, " ")-strings.Count(head, "\t") > marksMax || blanks > indentMax {
			blank(out[from : from+len(strings.TrimRight(line, "\r\n"))])
		}
		if body == "" || strings.TrimSpace(body) == "" {
			brackets, stress = 0, 0
		}
		for i, c := range []byte(body) {
			switch c {
			case '[':
				brackets++
			case '*', '_':
				stress++
			default:
				continue
			}
			if c == '[' && brackets > bracketsMax || c != '[' && stress > stressMax {
				out[from+len(head)+i] = ' '
			}
		}
		from += len(line)
	}
	return out
}

func blank(text []byte) {
	for i := range text {
		text[i] = ' '
	}
}

func inner(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, is := c.(*ast.Text); is {
			b.Write(t.Value(source))
		}
	}
	return b.String()
}

// shell reports whether a block holds commands. One that names no language mostly does.
func shell(language string) bool {
	switch strings.ToLower(language) {
	case "", "sh", "bash", "zsh", "shell", "console", "shell-session", "terminal", "fish":
		return true
	}
	return false
}

var inProse = regexp.MustCompile(`[\p{L}\p{N}_.@+/~:-]*[\p{L}\p{N}_/]`)

// prose reads words outside of code. Only what has an ending of a file, or a slash at its end, is taken for a path.
func (s *Set) prose(text string) {
	for _, word := range inProse.FindAllString(text, -1) {
		r, is := pathOf(word, Path)
		if is && (ended(r.Text) || strings.Contains(r.Text, "/") && strings.HasSuffix(word, "/")) {
			s.add(r, true)
		}
	}
}

// code reads what stands between backquotes: one reference, or a command.
func (s *Set) code(span string) {
	span = strings.TrimSpace(span)
	if !strings.ContainsAny(span, " \t\n") {
		s.add(codeRef(span))
		s.add(wordOf(span))
		return
	}
	s.commands(span)
}

// commands reads the arguments of commands, a line each, without what a shell prints before them or a comment behind.
func (s *Set) commands(lines string) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\"'`=,;()", r) })
		if comment := slices.Index(words, "#"); comment >= 0 {
			words = words[:comment]
		}
		for _, word := range words {
			if r, is := codeRef(word); is && r.Kind != Glob {
				s.add(r, true)
			} else if strings.HasPrefix(word, "--") {
				s.add(wordOf(word))
			}
		}
		s.add(taskOf(words))
	}
}
