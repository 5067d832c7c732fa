package mcpapi_test

import (
	"net/url"
	"strings"
	"testing"

	"driftless/internal/pg/pgtest"
)

func TestAnAddressNamesTheWorkspaceOfCallsThatNameNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	elsewhere := pgtest.Workspace(t)
	both := w.enter(w.join(t, w.owner, elsewhere))
	w.do(t, w.owner, "topics.create", map[string]any{"title": "Here alone", "what": "In the first workspace."})
	for _, tc := range []struct {
		address string
		args    map[string]any
		want    string
	}{
		{"", nil, "reaches 2 workspaces"},
		{"?workspace=" + url.QueryEscape(w.owner.Slug), nil, "here-alone"},
		{"?workspace=" + elsewhere.Slug, nil, `"shown":0`},
		{"?workspace=" + elsewhere.Slug, map[string]any{"workspace": w.owner.Slug}, "here-alone"},
		{"?workspace=" + w.owner.Slug, map[string]any{"workspace": ""}, "here-alone"},
		{"?workspace=nobodys", nil, "nobodys"},
	} {
		answer := w.send(t, w.url+tc.address, both, legacy, nil, message(1, "tools/call", map[string]any{"name": "driftless_context_list", "arguments": tc.args}))
		got := read(t, answer)
		_ = answer.Body.Close()
		if !strings.Contains(strings.ReplaceAll(string(got.raw), `\"`, `"`), tc.want) {
			t.Errorf("%s with %v is answered without %q: %s", tc.address, tc.args, tc.want, got.raw)
		}
	}
}
