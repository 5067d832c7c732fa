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
	"a11y accessibility", "admin administrator", "app application", "arg argument param parameter", "async asynchronous", "auth authentication login",
	"authz authorization permission", "bug defect", "cert certificate", "config configuration settings", "cred credential", "db database",
	"delete remove", "deps dependency", "dev development", "dir directory folder", "docs documentation", "env environment",
	"error failure exception", "fix repair resolve", "func function", "gh github", "gotcha pitfall caveat", "i18n internationalization", "impl implementation",
	"info information", "init initialization", "js javascript", "k8s kube kubernetes", "l10n localization", "lib library", "max maximum", "min minimum",
	"mock stub", "msg message", "num number", "o11y observability", "outcome result", "pause suspend", "perf performance", "pg postgres postgresql",
	"pkg package", "prod production", "py python", "reason cause", "ref reference", "repo repository", "req request", "resp response",
	"rule constraint invariant", "smt hyperthread", "spec specification", "status state", "sync synchronization", "temp temporary", "ts typescript",
	"util utility", "var variable", "vm machine", "workaround fallback", "yaml yml",
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
	add := func(names []string, weight float64) {
		for _, other := range names {
			if s, ok := c.term(other); ok && !slices.ContainsFunc(found, stands(other)) {
				s.weight = weight
				found = append(found, s)
			}
		}
	}
	add(w.translations, translatedWeight)
	for _, name := range w.terms {
		add(related[name], relatedWeight)
	}
	return found
}
