package retrieve

import (
	"context"
	"time"

	"github.com/google/uuid"

	"driftless/internal/label"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// Wanted is a question in words, and which topics may answer it.
type Wanted struct {
	Text string
	// Areas and Tags leave topics of any of them; empty ones leave all.
	Areas, Tags []string
	// Among are the states of the topics that may answer.
	Among []topic.Status
	Limit int
}

// Relevant lists the topics that answer a question, best first, as the actor may read them, at most Limit. Nothing answers a
// question that shares but common words with every topic.
func (s *Service) Relevant(ctx context.Context, a tenant.Actor, w Wanted) ([]*topic.Document, error) {
	tags, err := label.Tags(w.Tags)
	if err != nil {
		return nil, err
	}
	q := question{
		actor: a, text: lexical.FreeText(w.Text), floor: lexical.DefaultFloor(), depth: retrieveDepth, keep: filter{tags: tags, among: w.Among},
		now: time.Now(),
	}
	for _, area := range w.Areas {
		q.keep.areas = append(q.keep.areas, areaKey(area))
	}
	var found []uuid.UUID
	err = s.with(ctx, a.Workspace, func(ix *index) {
		rows := ix.rank(q).rows
		found = ids(rows[:min(len(rows), w.Limit)])
	})
	if err != nil {
		return nil, err
	}
	docs, err := s.read(ctx, a, found)
	if err != nil {
		return nil, err
	}
	var out []*topic.Document
	for _, id := range found {
		if d := docs[id]; d != nil {
			out = append(out, d)
		}
	}
	return out, nil
}
