package topic

import (
	"flag"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// The proofs are short in a plain run of the tests; make prove runs them in full.
var proveSteps = flag.Int64("prove.steps", 2000, "calls of the model test, over all its workspaces")

// proveWorkers is how many workspaces are played at once.
const proveWorkers = 4

// Whatever people, keys and tokens of every kind do in whatever order, and at once: a pure model predicts what is allowed and
// where it leads, the database agrees after each call, and nothing becomes Knowledge, or changes as Knowledge, without a person.
func TestNothingBecomesKnowledgeWithoutAPersonWhateverIsCalled(t *testing.T) {
	t.Parallel()
	var steps, races, decisions atomic.Int64
	begin := time.Now()
	told := begin
	var turn sync.Mutex
	tell := func() {
		turn.Lock()
		defer turn.Unlock()
		if n := steps.Load(); time.Since(told) > 20*time.Second || n >= *proveSteps {
			told = time.Now()
			t.Logf("prove: %d of %d steps, %d races, %d human acts, %.0f a second", n, *proveSteps, races.Load(), decisions.Load(),
				float64(n)/time.Since(begin).Seconds())
		}
	}
	for i := range proveWorkers {
		t.Run(fmt.Sprint("workspaces ", i), func(t *testing.T) {
			t.Parallel()
			// A run of the library is a hundred sequences, each in a workspace of its own.
			for steps.Load() < *proveSteps && !t.Failed() {
				rapid.Check(t, func(r *rapid.T) {
					if steps.Load() >= *proveSteps && !t.Failed() {
						return
					}
					p := play{r: r, w: newWorld(t), m: newModel()}
					p.begin()
					r.Repeat(map[string]func(*rapid.T){
						"call":    func(r *rapid.T) { p.call(r); steps.Add(1) },
						"another": func(r *rapid.T) { p.call(r); steps.Add(1) },
						"race":    func(r *rapid.T) { p.race(r); steps.Add(2); races.Add(1) },
						"rejoin":  func(r *rapid.T) { p.rejoin(r) },
					})
					decisions.Add(p.decisions)
					tell()
				})
			}
		})
	}
}

func newModel() *model {
	return &model{approval: "confirm", roles: people(), topics: map[string]*modelTopic{}}
}

// play is one run: the product and the model side by side.
type play struct {
	r         *rapid.T
	w         *world
	m         *model
	before    seen
	decisions int64
}

func session() credential {
	return credential{name: "session", via: tenant.ViaConsole, scopes: tenant.Scopes()}
}

// begin gives every run a piece of Knowledge and a proposal to start from.
func (p *play) begin() {
	for _, s := range []deed{
		{op: "topics.create", who: "member", topic: "t0", words: "zero", status: "proposed", edit: -1},
		{op: "topics.create", who: "other", topic: "t1", words: "one", status: "proposed", edit: -1},
		{op: "topics.approve", who: "owner", topic: "t1", edit: -1},
	} {
		s.had, s.with = p.m.roles[s.who], session()
		p.one(p.r, s)
	}
}

func (p *play) call(r *rapid.T) { p.one(r, drawDeed(r, p.m, nil)) }

func (p *play) one(r *rapid.T, s deed) {
	next, want := p.m.after(s)
	got := p.w.do(s, p.m)
	if got.code() != want.code {
		r.Fatalf("%v\nanswered %q (%v)\nexpected %q", s, got.code(), got.err, want.code)
	}
	want.bind(got)
	real := p.real(r)
	if diff := differs(next, real); diff != "" {
		r.Fatalf("%v\nanswered %q; model and database differ (-model +database):\n%s", s, got.code(), diff)
	}
	p.judge(r, real, performed{s, got})
	p.m = next
}

// race does two calls at once. What comes of them has to be what comes of one after the other, in one order or the other.
func (p *play) race(r *rapid.T) {
	a := drawDeed(r, p.m, nil)
	b := drawDeed(r, p.m, &a)
	var x, y told
	var both sync.WaitGroup
	both.Go(func() { x = p.w.do(a, p.m) })
	both.Go(func() { y = p.w.do(b, p.m) })
	both.Wait()
	real := p.real(r)
	why := ""
	for _, order := range [][2]performed{{{a, x}, {b, y}}, {{b, y}, {a, x}}} {
		middle, one := p.m.after(order[0].deed)
		if middle == p.m {
			middle = p.m.clone()
		}
		one.bind(order[0].told)
		next, two := middle.after(order[1].deed)
		two.bind(order[1].told)
		diff := fmt.Sprintf("expected %q and %q", one.code, two.code)
		if one.code == order[0].told.code() && two.code == order[1].told.code() {
			if diff = differs(next, real); diff == "" {
				p.judge(r, real, order[:]...)
				p.m = next
				return
			}
		}
		why += fmt.Sprintf("\n%s first: %s", order[0].deed.op, diff)
	}
	r.Fatalf("at once:\n%v\nanswered %q (%v)\n%v\nanswered %q (%v)\nno order of the two explains it:%s", a, x.code(), x.err, b, y.code(), y.err, why)
}

func (p *play) real(r *rapid.T) seen {
	real, err := p.w.look()
	if err != nil {
		r.Fatal(err)
	}
	return real
}

// rejoin lets somebody who was removed come back as what they were in the beginning.
func (p *play) rejoin(r *rapid.T) {
	for name, role := range people() {
		if p.m.roles[name] != "" {
			continue
		}
		p.w.setup(func(tx *pg.Tx) error {
			return tx.Store().Exec(`insert into membership (workspace_id, person_id, role, joined_at) values (?, ?, ?, now())`,
				tx.Actor().Workspace, p.w.cast[name].Person, role).Error
		})
		p.m = p.m.clone()
		p.m.roles[name] = role
	}
	p.before = p.real(r)
}

// performed is a call with its answer.
type performed struct {
	deed deed
	told told
}

// judge is the promise itself, looked at without the model: between two looks at the database nothing became Knowledge, and no
// words of Knowledge changed, but by a call that is a human act under the policies of one of the two moments.
func (p *play) judge(r *rapid.T, now seen, calls ...performed) {
	before := p.before
	p.before = now
	for _, t := range now.Topics {
		if t.Status != Reviewed {
			continue
		}
		i := slices.IndexFunc(before.Topics, func(o seenTopic) bool { return o.Slug == t.Slug })
		if i >= 0 && before.Topics[i].Status == Reviewed && before.Topics[i].Hash == t.Hash {
			continue
		}
		p.decisions++
		if i < 0 && len(calls) == 1 {
			// Of two at once, one may have made the note that the other approved.
			r.Fatalf("%s began as Knowledge", t.Slug)
		}
		if !slices.ContainsFunc(calls, func(c performed) bool { return c.decides(t, before) || c.decides(t, now) }) {
			r.Fatalf("%s is Knowledge now without a person's act: %v", t.Slug, calls)
		}
	}
}

// decides reports whether a call is the human act that the policies ask for.
func (c performed) decides(t seenTopic, under seen) bool {
	s := c.deed
	if c.told.err != nil || s.service() || t.By != s.who || !tenant.Role(under.Roles[s.who]).AtLeast(tenant.Admin) {
		return false
	}
	if i := slices.IndexFunc(under.Topics, func(o seenTopic) bool { return o.Slug == t.Slug }); under.FourEyes && i >= 0 &&
		s.op == "topics.approve" && under.Topics[i].Status == Proposed && (under.Topics[i].Author == s.who || under.Topics[i].Editor == s.who) {
		return false
	}
	act := s.op == "topics.approve" || s.op == "edits.merge" || s.op == "confirmations.decide" && s.yes || s.merge
	switch {
	case !act:
		return false
	case s.with.via == tenant.ViaConsole:
		return !s.with.stale
	}
	return s.op != "confirmations.decide" && s.with.oauth && under.Approval == "direct" && slices.Contains(s.with.scopes, tenant.WorkWrite)
}
