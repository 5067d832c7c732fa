package pg_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
)

// at is the address of the test database as this role, with some parameters changed.
func at(t *testing.T, role string, change map[string]string) string {
	t.Helper()
	u, err := url.Parse(pgtest.OwnerDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(role)
	q := u.Query()
	for name, value := range change {
		q.Set(name, value)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func open(t *testing.T, dsn string) *pg.DB {
	t.Helper()
	db, err := pg.Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// wire stands between the program and the database, and can be cut.
type wire struct {
	folder string
	mu     sync.Mutex
	open   []net.Conn
	listen net.Listener
}

func stretch(t *testing.T) *wire {
	t.Helper()
	u, err := url.Parse(pgtest.OwnerDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	socket := ".s.PGSQL." + u.Query().Get("port")
	folder, err := os.MkdirTemp("", "wire") //nolint:usetesting // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(folder, socket))
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{folder: folder, listen: l}
	t.Cleanup(w.cut)
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := (&net.Dialer{}).DialContext(context.Background(), "unix", filepath.Join(u.Query().Get("host"), socket))
			if err != nil {
				_ = near.Close()
				return
			}
			w.mu.Lock()
			w.open = append(w.open, near, far)
			w.mu.Unlock()
			go func() { _, _ = io.Copy(far, near) }()
			go func() { _, _ = io.Copy(near, far) }()
		}
	}()
	return w
}

func (w *wire) cut() {
	_ = w.listen.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		_ = c.Close()
	}
}

func TestALostDatabaseIsUnavailableAndWorthTryingAgain(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	w := stretch(t)
	db := open(t, at(t, pg.AppRole, map[string]string{"host": w.folder}))
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	lost := func(what string, err error) {
		t.Helper()
		if !fault.Is(err, fault.CodeUnavailable) || !fault.From(err).Retryable() {
			t.Errorf("%s answered %v (%v)", what, err, errors.Unwrap(err))
		}
	}
	// The wire is cut under a transaction, with connections in the pool, and then there is nothing at the address.
	lost("a write under way", db.Workspace(t.Context(), owner, pg.ReadWrite, func(tx *pg.Tx) error { w.cut(); return tag(tx, "lost") }))
	lost("a write", db.Workspace(t.Context(), owner, pg.ReadWrite, func(tx *pg.Tx) error { return tag(tx, "lost") }))
	lost("a batch", db.Read(t.Context(), owner, func(*pg.Batch) {}))
	lost("our own work", db.System(t.Context(), uuid.Nil, func(*pg.Tx) error { return nil }))
	lost("the question whether it is there", db.Ping(t.Context()))
}

func TestABatchOnALostConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	w := stretch(t)
	db := open(t, at(t, pg.AppRole, map[string]string{"host": w.folder}))
	err := db.Read(t.Context(), owner, func(b *pg.Batch) {
		b.JSON(func([]byte) error { w.cut(); return nil }, `select to_json(1)`)
		b.JSON(func([]byte) error { return nil }, `select to_json(repeat('x', 1000)) from generate_series(1, 20000)`)
	})
	if !fault.Is(err, fault.CodeUnavailable) {
		t.Errorf("a batch under way answered %v (%v)", err, errors.Unwrap(err))
	}
}

func TestAnAddressThatCannotBeUsedIsRefusedAtOpening(t *testing.T) {
	t.Parallel()
	quiet := slog.New(slog.DiscardHandler)
	for name, tc := range map[string]struct{ dsn, says string }{
		"no address":        {"postgres://%zz", "not valid"},
		"nobody there":      {at(t, pg.AppRole, map[string]string{"host": t.TempDir()}), "cannot be reached"},
		"no such role":      {at(t, "nobody_of_this_name", nil), "cannot be reached"},
		"bypasses security": {at(t, "postgres", nil), "could bypass row-level security"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, err := pg.Open(t.Context(), tc.dsn, quiet)
			if err == nil {
				db.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("opening answered %v, want %q", err, tc.says)
			}
		})
	}
}

// Two transactions wait for each other; the database ends one of them, which is run again and finds its turn.
func TestATransactionThatLostADeadlockIsRunAgain(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	in(t, owner, func(tx *pg.Tx) error { return errors.Join(tag(tx, "left"), tag(tx, "right")) })
	touch := func(tx *pg.Tx, name string) error {
		return tx.Store().Exec(`update tag set description = description || 'x' where workspace_id = ? and name = ?`, owner.Workspace, name).Error
	}
	var meet [2]chan struct{}
	for i := range meet {
		meet[i] = make(chan struct{})
	}
	runs := make([]int, 2)
	done := make(chan error, 2)
	for i, order := range [][2]string{{"left", "right"}, {"right", "left"}} {
		go func() {
			done <- pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadWrite, func(tx *pg.Tx) error {
				runs[i]++
				if err := touch(tx, order[0]); err != nil {
					return err
				}
				if runs[i] == 1 {
					close(meet[i])
					<-meet[1-i]
				}
				return touch(tx, order[1])
			})
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Errorf("a transaction failed: %v (%v)", err, errors.Unwrap(err))
		}
	}
	if runs[0]+runs[1] < 3 {
		t.Errorf("they ran %v times; one of them has to run again", runs)
	}
	in(t, owner, func(tx *pg.Tx) error {
		if n := count(t, tx, `select count(*) from tag where description = 'xx'`); n != 2 {
			t.Errorf("%d tags were touched by both, want 2", n)
		}
		return nil
	})
}

func TestATransactionThatAlwaysLosesIsToldToTryLater(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	for state, runs := range map[string]int{"40001": 4, "40P01": 4, "57014": 1, "53300": 1} {
		ran := 0
		err := pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadWrite, func(tx *pg.Tx) error {
			ran++
			return tx.Store().Exec(fmt.Sprintf(`do $$ begin raise exception 'lost' using errcode = '%s'; end $$`, state)).Error
		})
		if !fault.Is(err, fault.CodeUnavailable) || ran != runs {
			t.Errorf("%s ran %d times, want %d, and answered %v", state, ran, runs, err)
		}
	}
}

func TestADatabaseErrorIsToldInTheWordsOfTheProduct(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	say := func(fn func(*pg.Tx) error) error {
		return pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadWrite, fn)
	}
	twice := say(func(tx *pg.Tx) error { return errors.Join(tag(tx, "same"), tag(tx, "same")) })
	if !fault.Is(twice, fault.CodeVersionConflict) || !pg.Violates(twice, "tag_workspace_id_name_key") || pg.Violates(twice, "other") {
		t.Errorf("the same thing twice answered %v (%v)", twice, errors.Unwrap(twice))
	}
	for name, text := range map[string]string{"NUL": "a\x00b", "no UTF-8": "a\xffb"} {
		if err := say(func(tx *pg.Tx) error { return tag(tx, text) }); !fault.Is(err, fault.CodeValidation) {
			t.Errorf("%s answered %v (%v)", name, err, errors.Unwrap(err))
		}
		err := pgtest.DB(t).ReadGlobal(t.Context(), func(b *pg.Batch) {
			b.Query(func(pg.Rows) error { return nil }, `select 1 from person where email = ?`, text)
		})
		if !fault.Is(err, fault.CodeValidation) {
			t.Errorf("%s in a batch answered %v (%v)", name, err, errors.Unwrap(err))
		}
	}
	ours := say(func(tx *pg.Tx) error { return tx.Store().Exec(`select nonsense`).Error })
	if !fault.Is(ours, fault.CodeInternal) || strings.Contains(ours.Error(), "nonsense") {
		t.Errorf("a mistake of ours answered %v", ours)
	}
	none := say(func(tx *pg.Tx) error {
		var row struct{ Name string }
		return tx.Store().Table("tag").Where("name = ?", "none").Take(&row).Error
	})
	if !pg.NoRow(none) {
		t.Errorf("no row answered %v", none)
	}
	mine := fault.Missing("thing", "x")
	if err := say(func(*pg.Tx) error { return fmt.Errorf("wrapped: %w", mine) }); !errors.Is(err, mine) {
		t.Errorf("a fault of the handler became %v", err)
	}
}

// narrow is the test database with a single connection.
func narrow(t *testing.T) *pg.DB {
	t.Helper()
	db := open(t, at(t, pg.AppRole, map[string]string{"pool_max_conns": "1"}))
	return db
}

// owned connects as the owner, beside the doors.
func owned(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.WithoutCancel(t.Context())) })
	return c
}
