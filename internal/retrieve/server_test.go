package retrieve

import (
	"encoding/json"
	"log/slog"
	"slices"
	"testing"

	"driftless/internal/config"
	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// server is one process: its own services over the database that all share.
type server struct {
	t   testing.TB
	reg *op.Registry
	svc *Service
}

const mebibyte = 1 << 20

var quiet = slog.New(slog.DiscardHandler)

func serve(t testing.TB, limit int64) server {
	t.Helper()
	return serveWith(t, limit)
}

func serveWith(t testing.TB, limit int64, options ...Option) server {
	t.Helper()
	db := pgtest.DB(t)
	svc := New(db, limit, options...)
	topics := svc.Compare(topic.New(db, config.Config{PublicURL: "http://console.test"}).Operations())
	ops := slices.Concat(topics, label.New().Operations(), evidence.New().Operations(), svc.Operations())
	reg, err := op.NewRegistry(db, ops, nil)
	if err != nil {
		t.Fatal(err)
	}
	return server{t, reg, svc}
}

func setup(t testing.TB) (server, tenant.Actor) {
	t.Helper()
	return serve(t, 64*mebibyte), pgtest.Workspace(t)
}

type args = map[string]any

func (s server) raw(a tenant.Actor, id string, in args) (json.RawMessage, error) {
	s.t.Helper()
	encoded, err := json.Marshal(in)
	if err != nil {
		s.t.Fatal(err)
	}
	parsed, err := op.Arguments(encoded)
	if err != nil {
		return nil, err
	}
	r, err := s.reg.Call(s.t.Context(), a.Caller, op.Call{Operation: s.reg.Operation(id), Arguments: parsed, Limit: 50 << 10})
	return r.JSON, err
}

func (s server) call(a tenant.Actor, id string, in args) (args, error) {
	s.t.Helper()
	raw, err := s.raw(a, id, in)
	if err != nil {
		return nil, err
	}
	var out args
	if err := json.Unmarshal(raw, &out); err != nil {
		s.t.Fatal(err)
	}
	return out, nil
}

func (s server) ok(a tenant.Actor, id string, in args) args {
	s.t.Helper()
	out, err := s.call(a, id, in)
	if err != nil {
		s.t.Fatalf("%s %v: %v (%v)", id, in, err, fault.From(err).Unwrap())
	}
	return out
}

func (s server) fails(a tenant.Actor, id string, in args, code fault.Code) *fault.Error {
	s.t.Helper()
	out, err := s.call(a, id, in)
	if !fault.Is(err, code) {
		s.t.Fatalf("%s %v answered %v, %v; want %s", id, in, out, err, code)
	}
	return fault.From(err)
}

// create makes a topic and answers its slug.
func (s server) create(a tenant.Actor, in args) string {
	s.t.Helper()
	return s.ok(a, "topics.create", in)["slug"].(string)
}

// knowledge makes a topic that the actor approves.
func (s server) knowledge(a tenant.Actor, in args) string {
	s.t.Helper()
	slug := s.create(a, in)
	s.ok(a, "topics.approve", args{"topic": slug})
	return slug
}

func results(page args) []args {
	var out []args
	for _, r := range page["results"].([]any) {
		out = append(out, r.(args))
	}
	return out
}

func found(page args) []string {
	out := []string{}
	for _, r := range results(page) {
		out = append(out, r["slug"].(string))
	}
	return out
}

func texts(list any) []string {
	var out []string
	items, _ := list.([]any)
	for _, item := range items {
		out = append(out, item.(string))
	}
	return out
}

// drift marks a topic as drifted, the way the drift service will: with a place in the sequence.
func drift(t testing.TB, a tenant.Actor, slug, state string) {
	t.Helper()
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		var seq int64
		err := tx.Store().Raw(`update workspace_head set seq = seq + 1 where workspace_id = ? returning seq`, a.Workspace).Scan(&seq).Error
		if err != nil {
			return err
		}
		return tx.Store().Exec(`update topic set drift_state = ?, seq = ? where workspace_id = ? and slug = ?`, state, seq, a.Workspace, slug).Error
	})
	if err != nil {
		t.Fatal(err)
	}
}

// age lets the approvals of a workspace be two years old, and tells its indexes.
func age(t testing.TB, a tenant.Actor) {
	t.Helper()
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		var seq int64
		err := tx.Store().Raw(`update workspace_head set seq = seq + 1 where workspace_id = ? returning seq`, a.Workspace).Scan(&seq).Error
		if err != nil {
			return err
		}
		return tx.Store().Exec(`update topic set approved_at = now() - interval '2 years', seq = ? where workspace_id = ?`, seq, a.Workspace).Error
	})
	if err != nil {
		t.Fatal(err)
	}
}
