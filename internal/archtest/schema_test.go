package archtest

import (
	"context"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// global are the tables that belong to no workspace, each for a reason. Every other one is keyed by workspace and forced
// behind row-level security.
var global = map[string]string{
	"goose_db_version": "the version of the schema",
	"person":           "a person may be in several workspaces",
	"workspace":        "the list of workspaces itself",
	"session":          "signing in happens before a workspace is chosen",
	"api_key":          "a credential is looked up before a workspace is known",
	"person_identity":  "a person signs in before a workspace is known",
	"signon_attempt":   "signing in happens before a workspace is chosen",
	"setup_link":       "exists while there is no workspace",
	"passkey":          "signing in happens before a workspace is chosen",
	"passkey_handle":   "belongs to a person",
	"passkey_ceremony": "a person answers it before a workspace is chosen",
	"guess":            "is about accounts, and such that do not exist",
	"known_browser":    "signing in happens before a workspace is chosen",
	"topic_transition": "the state machine is the same for everybody",
	"oauth_client":     "an application registers before anybody signs in",
	"oauth_request":    "a person answers it before workspaces are chosen",
	"oauth_grant":      "a credential is looked up before a workspace is known",
	"oauth_code":       "belongs to a grant",
	"oauth_device":     "a device asks before anybody signs in",
	"oauth_token":      "a credential is looked up before a workspace is known",
	"server_secret":    "belongs to the server itself",
	"client_question":  "a session has no workspace, and its person may be in several",

	"password_reset": "asked for before anybody signs in, and for addresses that nobody has",

	"river_job":          "any worker takes the next job of anybody; arguments hold ids alone",
	"river_leader":       "one process schedules for all workspaces",
	"river_queue":        "the queue is one for all workspaces",
	"river_notification": "belongs to the queue; nobody may use it",
}

func owner(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), pgtest.OwnerDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func column(t *testing.T, conn *pgx.Conn, query string, args ...any) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func tables(t *testing.T, conn *pgx.Conn) (tenants []string) {
	t.Helper()
	for _, name := range column(t, conn, `select tablename::text from pg_tables where schemaname = 'public' order by 1`) {
		if global[name] == "" {
			tenants = append(tenants, name)
		}
	}
	return tenants
}

func TestEveryTenantTableIsForcedBehindItsWorkspace(t *testing.T) {
	t.Parallel()
	conn := owner(t)
	for _, name := range tables(t, conn) {
		var enabled, forced, notNull bool
		err := conn.QueryRow(t.Context(), `select c.relrowsecurity, c.relforcerowsecurity,
			coalesce((select a.attnotnull from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id'), false)
			from pg_class c where c.oid = ('public.' || quote_ident($1))::regclass`, name).Scan(&enabled, &forced, &notNull)
		if err != nil {
			t.Fatal(err)
		}
		if !enabled || !forced {
			t.Errorf("%s: row-level security enabled %v, forced %v", name, enabled, forced)
		}
		if !notNull {
			t.Errorf("%s has no workspace_id that is not null", name)
		}
		key := column(t, conn, `select a.attname::text from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
			where i.indisprimary and i.indrelid = ('public.' || quote_ident($1))::regclass`, name)
		if !slices.Equal(key, []string{"workspace_id"}) {
			t.Errorf("the primary key of %s begins with %v", name, key)
		}
		if policies := column(t, conn, `select polname::text from pg_policy where polrelid = ('public.' || quote_ident($1))::regclass and polname = 'tenant'`, name); len(policies) != 1 {
			t.Errorf("%s has no policy tenant", name)
		}
	}
}

func TestForeignKeysBetweenTenantTablesCarryTheWorkspace(t *testing.T) {
	t.Parallel()
	conn := owner(t)
	tenants := tables(t, conn)
	rows, err := conn.Query(t.Context(), `select c.conname::text, c.conrelid::regclass::text, c.confrelid::regclass::text,
		exists (select 1 from unnest(c.conkey) k join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k where a.attname = 'workspace_id')
		from pg_constraint c where c.contype = 'f'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, from, to string
		var composite bool
		if err := rows.Scan(&name, &from, &to, &composite); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(tenants, to) && !composite {
			t.Errorf("%s references %s without the workspace (%s): it could reach a row of another one", from, to, name)
		}
	}
}

func TestTheApplicationRoleOwnsNothingAndCannotRewriteHistory(t *testing.T) {
	t.Parallel()
	conn := owner(t)
	var super, bypass bool
	if err := conn.QueryRow(t.Context(), `select rolsuper, rolbypassrls from pg_roles where rolname = $1`, pg.AppRole).Scan(&super, &bypass); err != nil {
		t.Fatal(err)
	}
	if super || bypass {
		t.Errorf("superuser %v, bypasses row-level security %v", super, bypass)
	}
	if owned := column(t, conn, `select c.relname::text from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = $1`, pg.AppRole); len(owned) > 0 {
		t.Errorf("it owns %v", owned)
	}
	for _, table := range []string{"event", "revision"} {
		for _, right := range []string{"UPDATE", "DELETE", "TRUNCATE"} {
			var has bool
			if err := conn.QueryRow(t.Context(), `select has_table_privilege($1, $2, $3)`, pg.AppRole, table, right).Scan(&has); err != nil {
				t.Fatal(err)
			}
			if has {
				t.Errorf("it may %s %s", right, table)
			}
		}
	}
	// The one of the queue stands in no policy and beside none.
	if enums := column(t, conn, `select typname::text from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.typtype = 'e' and n.nspname = 'public'
		and typname <> 'river_job_state'`); len(enums) > 0 {
		t.Errorf("enum types %v: equality on them is not leakproof", enums)
	}
}

// Each table is tried as the application role: rows of a workspace are nowhere but in it, and cannot be moved to another.
func TestTheDatabaseRefusesAnotherTenantInEveryTable(t *testing.T) {
	t.Parallel()
	conn := owner(t)
	db := pgtest.DB(t)
	a, b := pgtest.Workspace(t), pgtest.Workspace(t)
	if err := db.Workspace(t.Context(), a, pg.ReadWrite, fillWorkspace); err != nil {
		t.Fatal(err)
	}
	for _, name := range tables(t, conn) {
		query := `select count(*) from ` + name + ` where workspace_id = ?`
		var own, foreign, outside int
		for into, in := range map[*int]tenant.Actor{&own: a, &foreign: b} {
			err := db.Workspace(t.Context(), in, pg.ReadOnly, func(tx *pg.Tx) error {
				return tx.Store().Raw(query, a.Workspace).Scan(into).Error
			})
			if err != nil {
				t.Fatalf("count %s: %v", name, err)
			}
		}
		err := db.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error { return tx.Store().Raw(query, a.Workspace).Scan(&outside).Error })
		if err != nil {
			t.Fatalf("count %s outside: %v", name, err)
		}
		if own == 0 {
			t.Errorf("%s is empty in the workspace that was filled: the test proves nothing about it", name)
		}
		if foreign != 0 || outside != 0 {
			t.Errorf("%s shows %d rows of one workspace in another, %d outside any", name, foreign, outside)
		}
		err = db.Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
			return tx.Store().Exec(`update `+name+` set workspace_id = ? where workspace_id = ?`, b.Workspace, a.Workspace).Error
		})
		if err == nil {
			t.Errorf("rows of %s could be moved into another workspace", name)
		}
	}
}

// Who reads without an account has what the functions for it hand out, and no table of a workspace, of now or of later.
func TestTheDatabaseShowsTheRowsOfNoTableToThePublic(t *testing.T) {
	t.Parallel()
	conn := owner(t)
	db := pgtest.DB(t)
	a := pgtest.Workspace(t)
	if err := db.Workspace(t.Context(), a, pg.ReadWrite, fillWorkspace); err != nil {
		t.Fatal(err)
	}
	err := db.Public(t.Context(), tenant.Actor{Slug: a.Slug}, pg.Configured{Enabled: true}, func(tx *pg.Tx) error {
		if tx.Actor().Workspace != a.Workspace || tx.Actor().Role != "" || len(tx.Actor().Scopes) > 0 {
			t.Errorf("the actor is %v", tx.Actor())
		}
		for range 2 {
			for _, name := range tables(t, conn) {
				var rows int
				if err := tx.Store().Raw(`select count(*) from ` + name).Scan(&rows).Error; err != nil {
					return err
				}
				if rows != 0 {
					t.Errorf("%s shows %d rows", name, rows)
				}
			}
			// Nor after one of the functions looked into the workspace.
			if err := tx.Store().Exec(`select * from public_version(), public_topics(null, null, '', null, true)`).Error; err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Public(t.Context(), tenant.Actor{Slug: a.Slug}, pg.Configured{Enabled: true}, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update person set name = 'x'`).Error
	})
	if err == nil {
		t.Error("the public could write")
	}
}

// fillWorkspace leaves at least one row in every tenant table.
func fillWorkspace(tx *pg.Tx) error {
	a := tx.Actor()
	id := func() uuid.UUID { return uuid.Must(uuid.NewV7()) }
	one, two, area, tag, edit, revision, source := id(), id(), id(), id(), id(), id(), id()
	topic := `insert into topic (workspace_id, id, slug, title, body, status, revision, content_hash, seq, author_id, editor_id, created_at, updated_at)
		values (?, ?, ?, 'x', '{}', 'draft', 1, 'h', 1, ?, ?, now(), now())`
	for _, s := range []struct {
		query string
		args  []any
	}{
		{`insert into area (workspace_id, id, name, name_key, created_at) values (?, ?, 'a', 'a', now())`, []any{a.Workspace, area}},
		{`insert into tag (workspace_id, id, name, created_at) values (?, ?, 't', now())`, []any{a.Workspace, tag}},
		{topic, []any{a.Workspace, one, "one", a.Person, a.Person}},
		{topic, []any{a.Workspace, two, "two", a.Person, a.Person}},
		{`insert into topic_tag (workspace_id, topic_id, tag_id) values (?, ?, ?)`, []any{a.Workspace, one, tag}},
		{`insert into relation (workspace_id, from_id, type, to_id, created_by, created_at) values (?, ?, 'blocks', ?, ?, now())`, []any{a.Workspace, one, two, a.Person}},
		{`insert into mention (workspace_id, from_id, to_slug) values (?, ?, 'two')`, []any{a.Workspace, one}},
		{`insert into revision (workspace_id, topic_id, revision, id, status, snapshot, changes, content_hash, author_id, via, op, at, is_private)
			values (?, ?, 1, ?, 'draft', '{}', '[]', 'h', ?, 'console', 'x', now(), false)`, []any{a.Workspace, one, revision, a.Person}},
		{`insert into undo_token (workspace_id, revision_id, person_id, token_hash, expires_at) values (?, ?, ?, sha256('t'), now())`, []any{a.Workspace, revision, a.Person}},
		{`insert into idempotency (workspace_id, person_id, operation, key_hash, input_hash, created_at) values (?, ?, 'x', sha256('k'), sha256('i'), now())`, []any{a.Workspace, a.Person}},
		{`insert into suggested_edit (workspace_id, id, topic_id, base_revision, author_id, via, snapshot, changes, content_hash, status, created_at, updated_at)
			values (?, ?, ?, 1, ?, 'console', '{}', '[]', 'h', 'open', now(), now())`, []any{a.Workspace, edit, one, a.Person}},
		{`insert into confirmation (workspace_id, id, kind, topic_id, revision, content_hash, person_id, via, created_at, expires_at)
			values (?, ?, 'approve', ?, 1, 'h', ?, 'mcp', now(), now())`, []any{a.Workspace, id().String(), one, a.Person}},
		{`insert into comment (workspace_id, id, topic_id, body, revision, author_id, via, created_at) values (?, ?, ?, 'b', 1, ?, 'console', now())`, []any{a.Workspace, id(), one, a.Person}},
		{`insert into invitation (workspace_id, id, hash, role, invited_by, created_at, expires_at) values (?, ?, ?, 'member', ?, now(), now())`, []any{a.Workspace, id(), []byte(id().String()), a.Person}},
		{`insert into event (workspace_id, seq, id, type, detail, via, at, prev_hash, hash) values (?, 1, ?, 'x', '{}', 'console', now(), '', '')`, []any{a.Workspace, id()}},
		{`insert into share (workspace_id, id, topic_id, token, created_by, created_at) values (?, ?, ?, ?, ?, now())`, []any{a.Workspace, id(), one, id().String() + id().String(), a.Person}},
		{`insert into topic_reader (workspace_id, topic_id, person_id, shared_by, shared_at) values (?, ?, ?, ?, now())`, []any{a.Workspace, one, a.Person, a.Person}},
		{`insert into inbox_item (workspace_id, id, person_id, kind, topic_id, from_id, at) values (?, ?, ?, 'shared', ?, ?, now())`, []any{a.Workspace, id(), a.Person, one, a.Person}},
		{`insert into solution (workspace_id, topic_id, id, revision) values (?, ?, 's', 1)`, []any{a.Workspace, one}},
		{`insert into feedback (workspace_id, topic_id, solution, revision, person_id, outcome, via, at) values (?, ?, 's', 1, ?, 'solved', 'mcp', now())`, []any{a.Workspace, one, a.Person}},
		{`insert into clearing (workspace_id, topic_id, solution, revision, person_id, reason, at) values (?, ?, 's', 1, ?, 'r', now())`, []any{a.Workspace, one, a.Person}},
		{`insert into attempt (workspace_id, id, topic_id, person_id, summary, steps, reason, via, at) values (?, ?, ?, ?, 's', '{}', 'r', 'mcp', now())`, []any{a.Workspace, id(), one, a.Person}},
		{`insert into source (workspace_id, id, name, provider, default_branch, connected_at) values (?, ?, 'h.test/a', 'generic', 'main', now())`, []any{a.Workspace, source}},
		{`insert into source_head (workspace_id, source_id, branch, head, committed_at, synced_at, files, file_count)
			values (?, ?, 'main', repeat('0', 40), now(), now(), '', 0)`, []any{a.Workspace, source}},
		{`insert into embedding (workspace_id, topic_id, model, revision, vector, at) values (?, ?, 'm', 1, 'v', now())`, []any{a.Workspace, one}},
		{`insert into source_commit (workspace_id, commit, source_id, branch, seq, at) values (?, repeat('0', 40), ?, 'main', 1, now())`, []any{a.Workspace, source}},
		{`insert into finding (workspace_id, id, topic_id, source_id, origin, anchor, kind, severity, paths, path_count, at)
			values (?, ?, ?, ?, 'mark', 'a', 'changed', 'touched', '{}', 0, now())`, []any{a.Workspace, id(), one, source}},
		{`insert into citation (workspace_id, id, topic_id, kind, text, certain, resolved, at) values (?, ?, ?, 'path', 'a/b.go', true, true, now())`, []any{a.Workspace, id(), one}},
		{`insert into drift_target (workspace_id, topic_id, source_id, branch, role, path, anchor, blob, size, now_path, now_blob, now_size, at)
			values (?, ?, ?, 'main', 'anchor', 'a', 'a', 'b', 1, 'a', 'b', 1, now())`, []any{a.Workspace, one, source}},
		{`insert into fingerprint (workspace_id, source_id, blob, absent, hash, signature, units, at) values (?, ?, 'b', false, 'h', '', '', now())`, []any{a.Workspace, source}},
		{`insert into source_mirror (workspace_id, source_id, url, created_at, asked_at) values (?, ?, 'https://a.test/b', now(), now())`, []any{a.Workspace, source}},
		{`insert into hook_delivery (workspace_id, source_id, delivery, branch, after, changes, partial, received_at)
			values (?, ?, 'd', 'main', 'a', '[]', false, now())`, []any{a.Workspace, source}},
		{`insert into import_source (workspace_id, origin, key, topic_id, content, imported_at) values (?, 'o', 'k', ?, '{}', now())`, []any{a.Workspace, one}},
		{`insert into doctor_day (workspace_id, day, category, topics) values (?, current_date, 'stale', 1)`, []any{a.Workspace}},
	} {
		if err := tx.Store().Exec(s.query, s.args...).Error; err != nil {
			return err
		}
	}
	return nil
}

func TestAWorkspaceThatIsDeletedLeavesNoRowInAnyTable(t *testing.T) {
	t.Parallel()
	conn := owner(t)
	db := pgtest.DB(t)
	a := pgtest.Workspace(t)
	if err := db.Workspace(t.Context(), a, pg.ReadWrite, fillWorkspace); err != nil {
		t.Fatal(err)
	}
	end := func(tx *pg.Tx) error { return tx.Store().Exec(`select delete_workspace()`).Error }
	if err := db.Workspace(t.Context(), pgtest.Person(t, a, tenant.Admin), pg.ReadWrite, end); err == nil {
		t.Fatal("the database let an admin delete it")
	}
	err := db.Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		return tx.Store().Exec(`delete from workspace where id = ?`, a.Workspace).Error
	})
	if err == nil {
		t.Fatal("the application could delete it by itself")
	}
	if err := db.Workspace(t.Context(), a, pg.ReadWrite, end); err != nil {
		t.Fatal(err)
	}
	// The owner of the tables sees them through their policies too.
	if _, err := conn.Exec(t.Context(), `select set_config('app.workspace_id', $1, false), set_config('app.see_private', 'on', false)`, a.Workspace.String()); err != nil {
		t.Fatal(err)
	}
	for _, name := range tables(t, conn) {
		if left := column(t, conn, `select 'row' from `+name+` where workspace_id = $1`, a.Workspace); len(left) > 0 {
			t.Errorf("%s keeps %d rows", name, len(left))
		}
	}
}
