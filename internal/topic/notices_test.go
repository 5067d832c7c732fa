package topic

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// told lists what an inbox holds that is unread, newest first: kind, topic, whose act.
func (b bench) told(a tenant.Actor) []string {
	b.t.Helper()
	out := []string{}
	for _, row := range b.ok(a, "inbox.list", map[string]any{"unread": true})["results"].([]any) {
		r := row.(map[string]any)
		from, _ := r["from"].(map[string]any)
		name := "nobody"
		for who, of := range map[string]tenant.Actor{"owner": b.owner} {
			if from["email"] == of.Email {
				name = who
			}
		}
		out = append(out, fmt.Sprintf("%v %v %s", r["kind"], r["topic"].(map[string]any)["slug"], name))
	}
	return out
}

// clear reads everything.
func (b bench) clear(people ...tenant.Actor) {
	b.t.Helper()
	for _, a := range people {
		for _, row := range b.ok(a, "inbox.list", map[string]any{"unread": true})["results"].([]any) {
			b.ok(a, "inbox.read", map[string]any{"item": row.(map[string]any)["id"]})
		}
	}
}

func (b bench) expect(a tenant.Actor, when string, want ...string) {
	b.t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, b.told(a)); diff != "" {
		b.t.Errorf("%s the inbox holds (-want +got):\n%s", when, diff)
	}
}

func TestAReviewIsAskedOfTheReviewersOfTheAreaAndElseOfOwnersAndAdmins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, reviewer, admin := pgtest.Person(t, b.owner, tenant.Member), pgtest.Person(t, b.owner, tenant.Member), pgtest.Person(t, b.owner, tenant.Admin)
	b.ok(b.owner, "areas.create", map[string]any{"name": "Ledger", "reviewers": []string{reviewer.Email, author.Email}})

	b.ok(author, "topics.create", map[string]any{"title": "In the area", "area": "Ledger"})
	b.expect(reviewer, "a reviewer of the area:", "review in-the-area nobody")
	for who, a := range map[string]tenant.Actor{"the author:": author, "the owner:": b.owner, "the admin:": admin} {
		b.expect(a, who)
	}
	// The only reviewer who is left is the author themselves.
	b.ok(reviewer, "topics.create", map[string]any{"title": "Anywhere", "status": "draft"})
	b.ok(reviewer, "topics.propose", map[string]any{"topic": "anywhere"})
	for range 2 { // each time again, but said once
		b.ok(reviewer, "topics.propose", map[string]any{"topic": "anywhere", "withdraw": true})
		b.ok(reviewer, "topics.propose", map[string]any{"topic": "anywhere"})
	}
	b.expect(admin, "an admin:", "review anywhere nobody")
	b.expect(b.owner, "the owner:", "review anywhere nobody")
	b.expect(reviewer, "the author of that one:", "review in-the-area nobody")

	// What was decided does not wait any more, whoever decided.
	b.ok(admin, "topics.approve", map[string]any{"topic": "anywhere"})
	b.expect(b.owner, "after the decision:")
	b.clear(author, reviewer, admin)
	edit := b.ok(author, "edits.create", map[string]any{"topic": "anywhere", "summary": "x", "fields": map[string]any{"what": "Else."}, "base_revision": b.revision(author, "anywhere")})
	b.expect(admin, "a suggested edit:", "review anywhere nobody")
	about := b.ok(admin, "inbox.list", map[string]any{})["results"].([]any)[0].(map[string]any)["about"]
	if about != edit["proposal_id"] {
		t.Errorf("it is about %v", about)
	}
	b.ok(author, "edits.withdraw", map[string]any{"proposal": edit["proposal_id"]})
	b.expect(admin, "a withdrawn edit:")
}

func (b bench) revision(a tenant.Actor, slug string) any {
	b.t.Helper()
	return b.ok(a, "topics.get", map[string]any{"topic": slug})["revision"]
}

func TestTheAuthorIsToldWhatBecameOfTheirText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author := pgtest.Person(t, b.owner, tenant.Member)
	edit := func() any {
		b.t.Helper()
		return b.ok(author, "edits.create", map[string]any{
			"topic": "queue", "summary": "x", "fields": map[string]any{"how": "By hand."}, "base_revision": b.revision(author, "queue"),
		})["proposal_id"]
	}
	b.ok(author, "topics.create", map[string]any{"title": "Queue", "what": "One."})
	for _, step := range []struct {
		kind string
		do   func()
	}{
		{"changes_requested", func() {
			b.ok(b.owner, "topics.reject", map[string]any{"topic": "queue", "reason": "Which?", "request_changes": true})
		}},
		{"rejected", func() { b.ok(b.owner, "topics.reject", map[string]any{"topic": "queue", "reason": "No."}) }},
		{"approved", func() {
			b.ok(author, "topics.propose", map[string]any{"topic": "queue"})
			b.ok(b.owner, "topics.approve", map[string]any{"topic": "queue"})
		}},
		{"comment", func() {
			for range 3 {
				b.ok(b.owner, "comments.add", map[string]any{"topic": "queue", "body": "Which gateway?"})
			}
			b.ok(author, "comments.add", map[string]any{"topic": "queue", "body": "That one."})
		}},
		{"rejected", func() { b.ok(b.owner, "edits.reject", map[string]any{"proposal": edit(), "reason": "No."}) }},
		{"comment", func() { b.ok(b.owner, "comments.add", map[string]any{"proposal": edit(), "body": "Why?"}) }},
		{"merged", func() { b.ok(b.owner, "edits.merge", map[string]any{"proposal": edit()}) }},
	} {
		step.do()
		b.expect(author, step.kind+":", step.kind+" queue owner")
		b.clear(author)
	}
	// Nobody is told what they did themselves, nor of a draft that they cannot see.
	b.clear(b.owner)
	b.ok(b.owner, "topics.create", map[string]any{"title": "My own", "status": "draft"})
	b.ok(b.owner, "comments.add", map[string]any{"topic": "my-own", "body": "Later."})
	b.ok(b.owner, "topics.propose", map[string]any{"topic": "my-own"})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "my-own"})
	b.expect(b.owner, "one's own acts:")
}

func TestAConfirmationThatWaitsIsInTheInboxUntilItIsDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue"})
	agent := via(b.owner, tenant.ViaMCP)
	b.ok(agent, "topics.approve", map[string]any{"topic": "queue"})
	asked := b.ok(agent, "topics.approve", map[string]any{"topic": "queue"})
	b.expect(b.owner, "asked twice:", "confirmation queue owner")
	id := b.ok(b.owner, "inbox.list", map[string]any{})["results"].([]any)[0].(map[string]any)["about"].(string)
	if want := asked["confirm_url"]; want != "http://console.test/confirm/"+id {
		t.Errorf("it is about %s, and the address is %v", id, want)
	}
	if _, err := b.topics.Decide(t.Context(), b.owner.Caller, id, false, ""); err != nil {
		t.Fatal(err)
	}
	b.expect(b.owner, "after the decision:")
}

func TestAnInboxIsReadAtOnceUpToWhatWasSeen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, other := pgtest.Person(t, b.owner, tenant.Member), pgtest.Person(t, b.owner, tenant.Admin)
	for _, title := range []string{"One", "Two", "Three"} {
		b.ok(author, "topics.create", map[string]any{"title": title})
	}
	seen := b.ok(b.owner, "inbox.list", map[string]any{})["results"].([]any)[1].(map[string]any)["id"]
	for range 2 {
		b.ok(b.owner, "inbox.read_all", map[string]any{"newest": seen})
		b.expect(b.owner, "up to the second:", "review three nobody")
	}
	if n := b.ok(b.owner, "inbox.read_all", map[string]any{})["read"]; n != 1.0 {
		t.Errorf("%v were marked", n)
	}
	b.expect(b.owner, "all read:")
	b.expect(other, "somebody else's:", "review three nobody", "review two nobody", "review one nobody")
	b.fails(b.owner, "inbox.read_all", map[string]any{"newest": "yesterday"}, "NOT_FOUND")
}

func TestWhatWasDeletedIsToldAndMarkedAsGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue"})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "queue"})
	b.ok(author, "topics.update", map[string]any{"topic": "queue", "append_gotchas": []string{"Not on Sundays."}})
	b.ok(b.owner, "topics.delete", map[string]any{"topic": "queue"})
	rows := b.ok(author, "inbox.list", map[string]any{})["results"].([]any)
	if len(rows) != 1 || rows[0].(map[string]any)["topic"].(map[string]any)["trashed"] != true {
		t.Errorf("the inbox holds %v", rows)
	}
}

func TestEditsOfWhatIsPutAwayAreOutdatedAndTheirAuthorsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, other := pgtest.Person(t, b.owner, tenant.Member), pgtest.Person(t, b.owner, tenant.Member)
	for slug, away := range map[string]string{"archived": "topics.archive", "trashed": "topics.delete"} {
		b.ok(b.owner, "topics.create", map[string]any{"title": slug, "slug": slug})
		b.ok(b.owner, "topics.approve", map[string]any{"topic": slug})
		var edits []any
		for _, a := range []tenant.Actor{author, other} {
			edits = append(edits, b.ok(a, "edits.create", map[string]any{
				"topic": slug, "summary": "x", "fields": map[string]any{"how": a.Email}, "base_revision": b.revision(a, slug),
			})["proposal_id"])
		}
		b.ok(b.owner, away, map[string]any{"topic": slug})
		for _, a := range []tenant.Actor{author, other} {
			b.expect(a, slug+":", "outdated "+slug+" owner")
			b.clear(a)
		}
		b.ok(b.owner, away, map[string]any{"topic": slug, "restore": true})
		for _, id := range edits {
			if e := b.fails(b.owner, "edits.merge", map[string]any{"proposal": id}, "STATE_CONFLICT"); e.Current.(map[string]any)["status"] != "outdated" {
				t.Errorf("the edit is %v", e.Current)
			}
		}
		events := b.ok(b.owner, "events.list", map[string]any{"topic": slug, "types": []string{"edit.outdated"}})["results"].([]any)
		if len(events) != 2 {
			t.Errorf("%d events tell of two edits", len(events))
		}
		// As a note it is changed directly, and its author may suggest again once it is Knowledge.
		b.ok(b.owner, "topics.approve", map[string]any{"topic": slug})
		b.ok(author, "edits.create", map[string]any{"topic": slug, "summary": "x", "fields": map[string]any{"how": "Again."}, "base_revision": b.revision(author, slug)})
	}
}
