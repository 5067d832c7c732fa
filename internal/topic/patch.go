package topic

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type patchIn struct {
	Topic        string    `json:"topic" jsonschema:"slug"`
	BaseRevision int       `json:"base_revision" jsonschema:"read at"`
	Ops          []PatchOp `json:"ops" jsonschema:"{op: set or remove, path, value}"`
	Summary      string    `json:"summary" jsonschema:"why"`
	DryRun       bool      `json:"dry_run,omitempty" jsonschema:"only say what would change"`
	Apply        string    `json:"apply,omitempty" jsonschema:"ask at once for the merge of the edit"`
}

func (s *Service) patchOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_patch", ID: "topics.patch", Title: "Patch a topic",
		Doc: "Change places in a topic by JSON Pointer: /what, /gotchas/- to append, /solutions/{id}/verify. All steps or none; on Knowledge this suggests an edit. " +
			`Example: {"topic":"billing-retries","base_revision":3,"summary":"Four","ops":[{"op":"set","path":"/what","value":"Four retries."}]}`,
		Scope: tenant.TopicsWrite, Role: tenant.Member, REST: "POST /topics/{topic}/patch", CLI: "context patch <topic>",
		Rules: op.Rules{
			"ops": op.Items(1, 100), "ops[].op": op.OneOf("", opSet, opRemove, opAdd, opReplace, opMove, opCopy, opTest),
			"ops[].path": op.Length(0, 1000), "ops[].from": op.Length(0, 1000),
			"summary": op.Length(1, 500), "apply": op.OneOf("", "merge"),
		},
	}, s.patch)
}

func (s *Service) patch(_ context.Context, tx *pg.Tx, in patchIn) (Written, error) {
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Written{}, err
	}
	if err := checkBase(tx, t, in.BaseRevision); err != nil {
		return Written{}, err
	}
	return s.rewrite(tx, t, rewrite{
		act:    act{op: "topics.patch", event: "topic.updated", summary: in.Summary},
		change: func(c Content) (Content, error) { return applyOps(c, in.Ops) },
		meant:  func(knowledge, edit Content) error { return sameIndexes(knowledge, edit, in.Ops) },
		merge:  in.Apply == "merge", dry: in.DryRun, tell: true,
	})
}
