package retrieve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
)

func TestSearchUnderstandsPhrasesOrAndNegation(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	for name, what := range map[string]string{
		"Alpha queue": "The red kettle boils quickly.", "Beta queue": "The kettle is red today.", "Gamma store": "A blue anchor.",
	} {
		s.create(owner, args{"title": name, "what": what})
	}
	for query, want := range map[string][]string{
		`"red kettle"`:    {"alpha-queue"},
		"kettle -boils":   {"beta-queue"},
		"boils OR anchor": {"alpha-queue", "gamma-store"},
		"nobody-wrote":    {},
	} {
		got := found(s.ok(owner, "context.search", args{"query": query}))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	if got := found(s.ok(owner, "context.search", args{"query": "boi"})); len(got) != 0 {
		t.Errorf("half a word found %v", got)
	}
	if got := found(s.ok(owner, "context.search", args{"query": "boi", "prefix": true})); !slices.Equal(got, []string{"alpha-queue"}) {
		t.Errorf("a word being typed found %v", got)
	}
	page := s.ok(owner, "context.search", args{"query": `"kettle red"`})
	if len(found(page)) != 0 || len(texts(page["nearest"])) != 2 || page["next_action"] == nil {
		t.Errorf("a phrase that nobody wrote: %v", page)
	}
}

func TestSearchPagesThroughEveryMatchOnce(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	for i := range 23 {
		s.create(owner, args{"title": fmt.Sprintf("Kettle %02d", i), "what": "A kettle."})
	}
	if page := s.ok(owner, "context.search", args{"query": "kettle"}); page["shown"] != 5.0 || page["has_more"] != true {
		t.Errorf("by default shown %v, has_more %v", page["shown"], page["has_more"])
	}
	var all []string
	in := args{"query": "kettle", "limit": 10}
	for range 4 {
		page := s.ok(owner, "context.search", in)
		all = append(all, found(page)...)
		if page["has_more"] != true {
			break
		}
		in = page["next_action"].(args)["arguments"].(args)
		if in["cursor"] != page["next_cursor"] {
			t.Fatalf("next_action %v, next_cursor %v", in, page["next_cursor"])
		}
	}
	slices.Sort(all)
	if len(all) != 23 || len(slices.Compact(all)) != 23 {
		t.Errorf("the pages held %d rows: %v", len(all), all)
	}
	s.fails(owner, "context.search", args{"query": "kettle", "cursor": "not-a-cursor"}, fault.CodeValidation)
	s.fails(owner, "context.search", args{"query": "kettle", "cursor": "e30"}, fault.CodeValidation)
	for _, limit := range []int{0, -1, 21, 1_000_000} {
		if n := len(found(s.ok(owner, "context.search", args{"query": "kettle", "limit": limit}))); n < 1 || n > 20 {
			t.Errorf("limit %d gave %d rows", limit, n)
		}
	}
}

func TestSearchFiltersByWhatTopicsAreFiledUnder(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.ok(owner, "areas.create", args{"name": "Payments"})
	s.create(owner, args{"title": "Kettle a", "area": "Payments", "tags": []string{"Hot Water"}})
	s.create(owner, args{"title": "Kettle b", "tags": []string{"cold"}})
	s.knowledge(owner, args{"title": "Kettle c"})
	drift(t, owner, "kettle-b", "broken")
	look := func(in args) []string {
		in["query"] = "kettle"
		got := found(s.ok(owner, "context.search", in))
		slices.Sort(got)
		return got
	}
	for _, c := range []struct {
		in   args
		want []string
	}{
		{args{}, []string{"kettle-a", "kettle-b", "kettle-c"}},
		{args{"area": " payments"}, []string{"kettle-a"}},
		{args{"tags": []string{"hot water", "cold"}}, []string{"kettle-a", "kettle-b"}},
		{args{"status": "reviewed"}, []string{"kettle-c"}},
		{args{"stale": true}, []string{"kettle-b"}},
		{args{"stale": false}, []string{"kettle-a", "kettle-c"}},
		{args{"status": "archived"}, []string{}},
	} {
		if diff := cmp.Diff(c.want, look(c.in)); diff != "" {
			t.Errorf("%v: %s", c.in, diff)
		}
	}
	if page := s.ok(owner, "context.search", args{"query": "kettle", "tags": []string{"nothing"}}); len(texts(page["nearest"])) != 3 {
		t.Errorf("nearest behind a filter = %v", page["nearest"])
	}
	// A rename reaches the index at once.
	s.ok(owner, "tags.rename", args{"name": "cold", "new_name": "ice"})
	s.ok(owner, "areas.update", args{"name": "Payments", "new_name": "Money"})
	if diff := cmp.Diff([]string{"kettle-b"}, look(args{"tags": []string{"ice"}})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"kettle-a"}, look(args{"area": "money"})); diff != "" {
		t.Error(diff)
	}
}

func TestAnUnknownAreaIsRefusedWithTheOnesThereAre(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.ok(owner, "areas.create", args{"name": "Payments"})
	s.ok(owner, "areas.create", args{"name": "Empty"})
	s.create(owner, args{"title": "Kettle", "area": "Payments"})
	for id, in := range map[string]args{"context.search": {"query": "kettle"}, "context.retrieve": {"task": "kettle"}} {
		in["area"] = "Paymets"
		if e := s.fails(owner, id, in, fault.CodeValidation); !slices.Equal(e.Allowed, []string{"Empty", "Payments"}) {
			t.Errorf("%s allows %v", id, e.Allowed)
		}
		for area, want := range map[string]int{"empty": 0, "PAYMENTS": 1} {
			in["area"] = area
			if got := found(s.ok(owner, id, in)); len(got) != want {
				t.Errorf("%s in %s found %v", id, area, got)
			}
		}
	}
}

func TestArchivedAndDeletedTopicsLeaveAndComeBack(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Put away", "what": "About the okapi.", "anchors": []string{"zoo/*.go"}})
	there := func() int {
		n := len(found(s.ok(owner, "context.search", args{"query": "okapi"})))
		n += len(found(s.ok(owner, "context.retrieve", args{"task": "okapi"})))
		return n + len(found(s.ok(owner, "context.get_for_files", args{"files": []string{"zoo/a.go"}})))
	}
	for _, way := range []struct {
		id   string
		in   args
		want int
	}{
		{"topics.archive", args{"topic": "put-away"}, 0},
		{"topics.archive", args{"topic": "put-away", "restore": true}, 3},
		{"topics.delete", args{"topic": "put-away"}, 0},
		{"topics.recover", args{"topic": "put-away"}, 3},
	} {
		s.ok(owner, way.id, way.in)
		if got := there(); got != way.want {
			t.Errorf("after %s %v: found by %d of 3", way.id, way.in, got)
		}
	}
}

func TestAPrivateDraftIsItsAuthorsAlone(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	author := pgtest.Person(t, owner, tenant.Member)
	public := s.create(author, args{"title": "Public peer", "what": "Everybody reads this."})
	note := s.ok(author, "notes.add", args{"title": "Hidden wombat", "content": "The wombatsecret lies here.", "anchors": []string{"src/wombat/*.go"}})["slug"].(string)
	s.ok(author, "topics.update", args{"topic": note, "rels": []args{{"to": public, "type": "depends_on"}}})
	for _, c := range []struct {
		id string
		in args
	}{
		{"context.search", args{"query": "wombatsecret"}},
		{"context.search", args{"query": "wombat", "status": "draft"}},
		{"context.search", args{"query": `"wombatsecret here"`}},
		{"context.retrieve", args{"task": "wombatsecret", "files": []string{"src/wombat/a.go"}, "explain": true, "topic": note}},
		{"context.retrieve", args{"task": "everybody reads the public peer"}},
		{"context.get_for_files", args{"files": []string{"src/wombat/a.go"}}},
	} {
		page := s.ok(owner, c.id, c.in)
		if slices.Contains(found(page), note) || page["has_more"] != false || page["nearest"] != nil && slices.Contains(texts(page["nearest"]), note) {
			t.Errorf("%s %v answered %v", c.id, c.in, page)
		}
		mine := s.ok(author, c.id, c.in)
		if !slices.Contains(found(mine), note) && (mine["nearest"] == nil || !slices.Contains(texts(mine["nearest"]), note)) {
			t.Errorf("%s %v hides the draft from its author: %v", c.id, c.in, mine)
		}
	}
	// The database hides the row in any case; the ranking must not even count it.
	ix := s.svc.indexOf(t, owner)
	for a, want := range map[uuid.UUID]int{owner.Person: 0, author.Person: 1} {
		q := question{text: lexical.Parse("wombatsecret"), files: []string{"src/wombat/a.go"}, depth: 10, related: true}
		q.actor.Person = a
		if got := len(ix.rank(q).rows); got < want || want == 0 && got > 0 {
			t.Errorf("%d rows are ranked, want %d", got, want)
		}
	}
}

func TestAWorkspaceKeepsItsWords(t *testing.T) {
	t.Parallel()
	s, alpha := setup(t)
	beta := pgtest.Workspace(t)
	s.knowledge(alpha, args{"title": "Alpha crown jewels", "what": "Alpha only words."})
	if got := s.ok(beta, "context.search", args{"query": "crown jewels"}); len(found(got)) != 0 || got["nearest"] != nil {
		t.Errorf("another workspace found %v", got)
	}
	stranger := beta
	stranger.Memberships = alpha.Memberships
	s.fails(stranger, "context.search", args{"query": "nothing at all"}, fault.CodeNotFound)
	s.fails(stranger, "context.retrieve", args{"task": "nothing at all"}, fault.CodeNotFound)
	s.fails(stranger, "context.get_for_files", args{"files": []string{"a.go"}}, fault.CodeNotFound)
}

func TestAnyTextIsAQuestion(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Keeper", "what": "A plain keeper."})
	for _, bad := range []string{
		"' OR 1=1 --", "%", "_", `\`, `"; DROP TABLE topics; --`, "%s%n%x", "${jndi:ldap://x}", "{{7*7}}", "a:b & !c | (d", "''", "((((", "NOT",
		"OR OR", "-", "--", `"`, `"unclosed`,
	} {
		if got := found(s.ok(owner, "context.search", args{"query": bad})); len(got) != 0 {
			t.Errorf("%q found %v", bad, got)
		}
		page := s.ok(owner, "context.retrieve", args{"task": bad, "files": []string{"../../etc/passwd", `a\b`, bad}})
		if len(found(page)) != 0 {
			t.Errorf("%q retrieved %v", bad, found(page))
		}
		if !slices.Contains(texts(page["ignored_files"]), "../../etc/passwd") {
			t.Errorf("ignored files = %v", page["ignored_files"])
		}
	}
}
