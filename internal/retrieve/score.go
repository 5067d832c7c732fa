package retrieve

import (
	"math"
	"slices"
	"strings"
	"time"

	"driftless/internal/anchor"
	"driftless/internal/topic"
)

// Parts is a score term by term; their sum orders the rows. Terms that say nothing about a row are zero.
type Parts struct {
	// Text is how well the words match, 0 to 1: the BM25F score as a share of the best one's, times how much of the question
	// the best one covers.
	Text float64 `json:"text,omitempty"`
	// Title grows with the share of the question that stands in the title.
	Title float64 `json:"title,omitempty"`
	// Files is how closely the anchors name the files.
	Files float64 `json:"files,omitempty"`
	// Semantic is for likeness of meaning, by the place among the alike.
	Semantic float64 `json:"semantic,omitempty"`
	// Relation is what a topic gets for being related to one that matches, and Knowledge for replacing it.
	Relation float64 `json:"relation,omitempty"`
	// Area prefers the matches of a small area that others speak for, too, and is what the rest of it gets.
	Area float64 `json:"area,omitempty"`
	// Trust prefers what somebody vouched for, Recency what was written lately; both only decide between near equals.
	Trust   float64 `json:"trust,omitempty"`
	Recency float64 `json:"recency,omitempty"`
	// Verified prefers what somebody approved or verified lately.
	Verified float64 `json:"verified,omitempty"`
	// Environment prefers what has an answer for the environment and the ecosystem asked about; an answer that is known to fail
	// there, or topics that answer elsewhere alone, lose.
	Environment float64 `json:"environment,omitempty"`
	// Drift lifts a drifted topic over all that did not drift, within what is relevant.
	Drift float64 `json:"drift,omitempty"`
	// Superseded is taken off so that a topic ranks below what replaces it.
	Superseded float64 `json:"superseded,omitempty"`
}

// The weights. Text and files are on one scale, so that a good text match and a good anchor are worth about the same.
const (
	titleWeight      = 0.45
	exactFile        = 1
	symbolFile       = 0.9
	globFile         = 0.1                       // a pattern that spells out nothing of the path, such as **
	globSpelled      = 0.75                      // more for one that spells out all of it
	catchAll         = globFile + globSpelled/10 // a pattern below spells out less than a tenth of the path
	moreFiles        = 0.05
	moreFilesMax     = 4
	reviewedTrust    = 0.10
	proposedTrust    = 0.05
	recencyWeight    = 0.05
	recencyHalf      = 90 * 24 * time.Hour
	verifiedWeight   = 0.03
	verifiedHalf     = 180 * 24 * time.Hour
	driftLift        = 4 // more than all other terms together
	supersededKeep   = 0.3
	relationWeight   = 0.3
	areaWeight       = 0.2
	siblingWeight    = 0.6
	siblingAreas     = 2
	replacedByWeight = 0.9  // what replaces a match stands in for it
	below            = 0.99 // just below another score
)

// relevance is how well a topic answers, whatever is thought of the topic itself.
func (p Parts) relevance() float64 { return p.Text + p.Title + p.Files + p.Semantic }

func (p Parts) sum() float64 {
	return p.relevance() + p.Relation + p.Area + p.Trust + p.Recency + p.Verified + p.Environment + p.Drift + p.Superseded
}

// rounded is for people: four decimals.
func (p Parts) rounded() Parts {
	for _, v := range []*float64{&p.Text, &p.Title, &p.Files, &p.Semantic, &p.Relation, &p.Area, &p.Trust, &p.Recency, &p.Verified, &p.Environment, &p.Drift, &p.Superseded} {
		*v = round(*v, 4)
	}
	return p
}

func round(v float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(v*scale) / scale
}

func trustPart(s topic.Status) float64 {
	switch s {
	case topic.Reviewed:
		return reviewedTrust
	case topic.Proposed:
		return proposedTrust
	case topic.Draft, topic.Archived, topic.Trash:
	}
	return 0
}

func recencyPart(updated, now time.Time) float64 {
	return recencyWeight * halved(now.Sub(updated), recencyHalf)
}

func verifiedPart(vouched, now time.Time) float64 {
	if vouched.IsZero() {
		return 0
	}
	return verifiedWeight * halved(now.Sub(vouched), verifiedHalf)
}

// halved is what is left of one after an age.
func halved(age, half time.Duration) float64 { return math.Exp2(-float64(max(0, age)) / float64(half)) }

// fileMatch is a file and the anchor by which a topic claims it.
type fileMatch struct {
	file   string
	anchor anchor.Anchor
	worth  float64
}

// why is the reason as rows give it.
func (m fileMatch) why() string {
	if m.anchor.Kind == anchor.Symbol {
		return "symbol:" + m.anchor.Text
	}
	return "anchor:" + m.anchor.Text + " ~ " + m.file
}

// worthOf says how closely an anchor names a file it matches: the file itself, a symbol in it, or a pattern by the share of
// the path that it spells out.
func worthOf(a anchor.Anchor, file string) float64 {
	if a.Kind == anchor.Symbol {
		return symbolFile
	}
	if a.Kind == anchor.File && slices.Contains(a.Canonical, file) {
		return exactFile
	}
	spelled := 0
	for _, pattern := range a.Canonical {
		n := 0
		for _, r := range pattern {
			if !strings.ContainsRune("*?[]/", r) {
				n++
			}
		}
		spelled = max(spelled, n)
	}
	length := len([]rune(file)) - strings.Count(file, "/")
	return globFile + globSpelled*min(1, float64(spelled)/float64(max(1, length)))
}

// closest looks for an anchor of the set that names the file more closely than the one found first.
func closest(set anchor.Set, m fileMatch) fileMatch {
	for _, a := range set {
		if a.Exclude {
			continue
		}
		if worth := worthOf(a, m.file); worth > m.worth && a.Match(m.file) {
			m.anchor, m.worth = a, worth
		}
	}
	return m
}
