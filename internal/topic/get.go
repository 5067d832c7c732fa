package topic

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type getIn struct {
	Topic    string   `json:"topic" jsonschema:"slug"`
	View     string   `json:"view,omitempty" jsonschema:"how much"`
	Revision int      `json:"revision,omitempty" jsonschema:"an old one"`
	Fields   []string `json:"fields,omitempty" jsonschema:"only these"`
	Format   string   `json:"format,omitempty" jsonschema:"json or markdown"`
	Offset   int      `json:"offset,omitempty" jsonschema:"go on here"`

	Env          *evidence.Environment `json:"env,omitempty" jsonschema:"{os,runtime}"`
	Solution     string                `json:"solution,omitempty" jsonschema:"only this one"`
	Alternatives bool                  `json:"include_alternatives,omitempty" jsonschema:"abandoned ways too"`
	Attempts     bool                  `json:"include_archived_failures,omitempty" jsonschema:"what failed"`
}

// Got is one topic, or its Markdown.
type Got struct {
	View
	Markdown string `json:"markdown,omitempty"`
	// Answer is what the topic says for the environment that was asked about.
	Answer *evidence.Answer `json:"answer,omitempty"`

	only []string
}

// always are the fields that identify a topic and how far to rely on it; they stay whatever was asked for.
var always = []string{
	"slug", "title", "what", "trust", "status", "is_private", "tags", "revision", "stale", "drift_state", "updated_at", "content_trust",
	"content_next", "next_action", "answer",
}

// fieldNames are the fields that can be asked for.
var fieldNames = func() []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Got]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}()

// MarshalJSON keeps only the fields that were asked for, beside those that always stay.
func (g Got) MarshalJSON() ([]byte, error) {
	type plain Got
	raw, err := op.Marshal(plain(g))
	if err != nil || len(g.only) == 0 {
		return raw, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	for name := range all {
		if !slices.Contains(g.only, name) && !slices.Contains(always, name) {
			delete(all, name)
		}
	}
	return op.Marshal(all)
}

func (s *Service) getOp() op.Operation {
	return op.Query(op.Spec{
		Tool: "driftless_context_get", ID: "topics.get", Title: "Read a topic",
		Doc:   `One topic in full. Example: {"topic":"billing-retries"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, Core: true, REST: "GET /topics/{topic}", CLI: "context get <topic>",
		// Where they help, the answer names them in a call that is ready to send.
		Hidden: []string{"solution", "include_alternatives", "include_archived_failures"},
		Rules: op.Rules{
			"view": ViewRule(Full), "format": op.OneOf("json", "json", "markdown"), "fields": op.Items(0, 40),
			"topic": op.Length(1, 200), "offset": op.Range(0, ContentMax, 0), "revision": op.Number(0, 1<<31-1),
		},
	}, s.get)
}

// partMax is how much content one answer to an agent carries, in bytes, so that the whole stays below 50 KiB.
const partMax = 40 * 1024

// partMin is how much content an answer carries however large the rest is.
const partMin = 4 * 1024

func (s *Service) get(ctx context.Context, a tenant.Actor, in getIn) (Got, error) {
	for i, name := range in.Fields {
		if !slices.Contains(fieldNames, name) {
			return Got{}, fault.Choice(fmt.Sprintf("fields[%d]", i), name, fieldNames)
		}
	}
	if err := in.check(); err != nil {
		return Got{}, err
	}
	var d *Document
	var old *revisionRow
	var known evidence.Known
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		b.JSON(func(raw []byte) error {
			d = new(Document)
			return json.Unmarshal(raw, d)
		}, documentSQL+`t.workspace_id = ? and t.slug = ? and t.status <> 'trash'`, a.Workspace, in.Topic)
		if in.Revision > 0 {
			queueRevision(b, a, in.Topic, in.Revision, &old)
		}
		if in.asks() {
			evidence.QueueKnown(b, a, in.Topic, &known)
		}
	})
	if err != nil {
		return Got{}, err
	}
	if d == nil {
		return Got{}, fault.Missing("topic", in.Topic)
	}
	g := Got{View: d.View(in.View, a)}
	g.Trusted = UntrustedData
	if in.Revision > 0 {
		if old == nil {
			return Got{}, fault.Missing("revision", fmt.Sprintf("%s@%d", in.Topic, in.Revision))
		}
		g.View = d.at(*old).View(in.View, a)
		g.Trusted = UntrustedData
	}
	if in.asks() {
		if err := g.answer(d, in, known); err != nil {
			return Got{}, err
		}
	}
	if d.MergedInto != "" {
		g.NextAction = &op.Next{
			Tool: "driftless_context_get", Arguments: map[string]any{"topic": d.MergedInto}, Why: "it was merged into this one",
		}
	}
	if in.Format == "markdown" {
		g.Markdown = Markdown(g.View)
		g.Content, g.only = nil, slices.Concat(in.Fields, []string{"markdown"})
		if a.Via == tenant.ViaMCP {
			g.part(&g.Markdown, in)
		}
		return g, nil
	}
	wanted := len(in.Fields) == 0 || slices.Contains(in.Fields, "content")
	if g.Content != nil && wanted && a.Via == tenant.ViaMCP {
		text := *g.Content
		g.Content = &text
		g.part(g.Content, in)
	}
	g.only = in.Fields
	return g, nil
}

// part keeps the piece of a long text that begins at the offset asked for, and says how to go on.
func (g *Got) part(text *string, in getIn) {
	if in.Offset > 0 {
		// The small fields came with the first part.
		g.How, g.Decisions, g.Gotchas, g.Invariants, g.RequiredChecks, g.Anchors, g.Relations = "", nil, nil, nil, nil, nil, nil
	}
	limit := partMax
	if in.Offset == 0 && encodedLen(*text) <= partMin {
		return
	}
	if rest, err := json.Marshal(Got{View: withoutContent(g.View)}); err == nil && in.Format != "markdown" {
		limit = max(partMin, min(limit, 47*1024-len(rest)))
	}
	var next int
	if *text, next = Piece(*text, in.Offset, limit); next == 0 {
		return
	}
	again := map[string]any{"topic": in.Topic, "offset": next}
	if in.Format != "" {
		again["format"] = in.Format
	}
	if in.Revision > 0 {
		again["revision"] = in.Revision
	}
	g.ContentNext = next
	g.NextAction = &op.Next{Tool: "driftless_context_get", Arguments: again, Why: "the content goes on"}
}

// Piece is the text from offset on, in bytes, at most limit bytes once it is a JSON string. It ends at a heading or a
// paragraph where it can; next is where the rest begins, 0 when there is none.
func Piece(text string, offset, limit int) (part string, next int) {
	offset = min(offset, len(text))
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	text = text[offset:]
	if encodedLen(text) <= limit {
		return text, 0
	}
	end := min(len(text), limit)
	for encodedLen(text[:end]) > limit {
		end = end * 9 / 10
	}
	if at := breakBefore(text[:end]); at > end/2 {
		end = at
	}
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end], offset + end
}

func withoutContent(v View) View {
	v.Content = nil
	return v
}

// encodedLen is the length of the text as a JSON string.
func encodedLen(text string) int {
	raw, err := json.Marshal(text)
	if err != nil {
		return len(text)
	}
	return len(raw)
}

// breakBefore finds the last good place to end: before a heading, else after a paragraph, else after a line or sentence.
func breakBefore(text string) int {
	for _, mark := range []string{"\n# ", "\n## ", "\n### ", "\n\n", "\n", ". "} {
		if at := strings.LastIndex(text, mark); at > len(text)/2 {
			return at + 1
		}
	}
	return 0
}

// Markdown renders a topic for people and models who read text: the title, the sentence, the lists, the content.
func Markdown(v View) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", v.Title)
	fmt.Fprintf(&b, "> trust: %s · revision %d", v.Trust, v.Revision)
	if v.Stale {
		b.WriteString(" · stale")
	}
	b.WriteString("\n\n")
	for _, text := range []string{v.What, v.How} {
		if text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	for _, list := range []struct {
		name  string
		items []string
	}{{"Decisions", v.Decisions}, {"Gotchas", v.Gotchas}, {"Invariants", v.Invariants}, {"Required checks", v.RequiredChecks}, {"Anchors", v.Anchors}} {
		if len(list.items) == 0 {
			continue
		}
		fmt.Fprintf(&b, "## %s\n\n", list.name)
		for _, item := range list.items {
			b.WriteString("- " + strings.ReplaceAll(item, "\n", "\n  ") + "\n")
		}
		b.WriteString("\n")
	}
	if v.Content != nil {
		b.WriteString(*v.Content)
	}
	return b.String()
}
