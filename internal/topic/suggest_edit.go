package topic

import (
	"context"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type createProposalIn struct {
	Topic        string   `json:"topic" jsonschema:"slug of the Knowledge"`
	Summary      string   `json:"summary" jsonschema:"why"`
	Content      *string  `json:"content,omitempty" jsonschema:"new Markdown"`
	Fields       updateIn `json:"fields,omitzero" jsonschema:"fields as in update"`
	BaseRevision int      `json:"base_revision,omitempty" jsonschema:"revision you read"`
}

func (s *Service) createProposalOp() op.Operation {
	o := op.Write(op.Spec{
		Tool: "driftless_context_create_proposal", ID: "edits.create", Title: "Suggest an edit",
		Doc:   `Suggest an edit to Knowledge for a reviewer. Example: {"topic":"billing-retries","summary":"Four times now","fields":{"what":"Invoices are retried four times."},"base_revision":3}`,
		Scope: tenant.WorkWrite, Role: tenant.Member, REST: "POST /topics/{topic}/proposals", Created: true, CLI: "context pr create <topic>",
		Rules: op.Rules{"summary": op.Length(1, 500), "content": op.Length(0, ContentMax)},
	}, s.createProposal)
	// The object has the fields of update but for those that stand beside it.
	fields := o.Input.Properties["fields"]
	fields.Required = nil
	for _, name := range []string{"topic", "base_revision", "summary", "apply"} {
		delete(fields.Properties, name)
	}
	return o
}

func (s *Service) createProposal(ctx context.Context, tx *pg.Tx, in createProposalIn) (Written, error) {
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Written{}, err
	}
	if t.Status != Reviewed {
		return Written{}, fault.New(fault.State, fault.CodeStateConflict, "only Knowledge takes suggested edits; this topic is "+string(t.Status),
			"change it with driftless_context_update")
	}
	edit := in.Fields
	edit.Topic, edit.Summary, edit.BaseRevision = in.Topic, in.Summary, in.BaseRevision
	if in.Content != nil {
		edit.Content = in.Content
	}
	return s.update(ctx, tx, edit)
}
