package pg

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // registers the "pgx" driver for goose
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"driftless/migrations"
)

// AppRole is the name of the plain role the application connects as: it owns nothing and cannot bypass row-level
// security.
const AppRole = "driftless_app"

// oldest is the oldest major version of PostgreSQL that the schema works on.
const oldest = 150000

// Migrate brings the schema up to date as the owner role, under an advisory lock so that several processes may start at
// once. It never goes back: a database that is newer than the program is refused with its version.
func Migrate(ctx context.Context, ownerDSN string) error {
	db, err := sql.Open("pgx", ownerDSN)
	if err != nil {
		return fmt.Errorf("open the database for migrations: %w", err)
	}
	defer func() { _ = db.Close() }()
	var version int
	if err := db.QueryRowContext(ctx, `select current_setting('server_version_num')::int`).Scan(&version); err != nil {
		return unreachableError{err}
	}
	if version < oldest {
		return fmt.Errorf("the database runs PostgreSQL %d; version 15 or newer is needed", version/10000)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("prepare the migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.Files, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the version of the schema: %w", err)
	}
	if current > target {
		return fmt.Errorf("the database has schema version %d and this program knows %d: start a newer driftless", current, target)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("apply the migrations: %w", err)
	}
	return nil
}

// PrepareExternal makes sure that an existing PostgreSQL has the application role, and answers the address to connect with
// as that role. The role's password is derived from the owner's, so that every process finds the same one and nothing
// new has to be kept secret. The owner needs CREATEROLE the first time only.
func PrepareExternal(ctx context.Context, ownerDSN string) (appDSN string, err error) {
	u, err := url.Parse(ownerDSN)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") || u.User == nil {
		return "", fmt.Errorf("DRIFTLESS_DATABASE_URL must look like postgres://user:password@host:port/database")
	}
	secret, _ := u.User.Password()
	sum := sha256.Sum256([]byte("driftless application role\x00" + u.User.Username() + "\x00" + secret))
	password := base64.RawURLEncoding.EncodeToString(sum[:])
	app := *u
	app.User = url.UserPassword(AppRole, password)

	conn, err := pgx.Connect(ctx, ownerDSN)
	if err != nil {
		return "", unreachableError{err}
	}
	defer func() { _ = conn.Close(ctx) }()
	if probe, err := pgx.Connect(ctx, app.String()); err == nil {
		return app.String(), probe.Close(ctx)
	}
	// A new role is no superuser and bypasses nothing; saying so would need a superuser. What a role that was there may do is
	// checked when it is opened. The password is our own base64 text, so it can stand in the statement, which takes no parameters.
	statement := fmt.Sprintf(`do $$ begin
		if not exists (select 1 from pg_roles where rolname = '%[1]s') then create role %[1]s; end if;
		alter role %[1]s login password '%[2]s';
	end $$`, AppRole, password)
	if _, err := conn.Exec(ctx, statement); err != nil {
		return "", fmt.Errorf("create the role %s (the database user needs CREATEROLE once): %w", AppRole, err)
	}
	return app.String(), nil
}
