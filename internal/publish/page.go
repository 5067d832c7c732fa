package publish

import (
	"context"
	"regexp"
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
	v.Title, v.What = s.scrub(v.Title), s.scrub(v.What)
	p := Page{Title: v.Title, What: v.What, Markdown: s.scrub(topic.Markdown(v)), Revision: v.Revision}
	if d.ApprovedAt != nil {
		p.ApprovedAt = d.ApprovedAt.UTC()
	}
	return p
}

var (
	mention  = regexp.MustCompile(`\[\[[^\[\]\n]*\]\]`)
	resource = regexp.MustCompile(`(?i)driftless://[^\s)>\]"']*`)
	// console is the address of a topic in the console, as the end of a whole address or without a host.
	console = regexp.MustCompile(`/w/[a-z0-9-]+/t/[^\s)>\]"']*`)
)

// notPublic stands where a text names another topic, whose very name may say something.
const notPublic = "*(a topic that is not public)*"

// scrub takes the names of other topics and the addresses of this server's console out of a text, in code too.
func (s *Service) scrub(text string) string {
	text = mention.ReplaceAllLiteralString(text, notPublic)
	text = resource.ReplaceAllLiteralString(text, "")
	own := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(s.cfg.PublicURL) + `(/[^\s)>\]"']*)?`)
	text = own.ReplaceAllLiteralString(text, "")
	return console.ReplaceAllLiteralString(text, "")
}
