package publish_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/publish"
	"driftless/internal/retrieve"
	"driftless/internal/tenant"
)

// hall is a workspace and what anybody reads of it.
type hall struct {
	world
	cfg  config.Config
	open *op.Registry
}

func newHall(t *testing.T, c config.Config) hall {
	t.Helper()
	db := pgtest.DB(t)
	c.PublicURL = "http://console.test"
	h := hall{world: newWorld(t), cfg: c}
	var err error
	if h.open, err = op.NewRegistry(db, publish.New(db, c, retrieve.New(db, 1<<24)).PublicOperations(), nil); err != nil {
		t.Fatal(err)
	}
	return h
}

// set changes the owner's switch.
func (h hall) set(change map[string]any) {
	h.t.Helper()
	settings, err := op.NewRegistry(pgtest.DB(h.t), account.New(pgtest.DB(h.t), h.cfg).Operations(), nil)
	if err != nil {
		h.t.Fatal(err)
	}
	_, err = settings.Call(h.t.Context(), h.owner.Caller, op.Call{
		Operation: settings.Operation("settings.change"), Workspace: h.owner.Slug, Arguments: map[string]any{"public_knowledge": change},
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// ask calls as nobody, over MCP.
func (h hall) ask(id string, args map[string]any) (map[string]any, error) {
	h.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		h.t.Fatal(err)
	}
	parsed, err := op.Arguments(raw)
	if err != nil {
		h.t.Fatal(err)
	}
	r, err := h.open.Call(h.t.Context(), tenant.Caller{Via: tenant.ViaMCP}, op.Call{Operation: h.open.Operation(id), Workspace: h.owner.Slug, Arguments: parsed, Limit: 50 << 10})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		h.t.Fatal(err)
	}
	return out, nil
}

func (h hall) read(id string, args map[string]any) map[string]any {
	h.t.Helper()
	out, err := h.ask(id, args)
	if err != nil {
		h.t.Fatalf("%s %v: %v (%v)", id, args, err, fault.From(err).Unwrap())
	}
	return out
}

func (h hall) person(role tenant.Role) tenant.Actor { return pgtest.Person(h.t, h.owner, role) }

// everything is all that anybody can read, as one text.
func (h hall) everything(words ...string) string {
	h.t.Helper()
	answers := []any{h.read("knowledge.list", nil), h.read("knowledge.export", nil)}
	for _, slug := range slugs(h.read("knowledge.list", map[string]any{"limit": 200})) {
		answers = append(answers, h.read("knowledge.get", map[string]any{"slug": slug}))
	}
	for _, word := range words {
		answers = append(answers, h.read("knowledge.search", map[string]any{"query": word, "limit": 50}))
	}
	raw, err := op.Marshal(answers)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(raw)
}

func (h hall) lists(want ...string) {
	h.t.Helper()
	if got := slugs(h.read("knowledge.list", nil)); !slices.Equal(got, want) {
		h.t.Errorf("the contents are %v, want %v", got, want)
	}
}

func TestKnowledgeIsClosedUntilAnOwnerOpensItAndCloses(t *testing.T) {
	t.Parallel()
	h := newHall(t, config.Config{})
	h.toWeb(h.knowledge(map[string]any{"title": "Open words"}), nil)
	closed := func() {
		t.Helper()
		for id, args := range map[string]map[string]any{
			"knowledge.list": {}, "knowledge.search": {"query": "words"}, "knowledge.get": {"slug": "open-words"}, "knowledge.export": {},
		} {
			_, err := h.ask(id, args)
			elsewhere := h
			elsewhere.owner.Slug = "nowhere"
			_, unknown := elsewhere.ask(id, args)
			if diff := cmp.Diff(fault.From(unknown).Wire(""), fault.From(err).Wire("")); diff != "" || !fault.Is(err, fault.CodeNotFound) {
				t.Errorf("%s of a closed workspace answers %v (-unknown +closed):\n%s", id, err, diff)
			}
		}
	}
	closed()
	h.set(map[string]any{"enabled": true})
	h.lists("open-words")
	h.set(map[string]any{"enabled": false})
	closed()
}

func TestOnlyReviewedTopicsThatWereSharedOrAllAreOpen(t *testing.T) {
	t.Parallel()
	h := newHall(t, config.Config{})
	h.toWeb(h.knowledge(map[string]any{"title": "Shared one", "tags": []string{"web", "first"}}), nil)
	h.toWeb(h.knowledge(map[string]any{"title": "Shared two"}), nil)
	h.knowledge(map[string]any{"title": "Kept inside", "tags": []string{"web"}})
	h.ok(h.owner, "topics.create", map[string]any{"title": "Only proposed", "tags": []string{"web"}})
	h.ok(h.owner, "topics.create", map[string]any{"title": "Only a draft", "status": "draft"})
	h.set(map[string]any{"enabled": true})
	h.lists("shared-one", "shared-two")
	h.set(map[string]any{"all_reviewed": true})
	h.lists("kept-inside", "shared-one", "shared-two")
	h.set(map[string]any{"tags": []any{"web", "unused"}})
	h.lists("kept-inside", "shared-one")
	h.set(map[string]any{"all_reviewed": false})
	h.lists("shared-one")
	h.set(map[string]any{"tags": []any{}})
	h.ok(h.owner, "topics.share", map[string]any{"topic": "shared-one", "revoke": true})
	h.lists("shared-two")
	h.ok(h.owner, "topics.archive", map[string]any{"topic": "shared-two"})
	h.lists()
	for _, slug := range []string{"shared-one", "shared-two", "kept-inside", "only-proposed", "only-a-draft"} {
		_, err := h.ask("knowledge.get", map[string]any{"slug": slug})
		if want := fault.Missing("topic", slug); cmp.Diff(want.Wire(""), fault.From(err).Wire("")) != "" {
			t.Errorf("a closed topic answers %v, want %v", err, want)
		}
	}
}

func TestTheConfigurationOpensWhatWasSharedInTheWorkspacesItNames(t *testing.T) {
	t.Parallel()
	h := newHall(t, config.Config{})
	here := newHall(t, config.Config{PublicKnowledge: []string{h.owner.Slug}, PublicTags: []string{"web"}})
	h.open, h.cfg = here.open, here.cfg
	h.toWeb(h.knowledge(map[string]any{"title": "Shared", "tags": []string{"web"}}), nil)
	h.toWeb(h.knowledge(map[string]any{"title": "Untagged"}), nil)
	h.knowledge(map[string]any{"title": "Inside", "tags": []string{"web"}})
	h.lists("shared")
	if _, err := here.ask("knowledge.list", nil); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("a workspace that is not named answers %v", err)
	}
	h.set(map[string]any{"tags": []any{}})
	h.lists("shared", "untagged")
	h.set(map[string]any{"enabled": false})
	if _, err := h.ask("knowledge.list", nil); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("after an owner closed it, it answers %v", err)
	}
}

func TestPublicTextSaysNothingOfWhatIsClosed(t *testing.T) {
	t.Parallel()
	h := newHall(t, config.Config{})
	h.knowledge(map[string]any{"title": "Hidden sibling"})
	h.toWeb(h.knowledge(map[string]any{"title": "Open friend", "what": "Known."}), nil)
	mentions := "[[hidden-sibling]] and `[[hidden-sibling]]`, [[open-friend]], [[never-was]], driftless://" + h.owner.Slug + "/topics/hidden-sibling, " +
		"http://console.test/w/" + h.owner.Slug + "/t/hidden-sibling"
	h.toWeb(h.knowledge(map[string]any{
		"title": "Visible [[hidden-sibling]]", "slug": "visible", "what": "See [[hidden-sibling]] zebra.", "how": mentions, "content": "# Visible\n\n" + mentions,
		"decisions": []string{mentions}, "gotchas": []string{mentions}, "invariants": []string{mentions}, "required_checks": []string{mentions},
		"sources": []string{"https://tracker.test/SECRET-1"}, "anchors": []string{"internal/anchored/*.go"}, "tags": []string{"inner-tag"}, "owners": []string{"crew@example.test"},
		"rels":      []map[string]string{{"to": "hidden-sibling", "type": "depends_on"}, {"to": "open-friend", "type": "relates_to"}},
		"solutions": []map[string]any{{"id": "fix", "fix": []string{"[[hidden-sibling]]"}}},
	}), nil)
	h.set(map[string]any{"enabled": true})
	text := h.everything("visible", "zebra", "hidden sibling", "hidden-sibling", "SECRET-1", "anchored", "inner-tag", "never-was")
	for _, word := range []string{`hidden-sibling"`, "[hidden", "/hidden", "hidden-sibling]", "SECRET-1", "anchored", "inner-tag", "crew@", "[[never-was]]", h.owner.Email, h.owner.Name, h.owner.Person.String(), h.owner.Slug} {
		if i := strings.Index(text, word); i >= 0 {
			t.Errorf("somewhere %q is told: …%s…", word, text[max(0, i-200):min(len(text), i+100)])
		}
	}
	for _, word := range []string{"hidden-sibling", "inner-tag", "anchored", "never-was"} {
		if got := h.read("knowledge.search", map[string]any{"query": word}); len(slugs(got)) != 0 || got["nearest"] != nil {
			t.Errorf("a search for %q, which is told nowhere, answers %v", word, got)
		}
	}
	got := h.read("knowledge.get", map[string]any{"slug": "visible"})
	if want := []any{map[string]any{"type": "relates_to", "slug": "open-friend", "title": "Open friend"}}; cmp.Diff(want, got["relations"]) != "" {
		t.Errorf("the relations are %v", got["relations"])
	}
	if n := strings.Count(got["content"].(string), "[[open-friend]]"); n != 1 {
		t.Errorf("the mention of an open topic stands there %d times: %v", n, got["content"])
	}
	if got["trust"] != "reviewed" || got["content_trust"] != "untrusted-data" {
		t.Errorf("trust %v, content_trust %v", got["trust"], got["content_trust"])
	}
}

func TestAnExportIsTheSameUntilSomethingOpenChanges(t *testing.T) {
	t.Parallel()
	h := newHall(t, config.Config{})
	for _, title := range []string{"Fact b", "Fact a", "Fact c"} {
		h.toWeb(h.knowledge(map[string]any{"title": title, "what": "Sentence of " + title + "."}), nil)
	}
	h.set(map[string]any{"enabled": true})
	first := h.read("knowledge.export", nil)
	if got := slugs(first); !slices.Equal(got, []string{"fact-a", "fact-b", "fact-c"}) || first["facts"] != 3.0 {
		t.Errorf("the export holds %v, %v facts", got, first["facts"])
	}
	etag, _ := first["etag"].(string)
	same := func(etag string) bool {
		t.Helper()
		got := h.read("knowledge.export", map[string]any{"if_none_match": etag})
		if got["not_modified"] == true && len(slugs(got)) > 0 {
			t.Errorf("not_modified with %d topics", len(slugs(got)))
		}
		return got["not_modified"] == true
	}
	// What happens to topics that are closed is not told.
	h.knowledge(map[string]any{"title": "Closed", "what": "x"})
	h.ok(h.owner, "topics.create", map[string]any{"title": "Draft", "status": "draft", "content": "[[fact-a]]"})
	h.ok(h.owner, "topics.update", map[string]any{"topic": "fact-a", "append_gotchas": []string{"Suggested."}})
	if diff := cmp.Diff(first, h.read("knowledge.export", nil)); diff != "" || !same(etag) || !same(`W/"`+etag+`"`) {
		t.Errorf("the export changed with something closed:\n%s", diff)
	}
	for _, step := range []struct {
		what   string
		change func()
	}{
		{"shares", func() { h.ok(h.owner, "topics.share", map[string]any{"topic": "closed", "to_web": true}) }},
		{"tags", func() { h.set(map[string]any{"tags": []any{"none"}}) }},
		{"all", func() { h.set(map[string]any{"tags": []any{}, "all_reviewed": true}) }},
		{"topics", func() { h.knowledge(map[string]any{"title": "Fact d"}) }},
		{"relations", func() {
			h.knowledge(map[string]any{"title": "Related", "rels": []map[string]string{{"to": "fact-a", "type": "supersedes"}}})
		}},
	} {
		step.change()
		if same(etag) {
			t.Errorf("the etag stayed after a change of %s", step.what)
		}
		etag, _ = h.read("knowledge.export", nil)["etag"].(string)
	}
}

func TestAnExportAndTheContentsArePaged(t *testing.T) {
	t.Parallel()
	h := newHall(t, config.Config{})
	var want []string
	for i := range 9 {
		slug := h.knowledge(map[string]any{"title": "Page " + string(rune('a'+i)), "content": strings.Repeat("Twelve words. ", 1000)})
		want = append(want, slug)
	}
	h.knowledge(map[string]any{"title": "Too long", "content": strings.Repeat("A paragraph.\n\n", 8000)})
	want = append(want, "too-long")
	h.set(map[string]any{"enabled": true, "all_reviewed": true})
	for id, limit := range map[string]int{"knowledge.export": 0, "knowledge.list": 4} {
		args, pages := map[string]any{}, 0
		if limit > 0 {
			args["limit"] = limit
		}
		var got []string
		for {
			page := h.read(id, args)
			got, pages = append(got, slugs(page)...), pages+1
			if page["has_more"] != true {
				break
			}
			args["cursor"] = page["next_cursor"]
		}
		if !slices.Equal(got, want) || pages < 3 {
			t.Errorf("%s gives %v on %d pages", id, got, pages)
		}
	}
	text, args := "", map[string]any{"slug": "too-long"}
	for {
		part := h.read("knowledge.get", args)
		text += part["content"].(string)
		if part["content_next"] == nil {
			break
		}
		args["offset"] = part["content_next"]
	}
	if text != strings.Repeat("A paragraph.\n\n", 8000) {
		t.Errorf("the parts make %d bytes", len(text))
	}
}

func TestPublicSearchKeepsItsLimitsAndPutsWhatIsReplacedBelow(t *testing.T) {
	t.Parallel()
	h := newHall(t, config.Config{})
	for i := range 13 {
		h.knowledge(map[string]any{"title": "Marmot " + string(rune('a'+i)), "what": "A marmot sentence."})
	}
	h.knowledge(map[string]any{"title": "Old badger", "what": "Badger badger badger."})
	h.knowledge(map[string]any{"title": "New badger", "what": "One.", "rels": []map[string]string{{"to": "old-badger", "type": "supersedes"}}})
	h.set(map[string]any{"enabled": true, "all_reviewed": true})
	for limit, want := range map[int]int{0: 10, 12: 12, 500: 13} {
		args := map[string]any{"query": "marmot"}
		if limit > 0 {
			args["limit"] = limit
		}
		page := h.read("knowledge.search", args)
		if n := len(slugs(page)); n != want || (page["has_more"] == true) != (want < 13) {
			t.Errorf("limit %d gives %d, has_more %v", limit, n, page["has_more"])
		}
	}
	if got := slugs(h.read("knowledge.search", map[string]any{"query": "badger"})); !slices.Equal(got, []string{"new-badger", "old-badger"}) {
		t.Errorf("the search gives %v", got)
	}
	if got := h.read("knowledge.get", map[string]any{"slug": "old-badger"})["superseded_by"]; cmp.Diff([]any{"new-badger"}, got) != "" {
		t.Errorf("superseded_by is %v", got)
	}
	// A word is looked for in what is open now.
	h.set(map[string]any{"all_reviewed": false})
	if got := h.read("knowledge.search", map[string]any{"query": "badger"}); len(slugs(got)) != 0 || got["nearest"] != nil {
		t.Errorf("what was closed is still found: %v", got)
	}
}
