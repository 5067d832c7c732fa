package topic

import (
	"slices"
	"testing"

	"driftless/internal/config"
	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

const keyTwice = "turn the key twice"

// withEvidence is a bench with a topic that has one solution for linux, and two members.
func withEvidence(t *testing.T) (b bench, slug string, one, two tenant.Actor) {
	t.Helper()
	db := pgtest.DB(t)
	reg, err := op.NewRegistry(db, slices.Concat(New(db, config.Config{}).Operations(), evidence.New().Operations()), nil)
	if err != nil {
		t.Fatal(err)
	}
	b = bench{t: t, reg: reg, owner: pgtest.Workspace(t)}
	made := b.ok(b.owner, "topics.create", map[string]any{"title": "Broken import", "solutions": []any{
		map[string]any{"id": "s1", "env": linux(), "fix": []string{keyTwice}, "verify": "true"},
	}})
	return b, made["slug"].(string), pgtest.Person(t, b.owner, tenant.Member), pgtest.Person(t, b.owner, tenant.Member)
}

func linux() map[string]any { return map[string]any{"os": "linux", "runtime": "python-3.12"} }

func (b bench) report(a tenant.Actor, slug string, revision int, outcome string, more map[string]any) {
	b.t.Helper()
	args := map[string]any{"topic": slug, "solution": "s1", "revision": revision, "outcome": outcome, "env": linux()}
	for name, value := range more {
		args[name] = value
	}
	b.ok(a, "feedback.report", args)
}

// state reads what the topic answers in an environment, and the steps that it shows.
func (b bench) state(slug string, env map[string]any) (got map[string]any, state string, steps []any) {
	b.t.Helper()
	got = b.ok(b.owner, "topics.get", map[string]any{"topic": slug, "env": env})
	answer := got["answer"].(map[string]any)
	state, _ = answer["answer_state"].(string)
	for _, s := range asList(got["solutions"]) {
		steps = append(steps, asList(s.(map[string]any)["fix"])...)
	}
	answer["solutions"] = got["solutions"]
	return answer, state, steps
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

func TestReportsMoveTheStateAndNeverTheText(t *testing.T) {
	t.Parallel()
	b, slug, one, two := withEvidence(t)
	before := b.ok(b.owner, "topics.get", map[string]any{"topic": slug})
	b.report(one, slug, 1, "solved", nil)
	if _, state, _ := b.state(slug, linux()); state != "verified" {
		t.Errorf("after a success it is %s", state)
	}
	b.report(two, slug, 1, "failed", map[string]any{"reason": "Still broken."})
	if _, state, _ := b.state(slug, linux()); state != "disputed" {
		t.Errorf("after both it is %s", state)
	}
	after := b.ok(b.owner, "topics.get", map[string]any{"topic": slug})
	for _, field := range []string{"trust", "content_hash", "revision"} {
		if before[field] != after[field] {
			t.Errorf("%s went from %v to %v", field, before[field], after[field])
		}
	}
	b.fails(one, "feedback.report", map[string]any{"topic": slug, "solution": "s1", "revision": 9, "outcome": "solved", "env": linux()}, fault.CodeStaleBase)
	b.fails(one, "feedback.report", map[string]any{"topic": slug, "solution": "nope", "revision": 1, "outcome": "solved", "env": linux()}, fault.CodeValidation)
	b.fails(one, "feedback.report", map[string]any{"topic": slug, "solution": "s1", "revision": 1, "outcome": "maybe", "env": linux()}, fault.CodeValidation)
}

func TestWhatFailedForTwoPeopleIsWithheldThereAndNowhereElse(t *testing.T) {
	t.Parallel()
	b, slug, one, two := withEvidence(t)
	for _, model := range []string{"a", "b", "c"} {
		b.report(one, slug, 1, "failed", map[string]any{"agent_model": model})
	}
	if _, state, _ := b.state(slug, linux()); state != "unconfirmed" {
		t.Errorf("one person under three labels makes it %s", state)
	}
	b.report(two, slug, 1, "failed", map[string]any{"env": map[string]any{"os": "Linux", "runtime": "python-3.12.4"}})
	got, state, steps := b.state(slug, linux())
	if state != "known_failed" || len(steps) != 0 || got["no_known_working_solution"] != true || got["has_answer"] != false {
		t.Errorf("it is %s with the steps %v: %v", state, steps, got)
	}
	if plain := b.ok(b.owner, "topics.get", map[string]any{"topic": slug}); len(asList(asList(plain["solutions"])[0].(map[string]any)["fix"])) != 1 {
		t.Error("the text lost its steps")
	}
	if _, state, steps := b.state(slug, map[string]any{"runtime": "python-3.13"}); len(steps) != 0 || state != "" {
		t.Errorf("where it does not apply it is %s with %v", state, steps)
	}
	b.report(two, slug, 1, "failed", map[string]any{"retract": true})
	if _, state, _ := b.state(slug, linux()); state != "unconfirmed" {
		t.Errorf("after a retraction it is %s", state)
	}
	b.fails(two, "feedback.report", map[string]any{"topic": slug, "solution": "s1", "revision": 1, "outcome": "failed", "env": linux(), "retract": true}, fault.CodeNotFound)
}

func TestAChangedSolutionStartsCleanAndAnUnchangedOneKeepsItsReports(t *testing.T) {
	t.Parallel()
	b, slug, one, two := withEvidence(t)
	b.report(one, slug, 1, "failed", nil)
	b.report(two, slug, 1, "failed", nil)
	revision := func() any { return b.ok(b.owner, "topics.get", map[string]any{"topic": slug})["revision"] }
	b.ok(b.owner, "topics.update", map[string]any{"topic": slug, "what": "Another sentence.", "base_revision": revision()})
	if _, state, _ := b.state(slug, linux()); state != "known_failed" {
		t.Errorf("after a change elsewhere it is %s", state)
	}
	b.ok(b.owner, "topics.patch", map[string]any{
		"topic": slug, "base_revision": revision(), "summary": "Better", "ops": []any{map[string]any{"op": "set", "path": "/solutions/s1/fix/0", "value": "turn it once"}},
	})
	got, state, steps := b.state(slug, linux())
	if state != "unverified" || !slices.Equal(steps, []any{any("turn it once")}) || asList(got["solutions"])[0].(map[string]any)["revision"] != 2.0 {
		t.Errorf("after its change it is %s with %v: %v", state, steps, got["solutions"])
	}
}

func TestAnOwnerClearsWithAReason(t *testing.T) {
	t.Parallel()
	b, slug, one, two := withEvidence(t)
	b.report(one, slug, 1, "failed", nil)
	b.report(two, slug, 1, "failed", nil)
	clearing := map[string]any{"topic": slug, "solution": "s1", "reason": "The mirror was down."}
	b.fails(one, "feedback.clear", clearing, fault.CodeInsufficientRole)
	b.ok(b.owner, "feedback.clear", clearing)
	got, state, steps := b.state(slug, linux())
	if state != "cleared" || len(steps) != 1 || asList(got["answers"])[0].(map[string]any)["cleared_because"] != "The mirror was down." {
		t.Errorf("it is %s with %v: %v", state, steps, got["answers"])
	}
}

func TestAFailedAttemptIsTakenWhereNothingAppliesAndPutAwayOnceSomethingDoes(t *testing.T) {
	t.Parallel()
	b, slug, one, _ := withEvidence(t)
	mac := map[string]any{"os": "macos"}
	attempt := map[string]any{"topic": slug, "environment": linux(), "summary": "Crowbar", "steps": []string{"pull"}, "reason": "Bent."}
	b.fails(one, "feedback.attempt", attempt, fault.CodeApplicableAnswer)
	attempt["environment"] = mac
	b.ok(one, "feedback.attempt", attempt)
	got, _, _ := b.state(slug, mac)
	if len(asList(got["failed_attempts"])) != 1 || got["has_answer"] != false {
		t.Errorf("where nothing applies: %v", got)
	}
	revision := b.ok(b.owner, "topics.get", map[string]any{"topic": slug})["revision"]
	b.ok(b.owner, "topics.patch", map[string]any{"topic": slug, "base_revision": revision, "summary": "An answer", "ops": []any{
		map[string]any{"op": "set", "path": "/solutions/-", "value": map[string]any{"id": "s2", "env": mac, "fix": []string{"knock"}}},
	}})
	if got, _, _ = b.state(slug, mac); len(asList(got["failed_attempts"])) != 0 || got["has_answer"] != true {
		t.Errorf("once something applies: %v", got)
	}
	all := b.ok(b.owner, "topics.get", map[string]any{"topic": slug, "env": mac, "include_archived_failures": true})
	if kept := asList(all["answer"].(map[string]any)["failed_attempts"]); len(kept) != 1 || kept[0].(map[string]any)["archived"] != true {
		t.Errorf("the attempt was lost: %v", all)
	}
}

func TestASecondAnswerIsRefusedOnEveryWay(t *testing.T) {
	t.Parallel()
	b, slug, _, _ := withEvidence(t)
	second := map[string]any{"id": "s9", "env": map[string]any{"os": "LINUX", "runtime": "python-3.12.9"}, "fix": []string{"x"}}
	first := map[string]any{"id": "s1", "env": linux(), "fix": []string{keyTwice}}
	revision := b.ok(b.owner, "topics.get", map[string]any{"topic": slug})["revision"]
	b.fails(b.owner, "topics.create", map[string]any{"title": "Two", "solutions": []any{first, second}}, fault.CodeOverlappingAnswer)
	b.fails(b.owner, "topics.update", map[string]any{"topic": slug, "base_revision": revision, "solutions": []any{first, second}}, fault.CodeOverlappingAnswer)
	b.fails(b.owner, "topics.patch", map[string]any{"topic": slug, "base_revision": revision, "summary": "x", "ops": []any{
		map[string]any{"op": "set", "path": "/solutions/-", "value": second},
	}}, fault.CodeOverlappingAnswer)
}
