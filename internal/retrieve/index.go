package retrieve

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/anchor"
	"driftless/internal/evidence"
	"driftless/internal/relation"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// index is what retrieval knows of one workspace: the text, the anchors, the relations, and of each topic what ranking and
// filters ask for. Any number of readers may use it side by side, but not during a change.
//
// A private draft stands on the shelf of its author and nowhere else. What others ask is answered from shelves without it, so
// that no count, no score and no correction of a typing error depends on its words.
type index struct {
	// known is the place in the workspace's sequence up to which the index is complete.
	known  int64
	shared *shelf
	own    map[uuid.UUID]*shelf // by author; only those with a private draft
	topics map[uuid.UUID]*facts
	slugs  map[string]*facts
	areas  map[string]map[uuid.UUID]bool // the topics filed in each
	edges  graph
}

// shelf is the text and the anchors of the topics that the same people may see.
type shelf struct {
	text  *lexical.Index
	files *anchor.Trie[uuid.UUID]
}

func newShelf() *shelf {
	return &shelf{text: lexical.New(lexical.DefaultWeights()), files: anchor.NewTrie[uuid.UUID]()}
}

func (s *shelf) remove(id uuid.UUID) {
	s.text.Delete(lexical.DocID(id))
	s.files.Remove(id)
}

// facts is what is known of a topic beside its text.
type facts struct {
	id      uuid.UUID
	slug    string
	status  topic.Status
	private bool
	author  uuid.UUID
	area    string
	tags    []string
	stale   bool
	drift   string
	updated time.Time
	vouched time.Time // when somebody last said that it holds: zero for never
	anchors anchor.Set
	// solutions are the ids and environments of the answers that a topic has, without their steps.
	solutions []evidence.Solution
}

// visible reports whether the actor may know that the topic exists.
func (f *facts) visible(a tenant.Actor) bool { return !f.private || f.author == a.Person }

func newIndex() *index {
	return &index{
		shared: newShelf(), own: map[uuid.UUID]*shelf{},
		topics: map[uuid.UUID]*facts{}, slugs: map[string]*facts{}, areas: map[string]map[uuid.UUID]bool{}, edges: newGraph(),
	}
}

// shelves are those that an actor may look at.
func (ix *index) shelves(a tenant.Actor) []*shelf {
	if own := ix.own[a.Person]; own != nil {
		return []*shelf{ix.shared, own}
	}
	return []*shelf{ix.shared}
}

// text is what an actor may search.
func (ix *index) text(a tenant.Actor) lexical.Union {
	var u lexical.Union
	for _, s := range ix.shelves(a) {
		u = append(u, s.text)
	}
	return u
}

// place is the shelf of a topic; it is made where a private draft is its author's first.
func (ix *index) place(f *facts) *shelf {
	if !f.private {
		return ix.shared
	}
	if ix.own[f.author] == nil {
		ix.own[f.author] = newShelf()
	}
	return ix.own[f.author]
}

// apply brings the index up to a later place in the sequence. What it knows already is passed over, so that readers who
// asked the database at the same time may apply their answers in any order.
func (ix *index) apply(docs []*topic.Document, head int64) {
	for _, d := range docs {
		if d.Seq <= ix.known {
			continue
		}
		if s := ix.learn(d); s != nil {
			s.text.Put(lexical.DocID(d.ID), words(d))
		}
		head = max(head, d.Seq)
	}
	ix.known = max(ix.known, head)
}

// gather takes in all topics that read hands over, in an index that knows none.
func (ix *index) gather(read func(take func(*topic.Document)) error) (err error) {
	ix.shared.text.PutAll(func(yield func(lexical.DocID, lexical.Doc) bool) {
		err = read(func(d *topic.Document) {
			switch s := ix.learn(d); s {
			case nil:
			case ix.shared:
				yield(lexical.DocID(d.ID), words(d)) // PutAll takes everything
			default:
				s.text.Put(lexical.DocID(d.ID), words(d))
			}
		})
	})
	return err
}

// learn takes in everything about a topic but its text, and answers the shelf for that: nil for a topic that is archived or
// in the trash and has left the index.
func (ix *index) learn(d *topic.Document) *shelf {
	if d.Status == topic.Archived || d.Status == topic.Trash {
		ix.forget(d)
		return nil
	}
	f := &facts{
		id: d.ID, slug: d.Slug, status: d.Status, private: d.IsPrivate, author: d.AuthorID, area: areaKey(d.Area),
		tags: slices.Clone(d.Tags), stale: d.DriftState == "review" || d.DriftState == "broken", drift: d.DriftState, updated: d.UpdatedAt,
		anchors: readAnchors(d.Body.Anchors), vouched: vouched(d),
	}
	for _, sol := range d.Body.Solutions {
		f.solutions = append(f.solutions, evidence.Solution{ID: sol.ID, Env: sol.Env})
	}
	s := ix.place(f)
	if old := ix.topics[d.ID]; old != nil && ix.place(old) != s {
		ix.takeOff(old)
	}
	ix.settle(ix.topics[d.ID], f)
	ix.topics[d.ID], ix.slugs[d.Slug] = f, f
	s.files.Add(d.ID, f.anchors)
	var out, in []link
	for _, e := range d.Outgoing {
		out = append(out, link{relation.Type(e.Type), e.Slug})
	}
	for _, e := range d.Incoming {
		in = append(in, link{relation.Type(e.Type), e.Slug})
	}
	ix.edges.set(d.Slug, out, in)
	return s
}

// vouched is when somebody last approved or verified what a topic says.
func vouched(d *topic.Document) (at time.Time) {
	if d.Status == topic.Reviewed && d.ApprovedAt != nil {
		at = *d.ApprovedAt
	}
	if d.VerifiedAt != nil && d.VerifiedAt.After(at) {
		at = *d.VerifiedAt
	}
	return at
}

// takeOff removes a topic from its shelf, and an author's shelf that is empty then.
func (ix *index) takeOff(f *facts) {
	ix.place(f).remove(f.id)
	if f.private && ix.own[f.author].text.Len() == 0 {
		delete(ix.own, f.author)
	}
}

func (ix *index) forget(d *topic.Document) {
	if f := ix.slugs[d.Slug]; f != nil && f.id == d.ID {
		delete(ix.slugs, d.Slug)
	}
	if old := ix.topics[d.ID]; old != nil {
		ix.settle(old, nil)
		ix.takeOff(old)
		delete(ix.topics, d.ID)
	}
	ix.edges.drop(d.Slug)
}

// superseded lists the Knowledge that replaces a topic.
func (ix *index) superseded(slug string) []*facts {
	var all []*facts
	for _, other := range ix.edges.replacements(slug) {
		if f := ix.slugs[other]; f != nil && f.status == topic.Reviewed {
			all = append(all, f)
		}
	}
	return all
}

// latest lists the Knowledge at the end of the chain that replaces a topic: what nothing replaces in turn.
func (ix *index) latest(slug string) []*facts {
	var ends []*facts
	seen := map[string]bool{slug: true}
	for left := ix.superseded(slug); len(left) > 0; left = left[1:] {
		f := left[0]
		if seen[f.slug] {
			continue
		}
		seen[f.slug] = true
		if next := ix.superseded(f.slug); len(next) > 0 {
			left = append(left, next...)
		} else {
			ends = append(ends, f)
		}
	}
	return ends
}

// size estimates the memory in bytes. It walks the text index, so it is asked now and then.
func (ix *index) size() int64 {
	const (
		perShelf  = 8 << 10 // empty tables
		perTopic  = 600     // facts, map slots, edges, its place in an area; measured
		perAnchor = 280     // the anchor, its patterns, its place in the trie; measured
		perAnswer = 200     // the id and the environment of a solution
	)
	n := perShelf + ix.shared.text.Bytes()
	for _, s := range ix.own {
		n += perShelf + s.text.Bytes()
	}
	for _, f := range ix.topics {
		n += perTopic + perAnchor*int64(len(f.anchors)) + perAnswer*int64(len(f.solutions))
	}
	return n
}

// words is what the text index reads of a topic. Steps and checks of solutions count as list entries.
func words(d *topic.Document) lexical.Doc {
	b := d.Body
	doc := lexical.Doc{
		Title: d.Title, What: d.What, How: b.How, Content: b.Text, Anchors: b.Anchors, Tags: d.Tags,
		Lists: slices.Concat(b.Decisions, b.Gotchas, b.Invariants, b.RequiredChecks),
	}
	for _, s := range slices.Concat(b.Solutions, b.Alternatives) {
		doc.Lists = append(append(doc.Lists, s.Fix...), s.Verify)
	}
	for _, text := range b.Anchors {
		if a, err := anchor.Parse(text); err == nil && a.Symbol != "" {
			doc.Code = append(doc.Code, a.Symbol)
		}
	}
	return doc
}

// readAnchors reads the anchors of a topic. They were checked when they were written; one that a later version of the
// dialect refuses is left out alone.
func readAnchors(texts []string) anchor.Set {
	var all []anchor.Anchor
	for _, text := range texts {
		if a, err := anchor.Parse(text); err == nil && len(all) < anchor.MaxAnchors {
			all = append(all, a)
		}
	}
	set, err := anchor.NewSet(all)
	if err != nil {
		return nil // more than MaxAnchors, which the line above rules out
	}
	return set
}

// areaKey is what makes two names of an area the same.
func areaKey(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }
