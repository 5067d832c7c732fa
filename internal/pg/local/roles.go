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
	defer conn.Close(context.WithoutCancel(ctx))
	missing := func(query, name string) (bool, error) {
		var exists bool
		if err := conn.QueryRow(ctx, query, name).Scan(&exists); err != nil {
			return false, fmt.Errorf("look for %s: %w", name, err)
		}
		return !exists, nil
	}
	statements := []string{}
	for _, role := range []string{ownerRole, appRole} {
		create, err := missing("select exists (select from pg_roles where rolname = $1)", role)
		if err != nil {
			return err
		}
		if create {
			statements = append(statements, "create role "+role)
		}
	}
	create, err := missing("select exists (select from pg_database where datname = $1)", database)
	if err != nil {
		return err
	}
	statements = append(statements,
		// The owner may create databases beside its own: a restore fills a new
		// one and then swaps the names.
		"alter role "+ownerRole+" login nosuperuser createdb nocreaterole noreplication nobypassrls",
		"alter role "+appRole+" login nosuperuser nocreatedb nocreaterole noreplication nobypassrls",
	)
	if create {
		// initdb made this one, and nobody needs it: a rename saves a fifth of
		// the first start and of the disk, against a second database.
		statements = append(statements, "alter database postgres rename to "+database)
	}
	statements = append(statements,
		"alter database "+database+" owner to "+ownerRole,
		"revoke all on database "+database+" from public",
		"grant connect on database "+database+" to "+appRole,
	)
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
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
