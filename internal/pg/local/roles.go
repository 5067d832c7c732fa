package local

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	// superuser bypasses row-level security even where it is forced, so nobody
	// but this package connects as it.
	superuser = "postgres"

	ownerRole = "driftless_owner"
	appRole   = "driftless_app"
	database  = "driftless"
)

// createRoles makes the two roles and the database, and on every start takes
// back what the roles must not have.
func createRoles(ctx context.Context, socketDir string) error {
	conn, err := pgx.Connect(ctx, dsn(socketDir, superuser, "template1"))
	if err != nil {
		return fmt.Errorf("connect to the new server: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, step := range []struct{ unless, statement string }{
			{"exists (select from pg_roles where rolname = '" + ownerRole + "')", "create role " + ownerRole},
			{"exists (select from pg_roles where rolname = '" + appRole + "')", "create role " + appRole},
			// The owner may create databases beside its own: a restore fills a
			// new one and then swaps the names.
			{"false", "alter role " + ownerRole + " login nosuperuser createdb nocreaterole noreplication nobypassrls"},
			{"false", "alter role " + appRole + " login nosuperuser nocreatedb nocreaterole noreplication nobypassrls"},
			// initdb made this one, and nobody needs it: a rename saves a fifth
			// of the first start and of the disk, against a second database.
			{"exists (select from pg_database where datname = '" + database + "')", "alter database postgres rename to " + database},
			{"false", "alter database " + database + " owner to " + ownerRole},
			{"false", "revoke all on database " + database + " from public"},
			{"false", "grant connect on database " + database + " to " + appRole},
		} {
			var done bool
			if err := tx.QueryRow(ctx, "select "+step.unless).Scan(&done); err != nil {
				return fmt.Errorf("before %q: %w", step.statement, err)
			}
			if done {
				continue
			}
			if _, err := tx.Exec(ctx, step.statement); err != nil {
				return fmt.Errorf("%s: %w", step.statement, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("create the roles: %w", err)
	}
	return nil
}

// ping reports whether the server behind the socket answers the application.
func ping(ctx context.Context, socketDir string) error {
	conn, err := pgx.Connect(ctx, dsn(socketDir, appRole, database))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}
