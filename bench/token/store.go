package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"

	"driftless/bench/process"
)

// database is the PostgreSQL that all share.
type database struct {
	version    string
	postmaster int // process id
}

// readDatabase refuses a server that would lose what it has acknowledged.
func readDatabase(ctx context.Context, dsn string) (d database, err error) {
	err = on(ctx, dsn, func(c *pgx.Conn) error {
		var fsync, commit, pages string
		err := c.QueryRow(ctx, `select current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes'),
			split_part(current_setting('server_version'), ' ', 1)`).Scan(&fsync, &commit, &pages, &d.version)
		if err == nil && (fsync != "on" || commit != "on" || pages != "on") {
			err = fmt.Errorf("the database is not durable: fsync %s, synchronous_commit %s, full_page_writes %s", fsync, commit, pages)
		}
		if err != nil {
			return err
		}
		// A backend is a child of the postmaster.
		d.postmaster, err = process.Parent(int(c.PgConn().PID()))
		return err
	})
	return d, err
}

// createDatabase makes a database beside the first one, and answers its address.
func createDatabase(ctx context.Context, dsn, name string) (string, error) {
	at, err := url.Parse(dsn)
	if err != nil {
		return "", err
	}
	at.Path = "/" + name
	return at.String(), on(ctx, dsn, func(c *pgx.Conn) error {
		_, err := c.Exec(ctx, `create database `+pgx.Identifier{name}.Sanitize())
		return err
	})
}

// stored is what a database holds.
type stored struct {
	rows  int
	bytes int // of rows as they are kept, without indexes and dead versions
	disk  int // of tables with all that belongs to them
	clear int // of the secrets that were looked for, those that stand in some row
}

// readStored counts everything that a database holds and looks for secrets in it.
func readStored(ctx context.Context, dsn string, secrets []string) (s stored, err error) {
	err = on(ctx, dsn, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, `select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
			where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\_toast%'`)
		if err != nil {
			return err
		}
		tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		found := map[string]bool{}
		for _, table := range tables {
			var n, bytes, disk int
			// Row-level security is about the owner, too, who sees no row of a workspace; there is none of a grant.
			err := c.QueryRow(ctx, `select count(*), coalesce(sum(pg_column_size(t.*)), 0), pg_total_relation_size('`+strings.ReplaceAll(table, "'", "''")+`')
				from `+table+` t`).Scan(&n, &bytes, &disk)
			if err != nil {
				return fmt.Errorf("count %s: %w", table, err)
			}
			s.rows, s.bytes, s.disk = s.rows+n, s.bytes+bytes, s.disk+disk
			for _, secret := range secrets {
				var there bool
				err := c.QueryRow(ctx, `select exists (select from `+table+` t where strpos(t::text, $1) > 0)`, secret).Scan(&there)
				if err != nil {
					return fmt.Errorf("look into %s: %w", table, err)
				}
				found[secret] = found[secret] || there
			}
		}
		for _, there := range found {
			if there {
				s.clear++
			}
		}
		return nil
	})
	return s, err
}

// on runs fn on a connection of its own.
func on(ctx context.Context, dsn string, fn func(*pgx.Conn) error) error {
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }()
	return fn(c)
}
