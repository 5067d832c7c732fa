package pg_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
)

// scratch is an empty database beside the one of the tests.
func scratch(t *testing.T) string {
	t.Helper()
	name := "scratch_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _, err := owned(t, pgtest.OwnerDSN(t)).Exec(t.Context(), `create database `+name); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(pgtest.OwnerDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func TestMigrationsRunOnceAndTogether(t *testing.T) {
	t.Parallel()
	dsn := scratch(t)
	done := make(chan error, 3)
	for range cap(done) {
		go func() { done <- pg.Migrate(t.Context(), dsn) }()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Errorf("processes that start at once: %v", err)
		}
	}
	var tables int
	err := owned(t, dsn).QueryRow(t.Context(), `select count(*) from pg_tables where schemaname = 'public' and tablename in ('topic', 'event', 'person')`).Scan(&tables)
	if err != nil || tables != 3 {
		t.Errorf("%d of three tables, %v", tables, err)
	}
}

func TestANewerSchemaIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	dsn := scratch(t)
	if err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	if _, err := owned(t, dsn).Exec(t.Context(), `insert into goose_db_version (version_id, is_applied) values (9000, true)`); err != nil {
		t.Fatal(err)
	}
	err := pg.Migrate(t.Context(), dsn)
	if err == nil || !strings.Contains(err.Error(), "schema version 9000") || !strings.Contains(err.Error(), "newer driftless") {
		t.Errorf("a newer schema answered %v", err)
	}
}

func TestMigratingWithoutADatabaseSaysSo(t *testing.T) {
	t.Parallel()
	err := pg.Migrate(t.Context(), at(t, "driftless_owner", map[string]string{"host": t.TempDir()}))
	if err == nil || !strings.Contains(err.Error(), "the database cannot be reached") {
		t.Errorf("answered %v", err)
	}
}

func TestAnExternalDatabaseIsPreparedForThePlainRole(t *testing.T) {
	t.Parallel()
	// Whoever may make roles prepares a server; here that is the account of the cluster itself.
	dsn := strings.Replace(at(t, "postgres", nil), "postgres@", "postgres:secret@", 1)
	first, err := pg.PrepareExternal(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	again, err := pg.PrepareExternal(t.Context(), dsn)
	if err != nil || again != first {
		t.Errorf("a second process connects elsewhere: %v", err)
	}
	u, err := url.Parse(first)
	if err != nil || u.User.Username() != pg.AppRole {
		t.Fatalf("it answers the role %s, %v", u.User.Username(), err)
	}
	if secret, _ := u.User.Password(); len(secret) < 40 || strings.Contains(first, "secret@") {
		t.Errorf("the password of the role is weak or the owner's")
	}
	if err := open(t, first).Ping(t.Context()); err != nil {
		t.Errorf("as the plain role: %v", err)
	}
}

func TestAnAddressOfAnExternalDatabaseIsChecked(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ dsn, says string }{
		"another scheme": {"mysql://user@host/db", "DRIFTLESS_DATABASE_URL must look like"},
		"nobody":         {"postgres://host/db", "DRIFTLESS_DATABASE_URL must look like"},
		"no address":     {"host=/tmp user=x", "DRIFTLESS_DATABASE_URL must look like"},
		"unreadable":     {"postgres://user@host:port:9/%zz", "DRIFTLESS_DATABASE_URL must look like"},
		"two addresses":  {"postgres://user@localhost,127.0.0.1:1/db?connect_timeout=2", "the database cannot be reached"},
		"nobody there":   {at(t, "driftless_owner", map[string]string{"host": t.TempDir()}), "the database cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := pg.PrepareExternal(t.Context(), tc.dsn)
			if err == nil || !strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("answered %q, %v", got, err)
			}
		})
	}
}
