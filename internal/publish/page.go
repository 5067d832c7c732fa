package publish

import (
	"context"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// Page is a piece of Knowledge as the web sees it.
type Page struct {
	Title string
	What  string
	// Markdown is the whole text: foreign data, to be rendered without anything that acts.
	Markdown   string
	Revision   int
	ApprovedAt time.Time
}

// Open reads the page with this token. One that is unknown, revoked or over, and one whose topic is no longer Knowledge, are
// the same: not found.
func (s *Service) Open(ctx context.Context, token string) (Page, error) {
	var page Page
	if !opaque.Is(token) {
		return page, noPage()
	}
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		row, exists, err := shareByToken(tx, token)
		if err != nil {
			return err
		}
		if !exists || row.RevokedAt != nil || row.ExpiresAt != nil && !row.ExpiresAt.After(tx.Now()) {
			return noPage()
		}
		if err := tx.Enter(row.WorkspaceID, uuid.Nil, tenant.ViaSystem); err != nil {
			return err
		}
		d, err := topic.Approved(tx, row.TopicID)
		if fault.Is(err, fault.CodeNotFound) {
			return noPage()
		}
		if err != nil {
			return err
		}
		page = s.page(d)
		return nil
	})
	return page, err
}

func noPage() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "there is no page here, or no longer", "ask whoever gave you the address")
}

// page leaves out what is nobody's business outside: people, sources, anchors, relations, and the names of other topics.
func (s *Service) page(d *topic.Document) Page {
	v := d.Public()
	v.Title, v.What = s.scrub.text(v.Title, nothing), s.scrub.text(v.What, nothing)
	p := Page{Title: v.Title, What: v.What, Markdown: s.scrub.text(topic.Markdown(v), nothing), Revision: v.Revision}
	if d.ApprovedAt != nil {
		p.ApprovedAt = d.ApprovedAt.UTC()
	}
	return p
}
