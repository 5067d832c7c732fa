package guess_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/account/guess"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func system(t *testing.T, do func(*pg.Tx) error) {
	t.Helper()
	if err := pgtest.DB(t).System(t.Context(), uuid.Nil, do); err != nil {
		t.Fatal(err)
	}
}

// take tries as often as it says, each time in a transaction of its own, and answers the waits.
func take(t *testing.T, k guess.Key, times, perHour int) []time.Duration {
	t.Helper()
	out := []time.Duration{}
	for range times {
		system(t, func(tx *pg.Tx) error {
			wait, err := guess.Take(tx, k, perHour)
			out = append(out, wait.Round(10*time.Second))
			return err
		})
	}
	return out
}

func pass(t *testing.T, k guess.Key, by time.Duration) {
	t.Helper()
	system(t, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update guess set at = at - cast(? as float8) * interval '1 second' where key = ?`, by.Seconds(), []byte(k)).Error
	})
}

func TestAnAllowanceIsUsedUpAndComesBackWithinTheHour(t *testing.T) {
	t.Parallel()
	k, third := guess.Strangers(t.Name()), 20*time.Minute
	if diff := cmp.Diff([]time.Duration{0, 0, 0, third, third}, take(t, k, 5, 3)); diff != "" {
		t.Errorf("at once (-want +got):\n%s", diff)
	}
	pass(t, k, third)
	if diff := cmp.Diff([]time.Duration{0, third}, take(t, k, 2, 3)); diff != "" {
		t.Errorf("after a third of an hour (-want +got):\n%s", diff)
	}
	system(t, func(tx *pg.Tx) error { return guess.GiveBack(tx, k) })
	if diff := cmp.Diff([]time.Duration{0, third}, take(t, k, 2, 3)); diff != "" {
		t.Errorf("after one was given back (-want +got):\n%s", diff)
	}
	// However long nobody guessed, there are never more than at first.
	pass(t, k, 9*time.Hour)
	if diff := cmp.Diff([]time.Duration{0, 0, 0, third}, take(t, k, 4, 3)); diff != "" {
		t.Errorf("after a long time (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]time.Duration{0}, take(t, guess.Strangers(t.Name()+"x"), 1, 3)); diff != "" {
		t.Errorf("another account (-want +got):\n%s", diff)
	}
}

func TestABrowserIsKnownUnderItsNewSecretAndForATime(t *testing.T) {
	t.Parallel()
	one, two := pgtest.Workspace(t).Person, pgtest.Workspace(t).Person
	known := func(person uuid.UUID, secret string) (out bool) {
		system(t, func(tx *pg.Tx) (err error) { out, err = guess.Knows(tx, person, secret); return err })
		return out
	}
	remember := func(person uuid.UUID, old, next string) {
		system(t, func(tx *pg.Tx) error { return guess.Remember(tx, person, old, next) })
	}
	first, second := t.Name()+"1", t.Name()+"2"
	remember(one, "", first)
	remember(two, first, second)
	if !known(one, second) || !known(two, second) || known(one, first) || known(two, first) || known(one, "") {
		t.Error("everybody who knew the browser knows it by the new secret alone")
	}
	system(t, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update known_browser set used_at = used_at - interval '181 days' where person_id = ?`, one).Error
	})
	if known(one, second) {
		t.Error("a browser that nobody used for so long is known")
	}
	system(t, func(tx *pg.Tx) error { return guess.Forget(tx, two) })
	if known(two, second) {
		t.Error("a browser that was to be forgotten is known")
	}
	remember(two, "", second)
	for range 20 {
		remember(two, "", uuid.NewString())
	}
	if known(two, second) {
		t.Error("an account knows browsers without end")
	}
}
