package retrieve

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func kitchen(s server, owner tenant.Actor) {
	s.t.Helper()
	for _, area := range []string{"Kitchen  Work", "Attic"} {
		s.ok(owner, "areas.create", args{"name": area})
	}
	s.knowledge(owner, args{"title": "Kettle one", "what": "The kettle boils.", "area": "kitchen work", "tags": []string{"tea", "heat"}})
	s.create(owner, args{"title": "kettle two", "what": "The kettle leaks.", "area": "Kitchen Work", "tags": []string{"tea"}})
	drifted := s.create(owner, args{"title": "Kettle three", "what": "The kettle sings.", "area": "Attic"})
	s.create(owner, args{"title": "A kettle", "what": "Somewhere.", "status": "draft"})
	s.create(owner, args{"title": "Teapot", "what": "No word of it.", "tags": []string{"tea"}})
	drift(s.t, owner, drifted, "broken")
	s.ok(owner, "topics.archive", args{"topic": s.create(owner, args{"title": "Kettle gone", "what": "A kettle."})})
}

func TestFacetsCountAllThatMatchesWhateverIsShown(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	kitchen(s, owner)
	member := pgtest.Person(t, owner, tenant.Member)
	s.ok(member, "notes.add", args{"content": "My kettle is private."})
	want := args{
		"total": 4.0, "trust": args{"reviewed": 1.0, "proposed": 2.0, "draft": 1.0}, "drift": args{"fresh": 3.0, "broken": 1.0},
		"areas": args{"Kitchen Work": 2.0, "Attic": 1.0, "": 1.0}, "tags": args{"tea": 2.0, "heat": 1.0},
	}
	first := s.ok(owner, "context.search", args{"query": "kettle", "limit": 1, "facets": true})
	if diff := cmp.Diff(any(want), first["facets"]); diff != "" || first["shown"] != 1.0 {
		t.Errorf("search: %s", diff)
	}
	next := first["next_action"].(args)["arguments"].(args)
	if diff := cmp.Diff(any(want), s.ok(owner, "context.search", next)["facets"]); diff != "" {
		t.Errorf("the second page: %s", diff)
	}
	// A list counts the same way, over all topics.
	want = args{
		"total": 5.0, "trust": args{"reviewed": 1.0, "proposed": 3.0, "draft": 1.0}, "drift": args{"fresh": 4.0, "broken": 1.0},
		"areas": args{"Kitchen Work": 2.0, "Attic": 1.0, "": 2.0}, "tags": args{"tea": 3.0, "heat": 1.0},
	}
	listed := s.ok(owner, "topics.list", args{"limit": 2, "facets": true})
	if diff := cmp.Diff(any(want), listed["facets"]); diff != "" || listed["shown"] != 2.0 {
		t.Errorf("list: %s", diff)
	}
	if diff := cmp.Diff(any(want), s.ok(owner, "topics.list", listed["next_action"].(args)["arguments"].(args))["facets"]); diff != "" {
		t.Errorf("the second page of the list: %s", diff)
	}
	narrow := s.ok(owner, "topics.list", args{"facets": true, "tags": []string{"heat"}})["facets"].(args)
	if narrow["total"] != 1.0 || narrow["areas"].(args)["Kitchen Work"] != 1.0 {
		t.Errorf("narrowed: %v", narrow)
	}
	if none := s.ok(owner, "topics.list", args{"facets": true, "area": "Attic", "tags": []string{"tea"}})["facets"].(args); none["total"] != 0.0 || len(none["trust"].(args)) != 0 {
		t.Errorf("nothing: %v", none)
	}
	for _, id := range []string{"context.search", "topics.list"} {
		in := args{}
		if id == "context.search" {
			in["query"] = "kettle"
		}
		if s.ok(owner, id, in)["facets"] != nil {
			t.Errorf("%s counts unasked", id)
		}
	}
}

func TestTheTableOfContentsIsOrderedAndReadPageByPage(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	kitchen(s, owner)
	member := pgtest.Person(t, owner, tenant.Member)
	s.ok(member, "notes.add", args{"content": "My kettle is private."})
	want := []string{
		"Attic/kettle-three/proposed/true", "Kitchen Work/kettle-one/reviewed/false", "Kitchen Work/kettle-two/proposed/false",
		"/a-kettle/draft/false", "/teapot/proposed/false",
	}
	for _, limit := range []int{1, 2, 200} {
		var got []string
		in := args{"limit": limit}
		for {
			page := s.ok(owner, "topics.toc", in)
			for _, r := range results(page) {
				got = append(got, fmt.Sprintf("%v/%v/%v/%v", r["area"], r["slug"], r["trust"], r["stale"]))
			}
			if page["has_more"] != true {
				break
			}
			in["cursor"] = page["next_cursor"]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d a page: %s", limit, diff)
		}
	}
	if got := found(s.ok(owner, "topics.toc", args{"area": " kitchen work"})); !cmp.Equal(got, []string{"kettle-one", "kettle-two"}) {
		t.Errorf("one area: %v", got)
	}
	still := s.pages(owner, "topics.toc", args{"limit": 1}, func(page int) {
		s.create(owner, args{"title": fmt.Sprintf("%c new", 'a'+page), "what": "Between the pages.", "area": "Attic"})
	})
	if diff := cmp.Diff([]string{"kettle-three", "kettle-one", "kettle-two", "a-kettle", "teapot"}, still); diff != "" {
		t.Errorf("while others write: %s", diff)
	}
}
