// Package pgtest owns the real database of tests: one private PostgreSQL for each test package, started by [Main] and
// migrated once, and one workspace for each test.
//
// It refuses to stand in for the database and to skip: without PostgreSQL a test fails.
package pgtest

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/pg/local"
	"driftless/internal/tenant"
)

var shared struct {
	once   sync.Once
	server *local.Server
	db     *pg.DB
	dir    string
	err    error
}

// Main runs the tests of a package and stops its database afterwards. Call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stop the test database:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func stop() error {
	if shared.db != nil {
		shared.db.Close()
	}
	if shared.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := shared.server.Stop(ctx); err != nil {
			return err
		}
	}
	return os.RemoveAll(shared.dir)
}

func start() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if shared.dir, shared.err = os.MkdirTemp("", "dl-test-"); shared.err != nil {
		return
	}
	if shared.err = os.Chmod(shared.dir, 0o755); shared.err != nil {
		return
	}
	quiet := slog.New(slog.DiscardHandler)
	if shared.server, shared.err = local.Start(ctx, local.Options{DataDir: shared.dir, Logger: quiet}); shared.err != nil {
		return
	}
	if shared.err = pg.Migrate(ctx, shared.server.OwnerDSN()); shared.err != nil {
		return
	}
	// What a test looks at is in the database, not on the disk: no commit has to wait for that.
	shared.db, shared.err = pg.Open(ctx, shared.server.AppDSN()+"&synchronous_commit=off", quiet)
}

// DB is the migrated database of this test package, as the application role.
func DB(t testing.TB) *pg.DB {
	t.Helper()
	shared.once.Do(start)
	if shared.err != nil {
		t.Fatalf("the test database did not start: %v", shared.err)
	}
	return shared.db
}

// Another is the same database through connections of its own, as a second server process has them.
func Another(t testing.TB) *pg.DB {
	t.Helper()
	DB(t)
	db, err := pg.Open(t.Context(), shared.server.AppDSN()+"&synchronous_commit=off", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("open the test database again: %v", err)
	}
	t.Cleanup(db.Close)
	return db
}

// OwnerDSN is the address of the same database as the role that owns it, for tests that look at the catalogue.
func OwnerDSN(t testing.TB) string {
	t.Helper()
	DB(t)
	return shared.server.OwnerDSN()
}

// Workspace founds a workspace of its own for a test and answers its owner.
func Workspace(t testing.TB) tenant.Actor {
	t.Helper()
	db := DB(t)
	id := uuid.Must(uuid.NewV7())
	slug := "w" + id.String()[24:]
	err := db.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		if err := tx.Store().Exec(`insert into workspace (id, slug, name, created_at) values (?, ?, ?, now())`, id, slug, slug).Error; err != nil {
			return err
		}
		if err := tx.Enter(id, uuid.Nil, tenant.ViaSystem); err != nil {
			return err
		}
		if err := tx.Store().Exec(`insert into workspace_head (workspace_id) values (?)`, id).Error; err != nil {
			return err
		}
		return tx.Store().Exec(`insert into workspace_setting (workspace_id) values (?)`, id).Error
	})
	if err != nil {
		t.Fatalf("found a workspace: %v", err)
	}
	return Person(t, tenant.Actor{Workspace: id, Slug: slug}, tenant.Owner)
}

// Person adds a new person with this role to the workspace of an actor and answers them as an actor in the console.
func Person(t testing.TB, in tenant.Actor, role tenant.Role) tenant.Actor {
	t.Helper()
	person := uuid.Must(uuid.NewV7())
	name := string(role) + "-" + person.String()[24:]
	err := DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		err := tx.Store().Exec(`insert into person (id, email, name, kind, created_at) values (?, ?, ?, 'person', now())`,
			person, name+"@example.test", name).Error
		if err != nil {
			return err
		}
		if err := tx.Enter(in.Workspace, uuid.Nil, tenant.ViaSystem); err != nil {
			return err
		}
		return tx.Store().Exec(`insert into membership (workspace_id, person_id, role, joined_at) values (?, ?, ?, now())`,
			in.Workspace, person, role).Error
	})
	if err != nil {
		t.Fatalf("add a person: %v", err)
	}
	m := tenant.Membership{Workspace: in.Workspace, Slug: in.Slug, Name: in.Slug, Role: role}
	return tenant.Caller{
		Person: person, Name: name, Email: name + "@example.test", Via: tenant.ViaConsole, Scopes: tenant.Scopes(),
		Memberships: []tenant.Membership{m}, SignedInAt: time.Now(), RequestID: "test",
	}.In(m)
}
