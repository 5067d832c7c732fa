package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"driftless/internal/account/signon/signontest"
	"driftless/internal/config"
)

func TestSomebodyInvitedJoinsThroughAProviderAndComesBack(t *testing.T) {
	t.Parallel()
	w, work, forge := signOnWorld(t)
	for id, server := range map[string]*signontest.Server{"office": work, "forge": forge} {
		user := w.user(id + "-Ada")
		server.SignsIn(user)
		link := url.Values{"return_to": {"/w/" + w.owner.Slug}, "invitation": {w.invitation(t, map[string]any{"role": "viewer"})}}
		b := w.browser(t)
		if page := b.visit(t, "/signon/"+id+"/start?"+link.Encode()); page != "/w/"+w.owner.Slug {
			t.Fatalf("%s: joining led to %s", id, page)
		}
		session := b.send(t, http.MethodGet, "/api/v1/session", nil)
		person, _ := session.json["person"].(map[string]any)
		if person["email"] != strings.ToLower(user.Email) || person["name"] != user.Name || person["has_password"] != false {
			t.Errorf("%s: the session is of %v", id, person)
		}
		if r := b.send(t, http.MethodGet, "/api/v1/workspaces/"+w.owner.Slug+"/topics", nil); r.status != http.StatusOK {
			t.Errorf("%s: reading: HTTP %d %s", id, r.status, r.raw)
		}
		// The address at the provider may change; who it is does not.
		user.Email, user.Verified = "moved-"+user.Email, false
		server.SignsIn(user)
		again := w.browser(t)
		if page := again.visit(t, "/signon/"+id+"/start"); page != "/" || again.person(t) != person["id"] {
			t.Errorf("%s: coming back led to %s, as %q", id, page, again.person(t))
		}
		rows := again.send(t, http.MethodGet, "/api/v1/identities", nil)
		list, _ := rows.json["results"].([]any)
		if len(list) != 1 || list[0].(map[string]any)["provider"] != id || list[0].(map[string]any)["last_used_at"] == nil {
			t.Errorf("%s: identities: %s", id, rows.raw)
		}
	}
	ways := send(t, w.request(t, http.MethodGet, "/api/v1/signon", nil), "")
	providers, _ := ways.json["providers"].([]any)
	if len(providers) != 2 || ways.json["password"] != true || strings.Contains(string(ways.raw), "secret") {
		t.Errorf("the ways in: %s", ways.raw)
	}
}

// The one rule that everything hangs on: an address that a provider vouches for opens no account.
func TestAnIdentityNeverEntersTheAccountOfItsAddress(t *testing.T) {
	t.Parallel()
	w, work, forge := signOnWorld(t, func(c *config.Config) { c.SignOn[0].Create, c.SignOn[1].Create = true, true })
	user := w.user("ada")
	owner := w.withPassword(t, user.Email)
	ada := owner.person(t)
	user.Email = strings.ToUpper(user.Email)
	for id, server := range map[string]*signontest.Server{"office": work, "forge": forge} {
		server.SignsIn(user)
		for _, invitation := range []string{"", w.invitation(t, map[string]any{})} {
			b := w.browser(t)
			q := url.Values{"return_to": {"/w/x"}, "invitation": {invitation}}
			page, back := b.visit(t, "/signon/"+id+"/start?"+q.Encode()), "/w/x"
			if invitation != "" {
				back = "/invite/" + invitation
			}
			if problem(t, page) != "account_exists" || parse(t, page).Path != "/sign-in" || parse(t, page).Query().Get("return_to") != back || b.person(t) != "" {
				t.Errorf("%s: somebody with the address of an account came to %s, as %q", id, page, b.person(t))
			}
		}
	}
	// Who has the password links the identity, and from then on it signs them in.
	r := owner.send(t, http.MethodPost, "/api/v1/identities", map[string]any{"provider": "office"})
	to, _ := r.json["redirect_to"].(string)
	if r.status != http.StatusOK || owner.visit(t, to) != "/" || owner.person(t) != ada {
		t.Fatalf("linking: HTTP %d %s", r.status, r.raw)
	}
	b := w.browser(t)
	if page := b.visit(t, "/signon/office/start"); page != "/" || b.person(t) != ada {
		t.Errorf("signing in with the linked identity led to %s, as %q", page, b.person(t))
	}
	if page := w.browser(t).visit(t, "/signon/forge/start"); problem(t, page) != "account_exists" {
		t.Errorf("the identity at another provider came to %s", page)
	}
}

func TestWithoutAVerifiedAddressNobodyGetsAnAccount(t *testing.T) {
	t.Parallel()
	w, work, forge := signOnWorld(t, func(c *config.Config) { c.SignOn[0].Create, c.SignOn[1].Create = true, true })
	none, unverified, secondary, broken := w.user("none"), w.user("unverified"), w.user("secondary"), w.user("broken")
	none.Email, unverified.Verified, broken.Email = "", false, "not an address"
	secondary.Emails = []signontest.Email{{Email: secondary.Email, Verified: true}, {Email: "x" + secondary.Email, Primary: true}}
	for id, server := range map[string]*signontest.Server{"office": work, "forge": forge} {
		users := map[string]signontest.User{"no address": none, "an unverified one": unverified, "none that can be": broken}
		if id == "forge" {
			users["a verified one that is not primary"] = secondary
		}
		for name, user := range users {
			server.SignsIn(user)
			b := w.browser(t)
			page := b.visit(t, "/signon/"+id+"/start?invitation="+w.invitation(t, map[string]any{}))
			if problem(t, page) != "email_unverified" || b.person(t) != "" {
				t.Errorf("%s: somebody with %s came to %s", id, name, page)
			}
		}
	}
}

func TestInvitationsHoldThroughAProvider(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	user := w.user("ada")
	work.SignsIn(user)
	used := w.invitation(t, map[string]any{})
	if r := w.browser(t).send(t, http.MethodPost, "/api/v1/invitations/"+used+"/accept",
		map[string]any{"email": "first-" + user.Email, "password": "walnut-harbor-39"}); r.status != http.StatusOK {
		t.Fatalf("using an invitation: HTTP %d %s", r.status, r.raw)
	}
	for name, secret := range map[string]string{
		"none": "", "one that there is not": "x", "a used one": used, "one for another address": w.invitation(t, map[string]any{"email": "other-" + user.Email}),
	} {
		b := w.browser(t)
		if page := b.visit(t, "/signon/office/start?invitation="+secret); problem(t, page) != "not_invited" || b.person(t) != "" {
			t.Errorf("with the invitation %s somebody came to %s", name, page)
		}
	}
	if n := w.count(t, `select count(*) from person where email = ?`, user.Email); n != 0 {
		t.Errorf("refused, and %d accounts were made", n)
	}
	b := w.browser(t)
	if page := b.visit(t, "/signon/office/start?invitation="+w.invitation(t, map[string]any{"email": user.Email})); page != "/" || b.person(t) == "" {
		t.Errorf("the invitation for the address led to %s", page)
	}
}

func TestAProviderMayMakeAccountsForItsDomainsAlone(t *testing.T) {
	t.Parallel()
	w, work, forge := signOnWorld(t, func(c *config.Config) {
		c.SignOn[0].Create, c.SignOn[0].Domains = true, []string{"example.test"}
		c.SignOn[1].Domains = []string{"elsewhere.test"}
	})
	inside, outside, unverified := w.user("inside"), w.user("outside"), w.user("unverified")
	outside.Email, unverified.Verified = strings.Replace(outside.Email, "example.test", "evil.test", 1), false
	for name, try := range map[string]struct {
		user signontest.User
		want string
	}{"of the domain": {inside, ""}, "of another": {outside, "not_invited"}, "unverified": {unverified, "email_unverified"}} {
		work.SignsIn(try.user)
		b := w.browser(t)
		page := b.visit(t, "/signon/office/start")
		if problem(t, page) != try.want || (b.person(t) == "") != (try.want != "") {
			t.Errorf("an address %s came to %s, as %q", name, page, b.person(t))
		}
		if session := b.send(t, http.MethodGet, "/api/v1/session", nil); try.want == "" && len(session.json["workspaces"].([]any)) != 0 {
			t.Errorf("an account that a provider made is in a workspace: %s", session.raw)
		}
	}
	// The rule holds with an invitation, and for linking too.
	forge.SignsIn(w.user("guest"))
	if page := w.browser(t).visit(t, "/signon/forge/start?invitation="+w.invitation(t, map[string]any{})); problem(t, page) != "not_invited" {
		t.Errorf("an invitation led past the rule to %s", page)
	}
	b := w.withPassword(t, "linker-"+inside.Email)
	to, _ := b.send(t, http.MethodPost, "/api/v1/identities", map[string]any{"provider": "forge"}).json["redirect_to"].(string)
	if page := b.visit(t, to); page != "/?problem=not_invited" {
		t.Errorf("linking led past the rule to %s", page)
	}
}

func TestADisabledPersonIsNotSignedInByAProvider(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	work.SignsIn(w.user("ada"))
	b := w.browser(t)
	b.visit(t, "/signon/office/start?invitation="+w.invitation(t, map[string]any{}))
	w.system(t, `update person set disabled_at = now() where id = ?`, b.person(t))
	again := w.browser(t)
	if page := again.visit(t, "/signon/office/start"); problem(t, page) != "disabled" || again.person(t) != "" {
		t.Errorf("a disabled person came to %s, as %q", page, again.person(t))
	}
}

func TestAProviderThatFailsIsSaidAndTriedAgain(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	work.SignsIn(w.user("ada"))
	secret := w.invitation(t, map[string]any{})
	start := "/signon/office/start?return_to=%2Fw%2Fx&invitation=" + secret
	b := w.browser(t)
	// It is down first: later it is known, and people find out at its own page.
	for _, m := range []signontest.Manners{
		{Down: true}, {Refuses: "access_denied"}, {Claims: func(c map[string]any) { c["aud"] = "x" }},
	} {
		work.Behave(m)
		page := parse(t, b.visit(t, start))
		if page.Path != "/sign-in" || page.Query().Get("problem") != "provider_failed" || page.Query().Get("return_to") != "/invite/"+secret || b.person(t) != "" {
			t.Errorf("a provider with the manners %+v led to %s", m, page)
		}
	}
	work.Behave(signontest.Manners{})
	if page := b.visit(t, start); page != "/w/x" || b.person(t) == "" {
		t.Errorf("a provider that is well again led to %s", page)
	}
	if page := b.visit(t, "/signon/nobody/start"); problem(t, page) != "provider_failed" {
		t.Errorf("a provider that there is not led to %s", page)
	}
}

// A link that somebody else made must not put anybody into a workspace, whoever signs in behind it.
func TestSomebodyWithAnAccountAcceptsAnInvitationThemselves(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	other := newWorld(t)
	work.SignsIn(w.user("ada"))
	b := w.browser(t)
	b.visit(t, "/signon/office/start?invitation="+w.invitation(t, map[string]any{}))
	secret := other.invitation(t, map[string]any{})
	if page := b.visit(t, "/signon/office/start?return_to=%2Fw%2Fx&invitation="+secret); page != "/invite/"+secret {
		t.Errorf("somebody with an account came to %s", page)
	}
	session := b.send(t, http.MethodGet, "/api/v1/session", nil)
	if workspaces, _ := session.json["workspaces"].([]any); len(workspaces) != 1 {
		t.Errorf("the session says %s", session.raw)
	}
	if r := b.send(t, http.MethodPost, "/api/v1/invitations/"+secret+"/accept", map[string]any{}); r.status != http.StatusOK {
		t.Errorf("accepting: HTTP %d %s", r.status, r.raw)
	}
}

func TestTheSameNewIdentityTwiceAtOnceIsOnePerson(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t, func(c *config.Config) { c.SignOn[0].Create = true })
	work.SignsIn(w.user("ada"))
	const windows = 4
	var browsers [windows]*browser
	var callbacks [windows]string
	for i := range windows {
		browsers[i] = w.browser(t)
		callbacks[i] = browsers[i].callback(t, "/signon/office/start")
	}
	var wg sync.WaitGroup
	var pages [windows]string
	for i := range windows {
		wg.Go(func() { pages[i] = browsers[i].send(t, http.MethodGet, callbacks[i], nil).header.Get("Location") })
	}
	wg.Wait()
	first := browsers[0].person(t)
	for i := range windows {
		if who := browsers[i].person(t); pages[i] != "/" || who == "" || who != first {
			t.Errorf("window %d came to %s, as %q; the first is %q", i, pages[i], who, first)
		}
	}
}
