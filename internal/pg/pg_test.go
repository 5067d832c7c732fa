package pg_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// count runs a counting query through a transaction.
func count(t *testing.T, tx *pg.Tx, query string, args ...any) int {
	t.Helper()
	var n int
	if err := tx.Store().Raw(query, args...).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func in(t *testing.T, a tenant.Actor, fn func(*pg.Tx) error) {
	t.Helper()
	if err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, fn); err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
}

func tag(tx *pg.Tx, name string) error {
	return tx.Store().Exec(`insert into tag (workspace_id, id, name, created_at) values (?, ?, ?, ?)`,
		tx.Actor().Workspace, uuid.Must(uuid.NewV7()), name, tx.Now()).Error
}

func TestAReadOnlyTransactionRefusesWrites(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	err := pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadOnly, func(tx *pg.Tx) error { return tag(tx, "never") })
	if !fault.Is(err, fault.CodeInternal) || !strings.Contains(errors.Unwrap(err).Error(), "read-only") {
		t.Errorf("a write answered %v (%v)", err, errors.Unwrap(err))
	}
	in(t, owner, func(tx *pg.Tx) error { return tag(tx, "kept") })
	err = pgtest.DB(t).Read(t.Context(), owner, func(b *pg.Batch) {
		b.Query(func(pg.Rows) error { return nil }, `delete from tag where workspace_id = ?`, owner.Workspace)
	})
	if !fault.Is(err, fault.CodeInternal) || !strings.Contains(errors.Unwrap(err).Error(), "read-only") {
		t.Errorf("a write in a batch answered %v (%v)", err, errors.Unwrap(err))
	}
	in(t, owner, func(tx *pg.Tx) error {
		if n := count(t, tx, `select count(*) from tag`); n != 1 {
			t.Errorf("%d tags are left, want the one", n)
		}
		return nil
	})
}

// The condition of every query is the first line; here it is left out, and row-level security alone must hold.
func TestAWorkspaceSeesItsOwnRowsOnly(t *testing.T) {
	t.Parallel()
	one, two := pgtest.Workspace(t), pgtest.Workspace(t)
	in(t, one, func(tx *pg.Tx) error { return tag(tx, "ones") })
	in(t, two, func(tx *pg.Tx) error {
		if n := count(t, tx, `select count(*) from tag`); n != 0 {
			t.Errorf("%d tags of another workspace are visible", n)
		}
		return nil
	})
	err := pgtest.DB(t).Workspace(t.Context(), two, pg.ReadWrite, func(tx *pg.Tx) error {
		return tx.Store().Exec(`insert into tag (workspace_id, id, name, created_at) values (?, ?, 'planted', now())`,
			one.Workspace, uuid.Must(uuid.NewV7())).Error
	})
	if !fault.Is(err, fault.CodeInternal) || !strings.Contains(errors.Unwrap(err).Error(), "row-level security") {
		t.Errorf("writing into another workspace answered %v", errors.Unwrap(err))
	}
	seen := 0
	err = pgtest.DB(t).Read(t.Context(), two, func(b *pg.Batch) {
		b.JSON(func([]byte) error { seen++; return nil }, `select to_json(name) from tag`)
	})
	if err != nil || seen != 0 {
		t.Errorf("a batch sees %d tags of another workspace, %v", seen, err)
	}
}

func TestAForeignAndAMissingWorkspaceAreTheSame(t *testing.T) {
	t.Parallel()
	stranger, there := pgtest.Workspace(t), pgtest.Workspace(t)
	say := func(workspace uuid.UUID) (string, string) {
		a := stranger
		a.Workspace, a.Slug = workspace, "somewhere"
		ran := false
		tx := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadOnly, func(*pg.Tx) error { ran = true; return nil })
		batch := pgtest.DB(t).Read(t.Context(), a, func(b *pg.Batch) {
			b.JSON(func([]byte) error { ran = true; return nil }, `select to_json(1)`)
		})
		if ran || !fault.Is(tx, fault.CodeNotFound) || !fault.Is(batch, fault.CodeNotFound) {
			t.Errorf("let in: %v, %v, %v", ran, tx, batch)
		}
		return tx.Error(), batch.Error()
	}
	foreign, inBatch := say(there.Workspace)
	missing, _ := say(uuid.Must(uuid.NewV7()))
	if foreign != missing || foreign != inBatch {
		t.Errorf("foreign: %q and %q, missing: %q", foreign, inBatch, missing)
	}
}

func TestTheRoleIsTheOneInForce(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	claims := pgtest.Person(t, owner, tenant.Viewer)
	claims.Role = tenant.Owner
	in(t, claims, func(tx *pg.Tx) error {
		if got := tx.Actor().Role; got != tenant.Viewer {
			t.Errorf("a viewer who says owner acts as %s", got)
		}
		if tx.Now().Location().String() != "UTC" || tx.Now().Nanosecond()%1000 != 0 {
			t.Errorf("now is %v", tx.Now())
		}
		return nil
	})
}

// With one connection the next user gets the very same one.
func TestNothingOfATransactionReachesTheNextOne(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	db := narrow(t)
	settings := func(when string) {
		t.Helper()
		err := db.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
			for _, name := range []string{"app.workspace_id", "app.person_id", "app.see_private"} {
				var value string
				if err := tx.Store().Raw(`select coalesce(current_setting(?, true), '')`, name).Scan(&value).Error; err != nil {
					return err
				}
				if value != "" {
					t.Errorf("after %s %s is still %q", when, name, value)
				}
			}
			if n := count(t, tx, `select count(*) from membership`); n != 0 {
				t.Errorf("after %s %d memberships are visible", when, n)
			}
			return tx.Store().Exec(`update person set name = name where id = ?`, owner.Person).Error
		})
		if err != nil {
			t.Fatalf("after %s: %v (%v)", when, err, errors.Unwrap(err))
		}
	}
	failed := errors.New("failed")
	if err := db.Workspace(t.Context(), owner, pg.ReadWrite, func(*pg.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	settings("a write")
	if err := db.Workspace(t.Context(), tenant.System(owner.Workspace), pg.ReadOnly, func(*pg.Tx) error { return failed }); err == nil {
		t.Fatal("the failure is lost")
	}
	settings("a failed read")
	if err := db.Read(t.Context(), owner, func(b *pg.Batch) { b.JSON(func([]byte) error { return nil }, `select to_json(1)`) }); err != nil {
		t.Fatal(err)
	}
	settings("a batch")
	if err := db.Read(t.Context(), owner, func(b *pg.Batch) { b.JSON(func([]byte) error { return failed }, `select to_json(1)`) }); err == nil {
		t.Fatal("the failure is lost")
	}
	settings("a failed batch")
	if err := db.System(t.Context(), owner.Person, func(tx *pg.Tx) error { return tx.Enter(owner.Workspace, owner.Person, tenant.ViaCLI) }); err != nil {
		t.Fatal(err)
	}
	settings("work of our own")
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Workspace(ctx, owner, pg.ReadWrite, func(tx *pg.Tx) error { cancel(); return tag(tx, "late") })
	if !fault.Is(err, fault.CodeUnavailable) {
		t.Errorf("a cancelled write answered %v", err)
	}
	settings("a cancelled write")
	defer func() {
		if recover() == nil {
			t.Error("the panic is lost")
		}
		settings("a panic")
	}()
	_ = db.Workspace(t.Context(), owner, pg.ReadWrite, func(*pg.Tx) error { panic("a mistake in a handler") })
}

func TestSystemSeesNoRowOfAWorkspace(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	in(t, owner, func(tx *pg.Tx) error { return tag(tx, "hidden") })
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		for _, table := range []string{"tag", "membership", "workspace_setting", "workspace_head", "topic", "event"} {
			if n := count(t, tx, `select count(*) from `+table); n != 0 {
				t.Errorf("%d rows of %s are visible", n, table)
			}
		}
		if n := count(t, tx, `select count(*) from person where id = ?`, owner.Person); n != 1 {
			t.Errorf("the person is not there")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = pgtest.DB(t).System(t.Context(), owner.Person, func(tx *pg.Tx) error {
		if n := count(t, tx, `select count(*) from membership where person_id <> ?`, owner.Person); n != 0 {
			t.Errorf("%d memberships of others are visible", n)
		}
		if n := count(t, tx, `select count(*) from membership`); n != 1 {
			t.Errorf("%d of one's own memberships are visible", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBesideIsAnotherWorkspaceOfThePersonAndComesBack(t *testing.T) {
	t.Parallel()
	here, there, foreign := pgtest.Workspace(t), pgtest.Workspace(t), pgtest.Workspace(t)
	in(t, there, func(tx *pg.Tx) error {
		return tx.Store().Exec(`insert into membership (workspace_id, person_id, role, joined_at) values (?, ?, 'viewer', now())`,
			there.Workspace, here.Person).Error
	})
	member := func(a tenant.Actor) tenant.Membership {
		return tenant.Membership{Workspace: a.Workspace, Slug: a.Slug, Role: tenant.Owner}
	}
	in(t, here, func(tx *pg.Tx) error {
		err := tx.Beside(member(there), func(beside *pg.Tx) error {
			if a := beside.Actor(); a.Workspace != there.Workspace || a.Role != tenant.Viewer || a.Person != here.Person {
				t.Errorf("beside: %+v", a)
			}
			return tag(beside, "beside")
		})
		if err != nil {
			return err
		}
		if n := count(t, tx, `select count(*) from tag`); n != 0 || tx.Actor().Workspace != here.Workspace {
			t.Errorf("back in %s, %d tags of the other workspace are visible", tx.Actor().Slug, n)
		}
		return tag(tx, "here")
	})
	in(t, there, func(tx *pg.Tx) error {
		if n := count(t, tx, `select count(*) from tag where name = 'beside'`); n != 1 {
			t.Errorf("%d tags were written beside", n)
		}
		return nil
	})
	err := pgtest.DB(t).Workspace(t.Context(), here, pg.ReadWrite, func(tx *pg.Tx) error {
		return tx.Beside(member(foreign), func(*pg.Tx) error { t.Error("let in"); return nil })
	})
	if !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("a foreign workspace: %v", err)
	}
}

func TestASavepointLosesItsOwnWritesOnly(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	failed := errors.New("failed")
	in(t, owner, func(tx *pg.Tx) error {
		if err := tag(tx, "before"); err != nil {
			return err
		}
		err := tx.Savepoint(func(inner *pg.Tx) error {
			if inner.Actor().Workspace != owner.Workspace || !inner.Now().Equal(tx.Now()) {
				t.Error("the savepoint belongs to somebody else")
			}
			return errors.Join(tag(inner, "inside"), failed)
		})
		if !errors.Is(err, failed) {
			t.Errorf("the savepoint answered %v", err)
		}
		// A database error would have ended the transaction without the savepoint.
		if err := tx.Savepoint(func(inner *pg.Tx) error { return tag(inner, "before") }); err == nil {
			t.Error("the same tag twice was accepted")
		}
		return tag(tx, "after")
	})
	in(t, owner, func(tx *pg.Tx) error {
		if n := count(t, tx, `select count(*) from tag where name in ('before', 'after')`); n != 2 {
			t.Errorf("%d of the two tags around it are there", n)
		}
		if n := count(t, tx, `select count(*) from tag`); n != 2 {
			t.Errorf("%d tags in all", n)
		}
		return nil
	})
}

func TestListsAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	id := uuid.Must(uuid.NewV7())
	words := pg.Strings{"plain", `quo"te`, `back\slash`, "com,ma", "{brace}", "", "NULL", "línea\nnueva"}
	in(t, owner, func(tx *pg.Tx) error {
		return tx.Store().Exec(`insert into api_key (id, person_id, name, hash, prefix, scopes, workspaces, created_by, created_at)
			values (?, ?, 'lists', ?, '', ?, ?, ?, now())`, id, owner.Person, id[:], words, pg.UUIDs{owner.Workspace, id}, owner.Person).Error
	})
	var got struct {
		Scopes     pg.Strings
		Workspaces pg.UUIDs
	}
	in(t, owner, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select scopes, workspaces from api_key where id = ?`, id).Scan(&got).Error
	})
	if len(got.Workspaces) != 2 || got.Workspaces[1] != id || strings.Join(got.Scopes, "|") != strings.Join(words, "|") {
		t.Errorf("read %q and %v", got.Scopes, got.Workspaces)
	}
}
