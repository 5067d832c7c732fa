package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"driftless/bench/process"
	"driftless/internal/event"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// space is a workspace under load, with what its clients ask about.
type space struct {
	token  string // the access token of its one member
	topics []string
}

// flushAt is how many topics are sent at once.
const flushAt = 10_000

// loader writes the rows that the application would have written for the same acts: each topic was created, proposed and approved
// by its workspace's owner, with a revision and an entry of the chain for each. A test compares the two. They go in with COPY,
// which policies do not let the application's role or the owner's use, so as the account of the cluster, and with the
// triggers off, for the database lets no topic begin as Knowledge.
type loader struct {
	conn     *pgx.Conn
	corpus   *corpus
	resource string // that the tokens are good for
	client   string
	now      time.Time
	rows     map[string][][]any
	topics   int
}

// columns are those that are written; the tables go in in this order.
var columns = []struct {
	table string
	names string
}{
	{"person", "id email name kind created_at"},
	{"workspace", "id slug name created_at"},
	{"workspace_setting", "workspace_id"},
	{"membership", "workspace_id person_id role joined_at"},
	{"oauth_client", "id kind name redirect_uris grant_types auth_method scopes application_type created_at"},
	{"oauth_grant", "id client_id person_id scopes workspaces resource created_at used_at"},
	{"oauth_token", "hash kind grant_id scopes created_at expires_at"},
	{"area", "workspace_id id name name_key created_at"},
	{"tag", "workspace_id id name created_at"},
	{"topic", `workspace_id id slug title what body status area_id revision content_hash seq author_id editor_id created_at updated_at
		edges proposed_at review_state approved_by approved_at approved_via approved_revision approved_hash`},
	{"revision", "workspace_id topic_id revision seq id status snapshot changes content_hash author_id via op at is_private"},
	{"topic_tag", "workspace_id topic_id tag_id"},
	{"relation", "workspace_id from_id type to_id created_by created_at"},
	{"mention", "workspace_id from_id to_slug"},
	{"event", "workspace_id seq id type topic_id detail person_id via op at prev_hash hash"},
	{"workspace_head", "workspace_id seq hash"},
}

// newLoader connects to the database as the account of its cluster.
func newLoader(ctx context.Context, dsn, resource string, seed uint64) (*loader, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, err
	}
	u.User = url.User("postgres")
	conn, err := pgx.Connect(ctx, u.String())
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, `set session_replication_role = replica`); err != nil {
		return nil, fmt.Errorf("switch the triggers off: %w", err)
	}
	l := &loader{
		conn: conn, corpus: newCorpus(seed), resource: resource, client: opaque.New("dcl_"), rows: map[string][][]any{},
		now: time.Now().UTC().Truncate(time.Microsecond),
	}
	l.add("oauth_client", l.client, "registered", "Bench", []string{"http://127.0.0.1:9/callback"},
		[]string{"authorization_code", "refresh_token"}, "none", words(tenant.Scopes()), "native", l.now)
	return l, nil
}

// close ends the connection once everything is in, with the statistics that the planner goes by.
func (l *loader) close(ctx context.Context) error {
	err := l.flush(ctx)
	if err == nil {
		_, err = l.conn.Exec(ctx, `vacuum analyze`)
	}
	_ = l.conn.Close(context.WithoutCancel(ctx))
	return err
}

func (l *loader) add(table string, values ...any) { l.rows[table] = append(l.rows[table], values) }

func (l *loader) flush(ctx context.Context) error {
	return pgx.BeginFunc(ctx, l.conn, func(tx pgx.Tx) error {
		for _, c := range columns {
			if _, err := tx.CopyFrom(ctx, pgx.Identifier{c.table}, strings.Fields(c.names), pgx.CopyFromRows(l.rows[c.table])); err != nil {
				return fmt.Errorf("copy into %s: %w", c.table, err)
			}
		}
		clear(l.rows)
		l.topics = 0
		return nil
	})
}

// workspace founds one with so many topics, whose owner has an access token for it.
func (l *loader) workspace(ctx context.Context, slug string, topics int) (space, error) {
	out := space{token: opaque.New("dat_")}
	f := founded{loader: l, id: pg.NewID(), person: pg.NewID()}
	grant := pg.NewID()
	l.add("person", f.person, slug+"@bench.example", slug, "person", l.now)
	l.add("workspace", f.id, slug, slug, l.now)
	l.add("workspace_setting", f.id)
	f.event("workspaces.found", "workspace.founded", nil, map[string]any{"slug": slug})
	l.add("membership", f.id, f.person, "owner", l.now)
	f.event("members.place", "member.joined", nil, map[string]any{"person": f.person, "role": tenant.Owner, "was": ""})
	scopes := []string{string(tenant.ContextRead)}
	l.add("oauth_grant", grant, l.client, f.person, scopes, []uuid.UUID{f.id}, l.resource, l.now, l.now)
	l.add("oauth_token", opaque.Hash(out.token), "access", grant, scopes, l.now, l.now.Add(24*time.Hour))
	f.label()
	for n := range topics {
		out.topics = append(out.topics, f.topic(n, topics))
		if l.topics++; l.topics%flushAt == 0 {
			if err := l.flush(ctx); err != nil {
				return out, err
			}
		}
	}
	l.add("workspace_head", f.id, f.seq, f.hash)
	return out, nil
}

// founded is a workspace as far as it has come.
type founded struct {
	*loader
	id, person uuid.UUID
	areas      map[string]uuid.UUID
	tags       map[string]uuid.UUID
	last       struct {
		slug string
		id   uuid.UUID
	}
	seq  int64
	hash []byte
}

func (f *founded) event(op, kind string, about *uuid.UUID, detail map[string]any) {
	f.seq++
	e := event.Event{
		Workspace: f.id, Seq: f.seq, ID: pg.NewID(), Type: kind, Topic: about, Detail: encoded(detail), Person: &f.person,
		Via: string(tenant.ViaConsole), Op: op, At: f.now, PrevHash: f.hash,
	}
	e.Seal()
	f.hash = e.Hash
	before := e.PrevHash
	if before == nil {
		before = []byte{}
	}
	f.add("event", e.Workspace, e.Seq, e.ID, e.Type, e.Topic, e.Detail, e.Person, e.Via, e.Op, e.At, before, e.Hash)
}

func (f *founded) label() {
	f.areas, f.tags = map[string]uuid.UUID{}, map[string]uuid.UUID{}
	for n := range areasEach {
		name := areaName(n)
		f.areas[name] = pg.NewID()
		f.add("area", f.id, f.areas[name], name, strings.ToLower(name), f.now)
		f.event("areas.create", "area.created", nil, map[string]any{"name": name})
	}
	for n := range tagsEach {
		f.tags[tagName(n)] = pg.NewID()
		f.add("tag", f.id, f.tags[tagName(n)], tagName(n), f.now)
	}
}

// edges are the kinds that the n-th of so many topics has, as the triggers of the database would have noted them.
func edges(n, topics int) (bits int) {
	if n > 0 && n%relatedEach == 0 {
		bits |= 1
	}
	if n > 0 && n%mentionsEach == 0 {
		bits |= 4
	}
	if n++; n < topics && n%relatedEach == 0 {
		bits |= 2
	}
	if n < topics && n%mentionsEach == 0 {
		bits |= 8
	}
	return bits
}

// topic writes the n-th of so many topics, and answers its slug.
func (f *founded) topic(n, topics int) string {
	w, id := f.corpus.topic(n, f.last.slug), pg.NewID()
	slices.Sort(w.content.Tags)
	t := topicRow{content: w.content, hash: w.content.Hash(), status: w.status}
	for _, step := range t.steps() {
		t.revision++
		f.event(step.op, step.kind, &id, step.detail(t))
		changes := []topic.Change{}
		if t.revision == 1 {
			changes = topic.Diff(topic.Content{}, t.content)
		}
		f.add("revision", f.id, id, t.revision, f.seq, pg.NewID(), string(step.status), encoded(t.content), encoded(changes), t.hash, f.person,
			string(tenant.ViaConsole), step.op, f.now, false)
	}
	row := []any{
		f.id, id, w.slug, w.content.Title, w.content.What, t.body(), string(t.status), f.areas[w.content.Area], t.revision, t.hash, f.seq,
		f.person, f.person, f.now, f.now, edges(n, topics),
	}
	switch t.status {
	case topic.Proposed:
		row = append(row, f.now, "waiting", nil, nil, nil, nil, nil)
	case topic.Reviewed:
		row = append(row, f.now, "none", f.person, f.now, string(tenant.ViaConsole), t.revision, t.hash)
	default:
		row = append(row, nil, "none", nil, nil, nil, nil, nil)
	}
	f.add("topic", row...)
	for _, tag := range w.content.Tags {
		f.add("topic_tag", f.id, id, f.tags[tag])
	}
	for _, r := range w.content.Relations {
		f.add("relation", f.id, id, r.Type, f.last.id, f.person, f.now)
	}
	for _, slug := range relation.Mentions(w.slug, w.content.Text) {
		f.add("mention", f.id, id, slug)
	}
	f.last.slug, f.last.id = w.slug, id
	return w.slug
}

type topicRow struct {
	content  topic.Content
	hash     string
	status   topic.Status
	revision int
}

// step is one act on the way of a topic.
type step struct {
	op, kind string
	status   topic.Status
}

func (t topicRow) steps() []step {
	all := []step{
		{"topics.create", "topic.created", topic.Draft},
		{"topics.propose", "topic.proposed", topic.Proposed},
		{"topics.approve", "topic.approved", topic.Reviewed},
	}
	return all[:1+slices.IndexFunc(all, func(s step) bool { return s.status == t.status })]
}

func (s step) detail(t topicRow) map[string]any {
	out := map[string]any{"status": s.status}
	if s.status != topic.Draft {
		out["revision"] = t.revision
	}
	if s.status == topic.Reviewed {
		out["approved_via"], out["content_hash"] = tenant.ViaConsole, t.hash
	}
	return out
}

// body is the column of that name: the content without what has a column or a table of its own.
func (t topicRow) body() json.RawMessage {
	c := t.content
	return encoded(map[string]any{"how": c.How, "content": c.Text, "decisions": c.Decisions, "gotchas": c.Gotchas, "anchors": c.Anchors})
}

func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode a row: %v", err)) // texts, lists of texts and numbers
	}
	return raw
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = string(item)
	}
	return out
}

// database is the PostgreSQL that all share.
type database struct {
	version    string
	postmaster int // process id
}

func readDatabase(ctx context.Context, dsn string) (d database, err error) {
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return d, err
	}
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }()
	if err := c.QueryRow(ctx, `select split_part(current_setting('server_version'), ' ', 1)`).Scan(&d.version); err != nil {
		return d, err
	}
	// A backend is a child of the postmaster.
	d.postmaster, err = process.Parent(int(c.PgConn().PID()))
	return d, err
}

// createDatabase makes a database beside the first one, and answers its address.
func createDatabase(ctx context.Context, dsn, name string) (string, error) {
	at, err := url.Parse(dsn)
	if err != nil {
		return "", err
	}
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }()
	at.Path = "/" + name
	_, err = c.Exec(ctx, `create database `+pgx.Identifier{name}.Sanitize())
	return at.String(), err
}
