package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account/guess"
	"driftless/internal/app"
	"driftless/internal/config"
	"driftless/internal/mail/mailtest"
	"driftless/internal/passkey/passkeytest"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
)

// post is a server that sends mail, done by two processes, and the mail server it sends it to.
type post struct {
	*world
	mail *mailtest.Server
}

func (p post) settled(t *testing.T) {
	t.Helper()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for end := time.After(time.Minute); ; {
		states, err := p.Jobs.States(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		waiting := 0
		for _, s := range states {
			if strings.HasPrefix(s.Kind, "mail.") && s.State != "cancelled" {
				waiting += s.Jobs
			}
		}
		if waiting == 0 {
			return
		}
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("jobs are left: %v", states)
		}
	}
}

// link is the path of the link in a mail, whose last part is its secret.
func (p post) link(t *testing.T, m mailtest.Mail) (path, secret string) {
	t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(p.Config.PublicURL) + `(/(?:invite|reset)/([\w-]{40,}))\r\n`).FindStringSubmatch(m.Text)
	if found == nil || !strings.Contains(m.HTML, `href="`+p.Config.PublicURL+found[1]+`"`) {
		t.Fatalf("there is no link in:\n%s\n%s", m.Text, m.HTML)
	}
	return found[1], found[2]
}

// member is a person with a password, who signed in.
func (p post) member(t *testing.T, email string) *console {
	t.Helper()
	if _, err := p.Accounts.Bootstrap(t.Context(), email, passphrase, "m"+uuid.NewString()[:8]); err != nil {
		t.Fatal(err)
	}
	c := &console{w: p.world}
	c.enter(t, email, passphrase, http.StatusOK)
	return c
}

func (c *console) enter(t *testing.T, email, password string, status int) {
	t.Helper()
	r := c.send(t, http.MethodPost, "/api/v1/session", map[string]any{"email": email, "password": password})
	if r.status != status {
		t.Fatalf("signing in: HTTP %d %s", r.status, r.raw)
	}
}

func (p post) forget(t *testing.T, email string) reply {
	t.Helper()
	return send(t, p.request(t, http.MethodPost, "/api/v1/password/reset", encode(t, map[string]any{"email": email})), "")
}

// find counts the rows of the queue and of the requests in which a text stands.
func (p post) find(t *testing.T, text string) (n int) {
	t.Helper()
	err := p.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select (select count(*) from river_job j where strpos(j::text, ?) > 0) + (select count(*) from password_reset r where strpos(r::text, ?) > 0)`,
			text, text).Scan(&n).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestMailAboutAccounts(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	p := post{mail: server, world: named(t, func(c *config.Config) {
		c.SMTPHost, c.SMTPPort, c.SMTPTLS, c.SMTPFrom = server.Host, server.Port, config.TLSNone, "Driftless <from@example.test>"
	})}
	second, err := app.New(p.Config, &app.Database{DB: pgtest.DB(t)}, slog.New(slog.NewTextHandler(t.Output(), nil)), "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range []*app.App{p.App, second} {
		if err := process.Jobs.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
			defer cancel()
			if err := process.Jobs.Stop(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	for name, test := range map[string]func(*testing.T, post, string){
		"an invitation is mailed and its link lets in":         invitationIsMailed,
		"an invitation that was taken back is not mailed":      takenBackIsNotMailed,
		"each mail is sent once":                               eachMailOnce,
		"a mail that is refused for now is sent later":         refusedForNow,
		"a mail that is refused for good is given up":          refusedForGood,
		"a forgotten password is replaced":                     forgottenPassword,
		"the newest link works and an account has three":       newestOfThree,
		"a link works for an hour":                             linkForAnHour,
		"a changed password is told and voids the link":        changedPassword,
		"a password that does not do leaves the link as it is": badPassword,
		"a disabled account gets no mail":                      disabledAccount,
		"a new passkey is told":                                newPasskey,
		"resetting a password lets in while others guess":      resetWhileOthersGuess,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, p, "p"+uuid.NewString()[:8]+"@example.test")
		})
	}
}

func invitationIsMailed(t *testing.T, p post, to string) {
	made := p.do(t, "invitations.create", map[string]any{"email": to, "role": "viewer"})
	if made["mailed"] != true {
		t.Errorf("it answered %v", made)
	}
	if open := p.do(t, "invitations.create", map[string]any{}); open["mailed"] != false {
		t.Errorf("without an address it answered %v", open)
	}
	m := p.mail.Next(t, to)
	if !strings.Contains(m.Subject(), p.owner.Name) || !strings.Contains(m.Text, p.owner.Slug) {
		t.Errorf("it says %q:\n%s", m.Subject(), m.Text)
	}
	path, secret := p.link(t, m)
	copied := strings.TrimPrefix(made["link"].(string), p.Config.PublicURL+"/invite/")
	if copied == secret {
		t.Error("the mail has the link that was answered, so its secret lay with the job")
	}
	if n := p.find(t, secret) + p.find(t, copied) + p.find(t, to); n != 0 {
		t.Errorf("%d rows hold a secret or the address", n)
	}
	// Both links open the one invitation, and it is used up once.
	for _, s := range []string{secret, copied} {
		if r := send(t, p.request(t, http.MethodGet, "/api/v1/invitations/"+s, nil), ""); r.status != http.StatusOK || r.json["email"] != to {
			t.Errorf("the link is about HTTP %d %s", r.status, r.raw)
		}
	}
	newcomer := &console{w: p.world}
	in := map[string]any{"name": "Newcomer", "password": passphrase}
	if r := newcomer.send(t, http.MethodPost, "/api/v1/invitations/"+strings.TrimPrefix(path, "/invite/")+"/accept", in); r.status != http.StatusOK {
		t.Fatalf("joining: HTTP %d %s", r.status, r.raw)
	}
	if r := send(t, p.request(t, http.MethodGet, "/api/v1/invitations/"+copied, nil), ""); r.status != http.StatusNotFound {
		t.Errorf("the other link after that: HTTP %d", r.status)
	}
}

// The mail server is busy at first, so that there is time to take the invitation back.
func takenBackIsNotMailed(t *testing.T, p post, to string) {
	p.mail.Refuse(to, 451)
	made := p.do(t, "invitations.create", map[string]any{"email": to})
	p.do(t, "invitations.revoke", map[string]any{"invitation": made["id"]})
	p.settled(t)
	if n := p.mail.Waiting(to); n != 0 {
		t.Errorf("%d mails came", n)
	}
}

func eachMailOnce(t *testing.T, p post, to string) {
	const mails = 12
	for i := range mails {
		p.do(t, "invitations.create", map[string]any{"email": fmt.Sprintf("%d-%s", i, to)})
	}
	for i := range mails {
		p.mail.Next(t, fmt.Sprintf("%d-%s", i, to))
	}
	p.settled(t)
	for i := range mails {
		if n := p.mail.Waiting(fmt.Sprintf("%d-%s", i, to)); n != 0 {
			t.Errorf("%d more mails came", n)
		}
	}
}

func refusedForNow(t *testing.T, p post, to string) {
	p.mail.Refuse(to, 451)
	p.do(t, "invitations.create", map[string]any{"email": to})
	_, secret := p.link(t, p.mail.Next(t, to))
	if r := send(t, p.request(t, http.MethodGet, "/api/v1/invitations/"+secret, nil), ""); r.status != http.StatusOK {
		t.Errorf("the link of the second try: HTTP %d %s", r.status, r.raw)
	}
	p.settled(t)
	if n := p.mail.Waiting(to); n != 0 {
		t.Errorf("%d more mails came", n)
	}
}

func refusedForGood(t *testing.T, p post, to string) {
	p.mail.Refuse(to, 550)
	id := p.do(t, "invitations.create", map[string]any{"email": to})["id"].(string)
	p.settled(t)
	var state, failed string
	err := p.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select state::text, errors::text from river_job where strpos(args::text, ?) > 0`, id).Row().Scan(&state, &failed)
	})
	if err != nil || state != "cancelled" || !strings.Contains(failed, "550") {
		t.Errorf("the job is %s: %s, %v", state, failed, err)
	}
	if n := p.mail.Waiting(to) + p.find(t, to); n != 0 {
		t.Errorf("%d mails came, or rows hold the address", n)
	}
}

func forgottenPassword(t *testing.T, p post, to string) {
	signedIn := p.member(t, to)
	// Whoever types in another case means the same address.
	asked := p.forget(t, " "+strings.ToUpper(to))
	if asked.status != http.StatusAccepted || len(asked.raw) != 0 {
		t.Fatalf("asking: HTTP %d %s", asked.status, asked.raw)
	}
	path, secret := p.link(t, p.mail.Next(t, to))
	if n := p.find(t, secret) + p.find(t, to); n != 0 {
		t.Errorf("%d rows hold the secret or the address", n)
	}
	path = "/api/v1/password" + path
	if r := send(t, p.request(t, http.MethodGet, path, nil), ""); r.status != http.StatusOK || r.json["email"] != to || r.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("the link is about HTTP %d %s", r.status, r.raw)
	}
	const next = "another staple entirely"
	body := encode(t, map[string]any{"password": next})
	used := make(chan int, 4)
	for range cap(used) {
		go func() { used <- send(t, p.request(t, http.MethodPost, path, body), "").status }()
	}
	worked := 0
	for range cap(used) {
		switch status := <-used; status {
		case http.StatusNoContent:
			worked++
		case http.StatusNotFound:
		default:
			t.Errorf("HTTP %d", status)
		}
	}
	if worked != 1 {
		t.Errorf("the link worked %d times", worked)
	}
	if r := send(t, p.request(t, http.MethodGet, path, nil), ""); r.status != http.StatusNotFound {
		t.Errorf("the link after that: HTTP %d", r.status)
	}
	if r := signedIn.send(t, http.MethodGet, "/api/v1/session", nil); r.status != http.StatusUnauthorized {
		t.Errorf("the session from before: HTTP %d", r.status)
	}
	c := &console{w: p.world}
	c.enter(t, to, passphrase, http.StatusUnauthorized)
	c.enter(t, to, next, http.StatusOK)
	if m := p.mail.Next(t, to); !strings.Contains(m.Subject(), "was changed") || strings.Contains(m.Text, "/reset/") {
		t.Errorf("the notice is %q:\n%s", m.Subject(), m.Text)
	}
}

func newestOfThree(t *testing.T, p post, to string) {
	p.member(t, to)
	var paths []string
	for range 3 {
		p.forget(t, to)
		path, _ := p.link(t, p.mail.Next(t, to))
		paths = append(paths, "/api/v1/password"+path)
	}
	if r := p.forget(t, to); r.status != http.StatusAccepted {
		t.Errorf("the fourth: HTTP %d", r.status)
	}
	p.settled(t)
	if n := p.mail.Waiting(to); n != 0 {
		t.Errorf("%d more mails came", n)
	}
	for i, want := range []int{http.StatusNotFound, http.StatusNotFound, http.StatusOK} {
		if r := send(t, p.request(t, http.MethodGet, paths[i], nil), ""); r.status != want {
			t.Errorf("link %d: HTTP %d, want %d", i+1, r.status, want)
		}
	}
}

func linkForAnHour(t *testing.T, p post, to string) {
	p.member(t, to)
	p.forget(t, to)
	path, _ := p.link(t, p.mail.Next(t, to))
	for ago, want := range map[string]int{"59 minutes": http.StatusOK, "61 minutes": http.StatusNotFound} {
		err := p.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
			return tx.Store().Exec(`update password_reset set sent_at = now() - cast(? as interval) where person_id = (select id from person where email = ?)`, ago, to).Error
		})
		if err != nil {
			t.Fatal(err)
		}
		if r := send(t, p.request(t, http.MethodGet, "/api/v1/password"+path, nil), ""); r.status != want {
			t.Errorf("after %s: HTTP %d", ago, r.status)
		}
	}
}

func changedPassword(t *testing.T, p post, to string) {
	c := p.member(t, to)
	p.forget(t, to)
	path, _ := p.link(t, p.mail.Next(t, to))
	if r := c.send(t, http.MethodPost, "/api/v1/password", map[string]any{"current": passphrase, "new": "another staple entirely"}); r.status != http.StatusNoContent {
		t.Fatalf("changing it: HTTP %d %s", r.status, r.raw)
	}
	if m := p.mail.Next(t, to); !strings.Contains(m.Subject(), "was changed") {
		t.Errorf("the notice is %q", m.Subject())
	}
	if r := send(t, p.request(t, http.MethodGet, "/api/v1/password"+path, nil), ""); r.status != http.StatusNotFound {
		t.Errorf("the link after that: HTTP %d", r.status)
	}
}

// resetWhileOthersGuess finds an account whose allowance for strangers is used up.
func resetWhileOthersGuess(t *testing.T, p post, to string) {
	p.member(t, to)
	p.forget(t, to)
	path, _ := p.link(t, p.mail.Next(t, to))
	exec(t, p.world, `insert into guess (used, key, at) values (1e9, ?, now()) on conflict (key) do update set used = 1e9`, []byte(guess.Strangers(to)))
	(&console{w: p.world}).enter(t, to, passphrase, http.StatusTooManyRequests)
	const next = "another staple entirely"
	c := &console{w: p.world}
	if r := c.send(t, http.MethodPost, "/api/v1/password"+path, map[string]any{"password": next}); r.status != http.StatusNoContent {
		t.Fatalf("resetting: HTTP %d %s", r.status, r.raw)
	}
	c.enter(t, to, next, http.StatusOK)
	(&console{w: p.world}).enter(t, to, next, http.StatusTooManyRequests)
}

func newPasskey(t *testing.T, p post, to string) {
	c := p.member(t, to)
	if r := c.register(t, &passkeytest.Authenticator{Origin: p.origin()}, "Laptop"); r.status != http.StatusCreated {
		t.Fatalf("registering: HTTP %d %s", r.status, r.raw)
	}
	if m := p.mail.Next(t, to); !strings.Contains(m.Subject(), "passkey") || !strings.Contains(m.Text, p.Config.PublicURL+"/account") {
		t.Errorf("the notice is %q:\n%s\n%s", m.Subject(), m.Text, m.HTML)
	}
}

func badPassword(t *testing.T, p post, to string) {
	p.member(t, to)
	p.forget(t, to)
	path, _ := p.link(t, p.mail.Next(t, to))
	for password, want := range map[string]int{"short": http.StatusUnprocessableEntity, to: http.StatusUnprocessableEntity} {
		r := send(t, p.request(t, http.MethodPost, "/api/v1/password"+path, encode(t, map[string]any{"password": password})), "")
		if r.status != want {
			t.Errorf("%q: HTTP %d %s", password, r.status, r.raw)
		}
	}
	if r := send(t, p.request(t, http.MethodGet, "/api/v1/password"+path, nil), ""); r.status != http.StatusOK {
		t.Errorf("the link after that: HTTP %d", r.status)
	}
}

func disabledAccount(t *testing.T, p post, to string) {
	p.member(t, to)
	err := p.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update person set disabled_at = now() where email = ?`, to).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := p.forget(t, to); r.status != http.StatusAccepted {
		t.Errorf("HTTP %d", r.status)
	}
	p.settled(t)
	if n := p.mail.Waiting(to); n != 0 {
		t.Errorf("%d mails came", n)
	}
}

// Whatever is asked for, the answer is the same, with a mail server and without.
func TestAskingToResetAPasswordTellsNothing(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]*world{
		"with mail": newWorld(t, func(c *config.Config) {
			c.SMTPHost, c.SMTPPort, c.SMTPTLS, c.SMTPFrom = "127.0.0.1", 1, config.TLSNone, "from@example.test"
		}),
		"without": newWorld(t),
	} {
		p := post{world: w}
		if r := send(t, w.request(t, http.MethodGet, "/api/v1/signon", nil), ""); r.json["reset"] != (name == "with mail") {
			t.Errorf("%s: the ways in are %s", name, r.raw)
		}
		for _, email := range []string{w.owner.Email, "nobody-" + w.owner.Slug + "@example.test", "", "no address", "a\x00b@example.test", strings.Repeat("a", 5000) + "@example.test"} {
			r := p.forget(t, email)
			r.header.Del("Date")
			r.header.Del("X-Request-Id")
			if r.status != http.StatusAccepted || len(r.raw) != 0 || len(r.header) > 4 {
				t.Errorf("%s: %.40q: HTTP %d %s %v", name, email, r.status, r.raw, r.header)
			}
		}
		for _, path := range []string{"x", strings.Repeat("x", 43), "%00"} {
			r := send(t, w.request(t, http.MethodGet, "/api/v1/password/reset/"+path, nil), "")
			r.is(t, "a link that is none", http.StatusNotFound, "NOT_FOUND")
		}
	}
}

func TestAskingToResetPasswordsIsLimitedForAnAddress(t *testing.T) {
	t.Parallel()
	p := post{world: newWorld(t, func(c *config.Config) { c.SignInFails = 1 })}
	if r := p.forget(t, "somebody@example.test"); r.status != http.StatusAccepted {
		t.Errorf("HTTP %d", r.status)
	}
	r := p.forget(t, "nobody@example.test")
	r.is(t, "one too many", http.StatusTooManyRequests, "RATE_LIMITED")
	if r.header.Get("Retry-After") == "" {
		t.Error("it does not say when to come back")
	}
}
