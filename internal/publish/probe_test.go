package publish_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/tenant"
)

// drawn is a topic of a probe. Its word stands in all of its texts and in those of no other topic.
type drawn struct {
	state, slug, word string
	red               bool
	args              map[string]any
	rels              []int
}

var states = []string{"shared", "shared", "reviewed", "revoked", "proposed", "draft", "private", "archived", "trash"}

// draw makes topics that mention, relate to and are worded like one another.
func draw(r *rand.Rand, n int) []drawn {
	common := []string{"queue", "retry", "invoice", "ledger", "timeout", "replica"}
	all := make([]drawn, n)
	for i := range all {
		all[i] = drawn{
			state: states[r.IntN(len(states))], slug: fmt.Sprintf("topic-%c%d", 'a'+r.IntN(26), i), word: fmt.Sprintf("xylo%cphage%d", 'a'+rune(i), i),
			red: r.IntN(2) == 0,
		}
	}
	for i := range all {
		d := &all[i]
		text := func() string {
			words := []string{d.word, "[[" + all[r.IntN(n)].slug + "]]"}
			for range 1 + r.IntN(12) {
				words = append(words, common[r.IntN(len(common))])
			}
			r.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
			return strings.Join(words, " ")
		}
		d.args = map[string]any{
			"title": fmt.Sprintf("%s %d", common[r.IntN(len(common))], i), "slug": d.slug, "what": text(), "how": text(), "content": text() + "\n\n" + text(),
			"decisions": []string{text()}, "gotchas": []string{text()}, "anchors": []string{"src/" + d.word + "/*.go"}, "sources": []string{"https://inner.test/" + d.word},
			"tags": []string{"tag-" + d.word},
		}
		if d.red {
			d.args["tags"] = []string{"tag-" + d.word, "red"}
		}
		for j := range i {
			if r.IntN(4) == 0 {
				d.rels = append(d.rels, j)
			}
		}
	}
	return all
}

// write brings the topics for which keep holds into their states.
func (h hall) write(all []drawn, keep func(drawn) bool, member tenant.Actor) {
	h.t.Helper()
	for _, d := range all {
		if !keep(d) {
			continue
		}
		if d.state == "private" {
			h.ok(member, "notes.add", map[string]any{"title": d.slug, "content": fmt.Sprint(d.args["content"])})
			continue
		}
		var rels []map[string]string
		for _, to := range d.rels {
			if keep(all[to]) && !slices.Contains([]string{"private", "archived", "trash"}, all[to].state) {
				rels = append(rels, map[string]string{"to": all[to].slug, "type": []string{"depends_on", "supersedes", "relates_to"}[to%3]})
			}
		}
		args := map[string]any{"rels": rels}
		for name, value := range d.args {
			args[name] = value
		}
		if d.state == "draft" {
			args["status"] = "draft"
		}
		h.ok(h.owner, "topics.create", args)
		about := map[string]any{"topic": d.slug}
		if slices.Contains([]string{"shared", "reviewed", "revoked", "archived", "trash"}, d.state) {
			h.ok(h.owner, "topics.approve", about)
		}
		if slices.Contains([]string{"shared", "revoked", "archived", "trash"}, d.state) {
			h.toWeb(d.slug, nil)
		}
		switch d.state {
		case "revoked":
			h.ok(h.owner, "topics.share", map[string]any{"topic": d.slug, "revoke": true})
		case "archived":
			h.ok(h.owner, "topics.archive", about)
		case "trash":
			h.ok(h.owner, "topics.delete", about)
		}
	}
}

// timeless takes out of an answer what differs between two workspaces that say the same.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range []string{"reviewed_at", "etag"} {
			delete(v, name)
		}
		for name, value := range v {
			v[name] = timeless(value)
		}
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	}
	return v
}

// Whatever else a workspace holds, anybody reads the same as in one that holds nothing but what is open: not a word, a slug, a count, an
// order, a near miss or a correction of a typing error depends on the rest.
func TestNothingThatAnybodyReadsDependsOnWhatIsClosed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 11))
			all := draw(r, 16)
			change := map[string]any{"enabled": true, "all_reviewed": seed%2 == 0}
			if seed%3 == 0 {
				change["tags"] = []any{"red"}
			}
			open := func(d drawn) bool {
				reviewed := d.state == "shared" || seed%2 == 0 && (d.state == "reviewed" || d.state == "revoked")
				return reviewed && (seed%3 != 0 || d.red)
			}
			whole, twin, foreign := newHall(t, config.Config{}), newHall(t, config.Config{}), newHall(t, config.Config{})
			whole.write(all, func(drawn) bool { return true }, whole.person(tenant.Member))
			twin.write(all, open, twin.owner)
			// A workspace next door has topics of the same names, all of them open.
			foreign.write(all, func(d drawn) bool { return d.state != "private" && !open(d) }, foreign.owner)
			whole.set(change)
			twin.set(change)
			foreign.set(map[string]any{"enabled": true, "all_reviewed": true})
			queries := []string{"queue", "retry invoice", "ledger -timeout", `"queue retry"`, "quue", "replica OR nothing"}
			var closed []string
			var want []string
			for _, d := range all {
				queries = append(queries, d.word, d.slug, d.word[:len(d.word)-3]+"x"+d.word[len(d.word)-2:], "tag-"+d.word)
				if open(d) {
					want = append(want, d.slug)
				} else {
					closed = append(closed, d.word, d.slug)
				}
			}
			slices.Sort(want)
			whole.lists(want...)
			text := whole.everything(queries...)
			for _, word := range closed {
				for _, end := range []string{`"`, " ", "]", "/", `\n`} {
					if strings.Contains(text, word+end) {
						t.Errorf("%q is told", word)
					}
				}
			}
			for _, d := range all {
				args := map[string]any{"slug": d.slug}
				got, err := whole.ask("knowledge.get", args)
				if (err == nil) != open(d) || err != nil && !fault.Is(err, fault.CodeNotFound) {
					t.Errorf("%s, which is %s, answers %v, %v", d.slug, d.state, got, err)
				}
				if open(d) {
					if diff := cmp.Diff(timeless(twin.read("knowledge.get", args)), timeless(got)); diff != "" {
						t.Errorf("%s (-alone +among others):\n%s", d.slug, diff)
					}
				}
			}
			for _, query := range queries {
				args := map[string]any{"query": query}
				if diff := cmp.Diff(timeless(twin.read("knowledge.search", args)), timeless(whole.read("knowledge.search", args))); diff != "" {
					t.Errorf("a search for %q (-alone +among others):\n%s", query, diff)
				}
			}
			for _, id := range []string{"knowledge.list", "knowledge.export"} {
				if diff := cmp.Diff(timeless(twin.read(id, nil)), timeless(whole.read(id, nil))); diff != "" {
					t.Errorf("%s (-alone +among others):\n%s", id, diff)
				}
			}
		})
	}
}

func TestWhatIsSharedUntilATimeIsOpenUntilThen(t *testing.T) {
	t.Parallel()
	h := newHall(t, config.Config{})
	h.set(map[string]any{"enabled": true})
	h.toWeb(h.knowledge(map[string]any{"title": "Short lived", "what": "Mayfly."}), map[string]any{"expires_at": time.Now().Add(1500 * time.Millisecond)})
	h.lists("short-lived")
	if got := slugs(h.read("knowledge.search", map[string]any{"query": "mayfly"})); len(got) != 1 {
		t.Errorf("the search gives %v", got)
	}
	for deadline := time.Now().Add(20 * time.Second); len(slugs(h.read("knowledge.list", nil))) > 0; {
		if time.Now().After(deadline) {
			t.Fatal("it is still there")
		}
	}
	if got := h.read("knowledge.search", map[string]any{"query": "mayfly"}); len(slugs(got)) != 0 || got["nearest"] != nil {
		t.Errorf("what is over is still found: %v", got)
	}
}
