package topic

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Approved reads a topic of the workspace that the transaction is in, if it is Knowledge. Anything else is not found.
func Approved(tx *pg.Tx, id uuid.UUID) (*Document, error) {
	var d *Document
	err := tx.JSON(func(raw []byte) error {
		d = new(Document)
		return jsonInto(d)(raw)
	}, documentSQL+`t.workspace_id = ? and t.id = ? and t.status = 'reviewed'`, tx.Actor().Workspace, id)
	if err != nil {
		return nil, fmt.Errorf("read Knowledge: %w", err)
	}
	if d == nil {
		return nil, fault.Missing("topic", id.String())
	}
	return d, nil
}

// Public is what somebody outside of the workspace may read of Knowledge: its text and trust. People, sources, anchors,
// relations, the area and the tags stay inside.
func (d *Document) Public() View {
	full := d.View(Full, tenant.Actor{})
	if first, rest, _ := strings.Cut(*full.Content, "\n"); strings.TrimSpace(first) == "# "+full.Title {
		// A file that was imported says its title itself.
		rest = strings.TrimLeft(rest, "\n")
		full.Content = &rest
	}
	return View{
		Slug: full.Slug, Title: full.Title, What: full.What, How: full.How, Trust: full.Trust, Status: full.Status, Stale: full.Stale,
		DriftState: full.DriftState, Decisions: full.Decisions, Gotchas: full.Gotchas, Invariants: full.Invariants,
		RequiredChecks: full.RequiredChecks, Content: full.Content, Revision: full.Revision, UpdatedAt: full.UpdatedAt, Trusted: full.Trusted,
	}
}
