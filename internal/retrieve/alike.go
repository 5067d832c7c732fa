package retrieve

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// From which likeness on a topic is named is measured: see docs/decisions/0081-near-duplicates-are-named-after-the-write.md.
const (
	similarMax = 3
	likeMin    = 0.65
	// likeWords is how many words two topics share at least: a note of a few words is like everything that has them.
	likeWords = 5
	// likeTitle is the likeness of two topics with one title, whatever else they say.
	likeTitle = 0.9
	// likeTries is how many topics are read to compare their titles.
	likeTries = 8
)

// likeness is how much of what one topic says another says already.
type likeness struct {
	id    uuid.UUID
	share float64
}

// alike lists the topics that may say the same as one does, or would, with the closest first. The measure is the score of a topic
// for the words of the text, as a share of what a document of that text would get: a handbook that has every word somewhere scores
// low, for its length. What the topic is related to already is left out.
func (ix *index) alike(a tenant.Actor, self uuid.UUID, said topic.Content) []likeness {
	own, text := ix.topics[self], wordsOf(said)
	ideal, q := lexical.New(lexical.DefaultWeights()), lexical.FreeText(said.Title+"\n"+text)
	ideal.Put(lexical.DocID{}, lexical.Doc{Title: said.Title, Content: text})
	shelves := append(ix.text(a), ideal)
	itself := shelves.Search(q, lexical.Options{Limit: 1, Only: []lexical.DocID{{}}})
	if own == nil || len(itself) == 0 {
		return nil
	}
	hits := shelves.Search(q, lexical.Options{Limit: likeTries, Filter: func(id lexical.DocID) bool {
		f := ix.topics[uuid.UUID(id)]
		return f != nil && f != own && f.visible(a) && !ix.edges.linked(own.slug, f.slug)
	}})
	var out []likeness
	for _, h := range hits {
		share := min(1, h.Score/itself[0].Score)
		if len(h.Terms) < likeWords {
			share = 0
		}
		if share >= likeMin || h.TitleMatch {
			out = append(out, likeness{uuid.UUID(h.ID), share})
		}
	}
	return out
}

// alike lists up to three topics that look as if they said what a topic says, as the actor may read them. Said is the content of
// the topic, or what a suggested edit would make of it.
func (s *Service) alike(ctx context.Context, a tenant.Actor, self uuid.UUID, said topic.Content) ([]topic.Similar, error) {
	out := []topic.Similar{}
	var near []likeness
	err := s.with(ctx, a.Workspace, func(ix *index) { near = ix.alike(a, self, said) })
	if err != nil || len(near) == 0 {
		return out, err
	}
	keys := make([]uuid.UUID, 0, len(near))
	for _, l := range near {
		keys = append(keys, l.id)
	}
	docs, err := s.read(ctx, a, keys)
	if err != nil {
		return out, err
	}
	for _, l := range near {
		d := docs[l.id]
		if d == nil {
			continue
		}
		if sameTitle(d.Title, said.Title) {
			l.share = max(l.share, likeTitle)
		}
		if l.share >= likeMin {
			v := d.View(topic.Summary, a)
			out = append(out, topic.Similar{Slug: v.Slug, Title: v.Title, Trust: v.Trust, Likeness: math.Round(100*l.share) / 100})
		}
	}
	slices.SortStableFunc(out, func(x, y topic.Similar) int { return cmp.Compare(y.Likeness, x.Likeness) })
	return out[:min(len(out), similarMax)], nil
}

// wordsOf is what a content says below its title, without what it is filed under.
func wordsOf(c topic.Content) string {
	return strings.Join(slices.Concat([]string{c.What, c.How, c.Text}, c.Decisions, c.Gotchas, c.Invariants, c.RequiredChecks), "\n")
}

func sameTitle(one, other string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(one), " "), strings.Join(strings.Fields(other), " "))
}

// Compare lets the answers to writes of topics name what looks the same. The write is done by then: where nothing can be
// compared, the answer goes without.
func (s *Service) Compare(operations []op.Operation) []op.Operation {
	for i, o := range operations {
		if !o.Effect.Has(op.Writes) {
			continue
		}
		operations[i] = o.After(func(ctx context.Context, a tenant.Actor, answer any) {
			w, ok := answer.(*topic.Written)
			if !ok || w.Says == nil || w.ID == nil {
				return
			}
			if similar, err := s.alike(ctx, a, *w.ID, *w.Says); err == nil {
				w.Similar = similar
			}
		})
	}
	return operations
}
