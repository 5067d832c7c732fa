package publish

import (
	"regexp"
	"strings"

	"driftless/internal/topic"
)

var (
	mention  = regexp.MustCompile(`\[\[[^\[\]\n]*\]\]`)
	resource = regexp.MustCompile(`(?i)driftless://[^\s)>\]"']*`)
	// console is the address of a topic in the console, as the end of a whole address or without a host.
	console = regexp.MustCompile(`/w/[a-z0-9-]+/t/[^\s)>\]"']*`)
)

// notPublic stands where a text names another topic, whose very name may say something.
const notPublic = "*(a topic that is not public)*"

// scrubber takes out of texts what is nobody's business outside: the names of topics that are not open, and the addresses of this
// server, in code too.
type scrubber struct{ own *regexp.Regexp }

func newScrubber(publicURL string) scrubber {
	return scrubber{regexp.MustCompile(`(?i)` + regexp.QuoteMeta(publicURL) + `(/[^\s)>\]"']*)?`)}
}

// nothing is open.
func nothing(string) bool { return false }

// text is a text in which only mentions of open topics are left.
func (s scrubber) text(text string, open func(slug string) bool) string {
	text = mention.ReplaceAllStringFunc(text, func(m string) string {
		if open(slugIn(m)) {
			return m
		}
		return notPublic
	})
	text = resource.ReplaceAllLiteralString(text, "")
	text = s.own.ReplaceAllLiteralString(text, "")
	return console.ReplaceAllLiteralString(text, "")
}

// document scrubs all texts of a topic in place.
func (s scrubber) document(d *topic.Document, open func(slug string) bool) {
	for _, text := range textsOf(d) {
		*text = s.text(*text, open)
	}
}

// mentioned are the slugs that the texts of a topic name in double brackets.
func mentioned(d *topic.Document) (slugs []string) {
	for _, text := range textsOf(d) {
		for _, m := range mention.FindAllString(*text, -1) {
			slugs = append(slugs, slugIn(m))
		}
	}
	return slugs
}

func slugIn(mention string) string {
	return strings.TrimSuffix(strings.TrimPrefix(mention, "[["), "]]")
}

func textsOf(d *topic.Document) []*string {
	out := []*string{&d.Title, &d.What, &d.Body.How, &d.Body.Text}
	for _, list := range [][]string{d.Body.Decisions, d.Body.Gotchas, d.Body.Invariants, d.Body.RequiredChecks} {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	return out
}
