package topic

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// credential is how a person arrives.
type credential struct {
	name   string
	via    tenant.Via
	oauth  bool
	stale  bool // a session older than what a decision needs
	scopes []tenant.Scope
}

// deed is one call, with everything that was read before it: what happens between is a race.
type deed struct {
	op         string
	who        string
	had        tenant.Role // the membership that came with the credential
	with       credential
	topic      string
	into       string
	status     string
	field      string
	words      string
	base       int
	revision   int
	hash       string
	merge      bool
	yes        bool
	edit       int
	ask        int
	undo       int
	resolution map[string]any
	policy     string
	person     string
	role       tenant.Role
}

func (s deed) service() bool { return s.who == "service" }

func (s deed) String() string {
	return fmt.Sprintf("%s by %s (%s, %s) topic=%s into=%s field=%s words=%s base=%d revision=%d status=%s merge=%v yes=%v edit=%d ask=%d undo=%d policy=%s person=%s role=%s hash=%.6s",
		s.op, s.who, s.had, s.with.name, s.topic, s.into, s.field, s.words, s.base, s.revision, s.status, s.merge, s.yes, s.edit, s.ask,
		s.undo, s.policy, s.person, s.role, s.hash)
}

// world is the real thing: one workspace of one server with a person of each kind.
type world struct {
	ctx    context.Context
	db     *pg.DB
	topics *Service
	reg    *op.Registry
	cast   map[string]tenant.Actor
	named  map[uuid.UUID]string
}

type importIn struct {
	Topic string `json:"topic" jsonschema:"slug"`
	What  string `json:"what" jsonschema:"what the file says"`
}

type importedOut struct {
	Proposal string `json:"proposal_id,omitempty"`
}

func registry(t *testing.T) (*Service, *op.Registry) {
	t.Helper()
	db := pgtest.DB(t)
	topics, people := New(db, config.Config{PublicURL: "http://console.test"}), account.New(db, config.Config{})
	// What the import of a tree does for each file; the operation itself lies above this package.
	files := op.Write(op.Spec{
		ID: "tests.import", Title: "Import", Doc: "Import one file.", Scope: tenant.TopicsCreate, Role: tenant.Member, REST: "POST /tests",
	}, func(_ context.Context, tx *pg.Tx, in importIn) (out importedOut, err error) {
		done, err := topics.Import(tx, Incoming{Topic: in.Topic, Content: Content{Title: in.Topic, What: in.What}})
		if err != nil {
			return out, err
		}
		e, ok, err := one[editRow](tx, "an edit", "topic_id = ? and author_id = ? and status = 'open'", done.ID, tx.Actor().Person)
		if ok {
			out.Proposal = e.ID.String()
		}
		return out, err
	})
	reg, err := op.NewRegistry(db, slices.Concat(topics.Operations(), people.Operations(), []op.Operation{files}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return topics, reg
}

// people are the cast, by the role that each begins with.
func people() map[string]tenant.Role {
	return map[string]tenant.Role{
		"viewer": tenant.Viewer, "member": tenant.Member, "other": tenant.Member, "admin": tenant.Admin, "second": tenant.Admin,
		"owner": tenant.Owner, "service": tenant.Member,
	}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	topics, reg := registry(t)
	w := &world{ctx: t.Context(), db: pgtest.DB(t), topics: topics, reg: reg, cast: map[string]tenant.Actor{}, named: map[uuid.UUID]string{}}
	owner := pgtest.Workspace(t)
	for name, role := range people() {
		a := owner
		if role != tenant.Owner {
			a = pgtest.Person(t, owner, role)
		}
		if name == "service" {
			a.Caller.Service = true
		}
		w.cast[name], w.named[a.Person] = a, name
	}
	w.setup(func(tx *pg.Tx) error {
		return tx.Store().Exec(`update person set kind = 'service' where id = ?`, w.cast["service"].Person).Error
	})
	return w
}

// setup is the hand of the test itself in the database of the workspace.
func (w *world) setup(fn func(*pg.Tx) error) {
	if err := w.db.Workspace(w.ctx, tenant.System(w.cast["owner"].Workspace), pg.ReadWrite, fn); err != nil {
		panic(err)
	}
}

func (w *world) caller(s deed) tenant.Caller {
	c := w.cast[s.who].Caller
	c.Via, c.OAuth, c.Scopes, c.Memberships = s.with.via, s.with.oauth, s.with.scopes, nil
	if s.had != "" {
		a := w.cast[s.who]
		c.Memberships = []tenant.Membership{{Workspace: a.Workspace, Slug: a.Slug, Name: a.Slug, Role: s.had}}
	}
	c.SignedInAt = time.Time{}
	if s.with.via == tenant.ViaConsole {
		c.SignedInAt = time.Now()
		if s.with.stale {
			c.SignedInAt = c.SignedInAt.Add(-account.DecisionSignIn - time.Minute)
		}
	}
	return c
}

// told is what the server answered: a refusal, or the ids that it chose.
type told struct {
	err              error
	edit, ask        string
	undo, undoSecret string
}

func (x told) code() fault.Code {
	if x.err == nil {
		return ""
	}
	return fault.From(x.err).Code
}

// do sends the call to the product.
func (w *world) do(s deed, m *model) told {
	if s.op == "confirmations.decide" {
		_, err := w.topics.Decide(w.ctx, w.caller(s), m.asks[s.ask].id, s.yes, s.hash)
		return told{err: err}
	}
	raw, err := json.Marshal(s.arguments(w, m))
	if err != nil {
		return told{err: err}
	}
	args, err := op.Arguments(raw)
	if err != nil {
		return told{err: err}
	}
	call := op.Call{Operation: w.reg.Operation(s.op), Workspace: w.cast["owner"].Slug, Arguments: args}
	r, err := w.reg.Call(w.ctx, w.caller(s), call)
	if err != nil {
		return told{err: err}
	}
	var out struct {
		Proposal string `json:"proposal_id"`
		Confirm  string `json:"confirm_url"`
		Undo     struct {
			Revision string `json:"revision_id"`
			Token    string `json:"token"`
		} `json:"undo"`
	}
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		return told{err: err}
	}
	x := told{edit: out.Proposal, undo: out.Undo.Revision, undoSecret: out.Undo.Token}
	if out.Confirm != "" {
		x.ask = path.Base(out.Confirm)
	}
	return x
}

// bind gives what the model made the ids that the server chose.
func (o outcome) bind(x told) {
	if o.edit != nil && o.edit.id == "" {
		o.edit.id = x.edit
	}
	if o.ask != nil {
		o.ask.id = x.ask
	}
	if o.undo != nil {
		o.undo.revisionID, o.undo.token = x.undo, x.undoSecret
	}
}

func (s deed) arguments(w *world, m *model) map[string]any {
	args := map[string]any{"topic": s.topic}
	base := func() {
		if s.base != 0 || s.op == "topics.patch" {
			args["base_revision"] = s.base
		}
	}
	switch s.op {
	case "topics.create":
		args = map[string]any{"title": s.topic, "slug": s.topic, "what": s.words, "status": s.status}
	case "notes.add":
		args = map[string]any{"title": s.topic, "content": s.words}
	case "tests.import":
		args["what"] = s.words
	case "topics.update":
		base()
		name := map[string]string{"gotchas": "append_gotchas"}[s.field]
		switch s.field {
		case "gotchas":
			args[name] = []string{s.words}
		case "tags":
			args["tags"] = []string{s.words}
		default:
			args["what"] = s.words
		}
		if s.merge {
			args["apply"] = "merge"
		}
	case "edits.create":
		base()
		args["summary"], args["fields"] = "why", map[string]any{"what": s.words}
	case "topics.patch":
		base()
		o := map[string]any{"op": "set", "path": "/" + s.field, "value": s.words}
		switch s.field {
		case "gotchas":
			o["path"] = "/gotchas/-"
		case "tags":
			o["value"] = []string{s.words}
		case "drop":
			o = map[string]any{"op": "remove", "path": "/gotchas/0"}
		}
		args["ops"], args["summary"] = []any{o}, "why"
		if s.merge {
			args["apply"] = "merge"
		}
	case "topics.restore_revision":
		base()
		args["revision"] = s.revision
	case "topics.undo":
		u := m.undos[s.undo]
		args = map[string]any{"revision_id": u.revisionID, "undo_token": u.token}
	case "topics.approve":
		if s.base != 0 {
			args["revision"] = s.base
		}
		if s.hash != "" {
			args["content_hash"] = s.hash
		}
	case "topics.reject":
		args["reason"], args["request_changes"] = "why", s.yes
	case "topics.archive":
		args["restore"] = s.yes
	case "topics.merge":
		args = map[string]any{"source": s.topic, "into": s.into}
	case "edits.merge", "edits.reject", "edits.withdraw":
		args = s.aboutEdit(m)
	case "settings.change":
		args = map[string]any{"agent_approval": s.policy}
		if s.policy == "" {
			args = map[string]any{"four_eyes": s.yes}
		}
	case "members.change":
		args = map[string]any{"person": w.cast[s.person].Person, "role": s.role}
	case "members.remove":
		args = map[string]any{"person": w.cast[s.person].Person}
	}
	return args
}

func (s deed) aboutEdit(m *model) map[string]any {
	args := map[string]any{"proposal": m.edits[s.edit].id}
	if s.op == "edits.reject" {
		args["reason"] = "why"
	}
	if s.hash != "" {
		args["content_hash"] = s.hash
	}
	list := []any{}
	for at, value := range s.resolution {
		list = append(list, map[string]any{"path": at, "value": value})
	}
	if len(list) > 0 {
		args["resolution"] = list
	}
	return args
}

// differs compares the model with the database; empty means that they agree.
func differs(m *model, real seen) string { return cmp.Diff(m.seen(), real) }
