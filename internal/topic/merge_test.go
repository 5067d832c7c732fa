package topic

import (
	"encoding/json"
	"strings"
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func edge(to, kind string) []any { return []any{map[string]any{"to": to, "type": kind}} }

// duplicates makes two topics about the same, something they point at, and something that points at the duplicate.
func duplicates(b bench) {
	for _, topic := range []map[string]any{
		{"title": "Third"},
		{"title": "Duplicate", "what": "Words of the source.", "anchors": []string{"dup/*.go"}, "tags": []string{"queue"}, "rels": edge("third", "documents")},
		{"title": "Survivor", "what": "Words of the survivor.", "anchors": []string{"ok/*.go"}, "rels": edge("duplicate", "supersedes")},
		{"title": "Pointer", "what": "See [[duplicate]].", "rels": edge("duplicate", "depends_on")},
	} {
		b.ok(b.owner, "topics.create", topic)
	}
}

func TestAMergeMovesWhatHangsOnADuplicateAndArchivesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	duplicates(b)
	args := map[string]any{"source": "duplicate", "into": "survivor", "dry_run": true}
	dry := b.ok(b.owner, "topics.merge", args)
	delete(args, "dry_run")
	if got := b.ok(b.owner, "topics.get", map[string]any{"topic": "duplicate"}); got["status"] != "proposed" {
		t.Errorf("a dry run left the source %v", got["status"])
	}
	done := b.ok(b.owner, "topics.merge", args)
	said, did := mustJSON(t, dry["moves"]), mustJSON(t, done["moves"])
	if said != did || dry["applied"] != done["applied"] {
		t.Errorf("a dry run said %s, the merge did %s", said, did)
	}
	got := b.ok(b.owner, "topics.get", map[string]any{"topic": "survivor"})
	if got["what"] != "Words of the survivor." || len(got["anchors"].([]any)) != 2 || len(got["tags"].([]any)) != 1 {
		t.Errorf("the survivor is %v", got)
	}
	rel := mustJSON(t, b.ok(b.owner, "topics.relations", map[string]any{"topic": "survivor"}))
	for _, want := range []string{`"slug":"third"`, `"slug":"pointer","title":"Pointer","trust":"proposed","type":"dependency_of"`, `"slug":"duplicate","title":"Duplicate","trust":"proposed","type":"supersedes"`} {
		if !strings.Contains(rel, want) {
			t.Errorf("the relations of the survivor lack %s: %s", want, rel)
		}
	}
	if by := mustJSON(t, got["referenced_by"]); by != `["pointer"]` {
		t.Errorf("the survivor is mentioned by %s", by)
	}
	gone := b.ok(b.owner, "topics.get", map[string]any{"topic": "duplicate"})
	if gone["status"] != "archived" || gone["merged_into"] != "survivor" || gone["what"] != "Words of the source." {
		t.Errorf("the source is %v", gone)
	}
	back := b.ok(b.owner, "topics.archive", map[string]any{"topic": "duplicate", "restore": true})
	if back["merged_into"] != nil {
		t.Errorf("a restored source still leads to %v", back["merged_into"])
	}
}

func TestAMergeMakesNothingAuthoritative(t *testing.T) {
	t.Parallel()
	b := setup(t)
	duplicates(b)
	before := map[string]any{}
	for _, slug := range []string{"survivor", "pointer"} {
		before[slug] = b.ok(b.owner, "topics.approve", map[string]any{"topic": slug})["topic"].(map[string]any)["content_hash"]
	}
	done := b.ok(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": "survivor"})
	if done["applied"] != "suggested_edit" || done["proposal_id"] == nil {
		t.Errorf("merging into Knowledge answered %v", done)
	}
	for slug, hash := range before {
		if got := b.ok(b.owner, "topics.get", map[string]any{"topic": slug}); got["content_hash"] != hash || got["trust"] != "reviewed" {
			t.Errorf("%s was changed without a reviewer: %v", slug, got)
		}
	}
	queue := b.ok(b.owner, "proposals.list", map[string]any{"kind": "edits"})["results"].([]any)
	if len(queue) != 1 {
		t.Fatalf("%d edits wait for a reviewer: %v", len(queue), queue)
	}
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": done["proposal_id"]})
	if got := b.ok(b.owner, "topics.get", map[string]any{"topic": "pointer"}); got["content_hash"] != before["pointer"] {
		t.Errorf("what pointed at the duplicate was changed without a reviewer: %v", got)
	}
	queue = b.ok(b.owner, "proposals.list", map[string]any{"kind": "edits"})["results"].([]any)
	if len(queue) != 1 {
		t.Fatalf("%d edits wait for a reviewer: %v", len(queue), queue)
	}
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": queue[0].(map[string]any)["proposal"]})
	rel := mustJSON(t, b.ok(b.owner, "topics.relations", map[string]any{"topic": "survivor"}))
	if !strings.Contains(rel, `"slug":"pointer","title":"Pointer","trust":"reviewed","type":"dependency_of"`) {
		t.Errorf("after the reviews the relations are %s", rel)
	}
}

func TestADuplicateOfKnowledgeStaysUntilTheEditOfItsSurvivorIsMerged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	duplicates(b)
	for _, slug := range []string{"duplicate", "survivor"} {
		b.ok(b.owner, "topics.approve", map[string]any{"topic": slug})
	}
	dry := b.ok(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": "survivor", "dry_run": true})
	done := b.ok(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": "survivor"})
	if dry["waits"] != true || done["waits"] != true || mustJSON(t, dry["moves"]) != mustJSON(t, done["moves"]) {
		t.Errorf("a dry run said %v, the merge did %v", dry, done)
	}
	stays := func(when string) {
		t.Helper()
		if got := b.ok(b.owner, "topics.get", map[string]any{"topic": "duplicate"}); got["status"] != "reviewed" {
			t.Errorf("%s the duplicate is %v", when, got["status"])
		}
		if rel := mustJSON(t, b.ok(b.owner, "topics.relations", map[string]any{"topic": "duplicate"})); !strings.Contains(rel, `"slug":"pointer","title":"Pointer","trust":"proposed","type":"dependency_of"`) {
			t.Errorf("%s nothing leads to the duplicate: %s", when, rel)
		}
	}
	stays("before a reviewer has seen it")
	queue := b.ok(b.owner, "proposals.list", map[string]any{"kind": "edits"})["results"].([]any)
	if got := mustJSON(t, queue[0].(map[string]any)["absorbs"]); got != `["duplicate"]` {
		t.Errorf("the reviewer is told of %s", got)
	}
	b.ok(b.owner, "edits.reject", map[string]any{"proposal": done["proposal_id"], "reason": "They differ."})
	stays("after the edit was rejected")

	again := b.ok(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": "survivor"})
	asked := b.ok(via(b.owner, tenant.ViaMCP), "edits.merge", map[string]any{"proposal": again["proposal_id"]})
	id := asked["confirm_url"].(string)[len("http://console.test/confirm/"):]
	shown, err := b.topics.Confirmation(t.Context(), b.owner.Caller, id)
	if err != nil || len(shown.Absorbs) != 1 {
		t.Fatalf("who confirms is told of %v, %v", shown.Absorbs, err)
	}
	if _, err := b.topics.Decide(t.Context(), b.owner.Caller, id, true, shown.ContentHash); err != nil {
		t.Fatal(err)
	}
	gone := b.ok(b.owner, "topics.get", map[string]any{"topic": "duplicate"})
	if gone["status"] != "archived" || gone["merged_into"] != "survivor" {
		t.Errorf("after the merge the duplicate is %v", gone)
	}
	got := b.ok(b.owner, "topics.get", map[string]any{"topic": "survivor"})
	if len(got["anchors"].([]any)) != 2 || mustJSON(t, got["referenced_by"]) != `["pointer"]` {
		t.Errorf("the survivor is %v", got)
	}
	if rel := mustJSON(t, b.ok(b.owner, "topics.relations", map[string]any{"topic": "survivor"})); !strings.Contains(rel, `"slug":"pointer","title":"Pointer","trust":"proposed","type":"dependency_of"`) {
		t.Errorf("what led to the duplicate does not lead to the survivor: %s", rel)
	}
}

func TestADuplicateThatWasPutAwayMeanwhileHindersNoMerge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	duplicates(b)
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "survivor"})
	edit := b.ok(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": "survivor"})["proposal_id"]
	b.ok(b.owner, "topics.delete", map[string]any{"topic": "duplicate"})
	b.ok(b.owner, "topics.purge", map[string]any{"topic": "duplicate"})
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": edit})
	if got := b.ok(b.owner, "topics.get", map[string]any{"topic": "survivor"}); len(got["anchors"].([]any)) != 2 {
		t.Errorf("the survivor is %v", got)
	}
}

func TestAMergeNeedsWhoMayArchiveTheSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	duplicates(b)
	b.fails(member, "topics.merge", map[string]any{"source": "duplicate", "into": "survivor"}, fault.CodeInsufficientRole)
	b.fails(b.owner, "topics.merge", map[string]any{"source": "survivor", "into": "survivor"}, fault.CodeValidation)
	b.fails(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": "nowhere"}, fault.CodeNotFound)
	own := b.ok(member, "topics.create", map[string]any{"title": "Own draft", "status": "draft", "anchors": []string{"own/*.go"}})
	b.ok(member, "topics.merge", map[string]any{"source": own["slug"], "into": "survivor"})
	note := b.ok(b.owner, "notes.add", map[string]any{"content": "To myself."})
	b.fails(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": note["slug"]}, fault.CodeStateConflict)
	b.ok(b.owner, "topics.archive", map[string]any{"topic": "third"})
	b.fails(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": "third"}, fault.CodeStateConflict)
}

func TestWhatWasMergedFollowsItsSurvivor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	duplicates(b)
	b.ok(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": "survivor"})
	b.ok(b.owner, "topics.merge", map[string]any{"source": "survivor", "into": "third"})
	if got := b.ok(b.owner, "topics.get", map[string]any{"topic": "duplicate"}); got["merged_into"] != "third" {
		t.Errorf("the first duplicate leads to %v", got["merged_into"])
	}
	got := b.ok(b.owner, "topics.get", map[string]any{"topic": "third"})
	if by := mustJSON(t, got["referenced_by"]); by != `["pointer"]` {
		t.Errorf("the last survivor is mentioned by %s", by)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
