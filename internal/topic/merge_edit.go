package topic

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type mergeEditIn struct {
	Proposal   string       `json:"proposal" jsonschema:"id of the suggested edit"`
	Resolution []Resolution `json:"resolution,omitempty" jsonschema:"[{path,value}] for conflicts"`
	// ContentHash binds a merge in the console to the text that was shown, as an approval is.
	ContentHash string `json:"content_hash,omitempty" jsonschema:"the merged text, or both sides of the conflict, that you were shown"`
	// Checked is a reviewer's word in the console that they held the text against the code.
	Checked string `json:"checked,omitempty" jsonschema:"the commit you checked the merged text against, which closes its drift"`
}

// Resolution settles one path of a conflict.
type Resolution struct {
	Path  string `json:"path" jsonschema:"JSON Pointer"`
	Value any    `json:"value" jsonschema:"the value to keep"`
}

func (s *Service) mergeEditOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_merge_proposal", ID: "edits.merge", Title: "Merge a suggested edit",
		Doc: "Ask for a suggested edit to be merged into its Knowledge; a person confirms at confirm_url. " +
			`Example: {"proposal":"0198…"}`,
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, REST: "POST /proposals/{proposal}/merge", CLI: "context pr merge <proposal>",
		Hidden: []string{"content_hash", "checked"},
		Rules:  op.Rules{"resolution": op.Items(0, 100), "checked": commitRule()},
	}, s.mergeEdit)
}

func (s *Service) mergeEdit(_ context.Context, tx *pg.Tx, in mergeEditIn) (Approval, error) {
	e, t, err := loadEdit(tx, in.Proposal)
	if err != nil {
		return Approval{}, err
	}
	if e.Status != "open" {
		return Approval{}, editClosed(e)
	}
	// Whoever settles a conflict has written a part of the text.
	how, err := s.mayAct(tx, e.AuthorID == tx.Actor().Person || len(in.Resolution) > 0)
	if err != nil {
		return Approval{}, err
	}
	resolution := map[string]any{}
	for i, r := range in.Resolution {
		if _, twice := resolution[r.Path]; twice {
			return Approval{}, fault.Fieldf(fmt.Sprintf("resolution[%d].path", i), "%s is settled twice; send one value for it", r.Path)
		}
		resolution[r.Path] = r.Value
	}
	merged, err := rebased(tx, e, t, resolution)
	if err != nil {
		return Approval{}, err
	}
	if in.ContentHash != "" && in.ContentHash != merged.Hash() && in.ContentHash != bothSides(t.ContentHash, e) {
		return Approval{}, textChanged(t)
	}
	if how == askPerson && in.Checked != "" {
		return Approval{}, fault.Fieldf("checked", "goes with a merge in the console; verify the topic after the merge instead")
	}
	if how == askPerson {
		return s.ask(tx, confirmationRow{
			Kind: "merge", TopicID: t.ID, EditID: &e.ID, Revision: t.Revision, ContentHash: merged.Hash(), Resolution: resolution,
		})
	}
	if err := s.merge(tx, e, t, resolution, string(how)); err != nil {
		return Approval{}, err
	}
	if in.Checked != "" {
		if err := verified(tx, t, "edits.merge", in.Checked, ""); err != nil {
			return Approval{}, err
		}
	}
	return s.decided(tx, t.Slug, "merged")
}

// bothSides stands for Knowledge and a suggested edit in conflict with it: what a person was shown who settles the conflict, before
// there is a merged text.
func bothSides(knowledge string, e editRow) string {
	sum := sha256.Sum256([]byte(knowledge + e.ContentHash))
	return hex.EncodeToString(sum[:])
}

// rebased is what the Knowledge says once a suggested edit is carried over to what it says now. Overlapping changes are a
// conflict that shows both sides and loses neither.
func rebased(tx *pg.Tx, e editRow, t *Topic, resolution map[string]any) (Content, error) {
	if _, err := decide(t, tx.Actor(), Merge); err != nil {
		return Content{}, err
	}
	base, ok, err := revisionOf(tx, t.ID, e.BaseRevision)
	if err != nil {
		return Content{}, err
	}
	if !ok {
		return Content{}, fault.Missing("revision", strconv.Itoa(e.BaseRevision))
	}
	merged, conflicts, err := rebase(base.Snapshot, e.Snapshot, t.Content, resolution)
	if err != nil {
		return Content{}, fault.Fieldf("resolution", "a value does not have the type of its field").Because(err)
	}
	if err := checkResolution(base.Snapshot, e.Snapshot, t.Content, resolution); err != nil {
		return Content{}, err
	}
	if len(conflicts) > 0 {
		x := fault.New(fault.Conflict, fault.CodeVersionConflict, "the topic and the suggested edit changed the same fields differently",
			"choose a value for each path in current.conflicts and send them as resolution")
		x.Current = map[string]any{"revision": t.Revision, "conflicts": conflicts}
		return Content{}, x
	}
	if err := evidence.NoTwoAnswers(merged.Solutions); err != nil {
		return Content{}, err
	}
	return merged, merged.normalise()
}

// checkResolution refuses a value for what is not in conflict: it would be a change that nobody suggested.
func checkResolution(base, proposed, current Content, resolution map[string]any) error {
	_, conflicts, err := rebase(base, proposed, current, nil)
	if err != nil {
		return err
	}
	paths := make([]string, 0, len(conflicts))
	for _, c := range conflicts {
		paths = append(paths, c.Path)
	}
	for path := range resolution {
		if !slices.Contains(paths, path) {
			return fault.Choice("resolution", path, paths)
		}
	}
	return nil
}

// merge takes a suggested edit into the Knowledge it is about: the other place, beside makeKnowledge, where a person's decision
// changes what is authoritative.
func (s *Service) merge(tx *pg.Tx, e editRow, t *Topic, resolution map[string]any, via string) error {
	merged, err := rebased(tx, e, t, resolution)
	if err != nil {
		return err
	}
	before, a, now := t.Content, tx.Actor(), tx.Now()
	t.Content = merged
	t.ApprovedBy, t.ApprovedAt, t.ApprovedVia = &a.Person, &now, &via
	e.close(tx, "merged", "")
	if err := saveEdit(tx, e); err != nil {
		return err
	}
	err = save(tx, t, before, act{
		op: "edits.merge", event: "edit.merged", summary: e.Summary, decides: true,
		detail: map[string]any{"edit": e.ID, "approved_via": via},
	})
	if err != nil {
		return err
	}
	if err := s.absorbed(tx, e, t); err != nil {
		return err
	}
	return tellAuthor(tx, notice.Merged, t, e.AuthorID, e.ID.String())
}
