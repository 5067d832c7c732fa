package retrieve

import (
	"fmt"
	"slices"
	"testing"

	"driftless/internal/fault"
	"driftless/internal/tenant"
)

// pages reads a list to its end and answers the slugs in order; between two pages it does what is to be done then.
func (s server) pages(a tenant.Actor, id string, in args, between func(page int)) (all []string) {
	s.t.Helper()
	for page := 0; ; page++ {
		got := s.ok(a, id, in)
		all = append(all, found(got)...)
		if got["has_more"] != true {
			return all
		}
		if page > 100 {
			s.t.Fatal("the list does not end")
		}
		in["cursor"] = got["next_cursor"]
		between(page)
	}
}

// What is written while somebody pages changes how common words are and thereby every score.
func TestPagesHoldEachTopicThatStoodStillOnce(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]struct {
		id string
		in args
	}{
		"search": {"context.search", args{"query": "kettle valve water", "limit": 4}},
		"list":   {"topics.list", args{"limit": 4}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, owner := setup(t)
			words := []string{"kettle", "kettle valve", "valve water", "kettle valve water", "water"}
			var still, moving []string
			for i := range 40 {
				slug := s.create(owner, args{"title": fmt.Sprintf("Topic %d", i), "what": words[i%len(words)] + " here"})
				if i%4 == 3 {
					moving = append(moving, slug)
				} else {
					still = append(still, slug)
				}
			}
			seen := s.pages(owner, list.id, list.in, func(page int) {
				for i := range 4 {
					s.create(owner, args{"title": fmt.Sprintf("New %d %d", page, i), "what": words[(page+i)%len(words)] + " and more, and much more"})
				}
				if page < len(moving) {
					s.ok(owner, "topics.update", args{"topic": moving[page], "append_gotchas": []string{"kettle kettle kettle"}})
				}
				if page%2 == 1 {
					s.ok(owner, "topics.archive", args{"topic": fmt.Sprintf("new-%d-0", page)})
				}
			})
			for _, slug := range still {
				times := 0
				for _, other := range seen {
					if other == slug {
						times++
					}
				}
				if times != 1 {
					t.Errorf("%s was shown %d times", slug, times)
				}
			}
			slices.Sort(seen)
			if n := len(slices.Compact(slices.Clone(seen))); n != len(seen) {
				t.Errorf("%d of %d rows are different topics", n, len(seen))
			}
		})
	}
}

func TestACursorOfAnotherListIsRefused(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	for i := range 3 {
		s.create(owner, args{"title": fmt.Sprintf("Kettle %d", i)})
	}
	other := s.ok(owner, "topics.list", args{"limit": 1})["next_cursor"]
	for _, cursor := range []any{other, "nonsense", "e30", "eyJzIjoiQUFBQSJ9"} {
		s.fails(owner, "context.search", args{"query": "kettle", "cursor": cursor}, fault.CodeValidation)
	}
}
