package doctor

import (
	"slices"
	"strings"
	"unicode"
)

// A statement is an invariant or a decision of a piece of Knowledge.
type statement struct {
	topic int // index of the topic
	text  string
}

// negations turn a statement into its opposite; each counts, so that two of them cancel.
var negations = set("not no never none neither nor cannot don't doesn't mustn't shouldn't isn't aren't won't can't without " +
	"nunca no jamás ni sin tampoco ningún ninguna")

// emphatic words say how strongly something holds and leave open what holds.
var emphatic = set("must always should shall has have to be is are was were will do does the a an of it that this only every all each " +
	"debe deben siempre debería ha de ser es son el la los las un una que se lo solo todo todos cada")

// opposites count as a negation of one another: the first stands for both, the second turns.
var opposites = pairs("before after", "allow deny", "allowed denied", "allowed forbidden", "enabled disabled", "enable disable", "required optional",
	"first last", "synchronous asynchronous", "sync async", "accept reject", "accepted rejected", "include exclude", "public private",
	"antes después", "permitir prohibir", "permitido prohibido", "obligatorio opcional")

func set(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

func pairs(list ...string) map[string]string {
	out := map[string]string{}
	for _, pair := range list {
		first, second, _ := strings.Cut(pair, " ")
		out[second] = first
	}
	return out
}

// claim is what a statement is about and which way it points.
type claim struct {
	about   string
	negated bool
}

// claimOf reads a statement: its words without those that only turn or stress it, in their order. Statements of fewer than
// three such words say too little to be compared.
func claimOf(text string) (c claim, ok bool) {
	var about []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '_'
	}) {
		if negations[word] {
			c.negated = !c.negated
			continue
		}
		if emphatic[word] {
			continue
		}
		if first, turns := opposites[word]; turns {
			word, c.negated = first, !c.negated
		}
		about = append(about, strings.TrimSuffix(word, "s"))
	}
	c.about = strings.Join(about, " ")
	return c, len(about) >= 3
}

// pair is two topics, by index, with what they say.
type pair struct {
	a, b        int
	saysA, says string
}

// contradictions finds the pairs of topics of which one says what the other negates, each pair once, in the order of the
// statements. Of more than a few on each side only the first few are paired: a hint needs no more.
func contradictions(statements []statement) []pair {
	const few = 5
	sides := map[string]*[2][]statement{}
	var order []string
	for _, s := range statements {
		c, ok := claimOf(s.text)
		if !ok {
			continue
		}
		both := sides[c.about]
		if both == nil {
			both = &[2][]statement{}
			sides[c.about] = both
			order = append(order, c.about)
		}
		side := 0
		if c.negated {
			side = 1
		}
		if len(both[side]) < few {
			both[side] = append(both[side], s)
		}
	}
	var out []pair
	for _, about := range order {
		for _, yes := range sides[about][0] {
			for _, no := range sides[about][1] {
				known := slices.ContainsFunc(out, func(p pair) bool { return p.a == yes.topic && p.b == no.topic || p.a == no.topic && p.b == yes.topic })
				if yes.topic != no.topic && !known {
					out = append(out, pair{yes.topic, no.topic, yes.text, no.text})
				}
			}
		}
	}
	return out
}
