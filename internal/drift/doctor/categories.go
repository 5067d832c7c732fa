package doctor

import (
	"time"

	"driftless/internal/op"
	"driftless/internal/pg"
)

// How long a Note may lie before the doctor speaks of it, and how long its mechanism may be.
const (
	draftAfter    = 14 * 24 * time.Hour
	proposedAfter = 7 * 24 * time.Hour
	howMax        = 1500 // characters
)

// category is one thing the doctor looks for.
type category struct {
	name   string
	reason string
	// find counts the topics and answers the first of them, at most limit.
	find func(tx *pg.Tx, now time.Time, limit int) (int, []Member, error)
	// next is the call that helps with a member.
	next func(Member) *op.Next
}

// categories are all of them, the most urgent first.
var categories = []category{
	{"stale", "the code they are about has changed since they were verified", findStale, read("compare it with the code, then verify, fix or archive it")},
	{"zombie", "they have anchors, and none of them matches a file now", findZombies, read("anchor it to where the code went, or archive it")},
	{"orphaned", "they are about a repository that was disconnected", findOrphans, read("connect the repository again, or archive it")},
	{"known_failed", "a solution failed for two people or more", findKnownFailed, read("fix the solution, or clear it with a reason")},
	{"contradiction", "two pieces of Knowledge seem to say the opposite: a hint, a person decides", findContradictions, read("read both and correct the wrong one")},
	{"dead_link", "they mention a topic that is not there", inSQL(deadLinkSQL), read("correct the mention, or write the topic")},
	{"unresolved", "they cite files that no connected repository has or had: planned, misspelt or elsewhere; a hint", inSQL(unresolvedSQL), read("correct the path, or leave it")},
	{"review_overdue", "the date of their next review is over", inSQL(overdueSQL), read("verify or change it, and set another date")},
	{"proposed_waiting", "they have waited for a reviewer for more than 7 days", findWaiting, read("approve it, or say what is missing")},
	{"duplicate", "another topic has the same title, the same anchors, or nearly the same text", findDuplicates, merge},
	{"superseded", "Knowledge that is replaced by other Knowledge", inSQL(supersededSQL), archive},
	{"overbroad", "an anchor matches more than 100 files, so nearly every task finds them", findOverbroad, read("narrow the anchor")},
	{"mis_shaped", "they lack the one sentence, or their mechanism is longer than 1,500 characters", inSQL(misShapedSQL), read("say in one sentence what it is, and move what is long to content")},
	{"draft", "drafts that nobody touched for 14 days", findDrafts, propose},
	{"unassigned", "they have no area", inSQL(unassignedSQL), fileAway},
}

func names() []string {
	out := make([]string, 0, len(categories))
	for _, c := range categories {
		out = append(out, c.name)
	}
	return out
}

func read(why string) func(Member) *op.Next {
	return func(m Member) *op.Next {
		return &op.Next{Tool: "driftless_context_get", Arguments: map[string]any{"topic": m.Slug}, Why: why}
	}
}

func archive(m Member) *op.Next {
	return &op.Next{Tool: "driftless_context_archive", Arguments: map[string]any{"topic": m.Slug}, Why: "what replaces it answers in its place"}
}

func propose(m Member) *op.Next {
	return &op.Next{Tool: "driftless_context_propose", Arguments: map[string]any{"topic": m.Slug}, Why: "or delete it when nobody needs it"}
}

func fileAway(Member) *op.Next {
	return &op.Next{Tool: "driftless_areas", Arguments: map[string]any{"action": "list"}, Why: "choose an area, and set it with driftless_context_update"}
}

// merge leads to the older of two: the detail names the other one.
func merge(m Member) *op.Next {
	return &op.Next{
		Tool: "driftless_context_merge", Arguments: map[string]any{"source": m.Slug, "into": m.other, "dry_run": true},
		Why: "shows what merging the two would move; read both first",
	}
}
