package topic

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/tenant"
)

// An agent that follows next_action reads every byte of a long topic, as content and as Markdown, in answers it can carry.
func TestALongTopicIsReadInParts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var text strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&text, "## Step %d\n\nWait for the \"queue\" — then drain it, näher als 10 ms, before the next one.\n\n", i)
	}
	content := strings.TrimSpace(text.String())
	b.ok(b.owner, "topics.create", map[string]any{"title": "Long", "what": "Many steps.", "content": content})
	agent := via(b.owner, tenant.ViaMCP)
	r, err := b.reg.Call(t.Context(), b.owner.Caller, op.Call{
		Operation: b.reg.Operation("topics.get"), Arguments: map[string]any{"topic": "long", "format": "markdown"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var unlimited struct{ Markdown string }
	if err := json.Unmarshal(r.JSON, &unlimited); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		args  map[string]any
		field string
		want  string
	}{
		{"content", map[string]any{"topic": "long"}, "content", content},
		{"content beside few fields", map[string]any{"topic": "long", "fields": []string{"content"}}, "content", content},
		{"markdown", map[string]any{"topic": "long", "format": "markdown"}, "markdown", unlimited.Markdown},
	} {
		var read strings.Builder
		args, parts := c.args, 0
		for args != nil {
			got := b.ok(agent, "topics.get", args)
			piece := got[c.field].(string)
			if piece == "" || parts > 20 {
				t.Fatalf("%s: part %d is empty or there is no end", c.name, parts)
			}
			read.WriteString(piece)
			parts++
			next, more := got["next_action"].(map[string]any)
			if !more {
				break
			}
			args = next["arguments"].(map[string]any)
		}
		if read.String() != c.want || parts < 3 {
			t.Errorf("%s: %d parts give %d bytes, want %d", c.name, parts, read.Len(), len(c.want))
		}
	}
}

func TestAFieldThatATopicDoesNotHaveIsNamed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue", "what": "One.", "gotchas": []string{"A."}})
	got := b.ok(b.owner, "topics.get", map[string]any{"topic": "queue", "fields": []string{"gotchas"}})
	if got["gotchas"] == nil || got["anchors"] != nil || got["trust"] != "proposed" {
		t.Errorf("only gotchas, and what always stays: %v", got)
	}
	e := b.fails(b.owner, "topics.get", map[string]any{"topic": "queue", "fields": []string{"gotchas", "pitfalls"}}, fault.CodeValidation)
	if len(e.Fields) != 1 || e.Fields[0].Path != "fields[1]" || !slices.Contains(e.Fields[0].Allowed, "gotchas") {
		t.Errorf("the error is %+v", e.Fields)
	}
}
