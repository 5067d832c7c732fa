package topic

import (
	"context"
	"time"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type proposalsIn struct {
	Kind   string `json:"kind,omitempty" jsonschema:"notes, edits or all"`
	Limit  int    `json:"limit,omitempty" jsonschema:"rows"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

// Proposal is one thing that waits for a reviewer: a note, or a suggested edit to Knowledge.
type Proposal struct {
	Kind        string     `json:"kind"`
	Proposal    string     `json:"proposal,omitempty"`
	Slug        string     `json:"slug"`
	Title       string     `json:"title"`
	What        string     `json:"what"`
	Area        string     `json:"area,omitempty"`
	Tags        []string   `json:"tags"`
	Revision    int        `json:"revision"`
	ContentHash string     `json:"content_hash"`
	Author      *PersonRef `json:"author,omitempty"`
	Via         string     `json:"via,omitempty"`
	Client      string     `json:"client,omitempty"`
	ProposedAt  time.Time  `json:"proposed_at"`
	Message     string     `json:"message,omitempty"`
	Summary     string     `json:"summary,omitempty"`
	Review      *Review    `json:"review,omitempty"`
	Warnings    []Warning  `json:"content_warnings,omitempty"`
	Base        int        `json:"base_revision,omitempty"`
	Changes     []Change   `json:"changes"`
	Conflicts   []Conflict `json:"conflicts,omitempty"`
	// Absorbs are the duplicates that are archived once the edit is merged.
	Absorbs []string `json:"absorbs,omitempty"`
	// Merged is what the Knowledge will say; ContentHash is then the hash of it, and stands for both sides of a conflict otherwise.
	Merged *Content `json:"merged,omitempty"`

	at queued
}

// queued is a place in the queue: what waits for its author comes last, the rest oldest first.
type queued struct {
	Rank int       `json:"r"`
	At   time.Time `json:"a"`
	ID   string    `json:"i"`
}

func (s *Service) proposalsOp() op.Operation {
	return op.Read(op.Spec{
		Tool: "driftless_context_proposals", ID: "proposals.list", Title: "Review queue",
		Doc:   `What waits for a reviewer, oldest first; what waits for its author comes last. Example: {"kind":"notes"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /proposals", CLI: "context pr list",
		Rules: op.Rules{"kind": op.OneOf("all", "notes", "edits", "all"), "limit": op.Range(1, 100, 20)},
	}, s.proposals)
}

func (s *Service) proposals(_ context.Context, tx *pg.Tx, in proposalsIn) (op.Page[Proposal], error) {
	var after *queued
	var at queued
	if paging, err := op.ParseCursor(in.Cursor, &at); err != nil {
		return op.Page[Proposal]{}, err
	} else if paging {
		after = &at
	}
	refs, err := queue(tx, in.Kind, after, in.Limit+1)
	if err != nil {
		return op.Page[Proposal]{}, err
	}
	more := len(refs) > in.Limit
	if more {
		refs = refs[:in.Limit]
	}
	rows := make([]Proposal, 0, len(refs))
	for _, ref := range refs {
		p, err := s.proposal(tx, ref)
		if err != nil {
			return op.Page[Proposal]{}, err
		}
		rows = append(rows, p)
	}
	page := op.NewPage(rows, more, nextAfterProposals(rows, tx.Actor()), func(last Proposal, _ int) (string, *op.Next) {
		cursor := op.Cursor(last.at)
		return cursor, &op.Next{
			Tool: "driftless_context_proposals", Arguments: map[string]any{"kind": in.Kind, "cursor": cursor, "limit": in.Limit},
			Why: "more waits for review",
		}
	})
	page.ContentTrust = UntrustedData
	return page, nil
}

func nextAfterProposals(rows []Proposal, a tenant.Actor) *op.Next {
	if len(rows) == 0 {
		return &op.Next{
			Tool: "driftless_context_list", Arguments: map[string]any{"status": string(Draft)},
			Why: "nothing waits; see which drafts could be proposed",
		}
	}
	topic := map[string]any{"topic": rows[0].Slug}
	if rows[0].Kind == "note" && a.Role.AtLeast(tenant.Admin) && !a.Service {
		return &op.Next{Tool: "driftless_context_approve", Arguments: topic, Why: "ask a person to decide about the first one"}
	}
	return &op.Next{Tool: "driftless_context_get", Arguments: topic, Why: "read the first one in full"}
}

// proposal completes one row of the queue.
func (s *Service) proposal(tx *pg.Tx, ref queueRef) (Proposal, error) {
	d, err := s.document(tx, ref.Slug)
	if err != nil {
		return Proposal{}, err
	}
	p := Proposal{
		Kind: ref.Kind, Slug: d.Slug, Title: d.Title, What: d.What, Area: d.Area, Tags: d.Tags, Revision: d.Revision,
		ContentHash: d.ContentHash, Warnings: d.Body.Warnings, ProposedAt: ref.At.UTC(), Changes: []Change{},
		at: queued{Rank: ref.Rank, At: ref.At, ID: ref.ID.String()},
	}
	if p.Tags == nil {
		p.Tags = []string{}
	}
	if ref.Kind == "edit" {
		return p, s.describeEdit(tx, &p, d, ref)
	}
	p.Author, p.Message = d.person(&d.AuthorID), d.ProposalMessage
	p.Review = &Review{State: d.ReviewState, Reason: d.ReviewReason, By: d.person(d.ReviewBy), At: d.ReviewAt}
	r, ok, err := revisionOf(tx, d.ID, d.Revision)
	if err != nil {
		return p, err
	}
	if ok {
		p.Via, p.Client = r.Via, r.Client
	}
	before, ok, err := lastReviewed(tx, d.ID)
	if err != nil {
		return p, err
	}
	if ok {
		p.Changes = Diff(before, d.Content())
	}
	return p, nil
}

func (s *Service) describeEdit(tx *pg.Tx, p *Proposal, d *Document, ref queueRef) error {
	e, ok, err := editByID(tx, ref.ID)
	if err != nil || !ok {
		return err
	}
	author, err := personRef(tx, e.AuthorID)
	if err != nil {
		return err
	}
	base, _, err := revisionOf(tx, d.ID, e.BaseRevision)
	if err != nil {
		return err
	}
	merged, conflicts, err := rebase(base.Snapshot, e.Snapshot, d.Content(), nil)
	if err != nil {
		return err
	}
	p.Proposal, p.Author, p.Via, p.Client, p.Summary = e.ID.String(), author, e.Via, e.Client, e.Summary
	p.Base, p.Changes, p.Conflicts, p.Warnings = e.BaseRevision, e.Changes, conflicts, e.Snapshot.warnings()
	if p.Absorbs, err = duplicateSlugs(tx, e.Absorbs); err != nil {
		return err
	}
	p.ContentHash = bothSides(d.ContentHash, e)
	if len(conflicts) == 0 {
		p.ContentHash, p.Merged = merged.Hash(), &merged
	}
	return nil
}
