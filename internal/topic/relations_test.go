package topic

import (
	"fmt"
	"strings"
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// What a topic says includes where it leads, also while that lies in the trash: the text shown and the text merged are one.
func TestAnEditIsMergedWhileARelatedTopicIsInTheTrash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Broker", "what": "Carries messages."})
	b.ok(b.owner, "topics.create", map[string]any{
		"title": "Queue", "what": "One.", "rels": []map[string]any{{"to": "broker", "type": "depends_on"}},
	})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "queue"})
	b.ok(b.owner, "topics.delete", map[string]any{"topic": "broker"})
	got := b.ok(b.owner, "topics.get", map[string]any{"topic": "queue"})
	if out := got["relations"].(map[string]any)["outgoing"].([]any); len(out) != 0 {
		t.Errorf("a trashed topic is shown: %v", out)
	}
	member := pgtest.Person(t, b.owner, tenant.Member)
	edit := b.ok(member, "topics.update", map[string]any{"topic": "queue", "what": "Two.", "base_revision": 2})["proposal_id"]
	row := b.ok(b.owner, "proposals.list", map[string]any{"kind": "edits"})["results"].([]any)[0].(map[string]any)
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": edit, "content_hash": row["content_hash"]})
	if got := b.ok(b.owner, "topics.get", map[string]any{"topic": "queue"}); got["what"] != "Two." || got["trust"] != "reviewed" {
		t.Errorf("after the merge: %v, %v", got["what"], got["trust"])
	}
	b.ok(b.owner, "topics.recover", map[string]any{"topic": "broker"})
	got = b.ok(b.owner, "topics.get", map[string]any{"topic": "queue"})
	if out := got["relations"].(map[string]any)["outgoing"].([]any); len(out) != 1 {
		t.Errorf("the relation is not there when its target is back: %v", out)
	}
}

// A topic that others read names no draft that they cannot see, neither in its relations nor in its history.
func TestNothingSharedLeadsToAPrivateDraft(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	secret := b.ok(member, "notes.add", map[string]any{"content": "Layoffs in spring."})["slug"].(string)
	toSecret := []map[string]any{{"to": secret, "type": "relates_to"}}

	shared := b.ok(member, "topics.create", map[string]any{"title": "Shared", "what": "One.", "rels": toSecret})
	if r := shared["relation_results"].([]any)[0].(map[string]any); r["ok"] != false {
		t.Errorf("a shared topic leads to a private draft: %v", r)
	}
	note := b.ok(member, "notes.add", map[string]any{"content": "Another draft of one's own."})["slug"]
	b.ok(member, "topics.update", map[string]any{"topic": note, "rels": toSecret})
	e := b.fails(member, "topics.propose", map[string]any{"topic": note}, fault.CodeStateConflict)
	if !strings.Contains(e.Message, secret) {
		t.Errorf("the author is not told which draft: %s", e.Message)
	}
	b.ok(member, "topics.merge", map[string]any{"source": secret, "into": "shared"})
	for _, list := range []struct {
		id   string
		args map[string]any
	}{
		{"topics.history", map[string]any{"topic": "shared"}},
		{"topics.get", map[string]any{"topic": "shared"}},
		{"events.list", map[string]any{}},
		{"proposals.list", map[string]any{}},
	} {
		if text := fmt.Sprint(b.ok(b.owner, list.id, list.args)); strings.Contains(text, secret) {
			t.Errorf("%s names a private draft: %s", list.id, text)
		}
	}
}

// Reading a topic looks only for the kinds of edges that were noted on it, so they have to be noted whoever writes first, and
// whoever of the two may see the other then.
func TestAnEdgeIsFoundInWhicheverOrderItsEndsWereWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	by := func(slug any) string {
		return mustJSON(t, b.ok(b.owner, "topics.get", map[string]any{"topic": slug})["referenced_by"])
	}
	// A private draft names a topic before somebody who cannot see it writes that.
	hidden := b.ok(member, "notes.add", map[string]any{"content": "Hidden thoughts on [[later]]."})["slug"].(string)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Later", "what": "One."})
	if got := by("later"); got != "null" && got != "[]" {
		t.Errorf("a private draft shows itself: %s", got)
	}
	b.ok(member, "topics.propose", map[string]any{"topic": hidden})
	if got := by("later"); got != `["`+hidden+`"]` {
		t.Errorf("what names it is %s after it was proposed", got)
	}
	// A topic names a private draft of somebody else.
	draft := b.ok(member, "notes.add", map[string]any{"content": "A draft of one's own."})["slug"].(string)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Naming", "what": "One.", "content": "See [[" + draft + "]]."})
	b.ok(member, "topics.propose", map[string]any{"topic": draft})
	if got := by(draft); got != `["naming"]` {
		t.Errorf("what names a draft that was hidden then is %s", got)
	}
	// What names a duplicate names the survivor, before the merge and after it.
	for _, title := range []string{"Duplicate", "Survivor"} {
		b.ok(b.owner, "topics.create", map[string]any{"title": title, "what": "One."})
	}
	b.ok(b.owner, "topics.create", map[string]any{"title": "Before", "what": "One.", "content": "See [[duplicate]]."})
	b.ok(b.owner, "topics.merge", map[string]any{"source": "duplicate", "into": "survivor"})
	b.ok(b.owner, "topics.create", map[string]any{"title": "After", "what": "One.", "content": "See [[duplicate]]."})
	if got := by("survivor"); got != `["after","before"]` {
		t.Errorf("what names the survivor is %s", got)
	}
	// Relations show at both ends.
	b.ok(b.owner, "topics.create", map[string]any{"title": "Depending", "what": "One.", "rels": []map[string]any{{"to": "later", "type": "depends_on"}}})
	for slug, end := range map[string]string{"depending": "outgoing", "later": "incoming"} {
		edges := b.ok(b.owner, "topics.get", map[string]any{"topic": slug})["relations"].(map[string]any)
		if list := edges[end].([]any); len(list) != 1 {
			t.Errorf("%s has %v", slug, edges)
		}
	}
}
