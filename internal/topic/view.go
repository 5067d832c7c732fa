package topic

import (
	"time"

	"github.com/google/uuid"

	"driftless/internal/drift"
	"driftless/internal/evidence"
	"driftless/internal/op"
	"driftless/internal/relation"
	"driftless/internal/tenant"
)

// The three views of a topic.
const (
	Summary = "summary"
	Brief   = "brief"
	Full    = "full"
)

// ViewRule bounds an input field that names a view.
func ViewRule(standard string) op.Rule { return op.OneOf(standard, Summary, Brief, Full) }

// UntrustedData marks every answer that carries text of topics: it is data, whatever it says.
const UntrustedData = "untrusted-data"

// View is a topic as a reader sees it. Which fields are there depends on the view: a summary is a row of a list, brief adds
// what one needs while working, full is everything.
type View struct {
	Slug         string     `json:"slug"`
	Title        string     `json:"title"`
	What         string     `json:"what"`
	Trust        string     `json:"trust"`
	Status       string     `json:"status"`
	IsPrivate    bool       `json:"is_private"`
	Area         string     `json:"area,omitempty"`
	Tags         []string   `json:"tags"`
	Revision     int        `json:"revision"`
	Stale        bool       `json:"stale"`
	DriftState   string     `json:"drift_state"`
	SupersededBy []string   `json:"superseded_by,omitempty"`
	MergedInto   string     `json:"merged_into,omitempty"`
	UpdatedAt    time.Time  `json:"updated_at"`
	UpdatedBy    *PersonRef `json:"updated_by,omitempty"`

	How            string          `json:"how,omitempty"`
	Decisions      []string        `json:"decisions,omitempty"`
	Gotchas        []string        `json:"gotchas,omitempty"`
	Invariants     []string        `json:"invariants,omitempty"`
	RequiredChecks []string        `json:"required_checks,omitempty"`
	Anchors        []string        `json:"anchors,omitempty"`
	Drift          []drift.Finding `json:"drift,omitempty"`

	ID           *uuid.UUID          `json:"id,omitempty"`
	Content      *string             `json:"content,omitempty"`
	ContentNext  int                 `json:"content_next,omitempty"`
	Owners       []string            `json:"owners,omitempty"`
	Relations    *Edges              `json:"relations,omitempty"`
	References   []string            `json:"references,omitempty"`
	ReferencedBy []string            `json:"referenced_by,omitempty"`
	Solutions    []evidence.Solution `json:"solutions,omitempty"`
	Alternatives []evidence.Solution `json:"alternatives,omitempty"`
	Sources      []string            `json:"sources,omitempty"`
	ReviewBy     string              `json:"review_by,omitempty"`
	ContentHash  string              `json:"content_hash,omitempty"`
	Governance   *Governance         `json:"governance,omitempty"`
	Review       *Review             `json:"review,omitempty"`
	Warnings     []Warning           `json:"content_warnings,omitempty"`
	CreatedAt    *time.Time          `json:"created_at,omitempty"`
	CreatedBy    *PersonRef          `json:"created_by,omitempty"`
	Allowed      []Verb              `json:"allowed_actions,omitempty"`
	Trusted      string              `json:"content_trust,omitempty"`
	NextAction   *op.Next            `json:"next_action,omitempty"`
}

// ETag carries the revision over HTTP.
func (v View) ETag() int { return v.Revision }

// PersonRef names a person to a reader of the same workspace.
type PersonRef struct {
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
}

// Edge is a relation as its reader sees it: the type as named from this end, and the topic at the other.
type Edge struct {
	Type  string `json:"type"`
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Trust string `json:"trust"`
}

// Edges are the relations of a topic.
type Edges struct {
	Outgoing []Edge `json:"outgoing"`
	Incoming []Edge `json:"incoming"`
}

// Governance says whether a topic is authoritative and who made it so.
type Governance struct {
	Authoritative    bool       `json:"authoritative"`
	ApprovedBy       *PersonRef `json:"approved_by,omitempty"`
	ApprovedAt       *time.Time `json:"approved_at,omitempty"`
	ApprovedVia      string     `json:"approved_via,omitempty"`
	ApprovedRevision int        `json:"approved_revision,omitempty"`
}

// Review is what a reviewer last said about a Note.
type Review struct {
	State  string     `json:"state"`
	Reason string     `json:"reason,omitempty"`
	By     *PersonRef `json:"by,omitempty"`
	At     *time.Time `json:"at,omitempty"`
}

// documentSQL reads topics as JSON documents, complete with everything a view may show, in one query that serves a batch and
// a transaction alike. It is completed by a condition and an order. What most topics do not have is asked in functions of the
// database, because a sub-select would be set up whether it runs or not.
const documentSQL = `select json_build_object(
	'id', t.id, 'slug', t.slug, 'title', t.title, 'what', t.what, 'body', t.body, 'status', t.status, 'returns_to', t.returns_to,
	'is_private', t.is_private, 'revision', t.revision, 'content_hash', t.content_hash, 'seq', t.seq, 'drift_state', t.drift_state,
	'author_id', t.author_id, 'editor_id', t.editor_id, 'review_by', t.review_by, 'approved_by', t.approved_by, 'created_at', t.created_at, 'updated_at', t.updated_at,
	'proposed_at', t.proposed_at, 'proposal_message', t.proposal_message,
	'review_state', t.review_state, 'review_reason', t.review_reason, 'review_at', t.review_at,
	'approved_at', t.approved_at, 'verified_at', t.verified_at, 'approved_via', t.approved_via, 'approved_revision', t.approved_revision,
	'area', (select a.name from area a where a.workspace_id = t.workspace_id and a.id = t.area_id),
	'tags', (select json_agg(g.name order by g.name) from topic_tag x join tag g on g.workspace_id = x.workspace_id and g.id = x.tag_id
		where x.workspace_id = t.workspace_id and x.topic_id = t.id),
	'people', (select json_object_agg(p.id, json_build_object('name', p.name, 'email', p.email)) from person p
		where p.id in (t.author_id, t.editor_id, t.review_by, t.approved_by)),
	'outgoing', case when t.edges & 1 <> 0 then topic_outgoing(t.workspace_id, t.id) end,
	'incoming', case when t.edges & 2 <> 0 then topic_incoming(t.workspace_id, t.id) end,
	'mentions', case when t.edges & 4 <> 0 then topic_mentions(t.workspace_id, t.id) end,
	'mentioned_by', case when t.edges & 8 <> 0 then topic_mentioned_by(t.workspace_id, t.id, t.slug) end,
	'drift', ` + drift.FindingsSQL + `,
	'solution_revisions', case when jsonb_exists(t.body, 'solutions') then topic_solution_revisions(t.workspace_id, t.id) end,
	'merged_into', case when t.merged_into is not null then topic_slug(t.workspace_id, t.merged_into) end
) from topic t where `

// Document is a topic as documentSQL reads it.
type Document struct {
	ID               uuid.UUID               `json:"id"`
	Slug             string                  `json:"slug"`
	Title            string                  `json:"title"`
	What             string                  `json:"what"`
	Body             body                    `json:"body"`
	Status           Status                  `json:"status"`
	ReturnsTo        *Status                 `json:"returns_to"`
	IsPrivate        bool                    `json:"is_private"`
	Revision         int                     `json:"revision"`
	ContentHash      string                  `json:"content_hash"`
	Seq              int64                   `json:"seq"`
	DriftState       string                  `json:"drift_state"`
	AuthorID         uuid.UUID               `json:"author_id"`
	CreatedAt        time.Time               `json:"created_at"`
	UpdatedAt        time.Time               `json:"updated_at"`
	ProposedAt       *time.Time              `json:"proposed_at"`
	ProposalMessage  string                  `json:"proposal_message"`
	ReviewState      string                  `json:"review_state"`
	ReviewReason     string                  `json:"review_reason"`
	ReviewAt         *time.Time              `json:"review_at"`
	ApprovedAt       *time.Time              `json:"approved_at"`
	VerifiedAt       *time.Time              `json:"verified_at"`
	ApprovedVia      *string                 `json:"approved_via"`
	ApprovedRevision *int                    `json:"approved_revision"`
	Area             string                  `json:"area"`
	Tags             []string                `json:"tags"`
	EditorID         uuid.UUID               `json:"editor_id"`
	ReviewBy         *uuid.UUID              `json:"review_by"`
	ApprovedBy       *uuid.UUID              `json:"approved_by"`
	People           map[uuid.UUID]PersonRef `json:"people"`
	Outgoing         []edgeRow               `json:"outgoing"`
	Incoming         []edgeRow               `json:"incoming"`
	Mentions         []string                `json:"mentions"`
	MentionedBy      []string                `json:"mentioned_by"`
	MergedInto       string                  `json:"merged_into"`
	Drift            []drift.Finding         `json:"drift"`
	// Revisions are those of the solutions, by id.
	Revisions map[string]int `json:"solution_revisions"`

	// past marks a document that was read as of an earlier moment: nothing can be done to it.
	past bool
}

// person names somebody who had a part in the topic, or answers nil.
func (d *Document) person(id *uuid.UUID) *PersonRef {
	if id == nil {
		return nil
	}
	if p, ok := d.People[*id]; ok {
		return &p
	}
	return nil
}

type edgeRow struct {
	Type      string  `json:"type"`
	Slug      string  `json:"slug"`
	Title     string  `json:"title"`
	Status    Status  `json:"status"`
	ReturnsTo *Status `json:"returns_to"`
}

// Content is what the document says, in the form that revisions keep.
func (d *Document) Content() Content {
	c := Content{Title: d.Title, What: d.What, Area: d.Area, Tags: d.Tags}
	d.Body.into(&c)
	for _, e := range d.Outgoing {
		c.Relations = append(c.Relations, relation.Edge{To: e.Slug, Type: e.Type})
	}
	c.Relations = distinctEdges(c.Relations)
	return c
}

// supersededBy lists the Knowledge that replaces this topic.
func (d *Document) supersededBy() []string {
	var out []string
	for _, e := range d.Incoming {
		if e.Type == string(relation.Supersedes) && e.Status == Reviewed {
			out = append(out, e.Slug)
		}
	}
	return out
}

// View renders the document for an actor.
func (d *Document) View(kind string, a tenant.Actor) View {
	v := View{
		Slug: d.Slug, Title: d.Title, What: d.What, Trust: trust(d.Status, d.ReturnsTo), Status: string(d.Status),
		IsPrivate: d.IsPrivate, Area: d.Area, Tags: d.Tags, Revision: d.Revision,
		Stale: d.DriftState == "review" || d.DriftState == "broken", DriftState: d.DriftState,
		SupersededBy: d.supersededBy(), MergedInto: d.MergedInto, UpdatedAt: d.UpdatedAt.UTC(), UpdatedBy: d.person(&d.EditorID),
	}
	if v.Tags == nil {
		v.Tags = []string{}
	}
	if kind == Summary {
		return v
	}
	b := d.Body
	v.How, v.Decisions, v.Gotchas, v.Invariants, v.RequiredChecks, v.Anchors = b.How, b.Decisions, b.Gotchas, b.Invariants, b.RequiredChecks, b.Anchors
	v.Drift = d.Drift
	if kind == Brief {
		v.UpdatedBy = nil
		return v
	}
	created := d.CreatedAt.UTC()
	v.ID, v.Content, v.Owners, v.Solutions, v.Alternatives, v.Sources = &d.ID, &b.Text, b.Owners, d.solutions(), b.Alternatives, b.Sources
	v.ReviewBy, v.ContentHash, v.Warnings = b.ReviewBy, d.ContentHash, b.Warnings
	v.CreatedAt, v.CreatedBy = &created, d.person(&d.AuthorID)
	if !d.past { // what stands at the other ends is not known of then
		v.Relations = &Edges{Outgoing: edges(d.Outgoing, false), Incoming: edges(d.Incoming, true)}
	}
	v.References, v.ReferencedBy = d.Mentions, d.MentionedBy
	v.Governance = &Governance{Authoritative: d.Status == Reviewed}
	if d.Status == Reviewed && d.ApprovedRevision != nil {
		v.Governance.ApprovedBy, v.Governance.ApprovedAt = d.person(d.ApprovedBy), d.ApprovedAt
		v.Governance.ApprovedVia, v.Governance.ApprovedRevision = *d.ApprovedVia, *d.ApprovedRevision
	}
	if d.ReviewState != "none" {
		v.Review = &Review{State: d.ReviewState, Reason: d.ReviewReason, By: d.person(d.ReviewBy), At: d.ReviewAt}
	}
	if !d.past {
		v.Allowed = d.topic().allowed(a)
	}
	v.Trusted = UntrustedData
	return v
}

// topic is the part of a document that decisions look at.
func (d *Document) topic() *Topic {
	return &Topic{
		Slug: d.Slug, Status: d.Status, ReturnsTo: d.ReturnsTo, IsPrivate: d.IsPrivate, AuthorID: d.AuthorID,
		Revision: d.Revision, ApprovedRevision: d.ApprovedRevision,
	}
}

func edges(rows []edgeRow, incoming bool) []Edge {
	out := make([]Edge, 0, len(rows))
	for _, r := range rows {
		if r.Status == Trash {
			// It is a part of the content still, and leads somewhere again once its target is recovered.
			continue
		}
		e := Edge{Type: r.Type, Slug: r.Slug, Title: r.Title, Trust: trust(r.Status, r.ReturnsTo)}
		if incoming {
			e.Type = relation.Type(r.Type).Inverse()
		}
		out = append(out, e)
	}
	return out
}
