package app_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"driftless/internal/tenant"
)

// console is a browser at the console: a cookie, and the token that changes need.
type console struct {
	w            *world
	cookie, csrf string
	// person is who signed in by [world.signIn].
	person tenant.Caller
}

func (c *console) send(t *testing.T, method, path string, body any) reply {
	t.Helper()
	var raw []byte
	if body != nil {
		raw = encode(t, body)
	}
	r := c.w.request(t, method, path, raw)
	r.Header.Set("Cookie", c.cookie)
	r.Header.Set("X-CSRF-Token", c.csrf)
	answer := send(t, r, "")
	c.cookie = withCookies(c.cookie, answer.header)
	if token, ok := answer.json["csrf_token"].(string); ok {
		c.csrf = token
	}
	return answer
}

// withCookies is the Cookie header of a browser after an answer.
func withCookies(cookies string, answer http.Header) string {
	jar := map[string]string{}
	for pair := range strings.SplitSeq(cookies, "; ") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			jar[name] = value
		}
	}
	for _, set := range (&http.Response{Header: answer}).Cookies() {
		jar[set.Name] = set.Value
		if set.MaxAge < 0 {
			delete(jar, set.Name)
		}
	}
	out := []string{}
	for _, name := range slices.Sorted(maps.Keys(jar)) {
		out = append(out, name+"="+jar[name])
	}
	return strings.Join(out, "; ")
}

func (w *world) invite(t *testing.T, args map[string]any) string {
	t.Helper()
	link, _ := w.do(t, "invitations.create", args)["link"].(string)
	secret, ok := strings.CutPrefix(link, w.url+"/invite/")
	if !ok {
		t.Fatalf("the link is %q", link)
	}
	return "/api/v1/invitations/" + secret
}

func TestSomebodyWithoutAnAccountJoinsByALinkAndIsSignedIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.invite(t, map[string]any{"role": "viewer"})
	about := send(t, w.request(t, http.MethodGet, path, nil), "")
	if about.status != http.StatusOK || about.json["role"] != "viewer" || about.json["invited_by"] != w.owner.Name {
		t.Fatalf("the link is about HTTP %d %s", about.status, about.raw)
	}
	newcomer := &console{w: w}
	in := map[string]any{"name": "Newcomer", "email": "joins-" + w.owner.Slug + "@example.test", "password": "correct horse"}
	joined := newcomer.send(t, http.MethodPost, path+"/accept", in)
	if joined.status != http.StatusOK || newcomer.cookie == "" {
		t.Fatalf("joining: HTTP %d %s", joined.status, joined.raw)
	}
	if person, _ := joined.json["person"].(map[string]any); person["has_password"] != true || joined.json["signed_in_at"] == nil {
		t.Errorf("the session of somebody with a password says %s", joined.raw)
	}
	topics := "/api/v1/workspaces/" + w.owner.Slug + "/topics"
	if r := newcomer.send(t, http.MethodGet, topics, nil); r.status != http.StatusOK {
		t.Errorf("reading: HTTP %d %s", r.status, r.raw)
	}
	newcomer.send(t, http.MethodPost, path+"/accept", map[string]any{}).is(t, "the second use", http.StatusNotFound, "NOT_FOUND")
	send(t, w.request(t, http.MethodGet, path, nil), "").is(t, "reading a used link", http.StatusNotFound, "NOT_FOUND")
	// The way out is as quick as the way in.
	me := newcomer.send(t, http.MethodGet, "/api/v1/session", nil).json["person"].(map[string]any)["id"].(string)
	left := newcomer.send(t, http.MethodDelete, "/api/v1/workspaces/"+w.owner.Slug+"/members/"+me, nil)
	if left.status != http.StatusOK {
		t.Fatalf("leaving: HTTP %d %s", left.status, left.raw)
	}
	newcomer.send(t, http.MethodGet, topics, nil).is(t, "reading after leaving", http.StatusNotFound, "NOT_FOUND")
}

func TestAcceptingIsDoneByAPersonAndNotByAnotherSite(t *testing.T) {
	t.Parallel()
	w, other := newWorld(t), newWorld(t)
	key := w.key(t, w.people[tenant.Member])
	path := w.invite(t, map[string]any{})
	send(t, w.request(t, http.MethodPost, path+"/accept", []byte(`{}`)), key).is(t, "with a key", http.StatusUnauthorized, "UNAUTHENTICATED")
	person := &console{w: w}
	in := map[string]any{"email": "forged-" + w.owner.Slug + "@example.test", "password": "correct horse"}
	person.send(t, http.MethodPost, other.invite(t, map[string]any{}), nil).is(t, "another method", http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	if r := person.send(t, http.MethodPost, path+"/accept", in); r.status != http.StatusOK {
		t.Fatalf("joining: HTTP %d %s", r.status, r.raw)
	}
	next, token := w.invite(t, map[string]any{}), person.csrf
	person.csrf = "made-up"
	person.send(t, http.MethodPost, next+"/accept", map[string]any{}).is(t, "without the token of the session", http.StatusForbidden, "CSRF_TOKEN_INVALID")
	person.csrf = token
	person.send(t, http.MethodPost, next+"/accept", map[string]any{}).is(t, "a member", http.StatusConflict, "STATE_CONFLICT")
}

func TestWhatIsAboutAPersonAloneIsClosedToKeysAndTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for path, method := range map[string]string{
		"/api/v1/session": http.MethodGet, "/api/v1/sessions": http.MethodGet, "/api/v1/sessions/x": http.MethodDelete, "/api/v1/password": http.MethodPost,
		"/api/v1/identities": http.MethodGet, "/api/v1/identities/x": http.MethodDelete,
		"/api/v1/connections": http.MethodGet, "/api/v1/connections/" + w.owner.Person.String(): http.MethodDelete,
		"/api/v1/oauth/device/BBBB-BBBB": http.MethodGet,
	} {
		for _, credential := range []string{"", key} {
			var body []byte
			if method == http.MethodPost {
				body = []byte(`{}`)
			}
			r := send(t, w.request(t, method, path, body), credential)
			r.is(t, method+" "+path, http.StatusUnauthorized, "UNAUTHENTICATED")
		}
	}
}

func TestAPersonChangesTheirPasswordAndSeesTheirSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	person := &console{w: w}
	in := map[string]any{"email": "word-" + w.owner.Slug + "@example.test", "password": "correct horse"}
	person.send(t, http.MethodPost, w.invite(t, map[string]any{})+"/accept", in)
	other := &console{w: w}
	if r := other.send(t, http.MethodPost, "/api/v1/session", in); r.status != http.StatusOK {
		t.Fatalf("signing in: HTTP %d %s", r.status, r.raw)
	}
	list := person.send(t, http.MethodGet, "/api/v1/sessions", nil)
	if list.json["shown"] != 2.0 {
		t.Errorf("sessions: %s", list.raw)
	}
	person.send(t, http.MethodPost, "/api/v1/password", map[string]any{"current": "wrong horse!", "new": "battery staple"}).
		is(t, "a wrong password", http.StatusForbidden, "WRONG_PASSWORD")
	if r := person.send(t, http.MethodPost, "/api/v1/password", map[string]any{"current": "correct horse", "new": "battery staple"}); r.status != http.StatusNoContent {
		t.Errorf("changing it: HTTP %d %s", r.status, r.raw)
	}
	other.send(t, http.MethodGet, "/api/v1/session", nil).is(t, "the other session", http.StatusUnauthorized, "UNAUTHENTICATED")
	var rows struct {
		Results []struct {
			ID      string `json:"id"`
			Current bool   `json:"current"`
		} `json:"results"`
	}
	raw := person.send(t, http.MethodGet, "/api/v1/sessions", nil).raw
	if err := json.Unmarshal(raw, &rows); err != nil || len(rows.Results) != 1 || !rows.Results[0].Current {
		t.Fatalf("sessions: %v %s", err, raw)
	}
	if r := person.send(t, http.MethodDelete, "/api/v1/sessions/"+rows.Results[0].ID, nil); r.status != http.StatusNoContent {
		t.Errorf("ending this session: HTTP %d %s", r.status, r.raw)
	}
	person.send(t, http.MethodGet, "/api/v1/sessions", nil).is(t, "after its end", http.StatusUnauthorized, "UNAUTHENTICATED")
}
