package op

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
)

// stepped answers next steps at several depths, and things that only look like one.
type stepped struct {
	NextAction *Next          `json:"next_action"`
	Rows       []Next         `json:"rows"`
	Text       string         `json:"text"`
	Foreign    map[string]any `json:"foreign"`
}

func stepping() Operation {
	return Read(spec("shelves.next", nil), func(context.Context, *pg.Tx, struct{}) (stepped, error) {
		return stepped{
			NextAction: &Next{Tool: "driftless_shelves", Arguments: map[string]any{"limit": 12345678901234567, "why": "<a> & \"b\""}, Why: "more"},
			Rows:       []Next{{Tool: "driftless_shelf", Arguments: map[string]any{"workspace": "another"}}, {Tool: "driftless_shelf"}},
			Text:       `{"tool":"driftless_shelf","arguments":{}}`,
			Foreign:    map[string]any{"tool": "driftless_shelf", "arguments": map[string]any{}},
		}, nil
	})
}

func TestTheNextStepOfSomebodyWithSeveralWorkspacesNamesTheOne(t *testing.T) {
	t.Parallel()
	l := pipeline(t, stepping())
	one, two := pgtest.Workspace(t), pgtest.Workspace(t)
	alone, err := l.call(t, one.Caller, one.Slug, map[string]any{})
	if err != nil || strings.Contains(string(alone.JSON), one.Slug) {
		t.Errorf("with one workspace in reach: %s, %v", alone.JSON, err)
	}
	both := one.Caller
	both.Memberships = append(both.Memberships, two.Memberships...)
	got, err := l.call(t, both, one.Slug, map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	named := `"workspace":"` + one.Slug + `"`
	want := strings.NewReplacer(`"b\""}`, `"b\"",`+named+`}`, `"arguments":null`, `"arguments":{`+named+`}`).Replace(string(alone.JSON))
	if diff := cmp.Diff(want, string(got.JSON)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestANamedWorkspaceLeavesAListWithinItsLimit(t *testing.T) {
	t.Parallel()
	l := pipeline(t, Read(spec("shelves.list", nil), func(context.Context, *pg.Tx, struct{}) (Page[row], error) {
		return pageOf([]int{300, 300, 300, 300}, true, "more"), nil
	}))
	one, two := pgtest.Workspace(t), pgtest.Workspace(t)
	both := one.Caller
	both.Memberships = append(both.Memberships, two.Memberships...)
	for limit := 800; limit < 1500; limit++ {
		out, err := l.Call(t.Context(), both, Call{Operation: &l.ops[0], Workspace: one.Slug, Arguments: map[string]any{}, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Results    []row
			NextAction Next `json:"next_action"`
			Omitted    []Omission
		}
		if err := json.Unmarshal(out.JSON, &got); err != nil || len(out.JSON) > limit || len(got.Omitted) > 0 || got.NextAction.Arguments["workspace"] != one.Slug {
			t.Fatalf("within %d bytes: %d bytes, %+v, %v", limit, len(out.JSON), got, err)
		}
	}
}
