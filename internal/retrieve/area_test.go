package retrieve

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// filed is a collection of one subject in an area, with others beside it, and so many more topics in the area.
func filed(t *testing.T, more int) *Collection {
	t.Helper()
	topics := []Topic{
		{Key: "symptom", Title: "Database is locked", What: "Imports stop with this message.", Area: "Imports"},
		{Key: "cause", Title: "Two writers", What: "Each one waits for the other.", Area: "Imports"},
		{Key: "stranger", Title: "Imports of fruit", What: "Oranges come by ship.", Area: "Trade"},
		{Key: "nowhere", Title: "Two readers", What: "They do not mind."},
	}
	for i := range more {
		topics = append(topics, Topic{Key: fmt.Sprint("more ", i), Title: fmt.Sprint("Matter ", i), What: "Something else.", Area: "Imports"})
	}
	c, err := NewCollection(topics)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func keysOf(t *testing.T, c *Collection, task string) (keys []string, last Row) {
	t.Helper()
	a, err := c.Retrieve(Asked{Task: task, Now: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range a.Results {
		keys, last = append(keys, c.Key(r.Slug)), r
	}
	return keys, last
}

func TestTheRestOfASmallAreaFollowsItsMatch(t *testing.T) {
	t.Parallel()
	keys, last := keysOf(t, filed(t, 0), "database is locked during imports")
	if diff := cmp.Diff([]string{"symptom", "cause"}, slices.DeleteFunc(keys, func(k string) bool { return k == "stranger" })); diff != "" {
		t.Error(diff)
	}
	if keys, _ := keysOf(t, filed(t, 5), "database is locked during imports"); slices.Contains(keys, "cause") {
		t.Errorf("an area of seven is no subject, and answers %v", keys)
	}
	if slices.Contains(keys, "nowhere") || last.MatchType == "" {
		t.Errorf("got %v, the last as %q", keys, last.MatchType)
	}
}

func TestWhatIsFiledBesideAMatchSaysSo(t *testing.T) {
	t.Parallel()
	a, err := filed(t, 0).Retrieve(Asked{Task: "database locked", Now: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(a.Results, func(r Row) bool { return r.Slug == "two-writers" })
	if i < 0 || a.Results[i].MatchType != "area" || !slices.Equal(a.Results[i].WhyMatched, []string{"area:database-is-locked"}) {
		t.Errorf("got %+v", a.Results)
	}
}

func TestATopicThatMovesLeavesItsArea(t *testing.T) {
	t.Parallel()
	ix := newIndex()
	f := &facts{area: "imports"}
	ix.topics[f.id] = f
	ix.settle(nil, f)
	moved := &facts{area: "trade"}
	ix.settle(f, moved)
	if len(ix.areas["imports"]) != 0 || len(ix.areas["trade"]) != 1 {
		t.Errorf("areas = %v", ix.areas)
	}
	ix.settle(moved, nil)
	if len(ix.areas) != 0 {
		t.Errorf("areas = %v", ix.areas)
	}
}
