package anchor

import (
	"strconv"
	"strings"
)

// Bounds of Verdict, in files.
const (
	maxOK   = 40
	maxWide = 100
)

// MaxSamples is how many paths a Validation shows.
const MaxSamples = 5

// Result says whether an anchor has a good size.
type Result string

// The results. Validate never says Wide, which the wire has no word for: it
// says OK and tells why the anchor is on the large side.
const (
	OK        Result = "ok"        // 1 to 40 files
	Wide      Result = "wide"      // 41 to 100
	Overbroad Result = "overbroad" // more
	Zero      Result = "zero"      // none
	Skipped   Result = "skipped"   // no list of files was there to ask
)

// Verdict judges how many files an anchor matches.
func Verdict(files int) Result {
	switch {
	case files <= 0:
		return Zero
	case files <= maxOK:
		return OK
	case files <= maxWide:
		return Wide
	default:
		return Overbroad
	}
}

// Validation is the verdict on one anchor. It informs and never blocks a write.
type Validation struct {
	Anchor  string   // the anchor's text
	Result  Result   // never Wide
	Count   int      // files matched, without generated and vendored ones
	Samples []string // the first of them, at most MaxSamples
	Reason  string   // empty where the result speaks for itself
}

// Validate judges each anchor of a set by the files of a repository, whose part
// of the set Set.In picks. An anchor
// is not credited with files that an exclusion takes away. An exclusion counts
// the files it matches and is never too broad.
func Validate(set Set, files []string) []Validation {
	trie := NewTrie[int]()
	exclusions := NewTrie[int]()
	for i, a := range set {
		in := trie
		if a.Exclude {
			in, a.Exclude = exclusions, false
		}
		in.Add(i, Set{a})
	}
	tallies := make([]tally, len(set))
	for _, file := range files {
		hits := exclusions.Match(file)
		if len(hits) == 0 {
			hits = trie.Match(file)
		}
		for _, hit := range hits {
			tallies[hit.Key].add(file)
		}
	}
	validations := make([]Validation, len(set))
	for i, a := range set {
		validations[i] = tallies[i].judge(a)
	}
	return validations
}

// SkipValidation is the answer when no list of files is known, with the reason
// for each anchor.
func SkipValidation(set Set, reason string) []Validation {
	validations := make([]Validation, len(set))
	for i, a := range set {
		validations[i] = Validation{Anchor: a.Text, Result: Skipped, Reason: reason}
	}
	return validations
}

// tally counts the files of one anchor.
type tally struct {
	count, generated int
	samples          []string
}

func (t *tally) add(file string) {
	if IsGenerated(file) {
		t.generated++
		return
	}
	t.count++
	if len(t.samples) < MaxSamples {
		t.samples = append(t.samples, file)
	}
}

func (t *tally) judge(a Anchor) Validation {
	v := Validation{Anchor: a.Text, Result: Verdict(t.count), Count: t.count, Samples: t.samples}
	switch {
	case v.Result == Zero && t.generated > 0:
		v.Reason = "it matches only generated or vendored files, which do not count"
	case v.Result == Zero && a.Exclude:
		v.Reason = "it excludes no file"
	case v.Result == Zero:
		v.Reason = "it matches no file"
	case a.Exclude:
		v.Result = OK
	case v.Result == Wide:
		v.Result = OK
		v.Reason = "it is wide: more than " + strconv.Itoa(maxOK) + " files"
	case v.Result == Overbroad:
		v.Reason = "it matches more than " + strconv.Itoa(maxWide) + " files; name the part that the topic is about"
	}
	return v
}

// IsGenerated reports whether a file lies in a folder that tools fill: packages
// fetched, output built, caches. Only names that are hardly ever used for
// sources are on the list.
func IsGenerated(path string) bool {
	for {
		folder, rest, more := strings.Cut(path, "/")
		if !more {
			return false
		}
		switch folder {
		case ".git", ".hg", ".svn",
			"node_modules", "bower_components", "vendor", "Pods", ".venv", "venv", "site-packages",
			"dist", "build", "out", "coverage", "htmlcov", "DerivedData",
			".next", ".nuxt", ".output", ".svelte-kit", ".turbo", ".vercel", ".parcel-cache", ".cache",
			".gradle", ".terraform", ".dart_tool", ".yarn",
			"__pycache__", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache":
			return true
		}
		path = rest
	}
}
