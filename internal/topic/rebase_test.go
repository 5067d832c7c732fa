package topic

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"driftless/internal/evidence"
)

func TestDiffNamesElementsByTheirIDs(t *testing.T) {
	t.Parallel()
	before, after := example(), example()
	after.Solutions = []evidence.Solution{{ID: "mac", Fix: []string{"d"}}, {ID: "bsd", Fix: []string{"x"}}}
	var paths []string
	for _, c := range Diff(before, after) {
		paths = append(paths, c.Op+" "+c.Path)
	}
	want := []string{"add /solutions/bsd", "remove /solutions/linux", "remove /solutions/mac/fix/0", "add /solutions/mac/fix/0"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
}

func TestRebaseKeepsBothSidesOfDisjointChanges(t *testing.T) {
	t.Parallel()
	base, mine, theirs := example(), example(), example()
	mine.Solutions[0].Verify = "make check"
	mine.Gotchas = append(mine.Gotchas, "Mine.")
	theirs.Solutions[1].Verify = "make test"
	theirs.Gotchas = append(theirs.Gotchas, "Theirs.")
	got, conflicts, err := rebase(base, mine, theirs, nil)
	if err != nil || len(conflicts) > 0 {
		t.Fatalf("conflicts %v, %v", conflicts, err)
	}
	want := example()
	want.Solutions[0].Verify, want.Solutions[1].Verify = "make check", "make test"
	want.Gotchas = append(want.Gotchas, "Theirs.", "Mine.")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRebaseNamesTheLeafOfAConflictAndTakesItsResolution(t *testing.T) {
	t.Parallel()
	base, mine, theirs := example(), example(), example()
	mine.Solutions[0].Verify, theirs.Solutions[0].Verify = "mine", "theirs"
	got, conflicts, err := rebase(base, mine, theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Conflict{{Path: "/solutions/linux/verify", Base: "true", Current: "theirs", Proposed: "mine"}}
	if diff := cmp.Diff(want, conflicts); diff != "" {
		t.Error(diff)
	}
	if got.Solutions[0].Verify != "theirs" {
		t.Errorf("a conflict changed the text to %q", got.Solutions[0].Verify)
	}
	for path, value := range map[string]any{
		"/solutions/linux/verify": "both",
		"/solutions":              []any{map[string]any{"id": "linux", "fix": []any{"a"}, "verify": "both"}},
	} {
		got, conflicts, err := rebase(base, mine, theirs, map[string]any{path: value})
		if err != nil || len(conflicts) > 0 || got.Solutions[0].Verify != "both" {
			t.Errorf("resolved at %s: %v, %v, %v", path, got.Solutions, conflicts, err)
		}
	}
}

func TestRebaseShowsThatSomethingTakenOutWasChanged(t *testing.T) {
	t.Parallel()
	base, mine, theirs := example(), example(), example()
	mine.Solutions = mine.Solutions[1:]
	theirs.Solutions[0].Verify = "theirs"
	got, conflicts, err := rebase(base, mine, theirs, nil)
	if err != nil || len(conflicts) != 1 || conflicts[0].Path != "/solutions/linux" {
		t.Errorf("conflicts %v, %v", conflicts, err)
	}
	if len(got.Solutions) != 2 {
		t.Errorf("a conflict lost a solution: %v", got.Solutions)
	}
}

func TestRevertMakesWhatWasBefore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := contents().Draw(t, "before"), contents().Draw(t, "after")
		got, conflicts, err := revert(after, before, after)
		if err != nil || len(conflicts) > 0 {
			t.Fatalf("conflicts %v, %v", conflicts, err)
		}
		if diff := cmp.Diff(tree(before), tree(got)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRevertRefusesWhatIsGoneAlready(t *testing.T) {
	t.Parallel()
	before, after, now := example(), example(), example()
	after.Gotchas = append(after.Gotchas, "Three.")
	now.Gotchas = []string{"One.", "Two.", "Three, but better."}
	if _, conflicts, err := revert(after, before, now); err != nil || len(conflicts) != 1 || conflicts[0].Path != "/gotchas" {
		t.Errorf("conflicts %v, %v", conflicts, err)
	}
	if _, conflicts, err := revert(after, before, before); err != nil || len(conflicts) != 1 {
		t.Errorf("of what somebody took back themselves: conflicts %v, %v", conflicts, err)
	}
}
