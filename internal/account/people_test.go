package account_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// house is a workspace with its owner and the operations on people.
type house struct {
	t        *testing.T
	service  *account.Service
	registry *op.Registry
	owner    tenant.Actor
}

func newHouse(t *testing.T) *house {
	t.Helper()
	s := account.New(pgtest.DB(t), config.Config{PublicURL: "https://console.test", SessionTTL: time.Hour, AccountFails: 1000})
	registry, err := op.NewRegistry(pgtest.DB(t), s.Operations(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &house{t: t, service: s, registry: registry, owner: pgtest.Workspace(t)}
}

func (h *house) try(a tenant.Actor, id string, args map[string]any) (map[string]any, error) {
	h.t.Helper()
	return h.tryIn(a, h.owner.Slug, id, args)
}

func (h *house) ok(a tenant.Actor, id string, args map[string]any) map[string]any {
	h.t.Helper()
	out, err := h.try(a, id, args)
	if err != nil {
		h.t.Fatalf("%s: %v", id, err)
	}
	return out
}

func (h *house) fails(a tenant.Actor, id string, args map[string]any, code fault.Code) {
	h.t.Helper()
	if _, err := h.try(a, id, args); !fault.Is(err, code) {
		h.t.Errorf("%s %v answered %v, want %s", id, args, err, code)
	}
}

// invite answers the secret of a new link.
func (h *house) invite(args map[string]any) string {
	h.t.Helper()
	link, _ := h.ok(h.owner, "invitations.create", args)["link"].(string)
	secret, ok := strings.CutPrefix(link, "https://console.test/invite/")
	if !ok {
		h.t.Fatalf("the link is %q", link)
	}
	return secret
}

// roles are the members by name, with their roles.
func (h *house) roles() map[string]string {
	h.t.Helper()
	out := map[string]string{}
	for _, row := range h.ok(h.owner, "members.list", map[string]any{})["results"].([]any) {
		m := row.(map[string]any)
		out[m["person"].(map[string]any)["name"].(string)] = m["role"].(string)
	}
	return out
}

func TestAnInvitationMakesAnAccountAndWorksOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret := h.invite(map[string]any{"role": "viewer"})
	seen, err := h.service.Invitation(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	want := account.Invitation{
		Workspace: account.InvitedTo{Slug: h.owner.Slug, Name: h.owner.Slug}, Role: tenant.Viewer, InvitedBy: h.owner.Name, ExpiresAt: seen.ExpiresAt,
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("what the link is about (-want +got):\n%s", diff)
	}
	email := "new-" + h.owner.Slug + "@example.test"
	person, err := h.service.Accept(t.Context(), secret, uuid.Nil, account.Acceptance{Name: "Newcomer", Email: email, Password: "correct horse"})
	if err != nil {
		t.Fatal(err)
	}
	if h.roles()["Newcomer"] != "viewer" {
		t.Errorf("members: %v", h.roles())
	}
	if id, err := h.service.SignIn(t.Context(), email, "correct horse", ""); err != nil || id != person {
		t.Errorf("the new account signs in as %s, %v; want %s", id, err, person)
	}
	if _, err := h.service.Accept(t.Context(), secret, person, account.Acceptance{}); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("the second use answered %v", err)
	}
	if _, err := h.service.Invitation(t.Context(), secret); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("reading a used invitation answered %v", err)
	}
}

func TestOfSeveralWhoAcceptAtOnceOneGetsIn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret := h.invite(map[string]any{})
	var wg sync.WaitGroup
	in := make(chan uuid.UUID, 4)
	for range 4 {
		other := pgtest.Workspace(t).Person
		wg.Go(func() {
			if person, err := h.service.Accept(t.Context(), secret, other, account.Acceptance{}); err == nil {
				in <- person
			}
		})
	}
	wg.Wait()
	if len(in) != 1 || len(h.roles()) != 2 {
		t.Errorf("%d got in; members %v", len(in), h.roles())
	}
}

func TestAnInvitationForOneAddressIsForNobodyElse(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	meant, other := pgtest.Workspace(t), pgtest.Workspace(t)
	secret := h.invite(map[string]any{"email": strings.ToUpper(meant.Email)})
	for name, person := range map[string]uuid.UUID{"somebody else": other.Person, "a stranger": uuid.Nil} {
		in := account.Acceptance{Email: "stranger@example.test", Password: "correct horse"}
		if _, err := h.service.Accept(t.Context(), secret, person, in); !fault.Is(err, fault.CodePolicyForbids) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Whoever has the link but not the account does not become its owner.
	if _, err := h.service.Accept(t.Context(), secret, uuid.Nil, account.Acceptance{Password: "correct horse"}); !fault.Is(err, fault.CodeStateConflict) {
		t.Errorf("an address that has an account: %v", err)
	}
	if _, err := h.service.Accept(t.Context(), secret, meant.Person, account.Acceptance{}); err != nil {
		t.Errorf("the one who was meant: %v", err)
	}
	h.fails(h.owner, "invitations.create", map[string]any{"email": meant.Email}, fault.CodeStateConflict)
}

func TestALinkNeverChangesARoleThatIsThere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	member := pgtest.Person(t, h.owner, tenant.Member)
	secret := h.invite(map[string]any{"role": "admin"})
	if _, err := h.service.Accept(t.Context(), secret, member.Person, account.Acceptance{}); !fault.Is(err, fault.CodeStateConflict) {
		t.Errorf("a member accepted: %v", err)
	}
	if h.roles()[member.Name] != "member" {
		t.Errorf("roles: %v", h.roles())
	}
}

func TestWhoMayInviteAndAsWhat(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin, member := pgtest.Person(t, h.owner, tenant.Admin), pgtest.Person(t, h.owner, tenant.Member)
	h.fails(h.owner, "invitations.create", map[string]any{"role": "owner"}, fault.CodeValidation)
	h.fails(member, "invitations.create", map[string]any{}, fault.CodeInsufficientRole)
	agent, key := admin, h.owner
	agent.OAuth, agent.Via, key.Via = true, tenant.ViaMCP, tenant.ViaAPI
	h.fails(key, "invitations.create", map[string]any{"role": "admin"}, fault.CodePolicyForbids)
	h.fails(key, "members.change", map[string]any{"person": member.Email, "role": "owner"}, fault.CodePolicyForbids)
	h.ok(key, "invitations.create", map[string]any{})
	h.fails(agent, "invitations.create", map[string]any{}, fault.CodePolicyForbids)
	h.fails(agent, "members.change", map[string]any{"person": member.Email, "role": "admin"}, fault.CodePolicyForbids)
	h.fails(agent, "members.remove", map[string]any{"person": member.Email}, fault.CodePolicyForbids)
	h.ok(admin, "invitations.create", map[string]any{"role": "admin"})
}

func TestAnInvitationDiesWhenItIsTakenBackOrOld(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret := h.invite(map[string]any{})
	listed := h.ok(h.owner, "invitations.list", map[string]any{})["results"].([]any)
	if len(listed) != 1 {
		t.Fatalf("%d invitations are listed", len(listed))
	}
	id := listed[0].(map[string]any)["id"]
	h.ok(h.owner, "invitations.revoke", map[string]any{"invitation": id})
	h.fails(h.owner, "invitations.revoke", map[string]any{"invitation": id}, fault.CodeNotFound)
	old := h.invite(map[string]any{})
	err := pgtest.DB(t).Workspace(t.Context(), h.owner, pg.ReadWrite, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update invitation set expires_at = now() where workspace_id = ? and revoked_at is null`, h.owner.Workspace).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{secret, old, "made-up"} {
		if _, err := h.service.Accept(t.Context(), s, pgtest.Workspace(t).Person, account.Acceptance{}); !fault.Is(err, fault.CodeNotFound) {
			t.Errorf("%s: %v", s, err)
		}
	}
}

func TestLeavingEndsKeysAndOpenInvitationsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin := pgtest.Person(t, h.owner, tenant.Admin)
	keep := pgtest.Workspace(t)
	key, _ := h.ok(admin, "keys.create", map[string]any{"name": "mine", "scopes": []any{"context:read"}})["secret"].(string)
	wide, _ := h.ok(admin, "keys.create", map[string]any{"name": "wide", "scopes": []any{"context:read"}})["secret"].(string)
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update api_key set workspaces = array_append(workspaces, cast(? as uuid)) where person_id = ? and name = 'wide'`,
			keep.Workspace, admin.Person).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	link, _ := h.ok(admin, "invitations.create", map[string]any{})["link"].(string)
	h.ok(admin, "members.remove", map[string]any{"person": admin.Email})
	if _, ok, err := h.service.ByKey(t.Context(), key); ok || err != nil {
		t.Errorf("the key of who left works: %v, %v", ok, err)
	}
	if c, ok, err := h.service.ByKey(t.Context(), wide); !ok || err != nil || len(c.Memberships) != 0 {
		t.Errorf("the key for two workspaces: %v, %v, %v", ok, err, c.Memberships)
	}
	if _, err := h.service.Invitation(t.Context(), strings.TrimPrefix(link, "https://console.test/invite/")); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("their invitation: %v", err)
	}
	// Who comes back starts again: the earlier key stays closed to this workspace.
	if _, err := h.service.Accept(t.Context(), h.invite(map[string]any{}), admin.Person, account.Acceptance{}); err != nil {
		t.Fatal(err)
	}
	if c, _, err := h.service.ByKey(t.Context(), wide); err != nil || len(c.Memberships) != 0 {
		t.Errorf("after coming back an old key reaches %v, %v", c.Memberships, err)
	}
}

func TestAnAdminWhoIsNoLongerOneHasNoOpenInvitations(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin := pgtest.Person(t, h.owner, tenant.Admin)
	h.ok(admin, "invitations.create", map[string]any{"role": "admin"})
	h.ok(h.owner, "members.change", map[string]any{"person": admin.Email, "role": "member"})
	if n := h.ok(h.owner, "invitations.list", map[string]any{})["shown"]; n != 0.0 {
		t.Errorf("%v invitations are open", n)
	}
}

// browser is a cookie of a person at a server that has nothing but sessions.
type browser struct {
	t      *testing.T
	url    string
	cookie string
}

func (h *house) console() *httptest.Server {
	sessions := h.service.Sessions()
	mux := http.NewServeMux()
	mux.HandleFunc("/in/{person}", func(w http.ResponseWriter, r *http.Request) {
		if err := sessions.Begin(r.Context(), uuid.MustParse(r.PathValue("person")), r.UserAgent()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("/list", func(w http.ResponseWriter, r *http.Request) {
		page, err := sessions.List(r.Context())
		if err != nil {
			http.Error(w, err.Error(), fault.From(err).Kind.HTTPStatus())
			return
		}
		_ = json.NewEncoder(w).Encode(page)
	})
	mux.HandleFunc("/end/{session}", func(w http.ResponseWriter, r *http.Request) {
		if err := sessions.Revoke(r.Context(), r.PathValue("session")); err != nil {
			http.Error(w, err.Error(), fault.From(err).Kind.HTTPStatus())
		}
	})
	mux.HandleFunc("/password/{current}/{next}", func(w http.ResponseWriter, r *http.Request) {
		if err := sessions.ChangePassword(r.Context(), r.PathValue("current"), r.PathValue("next")); err != nil {
			http.Error(w, err.Error(), fault.From(err).Kind.HTTPStatus())
		}
	})
	server := httptest.NewServer(sessions.Middleware(mux))
	h.t.Cleanup(server.Close)
	return server
}

func (b *browser) get(path, agent string) (status int, body map[string]any) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.url+path, nil)
	if err != nil {
		b.t.Error(err)
		return 0, nil
	}
	r.Header.Set("User-Agent", agent)
	r.Header.Set("Cookie", b.cookie)
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		b.t.Error(err)
		return 0, nil
	}
	defer func() { _ = answer.Body.Close() }()
	if set := answer.Header.Get("Set-Cookie"); set != "" {
		b.cookie, _, _ = strings.Cut(set, ";")
	}
	_ = json.NewDecoder(answer.Body).Decode(&body)
	return answer.StatusCode, body
}

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

func TestSessionsAreListedByDeviceAndEndedOneByOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	server := h.console()
	here, there := &browser{t: t, url: server.URL}, &browser{t: t, url: server.URL}
	for b, agent := range map[*browser]string{here: firefox, there: "kiosk/1.0"} {
		if status, _ := b.get("/in/"+h.owner.Person.String(), agent); status != http.StatusOK {
			t.Fatalf("signing in: HTTP %d", status)
		}
	}
	_, page := here.get("/list", firefox)
	devices, other := map[string]bool{}, ""
	for _, row := range page["results"].([]any) {
		s := row.(map[string]any)
		current, _ := s["current"].(bool)
		devices[s["device"].(string)] = current
		if !current {
			other = s["id"].(string)
		}
	}
	if diff := cmp.Diff(map[string]bool{"Firefox on Linux": true, "kiosk/1.0": false}, devices); diff != "" {
		t.Errorf("devices, and whether they are this one (-want +got):\n%s", diff)
	}
	stranger := &browser{t: t, url: server.URL}
	stranger.get("/in/"+pgtest.Workspace(t).Person.String(), firefox)
	if status, _ := stranger.get("/end/"+other, firefox); status != http.StatusNotFound {
		t.Errorf("somebody else ends a session: HTTP %d", status)
	}
	if status, _ := here.get("/end/"+other, firefox); status != http.StatusOK {
		t.Errorf("ending a session: HTTP %d", status)
	}
	if status, _ := there.get("/list", "kiosk/1.0"); status != http.StatusUnauthorized {
		t.Errorf("the session that was ended: HTTP %d", status)
	}
	if status, _ := here.get("/list", firefox); status != http.StatusOK {
		t.Errorf("the session that was kept: HTTP %d", status)
	}
}

func TestANewPasswordEndsTheOtherSessions(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	email := "pass-" + h.owner.Slug + "@example.test"
	person, err := h.service.Accept(t.Context(), h.invite(map[string]any{}), uuid.Nil, account.Acceptance{Email: email, Password: "correct-horse"})
	if err != nil {
		t.Fatal(err)
	}
	server := h.console()
	here, there := &browser{t: t, url: server.URL}, &browser{t: t, url: server.URL}
	here.get("/in/"+person.String(), firefox)
	there.get("/in/"+person.String(), firefox)
	for path, want := range map[string]int{
		"/password/wrong-horse/battery-staple": http.StatusForbidden, "/password/correct-horse/short": http.StatusUnprocessableEntity,
	} {
		if status, _ := here.get(path, firefox); status != want {
			t.Errorf("%s: HTTP %d, want %d", path, status, want)
		}
	}
	if status, _ := there.get("/list", firefox); status != http.StatusOK {
		t.Errorf("after a change that was refused: HTTP %d", status)
	}
	if status, _ := here.get("/password/correct-horse/battery-staple", firefox); status != http.StatusOK {
		t.Fatalf("changing the password: HTTP %d", status)
	}
	if status, _ := there.get("/list", firefox); status != http.StatusUnauthorized {
		t.Errorf("the other session: HTTP %d", status)
	}
	if status, _ := here.get("/list", firefox); status != http.StatusOK {
		t.Errorf("this session: HTTP %d", status)
	}
	if _, err := h.service.SignIn(t.Context(), email, "battery-staple", ""); err != nil {
		t.Errorf("the new password: %v", err)
	}
}

// A request that was under way when its session ended must not bring it back by keeping what it had loaded.
func TestAnEndedSessionIsNotBroughtBackByARequestUnderWay(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	started, finish := make(chan struct{}), make(chan struct{})
	server := h.console()
	slow := httptest.NewServer(h.service.Sessions().Middleware(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(started)
		<-finish
	})))
	t.Cleanup(slow.Close)
	here := &browser{t: t, url: server.URL}
	here.get("/in/"+h.owner.Person.String(), firefox)
	under := &browser{t: t, url: slow.URL, cookie: here.cookie}
	done := make(chan struct{})
	go func() {
		defer close(done)
		under.get("/", firefox)
	}()
	<-started
	_, page := here.get("/list", firefox)
	id := page["results"].([]any)[0].(map[string]any)["id"].(string)
	here.get("/end/"+id, firefox)
	close(finish)
	<-done
	again := &browser{t: t, url: server.URL, cookie: under.cookie}
	if status, _ := again.get("/list", firefox); status != http.StatusUnauthorized {
		t.Errorf("the ended session answers HTTP %d", status)
	}
}

func TestOfSeveralChangesOfAPasswordAtOnceOneIsMade(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	console := h.console()
	g, err := h.service.Place(t.Context(), "changes-"+h.owner.Slug+"@example.test", "correct-horse", h.owner.Slug, tenant.Member)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	made := make(chan string, 4)
	for i := range 4 {
		b := &browser{t: t, url: console.URL}
		b.get("/in/"+g.UserID.String(), "")
		wg.Go(func() {
			next := fmt.Sprintf("battery-staple-%d", i)
			if status, _ := b.get("/password/correct-horse/"+next, ""); status == http.StatusOK {
				made <- next
			}
		})
	}
	wg.Wait()
	if len(made) != 1 {
		t.Fatalf("%d changes were made from one password", len(made))
	}
	if _, err := h.service.SignIn(t.Context(), "changes-"+h.owner.Slug+"@example.test", <-made, ""); err != nil {
		t.Errorf("the password that was set: %v", err)
	}
}
