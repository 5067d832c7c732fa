package screen

import (
	"strings"
)

// Warning says that a stretch of text reads like an order to an artificial
// reader. It is a reason for a person to look, never a verdict.
type Warning struct {
	Kind       string // one of the kinds of [Instructions]
	Excerpt    string // at most 160 characters around the stretch, blanks collapsed
	Start, End int    // byte offsets, half open
}

const (
	maxWarnings = 20
	maxExcerpt  = 160 // characters
)

// Instructions finds text that orders an artificial reader about. The kinds:
//
//	override   drop earlier instructions, or answer something else instead
//	persona    become someone without rules
//	authority  obey, for the writer claims to be developer, system or god
//	reveal     show the system prompt, a key, a password
//	exfiltrate send secrets or files to an address
//	conceal    hide an action from the user
//	execute    run something silently
//	code       put the code given here into the answer
//	pretext    say something false under a made-up scenario
//	encoded    any of these behind base64, hexadecimal or binary
//
// It works on words of twenty languages that meet in one sentence, after
// compatibility normalisation, case folding, removal of accents and hidden
// characters, and undoing of letters spaced out or written as digits. Plain
// engineering imperatives ("always run the tests") name none of these pairs.
// One warning a kind and sentence, by position, at most 20.
func Instructions(text string) []Warning {
	folded := fold(text)
	var found spans
	for _, m := range match(folded) {
		found.add(m.kind, folded.offset(m.start), folded.end(m.end))
	}
	findEncoded(text, &found)
	var out []Warning
	for _, s := range found.disjoint() {
		if len(out) == maxWarnings {
			break
		}
		out = append(out, Warning{Kind: s.kind, Excerpt: excerpt(text, s.start, s.end), Start: s.start, End: s.end})
	}
	return out
}

// excerpt returns the stretch, with what fits of the text around it.
func excerpt(text string, start, end int) string {
	const before = 40
	from := max(0, start-before)
	for from > 0 && from < start && text[from-1] != ' ' && text[from-1] != '\n' {
		from++
	}
	to := min(len(text), max(end, from)+maxExcerpt)
	var b strings.Builder
	n := 0
	for _, field := range strings.Fields(strings.ToValidUTF8(text[from:to], "")) {
		for _, r := range " " + field {
			if n == 0 && r == ' ' {
				continue
			}
			if n == maxExcerpt {
				return b.String()
			}
			b.WriteRune(r)
			n++
		}
	}
	return b.String()
}

// hit is a phrase of the lexicon in folded text.
type hit struct {
	concept    concept
	start, end int // runes
	sentence   int
}

// finding is a rule that applies.
type finding struct {
	kind       string
	start, end int // runes
	sentence   int
}

// match runs the rules over the hits. For each rule it keeps, per length, the
// chain of hits that ends last: enough to find a match if there is one, in time
// linear in the hits.
func match(f folded) []finding {
	hits := scan(f)
	var out []finding
	for _, r := range rules() {
		chains := make([]hit, len(r.sequence)) // start of the first, end of the last
		alive := make([]bool, len(r.sequence))
		last := -1
		for _, h := range hits {
			for k := len(r.sequence) - 1; k >= 0; k-- {
				if r.sequence[k] != h.concept {
					continue
				}
				chain := h
				if k > 0 {
					prev := chains[k-1]
					if !alive[k-1] || prev.sentence != h.sentence || h.start < prev.end || h.start-prev.end > r.gap {
						continue
					}
					chain.start = prev.start
				}
				chains[k], alive[k] = chain, true
				if k == len(r.sequence)-1 && h.sentence != last {
					last = h.sentence
					out = append(out, finding{r.kind, chain.start, chain.end, h.sentence})
				}
			}
		}
	}
	return out
}

// scan finds every phrase of the lexicon: at the start of words, and anywhere
// in scripts written without blanks.
func scan(f folded) []hit {
	root := phrases()
	var out []hit
	sentence := 0
	for i, r := range f.text {
		if r == stop {
			sentence++
			continue
		}
		if r == ' ' || i > 0 && f.text[i-1] != ' ' && f.text[i-1] != stop && !unspaced(r) {
			continue
		}
		for node, j := root, i; node != nil && j <= len(f.text); j++ {
			for _, c := range node.open {
				out = append(out, hit{c, i, f.wordEnd(j), sentence})
			}
			if len(node.closed) > 0 && (j == len(f.text) || f.text[j] == ' ' || f.text[j] == stop || unspaced(r)) {
				for _, c := range node.closed {
					out = append(out, hit{c, i, j, sentence})
				}
			}
			if j == len(f.text) {
				break
			}
			node = node.next[f.text[j]]
		}
	}
	return out
}
