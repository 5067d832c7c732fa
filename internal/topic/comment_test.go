package topic

import (
	"strings"
	"testing"

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
