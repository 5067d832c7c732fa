package topic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestCommentsSitOnATopicOrAFieldAndAreResolved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	viewer := pgtest.Person(t, b.owner, tenant.Viewer)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(member, "topics.create", map[string]any{"title": "Commented", "how": "y"})
	one := b.ok(viewer, "comments.add", map[string]any{"topic": "commented", "field": "how", "body": "Which queue?"})["comment"].(map[string]any)
	if one["field"] != "how" || one["status"] != "open" || one["revision"] != 1.0 {
		t.Errorf("comment = %v", one)
	}
	b.ok(member, "comments.resolve", map[string]any{"comment": one["id"]})
	list := b.ok(member, "comments.list", map[string]any{"topic": "commented"})["results"].([]any)
	if len(list) != 1 || list[0].(map[string]any)["status"] != "resolved" || list[0].(map[string]any)["closed_by"] == nil {
		t.Errorf("after resolving: %v", list)
	}
	b.ok(member, "comments.resolve", map[string]any{"comment": one["id"], "status": "open"})
	other := b.ok(member, "comments.add", map[string]any{"topic": "commented", "body": "Mine."})["comment"].(map[string]any)
	b.fails(viewer, "comments.resolve", map[string]any{"comment": other["id"]}, fault.CodeInsufficientRole)
	b.fails(member, "comments.add", map[string]any{"topic": "commented", "body": strings.Repeat("x", CommentMax+1)}, fault.CodeValidation)
	b.fails(member, "comments.add", map[string]any{"topic": "commented", "body": ""}, fault.CodeValidation)
	b.fails(member, "comments.add", map[string]any{"body": "About nothing."}, fault.CodeValidation)
	if got := b.ok(member, "topics.get", map[string]any{"topic": "commented"})["revision"]; got != 1.0 {
		t.Errorf("comments made revision %v", got)
	}
}

func TestCommentsAreAsVisibleAsTheirTopic(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	note := b.ok(member, "notes.add", map[string]any{"content": "Private."})
	c := b.ok(member, "comments.add", map[string]any{"topic": note["slug"], "body": "To myself."})["comment"].(map[string]any)
	b.fails(b.owner, "comments.list", map[string]any{"topic": note["slug"]}, fault.CodeNotFound)
	b.fails(b.owner, "comments.resolve", map[string]any{"comment": c["id"]}, fault.CodeNotFound)
	stranger := pgtest.Workspace(t)
	b.fails(stranger, "comments.resolve", map[string]any{"comment": c["id"]}, fault.CodeNotFound)
}

func TestFollowingTheNextStepAsksTheSameQuestion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Paged", "what": "One."})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "paged"})
	edit := b.ok(pgtest.Person(t, b.owner, tenant.Member), "topics.update", map[string]any{"topic": "paged", "append_gotchas": []string{"B."}})["proposal_id"]
	for i := range 5 {
		b.ok(b.owner, "comments.add", map[string]any{"proposal": edit, "body": fmt.Sprintf("About the edit %d.", i)})
		b.ok(b.owner, "comments.add", map[string]any{"topic": "paged", "body": fmt.Sprintf("About the topic %d.", i)})
	}
	events := b.ok(b.owner, "events.list", map[string]any{"limit": 100})["results"].([]any)
	since := events[len(events)-3].(map[string]any)["at"]
	for _, question := range []struct {
		id   string
		rows int
		args map[string]any
	}{
		{"comments.list", 5, map[string]any{"proposal": edit}},
		{"comments.list", 10, map[string]any{"topic": "paged"}},
		{"events.list", len(events) - 2, map[string]any{"since": since}},
		{"events.list", 10, map[string]any{"topic": "paged", "types": []string{"comment.added"}, "since": since}},
		{"topics.history", 2, map[string]any{"topic": "paged"}},
		{"proposals.list", 1, map[string]any{"kind": "edits"}},
	} {
		question.args["limit"] = 100
		whole := b.ok(b.owner, question.id, question.args)["results"].([]any)
		if len(whole) != question.rows {
			t.Errorf("%s %v has %d rows", question.id, question.args, len(whole))
		}
		question.args["limit"] = 2
		var parts []any
		for args := question.args; args != nil; {
			page := b.ok(b.owner, question.id, args)
			rows := page["results"].([]any)
			if parts = append(parts, rows...); len(rows) > 2 {
				t.Errorf("%s %v answers %d rows", question.id, args, len(rows))
			}
			if args = nil; page["has_more"] == true {
				args = page["next_action"].(map[string]any)["arguments"].(map[string]any)
				delete(args, "action")
			}
		}
		if diff := cmp.Diff(whole, parts); diff != "" {
			t.Errorf("%s %v (-at once +by pages):\n%s", question.id, question.args, diff)
		}
	}
}

func TestACommentOnAFieldThatNoTopicHasIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Commented"})
	e := b.fails(b.owner, "comments.add", map[string]any{"topic": "commented", "field": "howl", "body": "Which queue?"}, fault.CodeValidation)
	if len(e.Fields) != 1 || !slices.Contains(e.Fields[0].Allowed, "how") {
		t.Errorf("the refusal names %+v", e.Fields)
	}
}
