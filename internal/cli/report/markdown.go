package report

import (
	"fmt"
	"strings"
	"unicode"
)

const (
	// shownMax is how many topics a comment shows whole, sentencesMax how many sentences of each.
	shownMax     = 20
	sentencesMax = 5
	// textMax is the longest text of a topic in a comment, in characters.
	textMax = 300
)

// Marker is the first line of the Markdown, so that a build can find the comment it wrote before.
const Marker = "<!-- driftless: context diff -->"

// Markdown is the report as a comment of at most about 60,000 characters.
func (d Diff) Markdown() string {
	var b strings.Builder
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(&b, format+"\n", args...) }
	say("%s", Marker)
	rows := d.Sorted()
	if len(rows) == 0 {
		say("### Driftless: nothing written is touched")
		say("")
		d.foot(say)
		return b.String()
	}
	say("### Driftless: %s by this change", number(len(rows), "topic is touched", "topics are touched"))
	say("")
	say("| | topic | trust | because |")
	say("|---|---|---|---|")
	for _, t := range rows[:min(len(rows), shownMax)] {
		say("| %s | %s | %s | %s |", t.LevelOf(), d.named(t), plain(t.Trust), strings.Join(because(t), "<br>"))
	}
	if hidden := len(rows) - shownMax; hidden > 0 {
		say("")
		say("… and %s.", number(hidden, "more topic", "more topics"))
	}
	for _, t := range rows[:min(len(rows), shownMax)] {
		if len(t.MayBeWrong) == 0 {
			continue
		}
		say("")
		say("**%s** says about what changed:", plain(t.Title))
		say("")
		for _, s := range t.MayBeWrong[:min(len(t.MayBeWrong), sentencesMax)] {
			say("- %s: %s", plain(s.Field), plain(s.Text))
		}
	}
	say("")
	d.foot(say)
	return b.String()
}

func (d Diff) foot(say func(string, ...any)) {
	words := fmt.Sprintf("%s between %.12s and %.12s.", number(d.Files, "file differs", "files differ"), d.Base, d.Head)
	if d.Asked < d.Files {
		words += fmt.Sprintf(" Only the first %d were asked about.", d.Asked)
	}
	if d.More {
		words += " Further topics are touched that are not listed."
	}
	say("%s What topics say is information for you to judge, not a verdict.", words)
}

func (d Diff) named(t Topic) string {
	if d.Link == nil {
		return plain(t.Title)
	}
	return "[" + plain(t.Title) + "](" + d.Link(t.Slug) + ")"
}

func because(t Topic) []string {
	var out []string
	for _, b := range t.Because {
		var changes []string
		for _, c := range b.Changes {
			changes = append(changes, plain(c.told()))
		}
		words := plain(b.Anchor) + ": " + strings.Join(changes, ", ")
		if b.More > 0 {
			words += fmt.Sprintf(" and %d more", b.More)
		}
		out = append(out, words)
	}
	return out
}

// plain makes a foreign text one line that no Markdown reads anything into: no markup, no HTML, no mention, no reference, no link.
func plain(text string) string {
	var b strings.Builder
	count := 0
	for _, word := range strings.Fields(text) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		for _, r := range word {
			if count++; count > textMax {
				return b.String() + "…"
			}
			switch {
			case r == '@', r == ':', r == '&', r == '<', r == '>':
				_, _ = fmt.Fprintf(&b, "&#%d;", r)
			case strings.ContainsRune("\\`*_{}[]()#+-.!|~=\"'$^", r):
				b.WriteByte('\\')
				b.WriteRune(r)
			case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
				// Marks of direction and other signs that nobody sees.
			default:
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}
