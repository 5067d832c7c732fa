package topic

import (
	"strings"
	"testing"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// conflict makes a piece of Knowledge that two members edited differently, the first of which was merged, and answers the
// second edit.
func (b bench) conflict(title string) (slug, second string) {
	b.t.Helper()
	one, two := pgtest.Person(b.t, b.owner, tenant.Member), pgtest.Person(b.t, b.owner, tenant.Member)
	slug = b.ok(b.owner, "topics.create", map[string]any{"title": title, "what": "Neutral."})["slug"].(string)
	b.ok(b.owner, "topics.approve", map[string]any{"topic": slug})
	first := b.ok(one, "topics.update", map[string]any{"topic": slug, "what": "Left.", "base_revision": 2})["proposal_id"]
	second = b.ok(two, "topics.update", map[string]any{"topic": slug, "what": "Right.", "base_revision": 2})["proposal_id"].(string)
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": first})
	return slug, second
}

func resolution(path string, value any) []any {
	return []any{map[string]any{"path": path, "value": value}}
}

func TestAResolutionIsHeldToTheRulesOfATopic(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, edit := b.conflict("Contested")
	b.fails(b.owner, "edits.merge", map[string]any{"proposal": edit}, fault.CodeVersionConflict)
	for name, r := range map[string][]any{
		"too long":      resolution("/what", strings.Repeat("w", WhatMax+1)),
		"wrong type":    resolution("/what", 7),
		"not contested": resolution("/content", "Smuggled in."),
	} {
		if _, err := b.call(b.owner, "edits.merge", map[string]any{"proposal": edit, "resolution": r}); !fault.Is(err, fault.CodeValidation) {
			t.Errorf("%s answered %v", name, err)
		}
	}
	b.fails(b.owner, "edits.merge", map[string]any{"proposal": edit, "resolution": resolution("/what", "AKIA"+"Q3EGTR7VWXYZ2K4M")}, fault.CodeSecretDetected)
	done := b.ok(b.owner, "edits.merge", map[string]any{"proposal": edit, "resolution": resolution("/what", "Both.")})
	if got := done["topic"].(map[string]any)["what"]; got != "Both." {
		t.Errorf("what = %v", got)
	}
}

func TestAnEditIsMergedIntoKnowledgeAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Put away", "what": "x"})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "put-away"})
	edit := b.ok(member, "topics.update", map[string]any{"topic": "put-away", "append_gotchas": []string{"y"}})["proposal_id"]
	b.ok(b.owner, "topics.archive", map[string]any{"topic": "put-away"})
	b.fails(b.owner, "edits.merge", map[string]any{"proposal": edit}, fault.CodeStateConflict)
	b.fails(via(b.owner, tenant.ViaMCP), "edits.merge", map[string]any{"proposal": edit}, fault.CodeStateConflict)
}

func TestWhoSettlesAConflictIsBoundToTheSidesThatWereShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	shown := func() map[string]any {
		b.t.Helper()
		return b.ok(b.owner, "proposals.list", map[string]any{"kind": "edits"})["results"].([]any)[0].(map[string]any)
	}
	slug, edit := b.conflict("Contested")
	settle := func(hash any) map[string]any {
		return map[string]any{"proposal": edit, "content_hash": hash, "resolution": resolution("/what", "Both.")}
	}
	before := shown()
	if before["conflicts"] == nil || before["merged"] != nil {
		t.Fatalf("there is no conflict to settle: %v", before)
	}
	b.ok(b.owner, "topics.update", map[string]any{"topic": slug, "append_gotchas": []string{"New."}, "apply": "merge"})
	b.fails(b.owner, "edits.merge", settle(before["content_hash"]), fault.CodeVersionConflict)
	b.fails(b.owner, "edits.merge", settle("0"), fault.CodeVersionConflict)
	b.ok(b.owner, "edits.merge", settle(shown()["content_hash"]))
}

func TestUnderFourEyesNobodySettlesAConflictAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, edit := b.conflict("Four eyes")
	admin := pgtest.Person(t, b.owner, tenant.Admin)
	fourEyes(t, b.owner)
	b.fails(admin, "edits.merge", map[string]any{"proposal": edit, "resolution": resolution("/what", "Mine alone.")}, fault.CodePolicyForbids)
}

// fourEyes turns the policy on, as an owner does in the console.
func fourEyes(t *testing.T, owner tenant.Actor) {
	t.Helper()
	db := pgtest.DB(t)
	reg, err := op.NewRegistry(db, account.New(db, config.Config{}).Operations(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = reg.Call(t.Context(), owner.Caller, op.Call{Operation: reg.Operation("settings.change"), Arguments: map[string]any{"four_eyes": true}})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTwoResolutionsOfOnePathAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue", "what": "One."})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "queue"})
	edit := b.ok(b.owner, "topics.update", map[string]any{"topic": "queue", "what": "Two.", "base_revision": 2})
	e := b.fails(b.owner, "edits.merge", map[string]any{"proposal": edit["proposal_id"], "resolution": []any{
		map[string]any{"path": "/what", "value": "Three."}, map[string]any{"path": "/what", "value": "Four."},
	}}, fault.CodeValidation)
	if len(e.Fields) != 1 || e.Fields[0].Path != "resolution[1].path" {
		t.Errorf("the refusal names %+v", e.Fields)
	}
}

// Another number would be another revision: it is not brought into the range, as a limit is.
func TestARevisionThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue"})
	for _, id := range []string{"topics.get", "topics.approve", "topics.restore_revision"} {
		for _, revision := range []int{1 << 31, 1 << 40, -1} {
			b.fails(b.owner, id, map[string]any{"topic": "queue", "revision": revision}, fault.CodeValidation)
		}
	}
}
