// Package report owns how the topics that a change touches are told to the people of a pull request: how bad each is, as Markdown for a
// comment, and as SARIF for what shows findings beside the code.
//
// It is pure: the same change and the same topics give the same bytes. It refuses to post anything anywhere, and to let a word of a
// topic become markup, a mention of a person or a link.
package report

import (
	"cmp"
	"fmt"
	"slices"

	"driftless/internal/anchor"
)

// Level is how bad a change is for a topic.
type Level string

// The levels, worst first.
const (
	// Broken is a topic that relies on a file which the change deletes or moves away from its anchor.
	Broken Level = "broken"
	// Review is a topic whose sentences speak of what changed, or that anchors the changed file itself.
	Review Level = "review"
	// Touched is a topic under one of whose patterns something changed.
	Touched Level = "touched"
)

var levels = []Level{Broken, Review, Touched}

// Change is what happened to one file, with the letters of git.
type Change struct {
	Path    string `json:"path"`
	Status  string `json:"status"`
	OldPath string `json:"old_path"`
}

// Topic is a topic that a change touches, as the operation drift.diff answers it.
type Topic struct {
	Slug    string `json:"slug"`
	Title   string `json:"title"`
	What    string `json:"what"`
	Trust   string `json:"trust"`
	Because []struct {
		Anchor  string   `json:"anchor"`
		Changes []Change `json:"changes"`
		More    int      `json:"more"`
	} `json:"because"`
	MayBeWrong []struct {
		Field string `json:"field"`
		Text  string `json:"text"`
		Why   string `json:"why"`
	} `json:"may_be_wrong"`
}

// Diff is what a change touches.
type Diff struct {
	// Base and Head are the commits that were compared.
	Base, Head string
	// Files are how many files changed, Asked how many of those were asked about.
	Files, Asked int
	Topics       []Topic
	// More says that further topics are touched.
	More bool
	// Link makes the address of a topic in the console; nil makes none.
	Link func(slug string) string
	// Version is that of this program.
	Version string
}

// LevelOf judges a change for one topic.
func (t Topic) LevelOf() Level {
	level := Touched
	if len(t.MayBeWrong) > 0 {
		level = Review
	}
	for _, b := range t.Because {
		a, err := anchor.Parse(b.Anchor)
		if err != nil || a.Kind == anchor.Glob {
			continue
		}
		level = worse(level, Review)
		for _, c := range b.Changes {
			if c.Status == "D" || c.Status == "R" && !a.Match(c.Path) {
				level = Broken
			}
		}
	}
	return level
}

func worse(a, b Level) Level {
	if slices.Index(levels, a) < slices.Index(levels, b) {
		return a
	}
	return b
}

// Fails reports whether a policy (none, review or broken) refuses the change. Knowledge alone counts: what nobody has reviewed stops nobody.
func (d Diff) Fails(policy string) bool {
	for _, t := range d.Topics {
		level := t.LevelOf()
		if t.Trust == "reviewed" && (policy == "review" && level != Touched || policy == "broken" && level == Broken) {
			return true
		}
	}
	return false
}

// Sorted are the topics, Knowledge first, the worst first, then by slug.
func (d Diff) Sorted() []Topic {
	return slices.SortedFunc(slices.Values(d.Topics), func(a, b Topic) int {
		return cmp.Or(standing(a)-standing(b), slices.Index(levels, a.LevelOf())-slices.Index(levels, b.LevelOf()), cmp.Compare(a.Slug, b.Slug))
	})
}

func standing(t Topic) int {
	if t.Trust == "reviewed" {
		return 0
	}
	return 1
}

// told is a change in words.
func (c Change) told() string {
	switch c.Status {
	case "A":
		return "added " + c.Path
	case "D":
		return "deleted " + c.Path
	case "R":
		return "renamed " + c.OldPath + " to " + c.Path
	}
	return "changed " + c.Path
}

// number is a count with its noun.
func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
