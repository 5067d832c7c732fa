// Package guess owns how many wrong guesses at a secret are allowed, counted in the database and so over all processes, and which
// browsers somebody has signed in with. Guesses from browsers that are known to an account have an allowance of their own, so
// that strangers cannot use it up (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
//
// It refuses to know a secret, to tell whether there is an account, and to shut one for good: an allowance comes back with time.
package guess

import (
	"crypto/sha256"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"

	"driftless/internal/opaque"
	"driftless/internal/pg"
)

const (
	// BrowserTTL is how long a browser is known after somebody last signed in with it.
	BrowserTTL = 180 * 24 * time.Hour
	// browsersMax is how many browsers an account knows; the one used longest ago gives way.
	browsersMax = 20
)

// Key is what is guessed at and from where. It is a hash: of addresses that have no account, nothing is kept that could be read.
type Key []byte

func key(kind string, of ...string) Key {
	h := sha256.New()
	for _, part := range append([]string{kind}, of...) {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return h.Sum(nil)
}

// Strangers is the key of all browsers that are not known to the account of an address.
func Strangers(email string) Key { return key("strangers", email) }

// From is the key of one browser that an account knows.
func From(person uuid.UUID, browser string) Key { return key("browser", person.String(), browser) }

// Within is the key of a session that somebody is signed in with.
func Within(person, session uuid.UUID) Key { return key("session", person.String(), session.String()) }

// level is how much of an allowance is used up now, when perHour of it come back in an hour.
const level = `greatest(0, g.used - greatest(0, extract(epoch from now() - g.at)::float8) * cast(? as float8) / 3600)`

// Take uses one guess of the perHour that are allowed at once and come back within an hour. When there is none it answers how
// long until there is one, and uses nothing. The time is that of the database, which all processes share.
func Take(tx *pg.Tx, k Key, perHour int) (wait time.Duration, err error) {
	done := tx.Store().Exec(`insert into guess as g (used, key, at) values (1, ?, now()) on conflict (key) do update
		set used = `+level+` + 1, at = greatest(g.at, now()) where `+level+` + 1 <= ?`, []byte(k), perHour, perHour, perHour)
	if done.Error != nil {
		return 0, fmt.Errorf("take a guess: %w", done.Error)
	}
	if done.RowsAffected == 1 {
		return 0, nil
	}
	var used float64
	if err := tx.Store().Raw(`select `+level+` from guess g where key = ?`, perHour, []byte(k)).Scan(&used).Error; err != nil {
		return 0, fmt.Errorf("read the guesses: %w", err)
	}
	seconds := math.Ceil((used + 1 - float64(perHour)) * 3600 / float64(perHour))
	return max(time.Second, time.Duration(seconds)*time.Second), nil
}

// GiveBack returns a guess that was none.
func GiveBack(tx *pg.Tx, k Key) error {
	if err := tx.Store().Exec(`update guess set used = greatest(0, used - 1) where key = ?`, []byte(k)).Error; err != nil {
		return fmt.Errorf("give a guess back: %w", err)
	}
	return nil
}

// Knows reports whether the person has signed in with the browser that holds this secret.
func Knows(tx *pg.Tx, person uuid.UUID, browser string) (known bool, err error) {
	err = tx.Store().Raw(`select exists (select 1 from known_browser where person_id = ? and hash = ? and used_at > ?)`,
		person, opaque.Hash(browser), tx.Now().Add(-BrowserTTL)).Scan(&known).Error
	if err != nil {
		return false, fmt.Errorf("look a browser up: %w", err)
	}
	return known, nil
}

// Remember makes the browser known to the person. Everybody who knew it by its old secret knows it by the next one instead, so that
// a secret that somebody else put into the browser is worth nothing.
func Remember(tx *pg.Tx, person uuid.UUID, old, next string) error {
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`update known_browser set hash = ? where hash = ?`, []any{opaque.Hash(next), opaque.Hash(old)}},
		{
			`insert into known_browser (person_id, hash, used_at) values (?, ?, ?) on conflict (hash, person_id) do update set used_at = excluded.used_at`,
			[]any{person, opaque.Hash(next), tx.Now()},
		},
		{`delete from known_browser b where b.person_id = ? and b.hash in
			(select o.hash from known_browser o where o.person_id = b.person_id order by o.used_at desc, o.hash offset ?)`, []any{person, browsersMax}},
	} {
		if err := tx.Store().Exec(step.query, step.args...).Error; err != nil {
			return fmt.Errorf("remember a browser: %w", err)
		}
	}
	return nil
}

// Forget makes no browser known to the person.
func Forget(tx *pg.Tx, person uuid.UUID) error {
	if err := tx.Store().Exec(`delete from known_browser where person_id = ?`, person).Error; err != nil {
		return fmt.Errorf("forget the browsers: %w", err)
	}
	return nil
}

// Sweep removes allowances that have come back, and browsers that nobody used.
func Sweep(tx *pg.Tx) error {
	if err := tx.Store().Exec(`delete from guess where at < now() - interval '1 hour'`).Error; err != nil {
		return fmt.Errorf("sweep guesses: %w", err)
	}
	if err := tx.Store().Exec(`delete from known_browser where used_at < ?`, tx.Now().Add(-BrowserTTL)).Error; err != nil {
		return fmt.Errorf("sweep browsers: %w", err)
	}
	return nil
}
