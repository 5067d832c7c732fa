package fingerprint

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// lexed reads the lines of a file by the lexer for its name, without comments and layout; ok is false where there is none.
func lexed(file, content string) (units []string, ok bool) {
	lexer := lexers.Match(file)
	if lexer == nil {
		return nil, false
	}
	tokens, err := lexer.Tokenise(nil, content)
	if err != nil {
		return nil, false
	}
	var line strings.Builder
	end := func() {
		if line.Len() > 0 {
			units = append(units, line.String())
			line.Reset()
		}
	}
	for t := tokens(); t != chroma.EOF; t = tokens() {
		switch {
		case t.Type == chroma.CommentPreproc, t.Type == chroma.CommentPreprocFile:
			// These are directives, whatever they are filed under.
		case t.Type.InCategory(chroma.Comment), t.Type == chroma.LiteralStringDoc:
			t.Value = strings.Repeat("\n", strings.Count(t.Value, "\n"))
		}
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				end()
			}
			for _, word := range strings.Fields(part) {
				line.WriteString(word)
				line.WriteByte(0)
			}
		}
	}
	end()
	return units, true
}
