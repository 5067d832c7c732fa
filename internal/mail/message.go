package mail

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
	"unicode"
)

// Message is one mail to one person. Names that people chose may stand in its lines: it is shown as text, whatever is in it.
type Message struct {
	// To is a plain address, without a name.
	To      string
	Subject string
	// Text are the paragraphs before the link, and After those behind it.
	Text  []string
	After []string
	// Link is what the person is to open, if anything; Label says what for.
	Link, Label string
}

// subjectMax bounds a subject in characters; a name that is part of one may be long.
const subjectMax = 150

// oneLine makes a line of a header or a paragraph of text from others: nothing in it can end a line, turn the direction of
// reading, or be without a width.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

func (m Message) subject() string {
	line := []rune(oneLine(m.Subject))
	if len(line) > subjectMax {
		line = append(line[:subjectMax-1], '…')
	}
	return string(line)
}

// plain is the message as text.
func (m Message) plain() string {
	var parts []string
	for _, p := range m.Text {
		parts = append(parts, oneLine(p))
	}
	if m.Link != "" {
		parts = append(parts, m.Label+":\r\n"+m.Link)
	}
	for _, p := range m.After {
		parts = append(parts, oneLine(p))
	}
	return strings.Join(parts, "\r\n\r\n") + "\r\n"
}

// page has no picture, style sheet or script: nothing is fetched when it is opened, so nobody is told.
var page = template.Must(template.New("mail").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{.Subject}}</title></head>
<body style="font-family:sans-serif;line-height:1.5;max-width:36em">
{{range .Text}}<p>{{.}}</p>
{{end}}{{if .Link}}<p><a href="{{.Link}}">{{.Label}}</a></p>
<p>If that cannot be opened, copy this address: {{.Link}}</p>
{{end}}{{range .After}}<p>{{.}}</p>
{{end}}</body></html>
`))

// html is the message as a page.
func (m Message) html() (string, error) {
	shown := Message{Subject: m.subject(), Link: m.Link, Label: m.Label}
	for _, p := range m.Text {
		shown.Text = append(shown.Text, oneLine(p))
	}
	for _, p := range m.After {
		shown.After = append(shown.After, oneLine(p))
	}
	var b bytes.Buffer
	if err := page.Execute(&b, shown); err != nil {
		return "", fmt.Errorf("write the page of a mail: %w", err)
	}
	return b.String(), nil
}
