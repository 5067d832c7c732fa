package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/config"
	"driftless/internal/event"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// said is what rows of all tables say, without ids and times, which differ from one writing to the next.
func said(t *testing.T, workspace uuid.UUID) (out map[string][]map[string]any) {
	t.Helper()
	out = map[string][]map[string]any{}
	actor := tenant.System(workspace)
	err := pgtest.DB(t).Workspace(t.Context(), actor, pg.ReadOnly, func(tx *pg.Tx) error {
		for table, order := range map[string]string{
			"topic": "seq", "revision": "(select seq from topic t where t.workspace_id = x.workspace_id and t.id = x.topic_id), revision",
			"event": "seq", "mention": "to_slug", "relation": "type", "tag": "name", "area": "name",
			"topic_tag": "(select name from tag where tag.workspace_id = x.workspace_id and tag.id = x.tag_id), (select seq from topic t where t.workspace_id = x.workspace_id and t.id = x.topic_id)",
		} {
			err := tx.JSON(func(raw []byte) error {
				var row map[string]any
				if err := json.Unmarshal(raw, &row); err != nil {
					return err
				}
				for name, value := range row {
					text, _ := value.(string)
					_, err := uuid.Parse(text)
					if err == nil || strings.HasSuffix(name, "_at") || name == "at" || strings.HasSuffix(name, "hash") && name != "content_hash" || name == "xid" || name == "request_id" {
						row[name] = value == nil
					}
				}
				out[table] = append(out[table], row)
				return nil
			}, `select to_json(x) from `+table+` x where workspace_id = ? order by `+order, workspace)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhatIsLoadedIsWhatTheApplicationWouldHaveWritten(t *testing.T) {
	t.Parallel()
	const topics, seed = 21, 7
	l, err := newLoader(t.Context(), pgtest.OwnerDSN(t), "http://127.0.0.1:1/mcp", seed)
	if err != nil {
		t.Fatal(err)
	}
	slug := "w" + uuid.NewString()[:8]
	if _, err := l.workspace(t.Context(), slug, topics); err != nil {
		t.Fatal(err)
	}
	if err := l.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	var loaded uuid.UUID
	if err := l.conn.QueryRow(t.Context(), `select id from workspace where slug = $1`, slug).Scan(&loaded); err != nil {
		t.Fatal(err)
	}
	err = pgtest.DB(t).Workspace(t.Context(), tenant.System(loaded), pg.ReadOnly, func(tx *pg.Tx) error {
		switch report, err := event.Verify(tx, event.Kept{}); {
		case err != nil:
			return err
		case report.FirstBad != 0 || report.Entries == 0:
			t.Errorf("the chain of what was loaded: %+v", report)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := said(t, write(t, topics, seed))
	got := said(t, loaded)
	// Founding a workspace, its members, its areas and its unused tags are no part of the comparison.
	got["event"], want["event"] = aboutTopics(got["event"]), aboutTopics(want["event"])
	got["tag"], want["tag"] = nil, nil
	for _, rows := range [][]map[string]any{got["topic"], want["topic"], got["event"], want["event"], got["revision"], want["revision"]} {
		first, _ := rows[0]["seq"].(float64)
		for _, row := range rows {
			seq, _ := row["seq"].(float64)
			row["seq"] = seq - first
		}
	}
	for table := range want {
		if diff := cmp.Diff(want[table], got[table]); diff != "" {
			t.Errorf("%s (-written +loaded):\n%s", table, diff)
		}
	}
}

func aboutTopics(events []map[string]any) (out []map[string]any) {
	for _, e := range events {
		if kind, _ := e["type"].(string); strings.HasPrefix(kind, "topic.") {
			out = append(out, e)
		}
	}
	return out
}

// write makes the same topics through the operations.
func write(t *testing.T, topics int, seed uint64) uuid.UUID {
	t.Helper()
	a := pgtest.Workspace(t)
	service := topic.New(pgtest.DB(t), config.Config{})
	registry, err := op.NewRegistry(pgtest.DB(t), service.Operations(), nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(id string, args map[string]any) {
		t.Helper()
		if _, err := registry.Call(t.Context(), a.Caller, op.Call{Operation: registry.Operation(id), Arguments: args}); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
	}
	for n := range areasEach {
		err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
			_, err := label.EnsureArea(tx, areaName(n))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	c, before := newCorpus(seed), ""
	for n := range topics {
		w := c.topic(n, before)
		args := map[string]any{}
		raw, err := json.Marshal(w.content)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &args); err != nil {
			t.Fatal(err)
		}
		args["slug"], args["status"], args["rels"] = w.slug, "draft", args["relations"]
		delete(args, "relations")
		if args["rels"] == nil {
			delete(args, "rels")
		}
		call("topics.create", args)
		if w.status != topic.Draft {
			call("topics.propose", map[string]any{"topic": w.slug})
		}
		if w.status == topic.Reviewed {
			call("topics.approve", map[string]any{"topic": w.slug})
		}
		before = w.slug
	}
	return a.Workspace
}

func TestTheSameSeedWritesTheSame(t *testing.T) {
	t.Parallel()
	a, b := newCorpus(3), newCorpus(3)
	for n := range 50 {
		if diff := cmp.Diff(a.topic(n, ""), b.topic(n, ""), cmp.AllowUnexported(written{})); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestAFigureIsMissedOnlyBeyondTheNoise(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		f      figure
		missed bool
	}{
		{figure{value: 0.46, target: 0.5, least: true}, false},
		{figure{value: 0.44, target: 0.5, least: true}, true},
		{figure{value: 21, target: 20}, false},
		{figure{value: 22.1, target: 20}, true},
	} {
		if got := tc.f.missed(0.1); got != tc.missed {
			t.Errorf("%s is missed: %v", tc.f, got)
		}
	}
}
