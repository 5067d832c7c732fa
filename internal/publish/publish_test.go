package publish_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/publish"
	"driftless/internal/retrieve"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type world struct {
	t      *testing.T
	reg    *op.Registry
	shares *publish.Service
	owner  tenant.Actor
}

func newWorld(t *testing.T) world {
	t.Helper()
	db, cfg := pgtest.DB(t), config.Config{PublicURL: "http://console.test"}
	shares := publish.New(db, cfg, retrieve.New(db, 1<<24))
	reg, err := op.NewRegistry(db, slices.Concat(topic.New(db, cfg).Operations(), shares.Operations(), notice.Operations()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return world{t, reg, shares, pgtest.Workspace(t)}
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
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		w.t.Fatal(err)
	}
	return out, nil
}

func (w world) ok(a tenant.Actor, id string, args map[string]any) map[string]any {
	w.t.Helper()
	out, err := w.call(a, id, args)
	if err != nil {
		w.t.Fatalf("%s %v: %v (%v)", id, args, err, fault.From(err).Unwrap())
	}
	return out
}

func (w world) fails(a tenant.Actor, id string, args map[string]any, code fault.Code) {
	w.t.Helper()
	if out, err := w.call(a, id, args); !fault.Is(err, code) {
		w.t.Errorf("%s %v answered %v, %v; want %s", id, args, out, err, code)
	}
}

// knowledge writes a topic that its owner approved.
func (w world) knowledge(args map[string]any) string {
	w.t.Helper()
	slug, _ := w.ok(w.owner, "topics.create", args)["slug"].(string)
	w.ok(w.owner, "topics.approve", map[string]any{"topic": slug})
	return slug
}

// toWeb shares and answers the token of the page.
func (w world) toWeb(slug string, more map[string]any) string {
	w.t.Helper()
	args := map[string]any{"topic": slug, "to_web": true}
	for name, value := range more {
		args[name] = value
	}
	url, _ := w.ok(w.owner, "topics.share", args)["url"].(string)
	token, found := strings.CutPrefix(url, "http://console.test/s/")
	if !found {
		w.t.Fatalf("the address of the page is %q", url)
	}
	return token
}

func (w world) gone(token string) {
	w.t.Helper()
	if page, err := w.shares.Open(w.t.Context(), token); !fault.Is(err, fault.CodeNotFound) {
		w.t.Errorf("the page is there: %v, %v", page, err)
	}
}

// slugs are the topics of a list or an inbox.
func slugs(page map[string]any) (out []string) {
	rows, _ := page["results"].([]any)
	for _, row := range rows {
		r, _ := row.(map[string]any)
		if about, ok := r["topic"].(map[string]any); ok {
			r = about
		}
		out = append(out, r["slug"].(string))
	}
	return out
}

func TestAPageHoldsTheApprovedTextAndNothingOfItsSurroundings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.knowledge(map[string]any{"title": "Closed friend"})
	slug := w.knowledge(map[string]any{
		"title": "Open page", "what": "Retries are capped.", "content": "See [[closed-friend]] and `[[closed-friend]]`, " +
			"driftless://" + w.owner.Slug + "/topics/closed-friend and http://console.test/w/topics/closed-friend?x=1, " +
			"HTTP://Console.test/w/acme/closed-friend, [there](/w/" + w.owner.Slug + "/t/closed-friend), Driftless://acme/topics/closed-friend. Outside: https://example.org/a.",
		"decisions": []string{"Five at most."}, "anchors": []string{"internal/secret/*.go"}, "sources": []string{"https://wiki.example.test/inside"},
		"owners": []string{"crew@example.test"}, "tags": []string{"internal-tag"},
	})
	token := w.toWeb(slug, nil)
	member := pgtest.Person(t, w.owner, tenant.Member)
	w.ok(member, "topics.update", map[string]any{
		"topic": slug, "what": "Pending sentence.", "base_revision": w.ok(member, "topics.get", map[string]any{"topic": slug})["revision"],
	})
	page, err := w.shares.Open(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Retries are capped.", "Five at most.", "https://example.org/a", "# Open page"} {
		if !strings.Contains(page.Markdown, part) {
			t.Errorf("the page lacks %q:\n%s", part, page.Markdown)
		}
	}
	for _, part := range []string{"closed-friend", "Pending", "internal/secret", "wiki.example", "crew@", "internal-tag", w.owner.Email, w.owner.Name, w.owner.Slug} {
		if strings.Contains(page.Markdown+page.Title+page.What, part) {
			t.Errorf("the page tells %q:\n%s", part, page.Markdown)
		}
	}
}

func TestAPageSaysItsTitleOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.toWeb(w.knowledge(map[string]any{"title": "Once", "content": "# Once\n\nThe text.\n\n# Once\n\nAgain on purpose."}), nil)
	page, err := w.shares.Open(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.Markdown, "# Once"); n != 2 || !strings.Contains(page.Markdown, "The text.") {
		t.Errorf("the title stands there %d times:\n%s", n, page.Markdown)
	}
}

func TestOnlyKnowledgeGoesToTheWebAndLeavesItWithItsState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	draft := w.ok(w.owner, "topics.create", map[string]any{"title": "Half done"})["slug"]
	w.fails(w.owner, "topics.share", map[string]any{"topic": draft, "to_web": true}, fault.CodeStateConflict)
	for title, leave := range map[string]string{"Goes to the archive": "topics.archive", "Goes to the trash": "topics.delete"} {
		slug := w.knowledge(map[string]any{"title": title})
		token := w.toWeb(slug, nil)
		w.ok(w.owner, leave, map[string]any{"topic": slug})
		w.gone(token)
	}
}

func TestAnAddressStaysUntilItIsRevokedAndNeverComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug := w.knowledge(map[string]any{"title": "Addressed"})
	first := w.toWeb(slug, nil)
	if again := w.toWeb(slug, nil); again != first {
		t.Errorf("shared again, the address is another one")
	}
	w.ok(w.owner, "topics.share", map[string]any{"topic": slug, "revoke": true})
	w.gone(first)
	second := w.toWeb(slug, nil)
	if second == first {
		t.Error("a revoked address came back")
	}
	w.gone(first)
	w.gone(second[:len(second)-1])
	w.gone("")
}

func TestAPageEndsAtItsTimeForGood(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug := w.knowledge(map[string]any{"title": "Short lived"})
	w.fails(w.owner, "topics.share", map[string]any{"topic": slug, "to_web": true, "expires_at": time.Now().Add(-time.Minute)}, fault.CodeValidation)
	w.fails(w.owner, "topics.share", map[string]any{"topic": slug, "expires_at": time.Now().Add(time.Minute)}, fault.CodeValidation)
	first := w.toWeb(slug, map[string]any{"expires_at": time.Now().Add(50 * time.Millisecond)})
	for deadline := time.Now().Add(10 * time.Second); ; {
		if _, err := w.shares.Open(t.Context(), first); fault.Is(err, fault.CodeNotFound) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the page is still there")
		}
	}
	if got := w.ok(w.owner, "topics.shared", map[string]any{"topic": slug})["url"]; got != nil {
		t.Errorf("a page that is over is shown at %v", got)
	}
	if second := w.toWeb(slug, nil); second == first {
		t.Error("the address that was over works again")
	}
	w.gone(first)
}

func TestAPrivateDraftIsReadByThoseItsAuthorChoseAndWrittenByNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	author, friend, other := pgtest.Person(t, w.owner, tenant.Member), pgtest.Person(t, w.owner, tenant.Admin), pgtest.Person(t, w.owner, tenant.Admin)
	slug := w.ok(author, "notes.add", map[string]any{"content": "Only for the two of us."})["slug"].(string)
	about := map[string]any{"topic": slug}
	w.fails(friend, "topics.get", about, fault.CodeNotFound)
	w.fails(friend, "topics.share", map[string]any{"topic": slug, "with_members": []string{other.Email}}, fault.CodeNotFound)
	told := w.ok(author, "topics.share", map[string]any{"topic": slug, "with_members": []string{" " + strings.ToUpper(friend.Email) + " "}})
	if got := told["members"]; !slices.Equal(got.([]any), []any{friend.Email}) {
		t.Errorf("the readers are %v", got)
	}
	w.ok(friend, "topics.get", about)
	if got := slugs(w.ok(friend, "inbox.list", nil)); !slices.Equal(got, []string{slug}) {
		t.Errorf("the inbox holds %v", got)
	}
	// Reading is all: not even an admin writes, decides, or passes it on.
	for id, args := range map[string]map[string]any{
		"topics.update": {"append_gotchas": []string{"Mine."}}, "topics.propose": {}, "topics.archive": {}, "topics.delete": {}, "topics.verify": {},
		"topics.share": {"with_members": []string{other.Email}},
	} {
		args["topic"] = slug
		w.fails(friend, id, args, fault.CodeInsufficientRole)
	}
	if got := w.ok(friend, "topics.get", about)["allowed_actions"]; got != nil {
		t.Errorf("a reader may %v", got)
	}
	for _, stranger := range []tenant.Actor{other, w.owner} {
		w.fails(stranger, "topics.get", about, fault.CodeNotFound)
		if got := slugs(w.ok(stranger, "inbox.list", nil)); len(got) != 0 {
			t.Errorf("a stranger's inbox holds %v", got)
		}
	}
	w.ok(author, "topics.share", map[string]any{"topic": slug, "with_members": []string{friend.Email}, "revoke": true})
	w.fails(friend, "topics.get", about, fault.CodeNotFound)
	if got := slugs(w.ok(friend, "inbox.list", nil)); len(got) != 0 {
		t.Errorf("what was taken back is still in the inbox: %v", got)
	}
}

func TestSharingNamesAddressesThatAreNobodysHere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug := w.knowledge(map[string]any{"title": "Known"})
	elsewhere := pgtest.Person(t, pgtest.Workspace(t), tenant.Member)
	for _, email := range []string{"nobody@example.test", elsewhere.Email, w.owner.Email} {
		w.fails(w.owner, "topics.share", map[string]any{"topic": slug, "with_members": []string{email}}, fault.CodeValidation)
	}
	w.fails(w.owner, "topics.share", map[string]any{"topic": slug}, fault.CodeValidation)
	w.fails(elsewhere, "topics.share", map[string]any{"topic": slug, "to_web": true}, fault.CodeNotFound)
}

func TestAnInboxIsReadItemByItemAndPageByPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	friend := pgtest.Person(t, w.owner, tenant.Viewer)
	var shared []string
	for _, title := range []string{"One", "Two", "Three"} {
		slug := w.knowledge(map[string]any{"title": title})
		w.ok(w.owner, "topics.share", map[string]any{"topic": slug, "with_members": []string{friend.Email}})
		shared = append([]string{slug}, shared...)
	}
	first := w.ok(friend, "inbox.list", map[string]any{"limit": 2})
	second := w.ok(friend, "inbox.list", map[string]any{"limit": 2, "cursor": first["next_cursor"]})
	if got := append(slugs(first), slugs(second)...); !slices.Equal(got, shared) || second["has_more"] != false {
		t.Errorf("page by page: %v, want %v", got, shared)
	}
	item := first["results"].([]any)[0].(map[string]any)["id"]
	w.fails(w.owner, "inbox.read", map[string]any{"item": item}, fault.CodeNotFound)
	w.ok(friend, "inbox.read", map[string]any{"item": item})
	w.ok(friend, "inbox.read", map[string]any{"item": item})
	if got := slugs(w.ok(friend, "inbox.list", map[string]any{"unread": true})); !slices.Equal(got, shared[1:]) {
		t.Errorf("unread are %v", got)
	}
	w.ok(friend, "inbox.read", map[string]any{"item": item, "unread": true})
	if got := slugs(w.ok(friend, "inbox.list", map[string]any{"unread": true})); !slices.Equal(got, shared) {
		t.Errorf("unread again are %v", got)
	}
}

func TestSharingIsOnTheRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug := w.knowledge(map[string]any{"title": "On the record"})
	w.toWeb(slug, nil)
	w.ok(w.owner, "topics.share", map[string]any{"topic": slug, "revoke": true})
	var types []string
	for _, row := range w.ok(w.owner, "events.list", map[string]any{"topic": slug})["results"].([]any) {
		types = append(types, row.(map[string]any)["type"].(string))
	}
	if !slices.Contains(types, "topic.shared") || types[0] != "topic.unshared" {
		t.Errorf("the events are %v", types)
	}
}
