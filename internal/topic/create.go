package topic

import (
	"context"
	"slices"
	"strings"
	"time"

	"driftless/internal/drift"
	"driftless/internal/event"
	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/tenant"
	"driftless/internal/topic/undo"
)

// createIn has the fields of a topic flat, as clients send them.
type createIn struct {
	Title          string              `json:"title" jsonschema:"short name"`
	Slug           string              `json:"slug,omitempty" jsonschema:"else from title"`
	What           string              `json:"what,omitempty" jsonschema:"one sentence"`
	How            string              `json:"how,omitempty" jsonschema:"mechanism"`
	Content        string              `json:"content,omitempty" jsonschema:"Markdown, [[slug]]"`
	Decisions      []string            `json:"decisions,omitempty" jsonschema:"decided"`
	Gotchas        []string            `json:"gotchas,omitempty" jsonschema:"pitfalls"`
	Invariants     []string            `json:"invariants,omitempty" jsonschema:"must hold"`
	RequiredChecks []string            `json:"required_checks,omitempty" jsonschema:"commands"`
	Anchors        []string            `json:"anchors,omitempty" jsonschema:"globs, files, path#Symbol"`
	Pattern        string              `json:"pattern,omitempty" jsonschema:"one anchor"`
	Area           string              `json:"area,omitempty" jsonschema:"area"`
	Tags           []string            `json:"tags,omitempty" jsonschema:"tags"`
	Rels           []relation.Edge     `json:"rels,omitempty" jsonschema:"{to,type}"`
	Solutions      []evidence.Solution `json:"solutions,omitempty" jsonschema:"{id,env,fix[],verify}"`
	Alternatives   []evidence.Solution `json:"alternatives,omitempty" jsonschema:"as solutions"`
	Sources        []string            `json:"sources,omitempty" jsonschema:"file, URL"`
	Owners         []string            `json:"owners,omitempty" jsonschema:"owners"`
	ReviewBy       string              `json:"review_by,omitempty" jsonschema:"date"`
	Status         string              `json:"status,omitempty" jsonschema:"where it begins"`
	AllowSecrets   bool                `json:"allow_secrets,omitempty" jsonschema:"keep secrets; logged"`
}

// RelationResult says of one relation of a write whether it was taken.
type RelationResult struct {
	To    string `json:"to"`
	Type  string `json:"type"`
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
}

// Written is the answer to a write: the topic as it is now and what there is to know about the write.
type Written struct {
	View
	Applied    string      `json:"applied,omitempty"` // immediate, suggested_edit or merged
	DryRun     bool        `json:"dry_run,omitempty"`
	ProposalID string      `json:"proposal_id,omitempty"`
	Changes    []Change    `json:"changes,omitempty"`
	Undo       *undo.Token `json:"undo,omitempty"`
	// ConfirmURL is where a person confirms a merge that was asked for with the edit; the status then is
	// awaiting_confirmation.
	ConfirmURL string     `json:"confirm_url,omitempty"`
	ExpiresAt  *time.Time `json:"expires_at,omitempty"`
	// Confirmation is the id of the confirmation that is awaited; its address says it already.
	Confirmation string `json:"-"`

	AnchorCheck []AnchorCheck `json:"anchor_validation"`
	// Unresolved are hints: nothing drifts by them.
	Unresolved      []string         `json:"unresolved,omitempty" jsonschema:"files that the text cites and no connected repository has"`
	RelationResults []RelationResult `json:"relation_results,omitempty"`
	// Suggested are given where the topic has no anchors.
	Suggested []drift.Suggestion `json:"suggested_anchors,omitempty" jsonschema:"anchors that its words give reason for"`
	// Similar are topics that look as if they said the same; whoever knows them adds them.
	Similar []Similar `json:"similar,omitempty"`
	// Says is what a write with new words leads to: what the topic says now, or would say once the edit is merged.
	Says *Content `json:"-"`
}

// Similar is a topic that looks as if it said the same as another.
type Similar struct {
	Slug     string  `json:"slug"`
	Title    string  `json:"title"`
	Trust    string  `json:"trust"`
	Likeness float64 `json:"likeness" jsonschema:"0 to 1"`
}

// Awaiting is the human act that a write asked for; ok is false when it asked for none, or it is done.
func (w Written) Awaiting() (a Approval, ok bool) {
	return Approval{Status: w.Status, ConfirmURL: w.ConfirmURL, ExpiresAt: w.ExpiresAt, Confirmation: w.Confirmation}, w.ConfirmURL != ""
}

func (s *Service) createOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_create", ID: "topics.create", Title: "Create a topic",
		Doc: "Write a topic, put up for review unless status is draft. Search first and update what exists. " +
			`Example: {"title":"Billing retries","what":"Invoices are retried thrice.","anchors":["billing/**"]}`,
		Hidden: []string{"pattern", "allow_secrets", "alternatives"},
		Scope:  tenant.TopicsCreate, Role: tenant.Member, Core: true, REST: "POST /topics", Created: true, CLI: "context add",
		Rules: contentRules.With(op.Rules{
			"slug":   {Min: 1, Max: SlugMax, Pattern: `^[a-z0-9][a-z0-9-]*$`},
			"status": op.OneOf("proposed", "draft", "proposed"), "pattern": op.Length(0, 500),
		}),
	}, s.create)
}

func (s *Service) create(_ context.Context, tx *pg.Tx, in createIn) (Written, error) {
	if in.Pattern != "" {
		in.Anchors = append(in.Anchors, in.Pattern)
	}
	t := &Topic{Slug: in.Slug, Status: Status(in.Status), Content: Content{
		Title: in.Title, What: in.What, How: in.How, Text: in.Content, Decisions: in.Decisions, Gotchas: in.Gotchas,
		Invariants: in.Invariants, RequiredChecks: in.RequiredChecks, Anchors: in.Anchors, Area: in.Area, Tags: in.Tags,
		Solutions: in.Solutions, Alternatives: in.Alternatives, Sources: in.Sources, Owners: in.Owners, ReviewBy: in.ReviewBy,
	}}
	lift(&t.Content)
	secrets, err := screenSecrets(t.Content, in.AllowSecrets)
	if err != nil {
		return Written{}, err
	}
	derived := t.Slug == ""
	if derived {
		t.Slug = Slugify(in.Title)
	}
	results, err := relate(tx, &t.Content, t, in.Rels, nil)
	if err != nil {
		return Written{}, err
	}
	if err := found(tx, t, derived, act{op: "topics.create", event: "topic.created"}); err != nil {
		return Written{}, err
	}
	if err := noteOverride(tx, t, "topics.create", secrets); err != nil {
		return Written{}, err
	}
	return s.written(tx, t, Written{RelationResults: results, Says: &t.Content})
}

// screenSecrets refuses a content with credentials, unless the caller said so; then it answers that it did.
func screenSecrets(c Content, allowed bool) (overridden bool, err error) {
	err = refuseSecrets(c.texts()...)
	if err != nil && allowed {
		return true, nil
	}
	return false, err
}

// noteOverride logs that text that looks like a secret was kept on the caller's word.
func noteOverride(tx *pg.Tx, t *Topic, operation string, overridden bool) error {
	if !overridden {
		return nil
	}
	_, err := event.Append(tx, operation, "secret.override", &t.ID, map[string]any{"revision": t.Revision})
	return err
}

// relate takes the relations that hold into the content and says of each whether it was taken: a bad one never loses the
// topic or the others.
func relate(tx *pg.Tx, c *Content, self *Topic, add, remove []relation.Edge) ([]RelationResult, error) {
	for _, e := range remove {
		kept := c.Relations[:0:0]
		for _, have := range c.Relations {
			if have != e {
				kept = append(kept, have)
			}
		}
		c.Relations = kept
	}
	results := make([]RelationResult, 0, len(add))
	for _, e := range add {
		r := RelationResult{To: e.To, Type: e.Type}
		switch reason, err := whyNot(tx, *c, self, e); {
		case err != nil:
			return nil, err
		case reason != "":
			r.Error = reason
		default:
			r.OK = true
			there, err := relation.ThereAlready(tx, self.Slug, e)
			if err != nil {
				return nil, err
			}
			if !there && !slices.Contains(c.Relations, e) {
				c.Relations = append(c.Relations, e)
			}
		}
		results = append(results, r)
	}
	return results, nil
}

func whyNot(tx *pg.Tx, c Content, self *Topic, e relation.Edge) (string, error) {
	if !relation.Type(e.Type).Known() {
		return "there is no type " + e.Type + "; use one of " + strings.Join(relation.Types(), ", "), nil
	}
	if e.To == self.Slug {
		return "a topic cannot be related to itself", nil
	}
	if len(c.Relations) >= relation.OutMax {
		return "a topic has at most 200 relations out", nil
	}
	to, ok, err := relation.Find(tx, e.To)
	if err != nil {
		return "", err
	}
	if !ok {
		return fault.Missing("topic", e.To).Message, nil
	}
	if to.IsPrivate && !self.IsPrivate {
		// Its slug would stand in a history that others read.
		return e.To + " is visible to you alone; propose it first", nil
	}
	return "", nil
}

// written reads the topic back and completes the answer to a write.
func (s *Service) written(tx *pg.Tx, t *Topic, w Written) (Written, error) {
	d, err := s.document(tx, t.Slug)
	if err != nil {
		return w, err
	}
	w.View = d.View(Full, tx.Actor())
	// What was just written need not be sent back; the caller has it.
	w.Content, w.How, w.Relations = nil, "", nil
	if w.AnchorCheck, err = checkAnchors(tx, d.Body.Anchors); err != nil {
		return w, err
	}
	if w.Unresolved, err = drift.Unresolved(tx, t.ID); err != nil {
		return w, err
	}
	if len(d.Body.Anchors) == 0 {
		if w.Suggested, err = suggest(tx, d); err != nil {
			return w, err
		}
	}
	w.NextAction = nextAfterWrite(d, tx.Actor())
	return w, nil
}

func nextAfterWrite(d *Document, a tenant.Actor) *op.Next {
	topic := map[string]any{"topic": d.Slug}
	switch {
	case d.Status == Draft:
		return &op.Next{Tool: "driftless_context_propose", Arguments: topic, Why: "put it up for review when it is ready"}
	case d.Status == Proposed && a.Role.AtLeast(tenant.Admin) && !a.Service:
		return &op.Next{Tool: "driftless_context_approve", Arguments: topic, Why: "ask a person to make it Knowledge"}
	}
	return &op.Next{Tool: "driftless_context_get", Arguments: topic, Why: "read it as it is now"}
}

// document reads a topic within a transaction; one that is missing, foreign, private to somebody else or in the trash gets
// the same answer.
func (s *Service) document(tx *pg.Tx, slug string) (*Document, error) {
	var d *Document
	err := tx.JSON(func(raw []byte) error {
		d = new(Document)
		return jsonInto(d)(raw)
	}, documentSQL+`t.workspace_id = ? and t.slug = ? and t.status <> 'trash'`, tx.Actor().Workspace, slug)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return nil, fault.Missing("topic", slug)
	}
	return d, nil
}
