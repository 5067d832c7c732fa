package op

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// shelf is an input with a field of every kind that the kernel treats in its own way.
type shelf struct {
	Title  string            `json:"title" jsonschema:"what stands on the spine"`
	Kind   string            `json:"kind,omitempty" jsonschema:"what it is"`
	Code   string            `json:"code,omitempty" jsonschema:"signature in the catalogue"`
	Tags   []string          `json:"tags,omitempty" jsonschema:"words to find it by"`
	Copies int               `json:"copies,omitempty" jsonschema:"how many there are"`
	Weight float64           `json:"weight,omitempty" jsonschema:"in kilograms"`
	Lent   bool              `json:"lent,omitempty" jsonschema:"whether somebody has it"`
	Parts  []part            `json:"parts,omitempty" jsonschema:"what it consists of"`
	Extra  any               `json:"extra,omitempty" jsonschema:"anything else"`
	Names  map[string]string `json:"names,omitempty" jsonschema:"its title by language"`
}

type part struct {
	Name  string `json:"name" jsonschema:"of the part"`
	Pages int    `json:"pages,omitempty"`
}

func shelfRules() Rules {
	return Rules{
		"title": Length(1, 12), "kind": OneOf("book", "book", "map"), "code": {Min: 0, Max: 8, Pattern: `^[A-Z]*$`},
		"tags": Items(0, 3), "tags[]": Length(1, 5), "copies": Range(1, 9, 2), "parts[].name": Length(1, 4), "parts": Items(0, 2),
	}
}

type answer struct {
	Said string `json:"said"`
}

func spec(id string, more func(*Spec)) Spec {
	s := Spec{ID: id, Title: "Shelve", Doc: "Put something on the shelf.", Scope: tenant.TopicsCreate, Role: tenant.Member, REST: "POST /" + id}
	if more != nil {
		more(&s)
	}
	return s
}

func said(context.Context, *pg.Tx, shelf) (answer, error) { return answer{"yes"}, nil }

func shelving(more func(*Spec)) Operation {
	return Write(spec("shelves.add", func(s *Spec) {
		s.Rules = shelfRules()
		if more != nil {
			more(s)
		}
	}), said)
}

func TestRulesBecomeTheSchema(t *testing.T) {
	t.Parallel()
	in := shelving(nil).Input
	title, kind, tags, copies := in.Properties["title"], in.Properties["kind"], in.Properties["tags"], in.Properties["copies"]
	if *title.MinLength != 1 || *title.MaxLength != 12 {
		t.Errorf("title has %d to %d characters", *title.MinLength, *title.MaxLength)
	}
	if diff := cmp.Diff([]any{"book", "map"}, kind.Enum); diff != "" || string(kind.Default) != `"book"` {
		t.Errorf("kind: default %s, words (-want +got):\n%s", kind.Default, diff)
	}
	if tags.MinItems != nil || *tags.MaxItems != 3 || *tags.Items.MaxLength != 5 || tags.Type != "array" {
		t.Errorf("tags = %+v of %+v", tags, tags.Items)
	}
	if *copies.Minimum != 1 || *copies.Maximum != 9 || string(copies.Default) != "2" {
		t.Errorf("copies = %v to %v, default %s", *copies.Minimum, *copies.Maximum, copies.Default)
	}
	if got := *in.Properties["parts"].Items.Properties["name"].MaxLength; got != 4 {
		t.Errorf("the name of a part has at most %d characters", got)
	}
	if in.AdditionalProperties != nil || in.Properties["names"].AdditionalProperties == nil {
		t.Error("an object is closed, or a map lost the schema of its values")
	}
	if diff := cmp.Diff([]string{"title"}, in.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

func TestAnIdentifierIsAStringAsItIsWritten(t *testing.T) {
	t.Parallel()
	type card struct {
		ID     uuid.UUID   `json:"id"`
		Parent *uuid.UUID  `json:"parent,omitempty"`
		Others []uuid.UUID `json:"others"`
	}
	o := Write(spec("cards.add", nil), func(context.Context, *pg.Tx, struct{}) (card, error) { return card{}, nil })
	resolved, err := o.Output.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	parent := uuid.New()
	raw, err := Marshal(card{ID: uuid.New(), Parent: &parent, Others: []uuid.UUID{parent}})
	if err != nil {
		t.Fatal(err)
	}
	var written any
	if err := json.Unmarshal(raw, &written); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(written); err != nil {
		t.Errorf("the answer %s does not match its schema: %v", raw, err)
	}
}

func TestAMistakeInASpecIsRefusedWhenItIsMade(t *testing.T) {
	t.Parallel()
	type silent struct {
		Name string `json:"name"`
	}
	for name, make := range map[string]func(){
		"no description": func() {
			Write(spec("a", nil), func(context.Context, *pg.Tx, silent) (answer, error) { return answer{}, nil })
		},
		"not an object": func() {
			Write(spec("a", nil), func(context.Context, *pg.Tx, []string) (answer, error) { return answer{}, nil })
		},
		"answer no object":   func() { Write(spec("a", nil), func(context.Context, *pg.Tx, shelf) (string, error) { return "", nil }) },
		"rule without field": func() { shelving(func(s *Spec) { s.Rules = Rules{"colour": Length(1, 2)} }) },
		"length of a number": func() { shelving(func(s *Spec) { s.Rules = Rules{"copies": Length(1, 2)} }) },
		"items of a text":    func() { shelving(func(s *Spec) { s.Rules = Rules{"title": Items(1, 2)} }) },
		"range of a text":    func() { shelving(func(s *Spec) { s.Rules = Rules{"title": Range(1, 2, 1)} }) },
		"words for a number": func() { shelving(func(s *Spec) { s.Rules = Rules{"copies": OneOf("", "one")} }) },
		"no title":           func() { shelving(func(s *Spec) { s.Title = "" }) },
		"no doc":             func() { shelving(func(s *Spec) { s.Doc = "" }) },
		"no scope":           func() { shelving(func(s *Spec) { s.Scope = "" }) },
		"no role":            func() { shelving(func(s *Spec) { s.Role = "" }) },
		"no route":           func() { shelving(func(s *Spec) { s.REST = "" }) },
		"reads and writes":   func() { shelving(func(s *Spec) { s.Effect = Reads }) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("it was accepted")
				}
			}()
			make()
		})
	}
}

func TestShownKeepsTheWordsAndDropsTheLengths(t *testing.T) {
	t.Parallel()
	shown := Shown(shelving(nil).Input)
	for _, name := range []string{"title", "tags", "copies", "weight", "lent", "parts", "extra"} {
		if shown.Properties[name].Description == "" {
			t.Errorf("%s lost its description", name)
		}
	}
	if shown.Properties["title"].MaxLength != nil || shown.Properties["tags"].MaxItems != nil {
		t.Error("a length is shown; the refusal says it where it matters")
	}
	kind := shown.Properties["kind"]
	if len(kind.Enum) != 2 || string(kind.Default) != `"book"` || kind.Description != "" {
		t.Errorf("kind is shown as %+v", kind)
	}
	if got := shown.Properties["parts"]; got.Type != "array" || got.Items.Type != "object" || len(got.Items.Properties) != 0 {
		t.Errorf("a list of objects is shown as %+v", got)
	}
	if narrow := Shown(shelving(nil).Input, "extra"); narrow.Properties["extra"] != nil || narrow.Properties["parts"] == nil {
		t.Error("what the operation hides is shown, or more is hidden")
	}
	if diff := cmp.Diff([]string{"title"}, shown.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

func TestAToolOfSeveralOperationsAsksForTheAction(t *testing.T) {
	t.Parallel()
	reg, err := NewRegistry(nil, []Operation{
		shelving(func(s *Spec) { s.Tool, s.Action, s.ID = "shelf", "add", "shelves.add" }),
		Read(spec("shelves.count", func(s *Spec) { s.Tool, s.Action = "shelf", "count" }),
			func(context.Context, *pg.Tx, struct{}) (answer, error) { return answer{}, nil }),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tool := reg.Tool("shelf")
	in := tool.InputSchema()
	if diff := cmp.Diff([]any{"add", "count"}, in.Properties["action"].Enum); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"action"}, in.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
	if in.Properties["workspace"] == nil || in.Properties["title"] == nil {
		t.Error("the workspace or a field of an operation is missing")
	}
	for _, tc := range []struct {
		args    map[string]any
		want    string
		allowed int
	}{
		{map[string]any{"action": "count"}, "shelves.count", 0},
		{map[string]any{"action": "add", "title": "x"}, "shelves.add", 0},
		{map[string]any{"action": "burn"}, "", 2},
		{map[string]any{"action": 7}, "", 2},
		{map[string]any{}, "", 2},
	} {
		o, err := tool.Pick(tc.args)
		if tc.want == "" {
			if got := problem(t, err).Allowed; len(got) != tc.allowed {
				t.Errorf("%v lists %v", tc.args, got)
			}
			continue
		}
		if err != nil || o.ID != tc.want || tc.args["action"] != nil {
			t.Errorf("picked %v, %v; arguments left %v", o, err, tc.args)
		}
	}
}

func TestARegistryRefusesWhatCannotBeToldApart(t *testing.T) {
	t.Parallel()
	one := shelving(nil)
	if _, err := NewRegistry(nil, []Operation{one, one}, nil); err == nil {
		t.Error("two operations of one id were accepted")
	}
	tool := func(id, action string) Operation {
		return shelving(func(s *Spec) { s.ID, s.Tool, s.Action = id, "shelf", action })
	}
	if _, err := NewRegistry(nil, []Operation{tool("a", "add"), tool("b", "")}, nil); err == nil {
		t.Error("a tool of two operations with one action was accepted")
	}
	if _, err := NewRegistry(nil, []Operation{tool("a", "add")}, nil); err == nil {
		t.Error("an action without a second operation was accepted")
	}
}

func TestPathsLieBelowTheWorkspaceUnlessTheySayOtherwise(t *testing.T) {
	t.Parallel()
	for rest, want := range map[string]string{
		"GET /tags/{name}":       "/api/v1/workspaces/{workspace}/tags/{name}",
		"GET /api/v1/workspaces": "/api/v1/workspaces",
	} {
		if s := (Spec{REST: rest}); s.Path() != want || s.Method() != "GET" {
			t.Errorf("%s is %s %s", rest, s.Method(), s.Path())
		}
	}
}

func TestRulesAreMergedWithoutChangingTheFirst(t *testing.T) {
	t.Parallel()
	base := Rules{"a": Length(1, 2), "b": Length(1, 3)}
	merged := base.With(Rules{"b": Length(1, 9), "c": Items(0, 1)})
	if merged["b"].Max != 9 || base["b"].Max != 3 || len(merged) != 3 || len(base) != 2 {
		t.Errorf("merged %v, first %v", merged, base)
	}
	if only := merged.Only("c"); len(only) != 1 || only["c"].kind != items {
		t.Errorf("only = %v", only)
	}
}

func TestEncodingKeepsTheTextReadable(t *testing.T) {
	t.Parallel()
	raw, err := Marshal(map[string]string{"a": "x < y && z"})
	if err != nil || string(raw) != `{"a":"x < y && z"}` || !json.Valid(raw) || slices.Contains(raw, '\n') {
		t.Errorf("encoded %q, %v", raw, err)
	}
}
