package topic

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

var proveSeconds = flag.Int("prove.seconds", 3, "how long fifty writers are at one topic")

const writers = 50

// Fifty people write one topic at once in every way there is. Each addition is there in the end or waits in an edit, a refusal for a
// stale base says what changed, and neither the history nor the log has a gap.
func TestFiftyWritersOfOneTopicLoseNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Crowd", "what": "Begun."})
	people := []tenant.Actor{b.owner}
	for i := range writers - 1 {
		people = append(people, pgtest.Person(t, b.owner, []tenant.Role{tenant.Member, tenant.Member, tenant.Admin}[i%3]))
	}
	crowd := &crowd{bench: b, until: time.Now().Add(time.Duration(*proveSeconds) * time.Second), counts: map[string]int{}, taken: map[string]bool{}}
	var all sync.WaitGroup
	for i, who := range people {
		all.Go(func() { crowd.write(i, who) })
	}
	all.Wait()
	for _, problem := range crowd.problems {
		t.Error(problem)
	}
	crowd.settle()
	crowd.gapless()
	t.Logf("prove: %d writers in %d s: %v", writers, *proveSeconds, crowd.counts)
}

// crowd is what all writers know together.
type crowd struct {
	bench
	until    time.Time
	turn     sync.Mutex
	added    []string // additions that were answered as written or suggested
	taken    map[string]bool
	counts   map[string]int
	problems []string
}

func (c *crowd) note(kind string) {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.counts[kind]++
}

func (c *crowd) complain(format string, args ...any) {
	c.turn.Lock()
	defer c.turn.Unlock()
	if len(c.problems) < 10 {
		c.problems = append(c.problems, fmt.Sprintf(format, args...))
	}
}

// write is one writer: reads, and writes what follows from that, until the time is over.
func (c *crowd) write(number int, who tenant.Actor) {
	random := rand.New(rand.NewPCG(uint64(number), uint64(time.Now().UnixNano())))
	for n := 0; time.Now().Before(c.until); n++ {
		read, err := c.call(who, "topics.get", map[string]any{"topic": "crowd"})
		if err != nil {
			c.complain("reading answered %v", err)
			return
		}
		word := fmt.Sprintf("writer %d, line %d", number, n)
		switch random.IntN(6) {
		case 0, 1:
			c.add(who, word, read)
		case 2, 3:
			c.based(who, "topics.update", map[string]any{"topic": "crowd", "what": word, "base_revision": read["revision"]})
		case 4:
			c.based(who, "topics.patch", map[string]any{
				"topic": "crowd", "base_revision": read["revision"], "summary": "why",
				"ops": []any{map[string]any{"op": "set", "path": "/how", "value": word}},
			})
		default:
			c.govern(who, read)
		}
	}
}

// add appends a line, which needs no base. From a list that is nearly full it takes the first line out instead.
func (c *crowd) add(who tenant.Actor, word string, read map[string]any) {
	if list, _ := read["gotchas"].([]any); len(list) > 60 {
		c.based(who, "topics.patch", map[string]any{
			"topic": "crowd", "base_revision": read["revision"], "summary": "why",
			"ops": []any{map[string]any{"op": "remove", "path": "/gotchas/0"}},
		})
		return
	}
	_, err := c.call(who, "topics.update", map[string]any{"topic": "crowd", "append_gotchas": []string{word}})
	if err != nil {
		c.refused("an addition", err)
		return
	}
	c.turn.Lock()
	c.added = append(c.added, word)
	c.turn.Unlock()
	c.note("appended")
}

// based writes on the revision that was read: it is taken, or refused with what changed since.
func (c *crowd) based(who tenant.Actor, id string, args map[string]any) {
	out, err := c.call(who, id, args)
	var e *fault.Error
	switch {
	case err == nil:
		c.take(out)
		c.note("replaced")
	case errors.As(err, &e) && e.Code == fault.CodeStaleBase:
		if changes, ok := e.Changes.([]revisionChanges); !ok || len(changes) == 0 || e.Current == nil {
			c.complain("%s with a stale base does not say what changed: %+v", id, e)
		}
		c.note("stale")
	default:
		c.refused(id, err)
	}
}

// take notes the lines that a patch says it took out. In one's own open edit the first line can be another one than in the topic.
func (c *crowd) take(answer map[string]any) {
	changes, _ := answer["changes"].([]any)
	c.turn.Lock()
	defer c.turn.Unlock()
	for _, change := range changes {
		if before, ok := change.(map[string]any)["before"].(string); ok {
			c.taken[before] = true
		}
	}
}

// govern moves the topic, and settles what waits.
func (c *crowd) govern(who tenant.Actor, read map[string]any) {
	edits, err := c.call(who, "proposals.list", map[string]any{"kind": "edits"})
	if err != nil {
		c.complain("the queue answered %v", err)
		return
	}
	id, args := "topics.approve", map[string]any{"topic": "crowd"}
	if read["trust"] == "draft" {
		id = "topics.propose"
	} else if read["trust"] == "reviewed" && read["revision"].(float64) > 20 && who.Role.AtLeast(tenant.Admin) {
		id = "topics.archive" // and back, so that it is a proposal again
		if _, err := c.call(who, id, args); err == nil {
			args["restore"] = true
		}
	}
	if rows, _ := edits["results"].([]any); len(rows) > 0 && id != "topics.archive" && who.Role.AtLeast(tenant.Admin) {
		id, args = "edits.merge", map[string]any{"proposal": rows[0].(map[string]any)["proposal"]}
	}
	_, err = c.call(who, id, args)
	var e *fault.Error
	switch {
	case err == nil:
		c.note(id)
	case id == "edits.merge" && errors.As(err, &e) && e.Code == fault.CodeVersionConflict:
		conflicts, _ := e.Current.(map[string]any)["conflicts"].([]Conflict)
		if len(conflicts) == 0 {
			c.complain("a conflict shows no sides: %+v", e)
		}
		c.note("conflict")
		args["resolution"] = resolutions(conflicts)
		if _, err := c.call(who, id, args); err != nil {
			c.refused("a resolution", err)
		}
	default:
		c.refused(id, err)
	}
}

// resolutions settle each conflict for what was proposed.
func resolutions(conflicts []Conflict) []any {
	out := []any{}
	for _, x := range conflicts {
		value := x.Proposed
		if value == nil {
			value = ""
		}
		out = append(out, map[string]any{"path": x.Path, "value": value})
	}
	return out
}

// refused notes a refusal that another writer's step explains, and complains about any other.
func (c *crowd) refused(what string, err error) {
	e := fault.From(err)
	expected := []fault.Code{
		fault.CodeStateConflict, fault.CodeInsufficientRole, fault.CodeVersionConflict, fault.CodeValidation,
	}
	if !slices.Contains(expected, e.Code) {
		c.complain("%s answered %v (%v)", what, err, e.Unwrap())
	}
	c.note(string(e.Code))
}

// settle looks for every addition in the topic as it is, or in an edit, whatever became of that.
func (c *crowd) settle() {
	var texts []Content
	c.system(func(tx *pg.Tx) error {
		var revisions []revisionRow
		var edits []editRow
		if err := tx.Store().Find(&revisions).Error; err != nil {
			return err
		}
		if err := tx.Store().Find(&edits).Error; err != nil {
			return err
		}
		last := revisions[0]
		for _, r := range revisions {
			if r.Revision > last.Revision {
				last = r
			}
		}
		texts = append(texts, last.Snapshot)
		for _, e := range edits {
			if e.Status == "open" || e.Status == "outdated" {
				texts = append(texts, e.Snapshot)
			}
		}
		return nil
	})
	there := map[string]bool{}
	for _, text := range texts {
		for _, line := range text.Gotchas {
			there[line] = true
		}
	}
	for _, word := range c.added {
		if !there[word] && !c.taken[word] {
			c.t.Errorf("%q was answered as written, and is nowhere", word)
		}
	}
}

// gapless checks the history and the log.
func (c *crowd) gapless() {
	c.system(func(tx *pg.Tx) error {
		var numbers []int
		if err := tx.Store().Raw(`select revision from revision where workspace_id = ? order by revision`, tx.Actor().Workspace).Scan(&numbers).Error; err != nil {
			return err
		}
		for i, n := range numbers {
			if n != i+1 {
				c.t.Fatalf("revision %d stands where %d should", n, i+1)
			}
		}
		c.counts["revisions"] = len(numbers)
		r, err := event.Verify(tx, event.Kept{})
		if err == nil && r.FirstBad != 0 {
			c.t.Errorf("the log breaks at %d: %s", r.FirstBad, r.Reason)
		}
		c.counts["events"] = int(r.Entries)
		return err
	})
}

func (c *crowd) system(fn func(*pg.Tx) error) {
	c.t.Helper()
	if err := pgtest.DB(c.t).Workspace(c.t.Context(), tenant.System(c.owner.Workspace), pg.ReadOnly, fn); err != nil {
		c.t.Fatal(err)
	}
}
