package app_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/google/uuid"

	"driftless/internal/account/signon/signontest"
	"driftless/internal/config"
	"driftless/internal/pg"
)

// browser keeps its cookies and follows people from page to page.
type browser struct {
	w    *world
	jar  *cookiejar.Jar
	csrf string
}

func (w *world) browser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{w: w, jar: jar}
}

// cookie is the value of a cookie of the server; "" where there is none.
func (b *browser) cookie(t *testing.T, name string) string {
	t.Helper()
	for _, c := range b.jar.Cookies(parse(t, b.w.url)) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// send asks one address, of this server or of another one, and follows nothing.
func (b *browser) send(t *testing.T, method, to string, body any) reply {
	t.Helper()
	var raw []byte
	if body != nil {
		raw = encode(t, body)
	}
	r := b.w.request(t, method, "/", raw)
	r.URL = parse(t, b.w.url).ResolveReference(parse(t, to))
	r.Host = r.URL.Host
	for _, c := range b.jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	if b.csrf != "" {
		r.Header.Set("X-CSRF-Token", b.csrf)
	}
	answer := send(t, r, "")
	b.jar.SetCookies(r.URL, (&http.Response{Header: answer.header}).Cookies())
	if token, ok := answer.json["csrf_token"].(string); ok {
		b.csrf = token
	}
	return answer
}

// visit follows an address through the provider and back, to the page of the console where it ends.
func (b *browser) visit(t *testing.T, to string) string {
	t.Helper()
	for range 6 {
		at := parse(t, b.w.url).ResolveReference(parse(t, to))
		if here, is := strings.CutPrefix(at.String(), b.w.url); is && !strings.HasPrefix(here, "/signon/") {
			return here
		}
		to = b.step(t, at.String())
	}
	t.Fatalf("%s leads nowhere", to)
	return ""
}

// step asks an address that has to lead on, and answers where.
func (b *browser) step(t *testing.T, to string) string {
	t.Helper()
	r := b.send(t, http.MethodGet, to, nil)
	next := r.header.Get("Location")
	if next == "" {
		t.Fatalf("%s: HTTP %d %s", to, r.status, r.raw)
	}
	return next
}

// callback begins a sign-on and stops before the browser comes back with the answer.
func (b *browser) callback(t *testing.T, start string) string {
	t.Helper()
	return b.step(t, b.step(t, start))
}

// person is the id of who is signed in; "" for nobody.
func (b *browser) person(t *testing.T) string {
	t.Helper()
	r := b.send(t, http.MethodGet, "/api/v1/session", nil)
	p, _ := r.json["person"].(map[string]any)
	id, _ := p["id"].(string)
	return id
}

// problem is what a page to sign in at is told.
func problem(t *testing.T, page string) string {
	t.Helper()
	return parse(t, page).Query().Get("problem")
}

func parse(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// signOnWorld is a world with an issuer called work and a server like GitHub called forge.
func signOnWorld(t *testing.T, change ...func(*config.Config)) (w *world, work, forge *signontest.Server) {
	t.Helper()
	work, forge = signontest.Start(t), signontest.Start(t)
	change = append([]func(*config.Config){func(c *config.Config) {
		c.SignOn = config.Providers{work.OpenID("office"), forge.GitHub("forge")}
	}}, change...)
	return newWorld(t, change...), work, forge
}

// user is somebody at a provider, with an address that only this test has.
func (w *world) user(name string) signontest.User {
	return signontest.User{Subject: rand.Int64N(1 << 52), Name: name, Email: name + "-" + w.owner.Slug + "@example.test", Verified: true}
}

// secret of an invitation.
func (w *world) invitation(t *testing.T, args map[string]any) string {
	t.Helper()
	return strings.TrimPrefix(w.invite(t, args), "/api/v1/invitations/")
}

// withPassword makes an account through an invitation and signs its person in, in a new browser.
func (w *world) withPassword(t *testing.T, email string) *browser {
	t.Helper()
	b := w.browser(t)
	r := b.send(t, http.MethodPost, w.invite(t, map[string]any{})+"/accept", map[string]any{"email": email, "password": "walnut-harbor-39"})
	if r.status != http.StatusOK {
		t.Fatalf("joining: HTTP %d %s", r.status, r.raw)
	}
	return b
}

// system runs SQL outside of any workspace.
func (w *world) system(t *testing.T, query string, args ...any) {
	t.Helper()
	err := w.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error { return tx.Store().Exec(query, args...).Error })
	if err != nil {
		t.Fatal(err)
	}
}

// count counts rows outside of any workspace.
func (w *world) count(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	err := w.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error { return tx.Store().Raw(query, args...).Scan(&n).Error })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// age makes the sessions of a person older.
func (w *world) age(t *testing.T, person string, by time.Duration) {
	t.Helper()
	err := w.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		var rows []struct {
			TokenHash string
			Data      []byte
		}
		if err := tx.Store().Raw(`select token_hash, data from session where person_id = ?`, person).Scan(&rows).Error; err != nil {
			return err
		}
		for _, row := range rows {
			deadline, values, err := (scs.GobCodec{}).Decode(row.Data)
			if err != nil {
				return err
			}
			values["signed_in"] = values["signed_in"].(int64) - int64(by.Seconds())
			data, err := (scs.GobCodec{}).Encode(deadline, values)
			if err != nil {
				return err
			}
			if err := tx.Store().Exec(`update session set data = ? where token_hash = ?`, data, row.TokenHash).Error; err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
