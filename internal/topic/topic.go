package topic

import (
	"time"

	"github.com/google/uuid"

	"driftless/internal/config"
	"driftless/internal/evidence"
	"driftless/internal/pg"
)

// Service is the topics of one server.
type Service struct {
	db  *pg.DB
	cfg config.Config
}

// New makes the service. The operations of a nil service can be listed, not called.
func New(db *pg.DB, cfg config.Config) *Service { return &Service{db: db, cfg: cfg} }

// Topic is a topic loaded for a decision, with the row it was loaded from.
type Topic struct {
	WorkspaceID      uuid.UUID
	ID               uuid.UUID
	Slug             string
	Content          Content `gorm:"-"`
	Title            string
	What             string
	Body             body `gorm:"serializer:json"`
	Status           Status
	ReturnsTo        *Status
	IsPrivate        bool
	AreaID           *uuid.UUID
	Revision         int
	ContentHash      string
	Seq              int64
	AuthorID         uuid.UUID
	EditorID         uuid.UUID
	CreatedAt        time.Time
	UpdatedAt        time.Time
	ProposedAt       *time.Time
	ProposalMessage  string
	ReviewState      string
	ReviewReason     string
	ReviewBy         *uuid.UUID
	ReviewAt         *time.Time
	ApprovedBy       *uuid.UUID
	ApprovedAt       *time.Time
	ApprovedVia      *string
	ApprovedRevision *int
	ApprovedHash     *string
	TrashedAt        *time.Time
	MergedInto       *uuid.UUID
	ExpiryWarnedAt   *time.Time
	// RevisionID is the id of the revision that this transaction wrote.
	RevisionID uuid.UUID `gorm:"-"`
	// submitted says that this write puts the topic before its reviewers.
	submitted bool
}

// TableName is the table of the row.
func (Topic) TableName() string { return "topic" }

// body is what the column of that name holds: the content that nothing filters by, and what screening said about it.
type body struct {
	How            string              `json:"how,omitempty"`
	Text           string              `json:"content,omitempty"`
	Decisions      []string            `json:"decisions,omitempty"`
	Gotchas        []string            `json:"gotchas,omitempty"`
	Invariants     []string            `json:"invariants,omitempty"`
	RequiredChecks []string            `json:"required_checks,omitempty"`
	Anchors        []string            `json:"anchors,omitempty"`
	Solutions      []evidence.Solution `json:"solutions,omitempty"`
	Alternatives   []evidence.Solution `json:"alternatives,omitempty"`
	Sources        []string            `json:"sources,omitempty"`
	Owners         []string            `json:"owners,omitempty"`
	ReviewBy       string              `json:"review_by,omitempty"`
	Warnings       []Warning           `json:"content_warnings,omitempty"`
}

func bodyOf(c Content) body {
	return body{
		How: c.How, Text: c.Text, Decisions: c.Decisions, Gotchas: c.Gotchas, Invariants: c.Invariants,
		RequiredChecks: c.RequiredChecks, Anchors: c.Anchors, Solutions: c.Solutions, Alternatives: c.Alternatives,
		Sources: c.Sources, Owners: c.Owners, ReviewBy: c.ReviewBy, Warnings: c.warnings(),
	}
}

// into fills the content from the row's title and what, and the body.
func (b body) into(c *Content) {
	c.How, c.Text, c.Decisions, c.Gotchas, c.Invariants = b.How, b.Text, b.Decisions, b.Gotchas, b.Invariants
	c.RequiredChecks, c.Anchors, c.Solutions, c.Alternatives = b.RequiredChecks, b.Anchors, b.Solutions, b.Alternatives
	c.Sources, c.Owners, c.ReviewBy = b.Sources, b.Owners, b.ReviewBy
}
