package oauth_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

// device is one device that asked to be connected.
type device struct {
	w                  *world
	client, code, user string
}

// kiosk registers a client that only devices use.
func (w *world) kiosk() string {
	w.t.Helper()
	return w.registration(map[string]any{
		"client_name": "Kiosk", "token_endpoint_auth_method": "none", "grant_types": []string{deviceGrant, "refresh_token"},
	})["client_id"].(string)
}

func (w *world) device(client string, more ...string) *device {
	w.t.Helper()
	a := w.form("/oauth/device", append([]string{"client_id", client}, more...)...)
	if a.status != http.StatusOK {
		w.t.Fatalf("no codes: HTTP %d %s", a.status, a.body)
	}
	body := a.json(w.t)
	return &device{w: w, client: client, code: body["device_code"].(string), user: body["user_code"].(string)}
}

func (d *device) poll() answer {
	d.w.t.Helper()
	return d.w.form("/oauth/token", "grant_type", deviceGrant, "client_id", d.client, "device_code", d.code)
}

func (d *device) path() string { return "/api/v1/oauth/device/" + d.user }

func (d *device) approve(scopes ...string) answer {
	d.w.t.Helper()
	return d.w.person.post(d.path(), map[string]any{"approve": true, "scopes": scopes, "workspaces": []string{d.w.actor.Slug}})
}

// wait is the time a device waits between two polls.
const wait = 5 * time.Second

func TestADeviceIsConnectedByAPersonWhoTypesItsCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.form("/oauth/device", "client_id", w.kiosk(), "scope", "context:read topics:create")
	body := a.json(t)
	user, _ := body["user_code"].(string)
	if !regexp.MustCompile(`^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$`).MatchString(user) {
		t.Errorf("user_code %q", user)
	}
	delete(body, "device_code")
	want := map[string]any{
		"user_code": user, "verification_uri": w.base + "/device", "verification_uri_complete": w.base + "/device?user_code=" + user,
		"expires_in": 600.0, "interval": 5.0,
	}
	if diff := cmp.Diff(want, body); diff != "" || a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the answer (-want +got), Cache-Control %q:\n%s", a.header.Get("Cache-Control"), diff)
	}
	d := w.device(w.kiosk(), "scope", "context:read topics:create")
	w.refused(d.poll(), http.StatusBadRequest, "authorization_pending")
	// However the person types it: small letters, no hyphen, spaces.
	typed := url.PathEscape(strings.ToLower(strings.ReplaceAll(d.user, "-", " ")))
	shown := w.person.get("/api/v1/oauth/device/" + typed).json(t)
	if shown["user_code"] != d.user || shown["client"].(map[string]any)["name"] != "Kiosk" || len(shown["scopes"].([]any)) != 2 {
		t.Errorf("the person is shown %v", shown)
	}
	if a := d.approve("context:read"); a.status != http.StatusOK || a.json(t)["approved"] != true {
		t.Fatalf("approving: HTTP %d %s", a.status, a.body)
	}
	tokens := w.pair(d.poll())
	if tokens.scope != "context:read" || !w.works(tokens.access) {
		t.Errorf("tokens with the scope %q, work: %v", tokens.scope, w.works(tokens.access))
	}
	if next := w.pair(w.refresh(d.client, tokens.refresh)); !w.works(next.access) {
		t.Error("the tokens cannot be refreshed")
	}
	w.refused(d.poll(), http.StatusBadRequest, "invalid_grant")
}

func TestADeviceThatPollsTooOftenHasToSlowDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.device(w.kiosk())
	w.refused(d.poll(), http.StatusBadRequest, "authorization_pending")
	w.refused(d.poll(), http.StatusBadRequest, "slow_down")
	w.pass(wait)
	w.refused(d.poll(), http.StatusBadRequest, "slow_down")
	w.pass(3 * wait)
	w.refused(d.poll(), http.StatusBadRequest, "authorization_pending")
	if a := d.approve("context:read"); a.status != http.StatusOK {
		t.Fatalf("approving: HTTP %d %s", a.status, a.body)
	}
	// There is something to tell now, so haste does not matter.
	w.pair(d.poll())
}

func TestADeviceIsToldThatThePersonSaidNo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.device(w.kiosk())
	if a := w.person.post(d.path(), map[string]any{"approve": false}); a.status != http.StatusOK || a.json(t)["approved"] != false {
		t.Fatalf("refusing: HTTP %d %s", a.status, a.body)
	}
	w.refused(d.poll(), http.StatusBadRequest, "access_denied")
	if a := d.approve("context:read"); a.status != http.StatusConflict {
		t.Errorf("a second answer: HTTP %d %s", a.status, a.body)
	}
	w.refused(d.poll(), http.StatusBadRequest, "access_denied")
}

func TestACodeOfADeviceLivesTenMinutes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pending, approved := w.device(w.kiosk()), w.device(w.kiosk())
	approved.approve("context:read")
	w.pass(10 * time.Minute)
	w.refused(pending.poll(), http.StatusBadRequest, "expired_token")
	w.refused(approved.poll(), http.StatusBadRequest, "expired_token")
	if a := w.person.get(pending.path()); a.status != http.StatusNotFound {
		t.Errorf("the page of an old code: HTTP %d", a.status)
	}
	if a := pending.approve("context:read"); a.status != http.StatusNotFound {
		t.Errorf("approving an old code: HTTP %d", a.status)
	}
}

func TestADeviceCodeIsForItsClientAndForThoseThatAskedForTheGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d, other := w.device(w.kiosk()), w.kiosk()
	d.approve("context:read")
	mine := d.client
	d.client = other
	w.refused(d.poll(), http.StatusBadRequest, "invalid_grant")
	d.client = w.register(callback)
	w.refused(d.poll(), http.StatusBadRequest, "unauthorized_client")
	w.refused(w.form("/oauth/device", "client_id", d.client), http.StatusBadRequest, "unauthorized_client")
	w.refused(w.form("/oauth/device", "client_id", "dcl_nobody"), http.StatusUnauthorized, "invalid_client")
	w.refused(w.form("/oauth/device", "client_id", mine, "scope", "admin"), http.StatusBadRequest, "invalid_scope")
	w.refused(w.form("/oauth/device", "client_id", mine, "resource", "https://other.test/mcp"), http.StatusBadRequest, "invalid_target")
	w.refused(w.form("/oauth/token", "client_id", mine, "grant_type", deviceGrant), http.StatusBadRequest, "invalid_request")
	d.client = mine
	w.pair(d.poll())
}

func TestOnlyASignedInPersonWithTheirTokenAnswersADevice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.device(w.kiosk())
	token := w.connect(w.register(callback)).access
	for name, head := range map[string]http.Header{
		"nobody": {}, "a token": {"Authorization": {"Bearer " + token}},
	} {
		if a := w.do(http.MethodGet, d.path(), head, ""); a.status != http.StatusUnauthorized {
			t.Errorf("%s: HTTP %d", name, a.status)
		}
	}
	forged := w.do(http.MethodPost, d.path(), http.Header{"Cookie": w.person.head["Cookie"]}, `{"approve":true}`)
	if forged.status != http.StatusForbidden {
		t.Errorf("without the token of the session: HTTP %d", forged.status)
	}
	for _, wrong := range []string{"AAAA-AAAA", "BBBB", "BBBB-BBBB-BBBB", "0"} {
		if a := w.person.get("/api/v1/oauth/device/" + wrong); a.status != http.StatusNotFound {
			t.Errorf("%s: HTTP %d", wrong, a.status)
		}
	}
	if a := d.approve(); a.status != http.StatusUnprocessableEntity {
		t.Errorf("approving nothing: HTTP %d", a.status)
	}
	if a := d.approve("made:up"); a.status != http.StatusUnprocessableEntity {
		t.Errorf("approving what was not asked: HTTP %d", a.status)
	}
	w.refused(d.poll(), http.StatusBadRequest, "authorization_pending")
}

func TestOfSeveralPollsAtOnceOneGetsTheTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.device(w.kiosk())
	d.approve("context:read")
	var wg sync.WaitGroup
	got := make(chan int, 6)
	for range cap(got) {
		wg.Go(func() { got <- d.poll().status })
	}
	wg.Wait()
	close(got)
	won := 0
	for status := range got {
		if status == http.StatusOK {
			won++
		}
	}
	if won != 1 {
		t.Errorf("%d polls got tokens", won)
	}
}

func TestSweepingKeepsWhatADeviceHasNotFetchedYet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.device(w.kiosk())
	d.approve("context:read")
	if err := w.server.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.pair(d.poll())
}

// connections are those that the person sees.
func (w *world) connections(b *browser) []map[string]any {
	w.t.Helper()
	var out []map[string]any
	for _, row := range b.get("/api/v1/connections").json(w.t)["results"].([]any) {
		out = append(out, row.(map[string]any))
	}
	return out
}

func TestM19APersonSeesAndEndsTheirConnections(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tokens := w.connect(w.register(callback), "scope", "context:read")
	rows := w.connections(w.person)
	if len(rows) != 1 {
		t.Fatalf("%d connections: %v", len(rows), rows)
	}
	c := rows[0]
	if c["client"].(map[string]any)["name"] == "" || len(c["scopes"].([]any)) != 1 || c["workspaces"].([]any)[0].(map[string]any)["slug"] != w.actor.Slug {
		t.Errorf("the connection is shown as %v", c)
	}
	w.pass(2 * time.Minute)
	if !w.works(tokens.access) || w.connections(w.person)[0]["last_used_at"] == c["last_used_at"] {
		t.Errorf("the last use stays %v", c["last_used_at"])
	}
	path := "/api/v1/connections/" + c["id"].(string)
	other := w.signIn(pgtest.Person(t, w.actor, tenant.Owner).Person)
	if a := w.do(http.MethodDelete, path, other.head, ""); a.status != http.StatusNotFound {
		t.Errorf("somebody else ends it: HTTP %d", a.status)
	}
	if a := w.do(http.MethodDelete, path, http.Header{"Cookie": w.person.head["Cookie"]}, ""); a.status != http.StatusForbidden {
		t.Errorf("without the token of the session: HTTP %d", a.status)
	}
	if !w.works(tokens.access) {
		t.Error("the token stopped although nobody ended the connection")
	}
	if a := w.do(http.MethodDelete, path, w.person.head, ""); a.status != http.StatusOK {
		t.Fatalf("ending it: HTTP %d %s", a.status, a.body)
	}
	if w.works(tokens.access) || len(w.connections(w.person)) != 0 || w.events("grant.revoked") != 1 {
		t.Errorf("after its end: the token works %v, connections %v, events %d", w.works(tokens.access), w.connections(w.person), w.events("grant.revoked"))
	}
}

func TestM20ATokenOfAPersonWhoWasRemovedIsDeadAtTheNextCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	boss := w.actor
	member := pgtest.Person(t, boss, tenant.Member)
	w.actor, w.person = member, w.signIn(member.Person)
	client := w.register(callback)
	tokens := w.connect(client)
	if !w.works(tokens.access) {
		t.Fatal("the token of a member does not work")
	}
	accounts := account.New(pgtest.DB(t), config.Config{})
	registry, err := op.NewRegistry(pgtest.DB(t), accounts.Operations(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = registry.Call(t.Context(), boss.Caller, op.Call{
		Operation: registry.Operation("members.remove"), Arguments: map[string]any{"person": member.Email},
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.works(tokens.access) {
		t.Error("the access token works")
	}
	w.refused(w.refresh(client, tokens.refresh), http.StatusBadRequest, "invalid_grant")
	if a := w.do(http.MethodGet, "/mcp", http.Header{"Authorization": {"Bearer " + tokens.access}}, ""); a.status != http.StatusUnauthorized {
		t.Errorf("the resource answers HTTP %d", a.status)
	}
	if n := len(w.connections(w.person)); n != 0 {
		t.Errorf("%d connections are left", n)
	}
}
