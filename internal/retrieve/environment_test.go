package retrieve

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

var (
	linux = args{"os": "linux", "runtime": "python-3.12"}
	mac   = args{"os": "macos", "runtime": "python-3.12"}
)

func solution(id string, env args) args {
	return args{"id": id, "env": env, "fix": []string{"Turn " + id + "."}, "verify": "true"}
}

// report says how a solution went, as a person of their own.
func (s server) report(owner tenant.Actor, slug, id, outcome string, env args) {
	s.t.Helper()
	someone := pgtest.Person(s.t, owner, tenant.Member)
	s.ok(someone, "feedback.report", args{"topic": slug, "solution": id, "revision": 1, "outcome": outcome, "env": env})
}

func TestTheEnvironmentDecidesBetweenAnswersAndKeepsBackWhatFailsThere(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	const what = "The valve sticks at start."
	none := s.create(owner, args{"title": "Valve one", "what": what})
	onMac := s.create(owner, args{"title": "Valve two", "what": what, "solutions": []args{solution("m", mac)}})
	onLinux := s.create(owner, args{"title": "Valve three", "what": what, "solutions": []args{solution("l", linux)}})
	works := s.create(owner, args{"title": "Valve four", "what": what, "solutions": []args{solution("w", linux)}})
	fails := s.create(owner, args{"title": "Valve five", "what": what, "solutions": []args{solution("f", linux)}})
	s.report(owner, works, "w", "solved", linux)
	s.report(owner, fails, "f", "failed", linux)
	s.report(owner, fails, "f", "failed", linux)

	page := s.ok(owner, "context.retrieve", args{"task": "the valve sticks at start", "env": linux, "explain": true, "view": "full"})
	if diff := cmp.Diff([]string{works, onLinux, none, onMac, fails}, found(page)); diff != "" {
		t.Fatal(diff)
	}
	want := map[string]struct {
		term  float64
		state any
	}{works: {worksHere, "verified"}, onLinux: {appliesHere, "unverified"}, none: {0, nil}, onMac: {elsewhere, nil}, fails: {failsHere, "known_failed"}}
	for _, row := range results(page) {
		slug := row["slug"].(string)
		term, _ := row["score_parts"].(args)["environment"].(float64)
		if term != want[slug].term || row["answer_state"] != want[slug].state {
			t.Errorf("%s: term %v, state %v, want %v", slug, term, row["answer_state"], want[slug])
		}
	}
	last := results(page)[4]
	if last["has_answer"] != false || last["no_known_working_solution"] != true || !strings.Contains(last["withheld"].(string), "failed for 2 people") {
		t.Errorf("what fails says %v", last)
	}
	if steps := last["solutions"].([]any)[0].(args)["fix"].([]any); len(steps) != 0 {
		t.Errorf("the steps that fail are shown: %v", steps)
	}
	if other := results(page)[3]; other["has_answer"] != false || other["solutions"] != nil {
		t.Errorf("what answers elsewhere says %v", other)
	}
	// The other way round on the other system, and nothing of it without an environment.
	if got := found(s.ok(owner, "context.search", args{"query": "valve sticks start", "env": mac}))[0]; got != onMac {
		t.Errorf("on the other system %s comes first", got)
	}
	for _, row := range results(s.ok(owner, "context.retrieve", args{"task": "the valve sticks at start", "explain": true})) {
		if row["has_answer"] != nil || row["answer_state"] != nil || row["score_parts"].(args)["environment"] != nil {
			t.Errorf("without an environment: %v", row)
		}
	}
	brief := results(s.ok(owner, "context.search", args{"query": "valve sticks start", "env": linux}))[0]
	next := brief["next_action"].(args)
	if next["tool"] != "driftless_context_get" || !cmp.Equal(next["arguments"].(args)["env"], any(linux)) {
		t.Errorf("the next step of a row is %v", next)
	}
	s.fails(owner, "context.retrieve", args{"task": "valve", "env": linux, "as_of": "1"}, fault.CodeValidation)
	s.fails(owner, "context.search", args{"query": "valve", "env": args{"os": strings.Repeat("x", 500)}}, fault.CodeValidation)
}

func TestTheEcosystemRanksAndNeverFilters(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	const what = "Pin the version of the lock file."
	first := s.create(owner, args{"title": "Lock one", "what": what})
	tagged := s.create(owner, args{"title": "Lock two", "what": what, "tags": []string{"npm"}})
	solved := s.create(owner, args{"title": "Lock three", "what": what, "solutions": []args{solution("p", args{"runtime": "python-3.11", "pkg_manager": "pip"})}})
	for ecosystem, want := range map[string][]string{
		"npm": {tagged, first, solved}, "Python": {solved, first, tagged}, "pip": {solved, first, tagged}, "cargo": {first, tagged, solved},
	} {
		if got := found(s.ok(owner, "context.search", args{"query": "pin lock version", "ecosystem": ecosystem})); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", ecosystem, got, want)
		}
	}
}

func TestWhatWasVerifiedLatelyComesBeforeItsEqual(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	one := s.knowledge(owner, args{"title": "Belt one", "what": "The belt is oiled daily."})
	two := s.knowledge(owner, args{"title": "Belt two", "what": "The belt is oiled daily."})
	retrieve := func() []args {
		return results(s.ok(owner, "context.retrieve", args{"task": "oil the belt daily", "explain": true}))
	}
	verified := func(rows []args, slug string) float64 {
		for _, r := range rows {
			if r["slug"] == slug {
				v, _ := r["score_parts"].(args)["verified"].(float64)
				return v
			}
		}
		return -1
	}
	if rows := retrieve(); verified(rows, one) <= 0 || verified(rows, two) <= 0 {
		t.Fatalf("approval is a verification: %v", rows)
	}
	// Approved long ago, and one of them verified now.
	age(t, owner)
	s.ok(owner, "topics.verify", args{"topic": two, "commit": "4f1c2ab"})
	rows := retrieve()
	if rows[0]["slug"] != two || verified(rows, two) <= verified(rows, one) {
		t.Errorf("after the verification: %v", rows)
	}
}

func TestAnEnvironmentNamesItsEcosystem(t *testing.T) {
	t.Parallel()
	e := evidence.Environment{Runtime: "Node-20.11.1", PkgManager: "npm"}
	for name, want := range map[string]bool{"node": true, "NPM": true, "node-20": true, "node-18": false, "no": false, "": false, "pip": false} {
		if got := e.Names(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
