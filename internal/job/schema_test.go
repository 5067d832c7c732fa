package job_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"driftless/internal/pg/pgtest"
)

// The library's migrations are run beside ours, and what both made is compared: a new version of the library that wants
// another schema fails here and not in production.
func TestTheSchemaIsTheOneOfTheLibrary(t *testing.T) {
	t.Parallel()
	ctx, schema := t.Context(), "wanted_"+uuid.NewString()[:8]
	pool, err := pgxpool.New(ctx, pgtest.OwnerDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if _, err := pool.Exec(ctx, `create schema `+schema); err != nil {
		t.Fatal(err)
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: schema})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		t.Fatal(err)
	}
	want, got := described(ctx, t, pool, schema), described(ctx, t, pool, "public")
	if len(want) < 50 {
		t.Fatalf("%d things were found; this test looks in the wrong place", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tables of the queue (-library +ours):\n%s", diff)
	}
}

// described is everything of the queue in a schema, but for the library's list of its migrations, which is kept by ours.
func described(ctx context.Context, t *testing.T, pool *pgxpool.Pool, schema string) []string {
	t.Helper()
	const tables = `(select oid from pg_class where relnamespace = $1::regnamespace and relname like 'river\_%' and relname <> 'river_migration' and relkind = 'r')`
	var out []string
	for _, query := range []string{
		`select format('table %s persistence %s', relname, relpersistence) from pg_class where oid in ` + tables,
		`select format('column %s.%s %s not null %s default %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid))
			from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
			where attnum > 0 and not attisdropped and attrelid in ` + tables,
		`select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint where conrelid in ` + tables,
		`select pg_get_indexdef(indexrelid) from pg_index where indrelid in ` + tables,
		`select format('trigger %s', tgname) from pg_trigger where not tgisinternal and tgrelid in ` + tables,
		`select format('label %s %s', typname, string_agg(enumlabel, ',' order by enumsortorder)) from pg_enum join pg_type t on t.oid = enumtypid
			where typnamespace = $1::regnamespace group by typname`,
		`select format('function %s %s %s %s', proname, provolatile, prolang, regexp_replace(lower(prosrc), '\s+', ' ', 'g')) from pg_proc
			where pronamespace = $1::regnamespace and proname like 'river\_%'`,
	} {
		rows, err := pool.Query(ctx, query+` order by 1`, schema)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			out = append(out, strings.ReplaceAll(strings.ReplaceAll(line, schema+".", ""), `"`, ""))
		}
	}
	return out
}
