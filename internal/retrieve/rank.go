package retrieve

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"driftless/internal/anchor"
	"driftless/internal/relation"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// question is what is looked for, and how.
type question struct {
	actor  tenant.Actor
	text   lexical.Query
	prefix bool
	floor  lexical.Floor
	files  []string // as anchor.NormalizePath leaves them
	keep   filter
	now    time.Time // for recency; the zero time leaves it out, and the order then depends on the index alone
	depth  int       // how many topics the words may bring in
	// related adds topics one relation away, drifted puts drifted ones first.
	related, drifted bool
	place            surroundings
	meaning          meaning
}

// candidate is a topic that may answer, with what speaks for it.
type candidate struct {
	*facts
	parts    Parts
	score    float64
	hit      lexical.Hit
	files    []fileMatch // the closest first, at most filesShown
	matched  int         // how many files match
	meant    float64     // what its likeness to the question is worth
	via      *link       // the relation by which it came in, nil where it matches itself
	beside   string      // the slug of the match in whose area it is filed, where it came in by that
	certain  float64
	replaced bool // it is superseded
}

// ranking is the answer to a question, best first.
type ranking struct {
	rows []*candidate
	// best is the BM25F score that Text is a share of, strength what the best one is worth.
	best, strength float64
}

const (
	filesShown   = 5
	strongShare  = 0.6 // of the best relevance: whose relations are followed
	strongMax    = 3
	relatedMax   = 5
	closestTries = 4000 // how many anchors of a broad question are looked at twice
)

// rank finds and orders the topics that answer a question.
func (ix *index) rank(q question) ranking {
	r := ranking{}
	found := map[uuid.UUID]*candidate{}
	ix.matchFiles(q, found)
	ix.matchText(q, found, &r)
	ix.matchMeaning(q, found)
	for _, c := range found {
		ix.weigh(q, c, r)
		r.rows = append(r.rows, c)
	}
	r.sort()
	if q.related {
		ix.weighAreas(q, found, &r)
		ix.addRelated(q, found, &r)
	}
	ix.standIn(r.rows, found)
	ix.putBelow(r.rows, found)
	r.sort()
	return r
}

func (r *ranking) sort() { slices.SortFunc(r.rows, better) }

// better orders by score; of equals the older topic comes first.
func better(a, b *candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), byID(a.facts, b.facts))
}

func byID(a, b *facts) int { return bytes.Compare(a.id[:], b.id[:]) }

// admits reports whether a topic may be an answer at all.
func (q question) admits(f *facts) bool { return f != nil && f.visible(q.actor) && q.keep.admits(f) }

func (ix *index) matchFiles(q question, found map[uuid.UUID]*candidate) {
	tries := closestTries
	for _, file := range q.files {
		for _, s := range ix.shelves(q.actor) {
			for _, h := range s.files.Match(file) {
				f := ix.topics[h.Key]
				if !q.admits(f) {
					continue
				}
				c := found[h.Key]
				if c == nil {
					c = &candidate{facts: f}
					found[h.Key] = c
				}
				m := fileMatch{file, h.Anchor, worthOf(h.Anchor, file)}
				if len(f.anchors) > 1 && tries > 0 {
					tries -= len(f.anchors)
					m = closest(f.anchors, m)
				}
				c.claim(m)
			}
		}
	}
}

// claim notes a matching file and keeps the closest ones.
func (c *candidate) claim(m fileMatch) {
	c.matched++
	at, _ := slices.BinarySearchFunc(c.files, m, func(a, b fileMatch) int { return cmp.Compare(b.worth, a.worth) })
	for at < len(c.files) && c.files[at].worth == m.worth {
		at++
	}
	if at < filesShown {
		c.files = slices.Insert(c.files, at, m)
		c.files = c.files[:min(len(c.files), filesShown)]
	}
}

// matchText asks the words. A topic that is about one of the files need not pass the floor: the words then only order it.
func (ix *index) matchText(q question, found map[uuid.UUID]*candidate, r *ranking) {
	if q.text.Empty() {
		return
	}
	text := ix.text(q.actor)
	hits := text.Search(q.text, lexical.Options{
		Limit: q.depth, Floor: q.floor, Prefix: q.prefix,
		Filter: func(id lexical.DocID) bool { return q.admits(ix.topics[uuid.UUID(id)]) },
	})
	if len(found) > 0 {
		only := make([]lexical.DocID, 0, len(found))
		for id := range found {
			only = append(only, lexical.DocID(id))
		}
		hits = append(hits, text.Search(q.text, lexical.Options{Limit: len(only), Only: only})...)
	}
	for _, h := range hits {
		id := uuid.UUID(h.ID)
		c := found[id]
		if c == nil {
			c = &candidate{facts: ix.topics[id]}
			found[id] = c
		}
		c.hit = h
		r.note(h)
	}
}

// matchMeaning asks the vectors, where there are any.
func (ix *index) matchMeaning(q question, found map[uuid.UUID]*candidate) {
	for id, place := range q.meaning.near(ix, q) {
		c := found[id]
		if c == nil {
			c = &candidate{facts: ix.topics[id]}
			found[id] = c
		}
		c.meant = semanticPart(place)
	}
}

// note keeps the measure of the words. A question half covered is answered well enough to count in full.
func (r *ranking) note(h lexical.Hit) {
	if h.Score > r.best {
		r.best, r.strength = h.Score, min(1, 0.5+h.Coverage)
	}
}

// weigh turns what speaks for a candidate into terms of its score.
func (ix *index) weigh(q question, c *candidate, r ranking) {
	textSure, fileSure := 0.0, 0.0
	if c.hit.Score > 0 {
		c.parts.Text = r.strength * min(1, c.hit.Score/r.best)
		textSure = c.hit.Coverage
		c.parts.Title = titleWeight * c.hit.TitleShare
		textSure += c.parts.Title * (1 - textSure)
	}
	if c.matched > 0 {
		fileSure = c.files[0].worth * 0.95
		c.parts.Files = c.files[0].worth + moreFiles*float64(min(c.matched-1, moreFilesMax))
	}
	c.parts.Semantic = c.meant
	c.certain = 1 - (1-textSure)*(1-fileSure)*(1-c.meant)
	c.parts.Trust = trustPart(c.status)
	if !q.now.IsZero() {
		c.parts.Recency = recencyPart(c.updated, q.now)
		c.parts.Verified = verifiedPart(c.vouched, q.now)
	}
	c.parts.Environment = q.place.part(c.facts)
	c.replaced = len(ix.superseded(c.slug)) > 0
	if c.replaced {
		c.parts.Superseded = -(1 - supersededKeep) * c.parts.sum()
		c.certain *= supersededKeep
	} else if q.drifted && c.stale {
		c.parts.Drift = driftLift
	}
	c.score = c.parts.sum()
}

// addRelated brings in topics one relation away from the strongest matches, all below every match.
func (ix *index) addRelated(q question, found map[uuid.UUID]*candidate, r *ranking) {
	lowest, top := 0.0, 0.0
	for _, c := range r.rows {
		top = max(top, c.parts.relevance())
		if !c.replaced && c.beside == "" && (lowest == 0 || c.score < lowest) {
			lowest = c.score
		}
	}
	var added []*candidate
	strong := 0
	for _, c := range r.rows {
		if strong == strongMax {
			break
		}
		if c.beside != "" {
			continue
		}
		if c.parts.relevance() < strongShare*top {
			continue
		}
		strong++
		for _, l := range ix.edges.neighbours(c.slug) {
			f := ix.slugs[l.Slug]
			if !q.admits(f) || found[f.id] != nil {
				continue
			}
			weight := relationWeight
			if l.Type == relation.Supersedes && c.replaced {
				weight = replacedByWeight
			}
			n := &candidate{facts: f, via: &link{l.Type, c.slug}, certain: weight * c.certain, replaced: len(ix.superseded(f.slug)) > 0}
			if n.parts.Relation = weight * c.parts.relevance(); lowest > 0 {
				n.parts.Relation = min(n.parts.Relation, below*lowest)
			}
			if n.replaced {
				n.parts.Superseded = -(1 - supersededKeep) * n.parts.Relation
			}
			n.score = n.parts.sum()
			found[f.id] = n
			added = append(added, n)
		}
	}
	slices.SortStableFunc(added, better)
	for i, c := range added {
		if i < relatedMax {
			r.rows = append(r.rows, c)
		} else {
			delete(found, c.id)
		}
	}
}

// standIn lets the Knowledge that replaces a match answer in its place: it is worth nearly what the match is, however little
// of the question it holds itself.
func (ix *index) standIn(rows []*candidate, found map[uuid.UUID]*candidate) {
	for _, c := range rows {
		if !c.replaced || c.via != nil {
			continue
		}
		most, certain := replacedByWeight*c.parts.relevance(), replacedByWeight*c.certain/supersededKeep
		for _, f := range ix.latest(c.slug) {
			over := found[f.id]
			if over == nil || over.parts.relevance()+over.parts.Relation >= most {
				continue
			}
			over.parts.Relation = most - over.parts.relevance()
			over.score = over.parts.sum()
			over.via, over.certain = &link{relation.Supersedes, c.slug}, max(over.certain, certain)
		}
	}
}

// putBelow lowers each superseded topic below all that supersede it and are answers, too.
func (ix *index) putBelow(rows []*candidate, found map[uuid.UUID]*candidate) {
	done := map[uuid.UUID]bool{}
	var settle func(c *candidate)
	settle = func(c *candidate) {
		if done[c.id] {
			return // settled, or a circle of topics that replace one another
		}
		done[c.id] = true
		if !c.replaced {
			return
		}
		for _, f := range ix.superseded(c.slug) {
			over := found[f.id]
			if over == nil || over == c {
				continue
			}
			settle(over)
			if most := below * over.score; c.score > most {
				c.parts.Superseded -= c.score - most
				c.score = most
			}
		}
	}
	for _, c := range rows {
		settle(c)
	}
}

// filter narrows the answers by what a topic is filed under. Its zero value admits every topic.
type filter struct {
	status string
	area   string
	tags   []string // any of them
	stale  *bool
	areas  []string       // any of them
	among  []topic.Status // any of them
}

func (f filter) admits(t *facts) bool {
	return (f.status == "" || f.status == string(t.status)) && (f.area == "" || f.area == t.area) &&
		(f.stale == nil || *f.stale == t.stale) &&
		(len(f.areas) == 0 || slices.Contains(f.areas, t.area)) && (len(f.among) == 0 || slices.Contains(f.among, t.status)) &&
		(len(f.tags) == 0 || slices.ContainsFunc(t.tags, func(tag string) bool { return slices.Contains(f.tags, tag) }))
}

func (f filter) narrows() bool {
	return f.status != "" || f.area != "" || len(f.tags) > 0 || f.stale != nil || len(f.areas) > 0 || len(f.among) > 0
}

// nearest lists the topics that come closest to a question that nothing answers: those that the filter keeps out first, then
// those below the floor.
func (ix *index) nearest(q question) []*facts {
	visible := lexical.Options{Limit: nearestMax, Prefix: q.prefix, Floor: q.floor}
	text := ix.text(q.actor)
	var hits []lexical.Hit
	if q.keep.narrows() {
		hits = text.Search(q.text, visible)
	}
	hits = append(hits, text.Nearest(q.text, visible, nearestMax)...)
	var all []*facts
	for _, h := range hits {
		if f := ix.topics[uuid.UUID(h.ID)]; len(all) < nearestMax && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

const nearestMax = 3

// usable splits the files of a call into the paths that may lie in a repository and those that cannot.
func usable(files []string) (paths, ignored []string) {
	for _, file := range files {
		clean, err := anchor.NormalizePath(file)
		switch {
		case err != nil:
			ignored = append(ignored, file)
		case !slices.Contains(paths, clean):
			paths = append(paths, clean)
		}
	}
	return paths, ignored
}
