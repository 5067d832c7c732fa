package fingerprint

import (
	"path"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// nameMax is the longest name of a file that tells a language, in bytes; longer ones are on no disk, and slow to match.
const nameMax = 255

// Name is the part of a path that tells the language of a file.
func Name(file string) string {
	name := path.Base(file)
	return name[max(0, len(name)-nameMax):]
}

// unit is a statement or line: the text of its tokens, and the line it ends on.
type unit struct {
	text string
	line int
	// marks are its brackets and semicolons, without those in texts.
	marks string
}

// lexed reads the lines of a file by the lexer for its name, without comments and layout; ok is false where there is none.
func lexed(file, content string) (units []unit, ok bool) {
	lexer := lexers.Match(Name(file))
	if lexer == nil {
		return nil, false
	}
	tokens, err := lexer.Tokenise(nil, content)
	if err != nil {
		return nil, false
	}
	var text, marks strings.Builder
	line := 1
	end := func() {
		if text.Len() > 0 {
			units = append(units, unit{text.String(), line, marks.String()})
			text.Reset()
			marks.Reset()
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
				line++
			}
			for _, word := range strings.Fields(part) {
				text.WriteString(word)
				text.WriteByte(0)
			}
			if !t.Type.InCategory(chroma.Literal) {
				for _, r := range part {
					if strings.ContainsRune("()[]{};", r) {
						marks.WriteRune(r)
					}
				}
			}
		}
	}
	end()
	return units, true
}
