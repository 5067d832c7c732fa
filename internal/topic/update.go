package topic

import (
	"context"
	"reflect"
	"slices"

	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/tenant"
)

// updateIn replaces the fields it has, which needs the revision they were read at, and appends without one.
type updateIn struct {
	Topic                string               `json:"topic" jsonschema:"slug"`
	Title                *string              `json:"title,omitempty" jsonschema:"new"`
	What                 *string              `json:"what,omitempty" jsonschema:"new"`
	How                  *string              `json:"how,omitempty" jsonschema:"new"`
	Content              *string              `json:"content,omitempty" jsonschema:"new"`
	Decisions            *[]string            `json:"decisions,omitempty" jsonschema:"new"`
	Gotchas              *[]string            `json:"gotchas,omitempty" jsonschema:"new"`
	Invariants           *[]string            `json:"invariants,omitempty" jsonschema:"new"`
	RequiredChecks       *[]string            `json:"required_checks,omitempty" jsonschema:"new"`
	AppendDecisions      []string             `json:"append_decisions,omitempty" jsonschema:"add"`
	AppendGotchas        []string             `json:"append_gotchas,omitempty" jsonschema:"add"`
	AppendInvariants     []string             `json:"append_invariants,omitempty" jsonschema:"add"`
	AppendRequiredChecks []string             `json:"append_required_checks,omitempty" jsonschema:"add"`
	AddAnchors           []string             `json:"add_anchors,omitempty" jsonschema:"add"`
	RemoveAnchors        []string             `json:"remove_anchors,omitempty" jsonschema:"remove"`
	Area                 *string              `json:"area,omitempty" jsonschema:"area"`
	Tags                 *[]string            `json:"tags,omitempty" jsonschema:"new"`
	Rels                 []relation.Edge      `json:"rels,omitempty" jsonschema:"{to,type}"`
	RemoveRels           []relation.Edge      `json:"remove_rels,omitempty" jsonschema:"{to,type}"`
	Solutions            *[]evidence.Solution `json:"solutions,omitempty" jsonschema:"new"`
	Alternatives         *[]evidence.Solution `json:"alternatives,omitempty" jsonschema:"new"`
	Sources              *[]string            `json:"sources,omitempty" jsonschema:"new"`
	Owners               *[]string            `json:"owners,omitempty" jsonschema:"new"`
	ReviewBy             *string              `json:"review_by,omitempty" jsonschema:"date"`
	BaseRevision         int                  `json:"base_revision,omitempty" jsonschema:"to replace"`
	Summary              string               `json:"summary,omitempty" jsonschema:"why"`
	Apply                string               `json:"apply,omitempty" jsonschema:"merge at once (owner, admin)"`
}

func (s *Service) updateOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_update", ID: "topics.update", Title: "Change a topic",
		Doc: "Replace fields (with base_revision) or append to lists; on Knowledge this suggests an edit. " +
			`Example: {"topic":"billing-retries","append_gotchas":["Not on Sundays."]}`,
		Hidden: []string{"alternatives", "apply"},
		Scope:  tenant.TopicsWrite, Role: tenant.Member, Core: true, REST: "PATCH /topics/{topic}", PatchForm: "topics.patch", CLI: "context update <topic>",
		Rules: contentRules.Only("title", "what", "how", "content", "decisions", "decisions[]", "gotchas", "gotchas[]", "invariants",
			"invariants[]", "required_checks", "required_checks[]", "sources", "sources[]", "owners", "owners[]", "tags", "rels",
			"solutions", "alternatives").With(op.Rules{
			"append_decisions": op.Items(0, ListMax), "append_decisions[]": op.Length(0, ItemMax),
			"append_gotchas": op.Items(0, ListMax), "append_gotchas[]": op.Length(0, ItemMax),
			"append_invariants": op.Items(0, ListMax), "append_invariants[]": op.Length(0, ItemMax),
			"append_required_checks": op.Items(0, ListMax), "append_required_checks[]": op.Length(0, ItemMax),
			"add_anchors": op.Items(0, 200), "remove_anchors": op.Items(0, 200), "remove_rels": op.Items(0, 200),
			"summary": op.Length(0, 500), "apply": op.OneOf("", "merge"),
		}),
	}, s.update)
}

func (s *Service) update(_ context.Context, tx *pg.Tx, in updateIn) (Written, error) {
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Written{}, err
	}
	if err := in.checkBase(tx, t); err != nil {
		return Written{}, err
	}
	return s.rewrite(tx, t, rewrite{
		act:    act{op: "topics.update", event: "topic.updated", summary: in.Summary},
		change: in.change, rels: append([]relation.Edge{}, in.Rels...), removed: in.RemoveRels,
		files: in.curatesOnly(), merge: in.Apply == "merge",
	})
}

// curatesOnly reports whether the call touches nothing but tags, area, owners and the date of the next review: filing, for
// which no reviewer has vouched.
func (in updateIn) curatesOnly() bool {
	rest := in
	rest.Topic, rest.Tags, rest.Area, rest.Owners, rest.ReviewBy, rest.BaseRevision, rest.Summary, rest.Apply = "", nil, nil, nil, nil, 0, "", ""
	return reflect.DeepEqual(rest, updateIn{})
}

// replaces reports whether the call overwrites something that another writer may have changed meanwhile.
func (in updateIn) replaces() bool {
	return in.Title != nil || in.What != nil || in.How != nil || in.Content != nil || in.Decisions != nil || in.Gotchas != nil ||
		in.Invariants != nil || in.RequiredChecks != nil || in.Solutions != nil || in.Alternatives != nil || in.Sources != nil
}

// checkBase refuses to replace what has changed since it was read. A revision that only changed the status or the filing
// does not make a base stale.
func (in updateIn) checkBase(tx *pg.Tx, t *Topic) error {
	if in.BaseRevision == 0 {
		if in.replaces() {
			e := fault.Fieldf("base_revision", "required to replace fields: the revision you read (it is %d now)", t.Revision)
			e.Hint = "read the topic, and send the revision you read as base_revision; appending needs none"
			return e
		}
		return nil
	}
	return checkBase(tx, t, in.BaseRevision)
}

// AnyRevision is the base of a change that is meant whatever the topic says: If-Match: * (RFC 9110 section 13.1.1). Agents have to
// have read what they replace.
const AnyRevision = -1

func checkBase(tx *pg.Tx, t *Topic, base int) error {
	if base == t.Revision || base == AnyRevision && tx.Actor().Via != tenant.ViaMCP {
		return nil
	}
	if base > t.Revision {
		return fault.Fieldf("base_revision", "there is no revision %d; the newest is %d", base, t.Revision)
	}
	r, ok, err := revisionOf(tx, t.ID, base)
	if err != nil {
		return err
	}
	if ok && r.ContentHash == t.ContentHash {
		return nil
	}
	changes, err := changesSince(tx, t.ID, base)
	if err != nil {
		return err
	}
	e := fault.New(fault.Conflict, fault.CodeStaleBase, "the topic has changed since the revision you read",
		"nothing was written; look at changes_since_base, and send the change again with the current revision")
	e.Current, e.Changes = map[string]any{"revision": t.Revision, "content_hash": t.ContentHash}, changes
	return e
}

// voidVerdict takes back what a reviewer said: it was about other words.
func (t *Topic) voidVerdict() {
	if t.ReviewState != "changes_requested" && t.ReviewState != "rejected" {
		return
	}
	t.ReviewState, t.ReviewReason, t.ReviewBy, t.ReviewAt = "none", "", nil, nil
	if t.Status == Proposed {
		t.submit()
	}
}

// change is what a content says with the fields of the call in place.
func (in updateIn) change(c Content) (Content, error) {
	set(&c.Title, in.Title)
	set(&c.What, in.What)
	set(&c.How, in.How)
	set(&c.Text, in.Content)
	set(&c.Decisions, in.Decisions)
	set(&c.Gotchas, in.Gotchas)
	set(&c.Invariants, in.Invariants)
	set(&c.RequiredChecks, in.RequiredChecks)
	set(&c.Area, in.Area)
	set(&c.Tags, in.Tags)
	set(&c.Solutions, in.Solutions)
	set(&c.Alternatives, in.Alternatives)
	set(&c.Sources, in.Sources)
	set(&c.Owners, in.Owners)
	set(&c.ReviewBy, in.ReviewBy)
	c.Decisions = slices.Concat(c.Decisions, in.AppendDecisions)
	c.Gotchas = slices.Concat(c.Gotchas, in.AppendGotchas)
	c.Invariants = slices.Concat(c.Invariants, in.AppendInvariants)
	c.RequiredChecks = slices.Concat(c.RequiredChecks, in.AppendRequiredChecks)
	c.Anchors = slices.DeleteFunc(slices.Clone(c.Anchors), func(a string) bool { return slices.Contains(in.RemoveAnchors, a) })
	c.Anchors = slices.Concat(c.Anchors, in.AddAnchors)
	return c, nil
}

// fresh are the texts of a content that it did not have before: what was kept on somebody's word stays kept.
func fresh(before, after Content) []string {
	had := before.texts()
	return slices.DeleteFunc(after.texts(), func(text string) bool { return slices.Contains(had, text) })
}

func set[T any](into *T, from *T) {
	if from != nil {
		*into = *from
	}
}
