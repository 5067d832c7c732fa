package oauth_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/config"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestM14R41TheTokenEndpointTakesAFormWithEachParameterOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	form := "grant_type=refresh_token&client_id=" + client + "&refresh_token=x"
	urlencoded := "application/x-www-form-urlencoded"
	for name, c := range map[string]struct{ kind, body string }{
		"a repeated parameter": {urlencoded, form + "&grant_type=refresh_token"},
		"a JSON body":          {"application/json", `{"grant_type":"refresh_token"}`},
		"a malformed body":     {urlencoded, "\xff\xfe%zz"},
		"bytes that are no text": {
			urlencoded, "grant_type=refresh_token&client_id=" + client + "&refresh_token=%ff%00",
		},
		"another type":          {"text/plain", form},
		"no type":               {"", form},
		"an odd type":           {"application/x-www-form-urlencoded; charset=", form},
		"an empty body":         {urlencoded, ""},
		"a parameter left out":  {urlencoded, "grant_type=refresh_token&refresh_token=&client_id=" + client},
		"a grant without value": {urlencoded, "grant_type=&client_id=" + client},
	} {
		a := w.do(http.MethodPost, "/oauth/token", http.Header{"Content-Type": {c.kind}}, c.body)
		if code, _ := a.json(t)["error"].(string); a.status != 400 || code != "invalid_request" || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: HTTP %d %s", name, a.status, a.body)
		}
	}
	big := w.do(http.MethodPost, "/oauth/token", http.Header{"Content-Type": {urlencoded}}, form+strings.Repeat("x", 70_000))
	w.refused(big, http.StatusRequestEntityTooLarge, "invalid_request")
}

// basicHeader is HTTP Basic with both parts form-encoded (RFC 6749 §2.3.1).
func basicHeader(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(user)+":"+url.QueryEscape(password)))
}

func TestM14R15R16R17ClientsAuthenticateInThreeWays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.registration(map[string]any{"redirect_uris": []string{"https://app.test/cb"}})
	id, secret := c["client_id"].(string), c["client_secret"].(string)
	if c["client_secret_expires_at"] != 0.0 || c["token_endpoint_auth_method"] != "client_secret_basic" {
		t.Errorf("registration: %v", c)
	}
	public := w.registration(map[string]any{"redirect_uris": []string{callback}, "token_endpoint_auth_method": "none"})
	if _, has := public["client_secret"]; has {
		t.Error("a public client got a secret")
	}
	try := func(header, body string) answer {
		h := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		if header != "" {
			h.Set("Authorization", header)
		}
		return w.do(http.MethodPost, "/oauth/token", h, "grant_type=refresh_token&refresh_token=none&"+body)
	}
	publicID := public["client_id"].(string)
	for _, good := range []answer{
		try("", "client_id="+id+"&client_secret="+secret), try(basicHeader(id, secret), ""), try(basicHeader(id, secret), "client_id="+id),
		try("", "client_id="+publicID), try(basicHeader(publicID, ""), ""), try("bAsIc"+basicHeader(publicID, "")[5:], ""),
	} {
		w.refused(good, 400, "invalid_grant") // authenticated; the token is what is wrong
	}
	for _, bad := range []answer{
		try("", "client_id="+id), try("", "client_id="+id+"&client_secret=wrong"), try(basicHeader(id, "wrong"), ""), try(basicHeader(id, ""), ""),
		try("", "client_id="+publicID+"&client_secret=x"), try("Basic !!!", "client_id="+publicID), try("Bearer x", "client_id="+publicID),
		try("Basic "+base64.StdEncoding.EncodeToString([]byte("%zz:x")), ""), try(basicHeader("\xff", ""), ""), try(basicHeader(publicID, ""), "client_id="+id), try("", ""),
	} {
		w.refused(bad, 401, "invalid_client")
	}
	w.refused(try(basicHeader(id, secret), "client_secret="+secret), 400, "invalid_request")
}

func TestM15S7CodeLivesAMinuteAndSurvivesFailedAttempts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client, other := w.register(callback), w.register(callback)
	code := w.code(client, callback)
	w.refused(w.exchange(other, callback, code), 400, "invalid_grant")
	w.refused(w.exchange(client, "http://127.0.0.1:1/callback", code), 400, "invalid_grant")
	got := w.pair(w.exchange(client, callback, code))
	w.refused(w.exchange(other, callback, code), 400, "invalid_grant")
	if !w.works(got.access) {
		t.Error("a replay by another client revoked the tokens")
	}
	late := w.code(client, callback)
	w.pass(61 * time.Second)
	w.refused(w.exchange(client, callback, late), 400, "invalid_grant")
}

// together runs fn n times at once and answers what came of it.
func together(n int, fn func() answer) []answer {
	answers := make([]answer, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			<-start
			answers[i] = fn()
		})
	}
	close(start)
	wg.Wait()
	return answers
}

func TestM15OfManyWhoRedeemOneCodeOneWins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	code := w.code(client, callback)
	won := 0
	for _, a := range together(12, func() answer { return w.exchange(client, callback, code) }) {
		if a.status == http.StatusOK {
			won++
			continue
		}
		w.refused(a, 400, "invalid_grant")
	}
	if won != 1 {
		t.Errorf("%d redeemed the code", won)
	}
}

func TestM16OfManyWhoRefreshOneTokenAllGetValidPairs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	first := w.connect(client)
	seen := map[string]bool{}
	for _, a := range together(12, func() answer { return w.refresh(client, first.refresh) }) {
		p := w.pair(a)
		if seen[p.refresh] || !w.works(p.access) {
			t.Error("a pair of the race is not its own, or dead")
		}
		seen[p.refresh] = true
		w.pair(w.refresh(client, p.refresh))
	}
}

func TestM16WithoutAGraceOneRefreshWinsAndTheFamilyEnds(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, func(c *config.Config) { c.RefreshGrace = 0 })
	client := w.register(callback)
	first := w.connect(client)
	won := 0
	for _, a := range together(12, func() answer { return w.refresh(client, first.refresh) }) {
		if a.status == http.StatusOK {
			won++
			continue
		}
		w.refused(a, 400, "invalid_grant")
	}
	if won != 1 || w.works(first.access) {
		t.Errorf("%d refreshed; the family lives: %v", won, w.works(first.access))
	}
}

func TestM16OfTwoAnswersAtOnceOneCountsAndGivesACode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.ask(w.person, w.register(callback), callback)
	body := map[string]any{"approve": true, "scopes": []string{"context:read"}, "workspaces": []string{w.actor.Slug}}
	answers := make(chan answer, 2)
	// Both have read that the request is open before either may close it.
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		if err := tx.Store().Exec(`select from oauth_request where person_id = ? for update`, w.actor.Person).Error; err != nil {
			return err
		}
		for range cap(answers) {
			go func() { answers <- w.person.post(path, body) }()
		}
		for waiting := 0; waiting < cap(answers); {
			err := tx.Store().Raw(`select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like 'update oauth_request%'`).
				Scan(&waiting).Error
			if err != nil {
				return err
			}
			if err := tx.Store().Exec(`select pg_stat_clear_snapshot()`).Error; err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]int{}
	for range cap(answers) {
		got[(<-answers).status]++
	}
	if diff := cmp.Diff(map[int]int{http.StatusOK: 1, http.StatusConflict: 1}, got); diff != "" {
		t.Error(diff)
	}
}

func TestM17NarrowingARefreshDoesNotNarrowTheNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	first := w.connect(client, "scope", "context:read topics:create")
	narrow := w.pair(w.refresh(client, first.refresh, "scope", "context:read"))
	if narrow.scope != "context:read" {
		t.Errorf("narrowed to %q", narrow.scope)
	}
	if wide := w.pair(w.refresh(client, narrow.refresh)); wide.scope != "context:read topics:create" {
		t.Errorf("afterwards %q", wide.scope)
	}
}

func TestM17RefreshingSlidesTheLifeOfTheConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	p := w.connect(client)
	for range 3 {
		w.pass(20 * time.Hour)
		if w.works(p.access) {
			t.Error("an access token outlives its hour")
		}
		p = w.pair(w.refresh(client, p.refresh))
	}
}

func TestM17ClientThatDidNotAskForRefreshGetsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.registration(map[string]any{
		"redirect_uris": []string{callback}, "token_endpoint_auth_method": "none", "grant_types": []string{"authorization_code", "made_up"},
	})
	if diff := cmp.Diff([]any{"authorization_code"}, c["grant_types"]); diff != "" {
		t.Error(diff)
	}
	if p := w.connect(c["client_id"].(string)); p.refresh != "" || !w.works(p.access) {
		t.Errorf("got %+v", p)
	}
}

func TestM18S13NothingIsKeptInTheClear(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.registration(map[string]any{"redirect_uris": []string{callback}})
	id, secret := c["client_id"].(string), c["client_secret"].(string)
	code := w.code(id, callback)
	p := w.pair(w.exchange(id, callback, code, "client_secret", secret))
	for prefix, text := range map[string]string{"dat_": p.access, "drt_": p.refresh, "dac_": code, "dcl_": id} {
		if !strings.HasPrefix(text, prefix) || len(text) != len(prefix)+43 {
			t.Errorf("%q is not %s and 32 bytes", text, prefix)
		}
	}
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		for _, table := range []string{"oauth_client", "oauth_code", "oauth_token", "oauth_grant", "oauth_request"} {
			for _, text := range []string{secret, code, p.access, p.refresh} {
				var found bool
				if err := tx.Store().Raw(`select exists (select 1 from `+table+` r where r::text like ?)`, "%"+text+"%").Scan(&found).Error; err != nil {
					return err
				}
				if found {
					t.Errorf("%s holds %s… in the clear", table, text[:4])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{secret, code, p.access, p.refresh} {
		if strings.Contains(w.log.String(), text) {
			t.Error("the log holds a secret")
		}
	}
}

func TestM19RevocationEndsTheFamilyForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client, other := w.register(callback), w.register(callback)
	p := w.connect(client)
	if a := w.form("/oauth/revoke", "client_id", client, "token", "unknown"); a.status != http.StatusOK {
		t.Errorf("an unknown token: HTTP %d %s", a.status, a.body)
	}
	w.refused(w.form("/oauth/revoke", "client_id", other, "token", p.refresh), 400, "invalid_grant")
	if !w.works(p.access) {
		t.Error("a foreign client revoked a token")
	}
	next := w.pair(w.refresh(client, p.refresh))
	if a := w.form("/oauth/revoke", "client_id", client, "token", next.access); a.status != http.StatusOK || w.works(next.access) || !w.works(p.access) {
		t.Errorf("revoking one access token: HTTP %d", a.status)
	}
	if a := w.form("/oauth/revoke", "client_id", client, "token", next.refresh, "token_type_hint", "access_token"); a.status != http.StatusOK || w.works(p.access) {
		t.Errorf("revoking the family: HTTP %d", a.status)
	}
	w.refused(w.refresh(client, next.refresh), 400, "invalid_grant")
}

func TestIntrospectionTellsAClientWithASecretAboutItsOwnTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.registration(map[string]any{"redirect_uris": []string{callback}})
	id, secret := c["client_id"].(string), c["client_secret"].(string)
	p := w.pair(w.exchange(id, callback, w.code(id, callback, "scope", "context:read"), "client_secret", secret))
	ask := func(token string) map[string]any {
		return w.form("/oauth/introspect", "client_id", id, "client_secret", secret, "token", token).json(t)
	}
	got := ask(p.access)
	if got["active"] != true || got["scope"] != "context:read" || got["aud"] != w.base+"/mcp" || got["sub"] != w.actor.Person.String() {
		t.Errorf("introspection: %v", got)
	}
	public := w.register(callback)
	foreign := w.connect(public)
	for _, token := range []string{"unknown", foreign.access} {
		if diff := cmp.Diff(map[string]any{"active": false}, ask(token)); diff != "" {
			t.Error(diff)
		}
	}
	w.refused(w.form("/oauth/introspect", "client_id", public, "token", foreign.access), 401, "invalid_client")
	w.pass(2 * time.Hour)
	if got := ask(p.access); got["active"] != false {
		t.Errorf("an expired token: %v", got)
	}
}

func TestM20S12CallerIsThePersonOfThisMomentWithinTheGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.registration(map[string]any{"client_name": "Editor", "redirect_uris": []string{callback}, "token_endpoint_auth_method": "none"})
	p := w.connect(c["client_id"].(string), "scope", "context:read")
	caller, ok, err := w.server.ByToken(t.Context(), p.access)
	if err != nil || !ok {
		t.Fatalf("%v, %v", ok, err)
	}
	credential := caller.Credential
	want := tenant.Caller{
		Person: w.actor.Person, Name: w.actor.Name, Email: w.actor.Email, Via: tenant.ViaMCP, OAuth: true, Client: "Editor",
		Credential: credential, Scopes: []tenant.Scope{tenant.ContextRead},
		Memberships: []tenant.Membership{{Workspace: w.actor.Workspace, Slug: w.actor.Slug, Name: w.actor.Slug, Role: tenant.Owner}},
	}
	if diff := cmp.Diff(want, caller); diff != "" || credential == uuid.Nil {
		t.Error(diff)
	}
	for _, bad := range []string{"", "dat_", "not-a-token", p.refresh, p.access + "x", strings.ToUpper(p.access)} {
		if w.works(bad) {
			t.Errorf("%q works", bad)
		}
	}
	w.change(w.actor, `update membership set role = 'viewer' where person_id = ?`, w.actor.Person)
	if caller, _, err := w.server.ByToken(t.Context(), p.access); err != nil || caller.Memberships[0].Role != tenant.Viewer {
		t.Errorf("the role is not the live one: %+v, %v", caller.Memberships, err)
	}
	w.change(w.actor, `update oauth_grant set resource = 'https://other.test/mcp' where id = ?`, credential)
	if w.works(p.access) {
		t.Error("a token for another resource works")
	}
	w.change(w.actor, `update oauth_grant set resource = ? where id = ?`, w.base+"/mcp", credential)
	w.change(w.actor, `update person set disabled_at = now() where id = ?`, w.actor.Person)
	if w.works(p.access) {
		t.Error("the token of a disabled person works")
	}
	w.refused(w.refresh(c["client_id"].(string), p.refresh), 400, "invalid_grant")
}

func TestM20AGrantReachesOnlyTheWorkspacesThatWereChosen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := w.alsoIn(w.actor.Person, tenant.Member)
	client := w.register(callback)
	path := w.ask(w.person, client, callback)
	if got := w.person.get(path).json(t)["workspaces"].([]any); len(got) != 2 {
		t.Fatalf("to choose from: %v", got)
	}
	code := w.redirected(w.person.post(path, map[string]any{"approve": true, "scopes": []string{"context:read"}, "workspaces": []string{second.Slug}})).Get("code")
	caller, ok, err := w.server.ByToken(t.Context(), w.pair(w.exchange(client, callback, code)).access)
	if err != nil || !ok || len(caller.Memberships) != 1 || caller.Memberships[0].Slug != second.Slug {
		t.Errorf("reaches %v, %v, %v", caller.Memberships, ok, err)
	}
}

// This one does not run beside the others: it sweeps the whole database, with a clock that is far ahead.
func TestR25SweepKeepsClientsWithAGrantAndRemovesTheUnused(t *testing.T) {
	w := newWorld(t)
	used, unused := w.register(callback), w.register(callback)
	own := w.call(w.actor, "clients.create", map[string]any{"name": "Nobody yet", "redirect_uris": []any{callback}})["client_id"].(string)
	p := w.connect(used)
	for range 40 {
		w.pass(23 * time.Hour)
		p = w.pair(w.refresh(used, p.refresh))
		if err := w.server.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.refused(w.refresh(used, "x"), 400, "invalid_grant")
	w.refused(w.refresh(own, "x"), 400, "invalid_grant") // registered by its workspace, so it stays without a use
	w.refused(w.refresh(unused, "x"), 401, "invalid_client")
	if !w.works(p.access) {
		t.Error("a live token was swept away")
	}
}
