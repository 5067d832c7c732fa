package drift_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

const patch = "diff --git a/billing/charge.py b/billing/charge.py\n--- a/billing/charge.py\n+++ b/billing/charge.py\n@@ -1,2 +1,2 @@\n def charge():\n-    use(key)\n+    pass\n"

func TestADiffFindsTheTopicsWithTheAnchorThatFired(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.knowledge("Charges", args{"what": "Charges are idempotent.", "invariants": []string{"A charge carries a key.", "Nobody pays twice."}, "anchors": []string{"billing/*.py", "!billing/tests.py"}})
	w.ok(w.owner, "topics.create", args{"title": "A note", "anchors": []string{"billing/"}})
	w.knowledge("Elsewhere", args{"anchors": []string{"web/*.ts"}})
	for name, in := range map[string]args{
		"a unified diff": {"unified_diff": patch},
		"a bare path":    {"changes": []any{"billing/charge.py"}},
		"a word":         {"changes": []any{args{"path": "./billing/charge.py", "status": "modified"}}},
		"a letter":       {"changes": []any{args{"path": "billing/charge.py", "status": "D"}}},
		"from there":     {"changes": []any{args{"path": "pay/charge.py", "status": "R087", "old_path": "billing/charge.py"}}},
	} {
		got := w.ok(w.owner, "drift.diff", in)
		if diff := cmp.Diff([]string{"charges", "a-note"}, slugs(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		first := list(got, "results")[0]
		if fired := list(first, "because"); len(fired) != 1 || fired[0]["anchor"] != "billing/*.py" {
			t.Errorf("%s: fired %v", name, first["because"])
		}
	}
	got := list(list(w.ok(w.owner, "drift.diff", args{"unified_diff": patch}), "results")[0], "may_be_wrong")
	if len(got) != 2 || got[0]["field"] != "invariants/0" || got[0]["why"] != "it speaks of charge" {
		t.Errorf("what may be wrong: %v", got)
	}
	if none := w.ok(w.owner, "drift.diff", args{"changes": []any{"billing/tests.py/x", "/etc/passwd"}}); len(slugs(none)) != 1 || len(none["ignored_files"].([]any)) != 1 {
		t.Errorf("an excluded path: %v", none)
	}
	if w.get("charges")["drift_state"] != "fresh" {
		t.Error("a diff that marks nothing left drift")
	}
}

func TestWhatIsNoDiffIsRefused(t *testing.T) {
	t.Parallel()
	w := setup(t)
	for name, in := range map[string]args{
		"nothing":        {},
		"both":           {"changes": []any{"a"}, "unified_diff": patch},
		"a number":       {"changes": []any{1}},
		"another field":  {"changes": []any{args{"path": "a", "stat": "M"}}},
		"another word":   {"changes": []any{args{"path": "a", "status": "exploded"}}},
		"no path":        {"changes": []any{args{"status": "M"}}},
		"no old path":    {"changes": []any{args{"path": "a", "status": "R"}}},
		"text":           {"unified_diff": "hello"},
		"not a checkout": {"changes": []any{"a"}, "repo": "nowhere"},
	} {
		out, err := w.call(w.owner, "drift.diff", in)
		if !fault.Is(err, fault.CodeValidation) && !fault.Is(err, fault.CodeNotFound) {
			t.Errorf("%s: %v, %v", name, out, err)
		}
	}
}

func TestAMarkRecordsDriftAndNeedsTheRightToWrite(t *testing.T) {
	t.Parallel()
	w := setup(t)
	slug := w.knowledge("Charges", args{"anchors": []string{"billing/*.py"}})
	reader := w.owner
	reader.Scopes = []tenant.Scope{tenant.ContextRead, tenant.ContextDiff}
	w.ok(reader, "drift.diff", args{"unified_diff": patch})
	w.fails(reader, "drift.diff", args{"unified_diff": patch, "mark": true}, fault.CodeInsufficientScope)
	viewer := pgtest.Person(t, w.owner, tenant.Viewer)
	w.fails(viewer, "drift.diff", args{"unified_diff": patch, "mark": true}, fault.CodeInsufficientRole)
	before := w.get(slug)
	for range 2 {
		got := w.ok(w.owner, "drift.diff", args{"unified_diff": patch, "mark": true, "base": "4f1c2ab"})
		if row := list(got, "results")[0]; row["marked"] != "review" {
			t.Errorf("marked: %v", row)
		}
	}
	after := w.get(slug)
	found := list(after, "drift")
	if len(found) != 1 || found[0]["kind"] != "changed" || found[0]["commit"] != "4f1c2ab" || found[0]["anchor"] != "billing/*.py" {
		t.Errorf("the findings: %v", found)
	}
	if after["stale"] != true || after["revision"] != before["revision"] || after["content_hash"] != before["content_hash"] {
		t.Errorf("the topic: %v", after)
	}
	if brief := list(w.ok(w.owner, "topics.get", args{"topic": slug, "view": "brief"}), "drift"); len(brief) != 1 {
		t.Errorf("brief: %v", brief)
	}
}
