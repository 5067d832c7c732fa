package topic

import (
	"strings"
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// steps is the ops of a patch: path and value in turn, nil to remove.
func patchSteps(pairs ...any) []any {
	var out []any
	for i := 0; i < len(pairs); i += 2 {
		step := map[string]any{"op": "remove", "path": pairs[i]}
		if pairs[i+1] != nil {
			step["op"], step["value"] = "set", pairs[i+1]
		}
		out = append(out, step)
	}
	return out
}

func TestAPatchIsTakenAsAWhole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Patched", "what": "Old.", "gotchas": []string{"One.", "Two."}})
	patch := func(base int, pairs ...any) map[string]any {
		return map[string]any{"topic": "patched", "base_revision": base, "summary": "Better", "ops": patchSteps(pairs...)}
	}
	dry := patch(1, "/what", "Dry.")
	dry["dry_run"] = true
	said := b.ok(b.owner, "topics.patch", dry)
	if said["dry_run"] != true || said["undo"] != nil || said["changes"].([]any)[0].(map[string]any)["path"] != "/what" {
		t.Errorf("a dry run answered %v", said)
	}
	got := b.ok(b.owner, "topics.patch", patch(1, "/what", "New.", "/gotchas/-", "Three.", "/gotchas/0", nil))
	if got["revision"] != 2.0 || got["applied"] != "immediate" || len(got["changes"].([]any)) != 3 {
		t.Errorf("a patch answered %v", got)
	}
	for _, refused := range [][]any{
		{"/title", strings.Repeat("x", TitleMax+1)},
		{"/title", ""},
		{"/what", strings.Repeat("x", WhatMax+1)},
		{"/gotchas/-", strings.Repeat("x", ItemMax+1)},
		{"/anchors/-", "src/{a"},
		{"/review_by", "soon"},
		{"/area", "Nowhere"},
		{"/solutions/-", map[string]any{"fix": []any{"no id"}}},
	} {
		b.fails(b.owner, "topics.patch", patch(2, append([]any{"/how", "Half."}, refused...)...), fault.CodeValidation)
	}
	b.fails(b.owner, "topics.patch", patch(2, "/how", "Half.", "/gotchas/9", "x"), fault.CodeInvalidPointer)
	b.fails(b.owner, "topics.patch", patch(2, "/how", "ghp_"+"16C7e42F292c6912E7710c838347Ae178B4a"), fault.CodeSecretDetected)
	if e := b.fails(b.owner, "topics.patch", patch(1, "/how", "Late."), fault.CodeStaleBase); e.Changes == nil {
		t.Error("a stale base without changes_since_base")
	}
	now := b.ok(b.owner, "topics.get", map[string]any{"topic": "patched"})
	if now["revision"] != 2.0 || now["how"] != nil {
		t.Errorf("refused patches left revision %v, how %v", now["revision"], now["how"])
	}
}

func TestAPatchOfKnowledgeIsASuggestionUnlessItOnlyFiles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Vouched", "what": "Old."})
	before := b.ok(b.owner, "topics.approve", map[string]any{"topic": "vouched"})["topic"].(map[string]any)
	patch := func(pairs ...any) map[string]any {
		return map[string]any{"topic": "vouched", "base_revision": 2, "summary": "Better", "ops": patchSteps(pairs...)}
	}
	one := b.ok(member, "topics.patch", patch("/what", "New."))
	two := b.ok(member, "topics.patch", patch("/gotchas/-", "Mind."))
	if one["applied"] != "suggested_edit" || one["proposal_id"] != two["proposal_id"] || one["undo"] != nil {
		t.Errorf("patches of Knowledge answered %v, then %v", one, two)
	}
	filed := b.ok(member, "topics.patch", patch("/tags/-", "sorted"))
	if filed["applied"] != "immediate" || filed["undo"] == nil {
		t.Errorf("filing answered %v", filed)
	}
	now := b.ok(member, "topics.get", map[string]any{"topic": "vouched"})
	if now["what"] != "Old." || now["content_hash"] != before["content_hash"] || now["tags"].([]any)[0] != "sorted" {
		t.Errorf("the Knowledge is %v now", now)
	}
}

func TestAskingForTheMergeAtOnceFollowsThePolicy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	agent := via(b.owner, tenant.ViaMCP)
	b.ok(b.owner, "topics.create", map[string]any{"title": "At once", "what": "Old."})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "at-once"})
	edit := map[string]any{"topic": "at-once", "base_revision": 2, "what": "New.", "apply": "merge"}
	b.fails(member, "topics.update", edit, fault.CodeInsufficientRole)
	narrow := agent
	narrow.Scopes = []tenant.Scope{tenant.TopicsWrite}
	b.fails(narrow, "topics.update", edit, fault.CodeInsufficientScope)
	service := agent
	service.Service = true
	b.fails(service, "topics.update", edit, fault.CodeMissingHumanIdentity)
	if queue := b.ok(b.owner, "proposals.list", map[string]any{})["results"].([]any); len(queue) > 0 {
		t.Errorf("refused calls left %v in the queue", queue)
	}
	asked := b.ok(agent, "topics.update", edit)
	if asked["status"] != "awaiting_confirmation" || asked["confirm_url"] == nil || asked["applied"] != "suggested_edit" {
		t.Errorf("an agent was answered %v", asked)
	}
	if now := b.ok(agent, "topics.get", map[string]any{"topic": "at-once"}); now["what"] != "Old." {
		t.Errorf("an agent changed Knowledge to %v", now["what"])
	}
	done := b.ok(b.owner, "topics.update", edit)
	if done["applied"] != "merged" || done["what"] != "New." || done["trust"] != "reviewed" {
		t.Errorf("a person in the console was answered %v", done)
	}
}
