package doctor_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/config"
	"driftless/internal/drift"
	"driftless/internal/drift/doctor"
	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/source"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type world struct {
	t     *testing.T
	reg   *op.Registry
	owner tenant.Actor
}

func newWorld(t *testing.T) world {
	t.Helper()
	db := pgtest.DB(t)
	reg, err := op.NewRegistry(db, slices.Concat(
		topic.New(db, config.Config{}).Operations(), evidence.New().Operations(), source.New(config.Config{PublicURL: "http://console.test"}).Operations(), drift.New(db).Operations(), doctor.New().Operations()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return world{t, reg, pgtest.Workspace(t)}
}

func (w world) do(a tenant.Actor, id string, args map[string]any) map[string]any {
	w.t.Helper()
	out, err := w.call(a, id, args)
	if err != nil {
		w.t.Fatalf("%s %v: %v (%v)", id, args, err, fault.From(err).Unwrap())
	}
	return out
}

func (w world) call(a tenant.Actor, id string, args map[string]any) (map[string]any, error) {
	w.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		w.t.Fatal(err)
	}
	parsed, err := op.Arguments(raw)
	if err != nil {
		return nil, err
	}
	r, err := w.reg.Call(w.t.Context(), a.Caller, op.Call{Operation: w.reg.Operation(id), Workspace: a.Slug, Arguments: parsed, Limit: 50 << 10})
	if err != nil {
		return nil, err
	}
	if len(r.JSON) > 50<<10 {
		w.t.Errorf("%s answers %d bytes", id, len(r.JSON))
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		w.t.Fatal(err)
	}
	return out, nil
}

func (w world) topic(args map[string]any) string {
	w.t.Helper()
	return w.do(w.owner, "topics.create", args)["slug"].(string)
}

func (w world) knowledge(args map[string]any) string {
	w.t.Helper()
	slug := w.topic(args)
	w.do(w.owner, "topics.approve", map[string]any{"topic": slug})
	return slug
}

// age moves a date of a topic into the past, as waiting would.
func (w world) age(slug, column string, days int) {
	w.t.Helper()
	err := pgtest.DB(w.t).System(w.t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		if err := tx.Enter(w.owner.Workspace, uuid.Nil, tenant.ViaSystem); err != nil {
			return err
		}
		return tx.Store().Exec(`update topic set `+column+` = ? where workspace_id = ? and slug = ?`,
			time.Now().Add(-time.Duration(days)*24*time.Hour), w.owner.Workspace, slug).Error
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// members are the slugs and details of a category.
func (w world) members(a tenant.Actor, category string) (slugs, details []string) {
	w.t.Helper()
	r := w.do(a, "context.doctor", map[string]any{"categories": []string{category}})
	for _, f := range r["categories"].([]any) {
		for _, m := range f.(map[string]any)["members"].([]any) {
			member := m.(map[string]any)
			detail, _ := member["detail"].(string)
			slugs, details = append(slugs, member["slug"].(string)), append(details, detail)
			next := member["next_call"].(map[string]any)
			if !strings.HasPrefix(next["tool"].(string), "driftless_") || next["why"] == "" {
				w.t.Errorf("the next call for %v is %v", member["slug"], next)
			}
		}
	}
	if got := r["summary"].(map[string]any)[category]; got != float64(len(slugs)) {
		w.t.Errorf("%s counts %v and shows %v", category, got, slugs)
	}
	return slugs, details
}

func TestEachCategoryFindsWhatItIsAboutAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fine := map[string]any{"title": "All is well", "what": "A sentence that stands for itself."}
	w.knowledge(fine)
	long := w.topic(map[string]any{"title": "Long how", "what": "Too much.", "how": strings.Repeat("word ", 400)})
	bare := w.topic(map[string]any{"title": "No sentence", "status": "draft"})
	linked := w.topic(map[string]any{"title": "Leads nowhere", "what": "See [[nobody-home]] and [[all-is-well]]."})
	due := w.topic(map[string]any{"title": "Past its date", "what": "Was to be looked at.", "review_by": "2020-01-01"})
	w.topic(map[string]any{"title": "Before its date", "what": "Has time.", "review_by": "2999-01-01"})
	old := w.knowledge(map[string]any{"title": "Older rule", "what": "One thing."})
	w.knowledge(map[string]any{"title": "Newer rule", "what": "Another thing.", "rels": []any{map[string]any{"to": old, "type": "supersedes"}}})
	waiting := w.topic(map[string]any{"title": "Waits for long", "what": "Proposed long ago."})
	w.age(waiting, "proposed_at", 8)
	forgotten := w.topic(map[string]any{"title": "Forgotten draft", "what": "Nobody came back.", "status": "draft"})
	w.age(forgotten, "updated_at", 15)
	for category, want := range map[string][]string{
		"mis_shaped": {long, bare}, "dead_link": {linked}, "review_overdue": {due}, "superseded": {old},
		"proposed_waiting": {waiting}, "draft": {forgotten}, "stale": nil, "known_failed": nil, "contradiction": nil,
	} {
		got, _ := w.members(w.owner, category)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", category, got, want)
		}
	}
	if _, details := w.members(w.owner, "dead_link"); !strings.Contains(details[0], "nobody-home") || strings.Contains(details[0], "all-is-well") {
		t.Errorf("the detail is %v", details)
	}
}

func TestDuplicatesAreFoundByTitleAnchorsAndText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := "Payments are retried with exponential backoff and full jitter, five times at most, and then parked for a person to look at. "
	w.topic(map[string]any{"title": "Retry policy", "what": "One.", "anchors": []string{"pay/retry.go"}, "content": text + "The queue is called parked."})
	title := w.topic(map[string]any{"title": "retry policy", "what": "Two."})
	anchors := w.topic(map[string]any{"title": "Retries", "what": "Three.", "anchors": []string{"pay/retry.go"}})
	same := w.topic(map[string]any{"title": "How payments retry", "what": "One.", "content": text + "The queue is called: parked!"})
	w.topic(map[string]any{"title": "Elsewhere", "what": "Four.", "content": "Refunds are paid out by the bank within three days and never retried by us, which support knows and says."})
	got, details := w.members(w.owner, "duplicate")
	if !slices.Equal(got, []string{title, anchors, same}) {
		t.Errorf("duplicates are %v: %v", got, details)
	}
	for i, part := range []string{"the same title as retry-policy", "the same anchors as retry-policy", "nearly the same text as retry-policy"} {
		if i < len(details) && details[i] != part {
			t.Errorf("the detail is %q, want %q", details[i], part)
		}
	}
}

func TestStatementsOfKnowledgeThatSayTheOppositeAreHintedAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	say := func(title string, statements ...string) string {
		return w.knowledge(map[string]any{"title": title, "what": "x", "invariants": statements})
	}
	a := say("Cache rule", "Handlers must always write to the cache before the database.")
	b := say("Other cache rule", "Handlers must never write to the cache before the database.")
	c := say("Order rule", "Workers read the queue before the table.")
	d := say("Other order rule", "Workers read the queue after the table.")
	say("Unrelated", "Log lines are JSON.", "Handlers must not be slow.")
	w.topic(map[string]any{"title": "A note", "what": "x", "invariants": []string{"Workers never read the queue before the table."}})
	got, details := w.members(w.owner, "contradiction")
	if !slices.Equal(got, []string{a, c}) || !strings.Contains(details[0], b) || !strings.Contains(details[1], d) {
		t.Errorf("contradictions are %v: %v", got, details)
	}
}

func TestASolutionThatFailsForTwoPeopleIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug := w.topic(map[string]any{"title": "Broken import", "what": "x", "solutions": []any{map[string]any{"id": "s1", "fix": []string{"x"}}}})
	for n := range 2 {
		person := pgtest.Person(t, w.owner, tenant.Member)
		w.do(person, "feedback.report", map[string]any{"topic": slug, "solution": "s1", "revision": 1, "outcome": "failed", "env": map[string]any{"os": "linux"}})
		if got, details := w.members(w.owner, "known_failed"); len(got) != n || n == 1 && (got[0] != slug || details[0] != "s1 fails in linux") {
			t.Errorf("after %d failures: %v %v", n+1, got, details)
		}
	}
}

func TestAnAnswerIsBoundedAndSaysHowMuchThereIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 60 {
		w.topic(map[string]any{"title": fmt.Sprintf("Loose %d %s", i, strings.Repeat("long title ", 9)), "what": "x"})
	}
	for limit, want := range map[int]int{0: 10, 20: 20, 50: 50} {
		args := map[string]any{"categories": []string{"unassigned"}}
		if limit > 0 {
			args["limit"] = limit
		}
		f := w.do(w.owner, "context.doctor", args)["categories"].([]any)[0].(map[string]any)
		if got := len(f["members"].([]any)); f["count"] != 60.0 || got != want || f["has_more"] != true {
			t.Errorf("limit %d shows %d of %v", limit, got, f["count"])
		}
	}
	w.do(w.owner, "context.doctor", map[string]any{"limit": 50, "categories": []string{"unassigned", "duplicate", "mis_shaped", "proposed_waiting"}})
	counted := w.do(w.owner, "context.doctor", nil)
	if n := len(counted["summary"].(map[string]any)); n != 15 || len(counted["categories"].([]any)) != 0 || counted["next_action"] == nil {
		t.Errorf("without a category it answers %v", counted)
	}
	if _, err := w.call(w.owner, "context.doctor", map[string]any{"categories": []string{"haunted"}}); !fault.Is(err, fault.CodeValidation) {
		t.Errorf("an unknown category answers %v", err)
	}
}

func TestAPrivateDraftIsInNobodyElsesReport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	author := pgtest.Person(t, w.owner, tenant.Member)
	note := w.do(author, "notes.add", map[string]any{"title": "Secret plan", "content": "See [[nowhere-at-all]]."})["slug"].(string)
	if got, _ := w.members(author, "dead_link"); !slices.Equal(got, []string{note}) {
		t.Errorf("the author sees %v", got)
	}
	for _, category := range []string{"dead_link", "unassigned", "duplicate"} {
		if got, _ := w.members(w.owner, category); len(got) != 0 {
			t.Errorf("%s shows the owner %v", category, got)
		}
	}
}

// sync tells the server the files of a repository.
func (w world) sync(name string, paths ...string) {
	w.t.Helper()
	var tree repo.Tree
	for _, p := range paths {
		tree = append(tree, repo.File{Path: p, Blob: strings.Repeat("b", 40), Size: 1})
	}
	slices.SortFunc(tree, func(a, b repo.File) int { return strings.Compare(a.Path, b.Path) })
	files, err := tree.Text()
	if err != nil {
		w.t.Fatal(err)
	}
	w.do(w.owner, "sources.sync", map[string]any{
		"remote": "https://git.example.test/team/" + name, "branch": "main", "head": strings.Repeat("a", 40), "committed_at": "2026-01-02T03:04:05Z", "files": files,
	})
}

func TestAnchorsAreHeldAgainstTheFilesOfTheRepositories(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anchored := func(title string, anchors ...string) string {
		return w.knowledge(map[string]any{"title": title, "what": "x", "anchors": anchors})
	}
	dead := anchored("Dead", "src/dead/*.go", "src/gone.go")
	anchored("Alive", "src/dead/*.go", "src/live/*.go")
	broad := anchored("Broad", "many/**")
	old := anchored("Old", "legacy/*.c")
	w.topic(map[string]any{"title": "No anchors", "what": "x"})
	for _, category := range []string{"zombie", "orphaned", "overbroad"} {
		if got, _ := w.members(w.owner, category); len(got) != 0 {
			t.Errorf("before anything is known, %s finds %v", category, got)
		}
	}
	paths := []string{"src/live/a.go"}
	for i := range 120 {
		paths = append(paths, fmt.Sprintf("many/f%03d.go", i))
	}
	w.sync("code", paths...)
	w.sync("attic", "legacy/a.c")
	w.do(w.owner, "sources.disconnect", map[string]any{"source": "git.example.test/team/attic"})
	for category, want := range map[string]string{"zombie": dead, "orphaned": old, "overbroad": broad} {
		if got, details := w.members(w.owner, category); !slices.Equal(got, []string{want}) {
			t.Errorf("%s finds %v: %v, want %s", category, got, details, want)
		}
	}
}
