package app_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// identities are the ids of the identities of who is signed in.
func (b *browser) identities(t *testing.T) (ids []string) {
	t.Helper()
	rows, _ := b.send(t, http.MethodGet, "/api/v1/identities", nil).json["results"].([]any)
	for _, row := range rows {
		ids = append(ids, row.(map[string]any)["id"].(string))
	}
	return ids
}

func (b *browser) link(t *testing.T, provider string) {
	t.Helper()
	to, _ := b.send(t, http.MethodPost, "/api/v1/identities", map[string]any{"provider": provider}).json["redirect_to"].(string)
	if page := b.visit(t, to); page != "/" {
		t.Fatalf("linking led to %s", page)
	}
}

func TestTheLastIdentityOfSomebodyWithoutAPasswordStays(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	work.SignsIn(w.user("ada"))
	b := w.browser(t)
	b.visit(t, "/signon/office/start?invitation="+w.invitation(t, map[string]any{}))
	me := b.person(t)
	only := b.identities(t)[0]
	b.send(t, http.MethodDelete, "/api/v1/identities/"+only, nil).is(t, "the only way", http.StatusConflict, "STATE_CONFLICT")
	if left := b.identities(t); !slices.Equal(left, []string{only}) {
		t.Fatalf("refused, and left are %v", left)
	}
	// A first password needs no other, but a recent sign-in.
	word := map[string]any{"new": "walnut-harbor-39"}
	w.age(t, me, 16*time.Minute)
	b.send(t, http.MethodPost, "/api/v1/password", word).is(t, "an old session", http.StatusUnauthorized, "SESSION_TOO_OLD")
	b.send(t, http.MethodDelete, "/api/v1/identities/"+only, nil).is(t, "unlinking in an old session", http.StatusUnauthorized, "SESSION_TOO_OLD")
	b.visit(t, "/signon/office/start")
	b.person(t)
	if r := b.send(t, http.MethodPost, "/api/v1/password", word); r.status != http.StatusNoContent {
		t.Fatalf("a first password: HTTP %d %s", r.status, r.raw)
	}
	session := b.send(t, http.MethodGet, "/api/v1/session", nil)
	if person, _ := session.json["person"].(map[string]any); person["has_password"] != true {
		t.Errorf("the session says %s", session.raw)
	}
	b.send(t, http.MethodPost, "/api/v1/password", map[string]any{"new": "meadow-lantern-52"}).
		is(t, "a second one without the first", http.StatusForbidden, "WRONG_PASSWORD")
	if r := b.send(t, http.MethodDelete, "/api/v1/identities/"+only, nil); r.status != http.StatusNoContent {
		t.Errorf("unlinking beside a password: HTTP %d %s", r.status, r.raw)
	}
	if page := w.browser(t).visit(t, "/signon/office/start"); problem(t, page) != "account_exists" {
		t.Errorf("an identity that was unlinked came to %s", page)
	}
}

func TestTwoWaysTakenAtTheSameMomentLeaveOne(t *testing.T) {
	t.Parallel()
	w, work, forge := signOnWorld(t)
	user := w.user("ada")
	work.SignsIn(user)
	forge.SignsIn(user)
	b := w.browser(t)
	b.visit(t, "/signon/office/start?invitation="+w.invitation(t, map[string]any{}))
	b.person(t)
	b.link(t, "forge")
	ids := b.identities(t)
	if len(ids) != 2 {
		t.Fatalf("linked are %v", ids)
	}
	var wg sync.WaitGroup
	answers := make(chan int, len(ids))
	for _, id := range ids {
		wg.Go(func() { answers <- b.send(t, http.MethodDelete, "/api/v1/identities/"+id, nil).status })
	}
	wg.Wait()
	close(answers)
	var got []int
	for status := range answers {
		got = append(got, status)
	}
	slices.Sort(got)
	if !slices.Equal(got, []int{http.StatusNoContent, http.StatusConflict}) || len(b.identities(t)) != 1 {
		t.Errorf("both at once answered %v, left are %v", got, b.identities(t))
	}
}

func TestAPasswordSetByTheOperatorTakesTheAccountBackFromIdentities(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	user := w.user("ada")
	b := w.withPassword(t, user.Email)
	me := b.person(t)
	thief := user
	thief.Email = "thief-" + user.Email
	work.SignsIn(thief)
	b.link(t, "office")
	if _, err := w.Accounts.Place(t.Context(), user.Email, "meadow-lantern-52", w.owner.Slug, "viewer"); err != nil {
		t.Fatal(err)
	}
	again := w.browser(t)
	if page := again.visit(t, "/signon/office/start"); problem(t, page) != "not_invited" || again.person(t) == me {
		t.Errorf("an identity linked before came to %s, as %q", page, again.person(t))
	}
}
