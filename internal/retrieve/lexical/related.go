package lexical

import "slices"

// relatedWeight is what a word of the same meaning is worth beside the word
// that was asked for.
const relatedWeight = 0.6

// related joins the words that people who write software use for one another:
// abbreviations first, then the few pairs that titles and questions keep
// swapping. Keys and values are English stems. It is short on purpose: a
// loose synonym costs more noise than it finds.
var related = relatedWords(
	"admin administrator", "app application", "arg argument param parameter", "async asynchronous", "auth authentication login",
	"authz authorization permission", "bug defect", "config configuration settings", "cred credential", "db database",
	"delete remove", "deps dependency", "dev development", "dir directory folder", "docs documentation", "env environment",
	"error failure exception", "fix repair resolve", "func function", "gh github", "gotcha pitfall caveat", "impl implementation",
	"info information", "init initialization", "js javascript", "lib library", "max maximum", "min minimum",
	"msg message", "num number", "perf performance", "pg postgres postgresql", "pkg package", "prod production", "py python",
	"reason cause", "ref reference", "repo repository", "req request", "resp response", "rule constraint invariant", "spec specification",
	"status state", "sync synchronization", "temp temporary", "ts typescript", "util utility", "var variable", "vm machine",
	"workaround fallback",
)

func relatedWords(groups ...string) map[string][]string {
	m := make(map[string][]string)
	for _, g := range groups {
		var terms []string
		scan(g, func(w word) {
			if !w.whole {
				terms = append(terms, stem(w, English))
			}
		})
		for _, t := range terms {
			for _, other := range terms {
				if other != t && !slices.Contains(m[t], other) {
					m[t] = append(m[t], other)
				}
			}
		}
	}
	return m
}

// relatives adds the words of the same meaning to those found.
func (c *collection) relatives(w queryWord, found []synonym) []synonym {
	for _, name := range w.terms {
		for _, other := range related[name] {
			if s, ok := c.term(other); ok && !slices.ContainsFunc(found, stands(other)) {
				s.weight = relatedWeight
				found = append(found, s)
			}
		}
	}
	return found
}
