package ask_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"driftless/internal/ask"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/retrieve"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type world struct {
	t     *testing.T
	reg   *op.Registry
	owner tenant.Actor
}

func newWorld(t *testing.T) world {
	t.Helper()
	db := pgtest.DB(t)
	topics, found := topic.New(db, config.Config{}), retrieve.New(db, 1<<24)
	reg, err := op.NewRegistry(db, slices.Concat(topics.Operations(), ask.New(topics, found).Operations()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return world{t, reg, pgtest.Workspace(t)}
}

func (w world) call(a tenant.Actor, id string, args map[string]any) (map[string]any, error) {
	w.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		w.t.Fatal(err)
	}
	parsed, err := op.Arguments(raw)
	if err != nil {
		return nil, err
	}
	r, err := w.reg.Call(w.t.Context(), a.Caller, op.Call{Operation: w.reg.Operation(id), Workspace: a.Slug, Arguments: parsed, Limit: 50 << 10})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		w.t.Fatal(err)
	}
	return out, nil
}

func (w world) do(a tenant.Actor, id string, args map[string]any) map[string]any {
	w.t.Helper()
	out, err := w.call(a, id, args)
	if err != nil {
		w.t.Fatalf("%s %v: %v (%v)", id, args, err, fault.From(err).Unwrap())
	}
	return out
}

func (w world) knowledge(args map[string]any) string {
	w.t.Helper()
	slug := w.do(w.owner, "topics.create", args)["slug"].(string)
	w.do(w.owner, "topics.approve", map[string]any{"topic": slug})
	return slug
}

// asked is an answer with the slugs of its sources.
func (w world) asked(a tenant.Actor, query string, more map[string]any) (text string, sources []string, whole map[string]any) {
	w.t.Helper()
	args := map[string]any{"query": query}
	for name, value := range more {
		args[name] = value
	}
	whole = w.do(a, "ask.ask", args)
	for _, s := range whole["sources"].([]any) {
		sources = append(sources, s.(map[string]any)["slug"].(string))
	}
	if whole["grounded"] != (len(sources) > 0) {
		w.t.Errorf("grounded is %v with the sources %v", whole["grounded"], sources)
	}
	return whole["answer"].(string), sources, whole
}

func TestAnAnswerIsTheBestPassagesWordForWordWithTheirSource(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug := w.knowledge(map[string]any{
		"title": "Session lifetime", "what": "Sessions end after a while.",
		"content": "# Sessions\n\nA session lives twelve hours and is renewed by activity.\n\nUnrelated words about paint.",
	})
	w.knowledge(map[string]any{"title": "Paint", "what": "Walls are green."})
	text, sources, whole := w.asked(w.owner, "How long does a session live?", nil)
	if !strings.Contains(text, "A session lives twelve hours and is renewed by activity. [1]") || strings.Contains(text, "paint") || !slices.Equal(sources, []string{slug}) {
		t.Errorf("it answers %q from %v", text, sources)
	}
	source := whole["sources"].([]any)[0].(map[string]any)
	if source["trust"] != "reviewed" || source["stale"] != false || source["revision"] == 0.0 || whole["cost_usd"] != 0.0 || whole["sources_kind"] != "extractive" {
		t.Errorf("it says %v", whole)
	}
}

func TestOnlyTopicsOfTheTrustAndScopeAskedForAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	member := pgtest.Person(t, w.owner, tenant.Member)
	w.do(w.owner, "topics.create", map[string]any{"title": "Narwhal gate", "what": "The narwhal gate opens at nine.", "tags": []string{"gates"}})
	w.do(member, "notes.add", map[string]any{"title": "Narwhal mat", "content": "The narwhal key lies under the private mat."})
	w.knowledge(map[string]any{"title": "Accounting", "what": "Invoices are numbered."})
	gate, mat := "When does the narwhal gate open?", "Where does the narwhal key lie?"
	for _, c := range []struct {
		who   tenant.Actor
		query string
		more  map[string]any
		says  string
	}{
		{w.owner, gate, nil, ""},
		{w.owner, gate, map[string]any{"min_trust": "proposed"}, "nine"},
		{w.owner, gate, map[string]any{"min_trust": "proposed", "scope": map[string]any{"tags": []string{"gates"}}}, "nine"},
		{w.owner, gate, map[string]any{"min_trust": "proposed", "scope": map[string]any{"tags": []string{"doors"}}}, ""},
		{w.owner, mat, map[string]any{"min_trust": "draft"}, ""},
		{member, mat, map[string]any{"min_trust": "draft"}, "private mat"},
	} {
		text, sources, _ := w.asked(c.who, c.query, c.more)
		if c.says == "" && (c.query == gate && strings.Contains(text, "nine") || strings.Contains(text, "private mat")) || !strings.Contains(text, c.says) || c.says != "" && len(sources) != 1 {
			t.Errorf("%q %v answers %q from %v", c.query, c.more, text, sources)
		}
	}
	if _, sources, whole := w.asked(w.owner, "How do I brew coffee?", nil); len(sources) != 0 || whole["next_action"] == nil {
		t.Errorf("what nothing answers is answered from %v", sources)
	}
}

func TestNamedTopicsAreReadToTheEndAndOthersAreSkippedAlike(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	elsewhere := newWorld(t)
	long := w.knowledge(map[string]any{"title": "Named", "what": "The lever is blue.", "content": strings.Repeat("filler ", 300) + "\n\nThe hidden switch is amber."})
	foreign := elsewhere.knowledge(map[string]any{"title": "Foreign named", "what": "The lever is red."})
	draft := w.do(w.owner, "topics.create", map[string]any{"title": "A draft", "what": "The switch is grey.", "status": "draft"})["slug"].(string)
	text, sources, whole := w.asked(w.owner, "Which colour is the hidden switch?", map[string]any{"topics": []string{long, long, foreign, "no-such-topic", draft}})
	if !strings.Contains(text, "amber") || strings.Contains(text, "red") || strings.Contains(text, "grey") || !slices.Equal(sources, []string{long}) {
		t.Errorf("it answers %q from %v", text, sources)
	}
	reasons := map[string]string{}
	for _, s := range whole["skipped"].([]any) {
		skipped := s.(map[string]any)
		reasons[skipped["topic"].(string)] = skipped["reason"].(string)
	}
	if len(reasons) != 3 || reasons[foreign] != reasons["no-such-topic"] || !strings.Contains(reasons[draft], "draft") {
		t.Errorf("skipped are %v", reasons)
	}
}

func TestAQuestionIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, args := range map[string]map[string]any{
		"empty": {"query": ""}, "too long": {"query": strings.Repeat("x", ask.QueryMax+1)},
		"too many topics": {"query": "x", "topics": make([]string, ask.NamedMax+1)}, "an unknown trust": {"query": "x", "min_trust": "gossip"},
	} {
		if out, err := w.call(w.owner, "ask.ask", args); !fault.Is(err, fault.CodeValidation) {
			t.Errorf("%s answers %v, %v", name, out, err)
		}
	}
	if _, _, whole := w.asked(w.owner, "x", map[string]any{"model": "some-model"}); len(whole["warnings"].([]any)) != 1 {
		t.Errorf("a model that is not there is passed over in silence: %v", whole)
	}
}
