package account_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/job"
	"driftless/internal/mail/mailtest"
	"driftless/internal/obs"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
)

// asked is what a request to reset a password left behind.
type asked struct {
	Requests, Jobs, Bytes int
}

func left(t *testing.T, since time.Time) (a asked) {
	t.Helper()
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select (select count(*) from password_reset where requested_at >= @since) as requests,
			(select count(*) from river_job where kind = 'mail.password_reset' and created_at >= @since) as jobs,
			(select coalesce(sum(pg_column_size(r)), 0) from password_reset r where requested_at >= @since) as bytes`, map[string]any{"since": since}).Scan(&a).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The answer comes as fast for an address that nobody has, because as much is done: it is the same statements, and they leave the
// same behind. Whether there is an account is looked at later, by the job.
func TestAskingForAnAddressThatNobodyHasDoesAsMuch(t *testing.T) {
	// Not in parallel: it counts what is left in tables that all share.
	s := account.New(pgtest.DB(t), config.Config{SMTPHost: "127.0.0.1", SMTPPort: 1, SMTPFrom: "from@example.test", SMTPTLS: config.TLSNone})
	somebody := pgtest.Person(t, pgtest.Workspace(t), "member")
	var all []asked
	for _, email := range []string{somebody.Email, "nobody@example.test", "no address at all"} {
		since := time.Now()
		if err := s.ForgotPassword(t.Context(), email); err != nil {
			t.Fatal(err)
		}
		all = append(all, left(t, since))
	}
	if all[0].Requests != 1 || all[0].Jobs != 1 {
		t.Errorf("for an account it left %+v", all[0])
	}
	for _, other := range all[1:] {
		if diff := cmp.Diff(all[0], other); diff != "" {
			t.Errorf("for an account and for none (-account +none):\n%s", diff)
		}
	}
}

// A mail server that was down for long must not send links that nobody waits for any more.
func TestALinkThatNobodyWaitsForAnyMoreIsNotSent(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	s := account.New(pgtest.DB(t), config.Config{
		SMTPHost: server.Host, SMTPPort: server.Port, SMTPFrom: "from@example.test", SMTPTLS: config.TLSNone, PublicURL: "http://127.0.0.1",
	})
	late, soon := pgtest.Person(t, pgtest.Workspace(t), "member"), pgtest.Person(t, pgtest.Workspace(t), "member")
	if err := s.ForgotPassword(t.Context(), late.Email); err != nil {
		t.Fatal(err)
	}
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update password_reset set requested_at = now() - interval '61 minutes' where person_id = ?`, late.Person).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ForgotPassword(t.Context(), soon.Email); err != nil {
		t.Fatal(err)
	}
	w := job.NewWorkers(pgtest.DB(t), slog.New(slog.NewTextHandler(t.Output(), nil)), obs.NewMetrics())
	s.Work(w)
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The one that was put down later came, so the one before it was taken; stopping waits for it.
	server.Next(t, soon.Email)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := w.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if n := server.Waiting(late.Email); n != 0 {
		t.Errorf("%d mails came", n)
	}
}
