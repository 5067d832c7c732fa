package retrieve

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/retrieve/lexical"
	"driftless/internal/topic"
)

// Open is what the owner of a workspace opened to everybody. It has an index of its own, in which nothing else ever stood: no count,
// no score, no order and no correction of a typing error depends on what is not open.
type Open struct {
	Workspace uuid.UUID
	// Version is another one whenever anything that is open is another.
	Version string
	// Load gives the open topics, with nothing in them that the public may not read: what is given is what is searched.
	Load func(scan func(*topic.Document) error) error
}

// Found is what answers a search of what is open, best first.
type Found struct {
	Hits []Hit
	// More is that there are others below the limit.
	More bool
	// Nearest are the topics that come closest where nothing answers.
	Nearest []uuid.UUID
}

// Hit is one topic that answers, with the reasons that [Row] has.
type Hit struct {
	ID         uuid.UUID
	WhyMatched []string
	Confidence float64
}

// SearchOpen ranks what is open as a search of the workspace ranks the workspace. What it finds has to be read again: a topic may
// have been closed meanwhile.
func (s *Service) SearchOpen(ctx context.Context, o Open, query string, limit int) (Found, error) {
	q := question{text: lexical.Parse(query), depth: searchDepth}
	var out Found
	err := s.withOpen(ctx, o, func(ix *index) {
		rows := ix.rank(q).rows
		out.More = len(rows) > limit
		for _, c := range rows[:min(len(rows), limit)] {
			why, _ := c.why()
			out.Hits = append(out.Hits, Hit{ID: c.id, WhyMatched: why, Confidence: round(min(1, max(0, c.certain)), 2)})
		}
		if len(rows) == 0 {
			for _, f := range ix.nearest(q) {
				out.Nearest = append(out.Nearest, f.id)
			}
		}
	})
	return out, err
}

// withOpen runs fn on the index of what is open in the version of o, or in a later one that somebody else built meanwhile.
func (s *Service) withOpen(ctx context.Context, o Open, fn func(*index)) error {
	sp := s.enter(place{o.Workspace, open})
	defer s.leave(sp)
	if sp.opened() != o.Version {
		if err := hold(ctx, sp.building); err != nil {
			return err
		}
		err := sp.reopen(o)
		<-sp.building
		if err != nil {
			return fmt.Errorf("build the index of what is open: %w", err)
		}
	}
	sp.mu.RLock()
	defer sp.mu.RUnlock()
	fn(sp.index)
	return nil
}

func (sp *space) opened() string {
	sp.mu.RLock()
	defer sp.mu.RUnlock()
	return sp.version
}

// reopen builds the index anew, unless somebody did while this one waited. What is open changes when a person decides it, so it is
// read as a whole: an index that forgets could not forget how common a word was.
func (sp *space) reopen(o Open) error {
	if sp.opened() == o.Version {
		return nil
	}
	ix := newIndex()
	var err error
	ix.shared.text.PutAll(func(yield func(lexical.DocID, lexical.Doc) bool) {
		err = o.Load(func(d *topic.Document) error {
			if ix.learn(d) == ix.shared {
				yield(lexical.DocID(d.ID), words(d)) // PutAll takes everything
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	size := ix.size()
	sp.mu.Lock()
	defer sp.mu.Unlock()
	sp.index, sp.version, sp.size = ix, o.Version, size
	return nil
}
