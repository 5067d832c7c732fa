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
	if len(queue) != 2 {
		t.Fatalf("%d edits wait for a reviewer: %v", len(queue), queue)
	}
	for _, row := range queue {
		b.ok(b.owner, "edits.merge", map[string]any{"proposal": row.(map[string]any)["proposal"]})
	}
	rel := mustJSON(t, b.ok(b.owner, "topics.relations", map[string]any{"topic": "survivor"}))
	if !strings.Contains(rel, `"slug":"pointer","title":"Pointer","trust":"reviewed","type":"dependency_of"`) {
		t.Errorf("after the reviews the relations are %s", rel)
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
