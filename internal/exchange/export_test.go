package exchange_test

import (
	"strings"
	"testing"

	"driftless/internal/exchange"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestAnExportHasEveryTopicOnceAndNoPrivateDraftOfSomebodyElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	var made object
	for _, title := range []string{"First", "Second", "Third"} {
		if err := b.call(b.owner, "topics.create", object{"title": title, "content": "Its words.", "tags": []string{"kept"}}, &made); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.call(member, "notes.add", object{"content": "Mine alone."}, &made); err != nil {
		t.Fatal(err)
	}
	seen, cursor := map[string]exchange.Exported{}, ""
	for pages := 0; pages < 3; pages++ {
		var page op.Page[exchange.Exported]
		if err := b.call(b.owner, "workspace.export", object{"limit": 2, "cursor": cursor}, &page); err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Results {
			seen[row.Slug] = row
		}
		if cursor = page.NextCursor; !page.HasMore {
			break
		}
	}
	if len(seen) != 3 {
		t.Fatalf("exported %d topics", len(seen))
	}
	first := seen["first"]
	if !strings.HasPrefix(first.Markdown, "---\n") || !strings.Contains(first.Markdown, "- kept") || !strings.HasSuffix(first.Markdown, "Its words.") {
		t.Errorf("the file is %q", first.Markdown)
	}
	if first.Topic.Status != "proposed" || first.Topic.CreatedAt == nil {
		t.Errorf("the topic is %+v", first.Topic)
	}
}
