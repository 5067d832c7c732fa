package op

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/fault"
)

func problem(t *testing.T, err error) *fault.Error {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a fault", err)
	}
	return e
}

// check parses and validates against the shelf, as a call does.
func check(raw string) (map[string]any, []string, error) {
	args, err := Arguments([]byte(raw))
	if err != nil {
		return nil, nil, err
	}
	notes, err := validate(shelving(nil).Input, args)
	return args, notes, err
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	t.Parallel()
	deep := func(n int) string {
		return `{"title":"x","extra":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
	}
	for name, tc := range map[string]struct {
		input, path, says string
		code              fault.Code
		allowed           []string
	}{
		"missing":               {`{}`, "title", "required", fault.CodeValidation, nil},
		"null is absent":        {`{"title":null}`, "title", "required", fault.CodeValidation, nil},
		"unknown":               {`{"title":"x","colour":1}`, "colour", "no such field", fault.CodeUnknownField, []string{"code", "copies", "extra", "kind", "lent", "names", "parts", "tags", "title", "weight"}},
		"unknown below":         {`{"title":"x","parts":[{"name":"a","ink":1}]}`, "parts[0].ink", "no such field", fault.CodeValidation, []string{"name", "pages"}},
		"missing below":         {`{"title":"x","parts":[{}]}`, "parts[0].name", "required", fault.CodeValidation, nil},
		"over-long":             {`{"title":"thirteen char"}`, "title", "at most 12 characters, has 13", fault.CodeValidation, nil},
		"over-long in runes":    {`{"title":"ééééééééééééé"}`, "title", "has 13", fault.CodeValidation, nil},
		"empty":                 {`{"title":""}`, "title", "must not be empty", fault.CodeValidation, nil},
		"empty once stripped":   {`{"title":"\u200b"}`, "title", "must not be empty", fault.CodeValidation, nil},
		"number for text":       {`{"title":7}`, "title", "must be text", fault.CodeValidation, nil},
		"object for text":       {`{"title":{}}`, "title", "must be text", fault.CodeValidation, nil},
		"NUL":                   {`{"title":"a\u0000b"}`, "title", "NUL", fault.CodeValidation, nil},
		"NUL below":             {`{"title":"x","extra":{"a":["b\u0000"]}}`, "extra.a[0]", "NUL", fault.CodeValidation, nil},
		"NUL in a name":         {`{"title":"x","extra":{"a\u0000":1}}`, "extra", "NUL", fault.CodeValidation, nil},
		"NUL in a map":          {`{"title":"x","names":{"\u0000":"b"}}`, "names", "NUL", fault.CodeValidation, nil},
		"invalid UTF-8":         {"{\"title\":\"\xff\"}", "/", "UTF-8", fault.CodeValidation, nil},
		"no JSON":               {`{"title"`, "/", "not valid JSON", fault.CodeValidation, nil},
		"two values":            {`{"title":"x"} {}`, "/", "more than one", fault.CodeValidation, nil},
		"a bracket too many":    {`{"title":"x"}]`, "/", "more than one", fault.CodeValidation, nil},
		"no object":             {`["title"]`, "/", "must be a JSON object", fault.CodeValidation, nil},
		"too deep":              {deep(40), "extra" + strings.Repeat("[0]", 32), "deeper than 32", fault.CodeValidation, nil},
		"enum":                  {`{"title":"x","kind":"globe"}`, "kind", `"globe" is not allowed`, fault.CodeValidation, []string{"book", "map"}},
		"pattern":               {`{"title":"x","code":"ab"}`, "code", "must match", fault.CodeValidation, nil},
		"too many":              {`{"title":"x","tags":["a","b","c","d"]}`, "tags", "at most 3, has 4", fault.CodeValidation, nil},
		"element over-long":     {`{"title":"x","tags":["a","toolong"]}`, "tags[1]", "at most 5", fault.CodeValidation, nil},
		"null element":          {`{"title":"x","tags":[null]}`, "tags[0]", "must not be null", fault.CodeValidation, nil},
		"text for list":         {`{"title":"x","tags":"a"}`, "tags", "must be a list", fault.CodeValidation, nil},
		"broken list as text":   {`{"title":"x","tags":"[\"a\""}`, "tags", "must be a list", fault.CodeValidation, nil},
		"part of a number":      {`{"title":"x","copies":1.5}`, "copies", "whole number", fault.CodeValidation, nil},
		"a word for a number":   {`{"title":"x","copies":"many"}`, "copies", "whole number", fault.CodeValidation, nil},
		"beyond any number":     {`{"title":"x","copies":1e999}`, "copies", "whole number", fault.CodeValidation, nil},
		"text for a fraction":   {`{"title":"x","weight":"heavy"}`, "weight", "must be a number", fault.CodeValidation, nil},
		"beyond any fraction":   {`{"title":"x","weight":1e999}`, "weight", "too large", fault.CodeValidation, nil},
		"beyond any, free":      {`{"title":"x","extra":[-1e999]}`, "extra[0]", "too large", fault.CodeValidation, nil},
		"a word for yes":        {`{"title":"x","lent":"maybe"}`, "lent", "true or false", fault.CodeValidation, nil},
		"text for an object":    {`{"title":"x","parts":["a"]}`, "parts[0]", "must be an object", fault.CodeValidation, nil},
		"number in a map":       {`{"title":"x","names":{"es":1}}`, "names.es", "must be text", fault.CodeValidation, nil},
		"too large, not ranged": {`{"title":"x","parts":[{"name":"a","pages":1e17}]}`, "parts[0].pages", "too large", fault.CodeValidation, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args, _, err := check(tc.input)
			if err == nil {
				t.Fatalf("accepted as %v", args)
			}
			e := problem(t, err)
			if e.Code != tc.code || e.Kind != fault.Invalid {
				t.Errorf("code %s", e.Code)
			}
			if len(e.Fields) != 1 || e.Fields[0].Path != tc.path || !strings.Contains(e.Fields[0].Problem, tc.says) {
				t.Errorf("fields = %+v, want %s: %s", e.Fields, tc.path, tc.says)
			}
			if diff := cmp.Diff(tc.allowed, e.Allowed); diff != "" {
				t.Errorf("allowed (-want +got):\n%s", diff)
			}
		})
	}
}

// Not every surface parses a body: what came in an address may hold bytes that are no text.
func TestTextThatIsNoUTF8IsRefusedWhereverItCameFrom(t *testing.T) {
	t.Parallel()
	_, err := validate(shelving(nil).Input, map[string]any{"title": "a\xffb"})
	if e := problem(t, err); len(e.Fields) != 1 || e.Fields[0].Path != "title" || !strings.Contains(e.Message, "UTF-8") {
		t.Errorf("fields = %+v", e.Fields)
	}
}

func TestAllThatIsWrongIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	_, _, err := check(`{"kind":"globe","copies":"many","lent":"maybe"}`)
	var paths []string
	for _, f := range problem(t, err).Fields {
		paths = append(paths, f.Path)
	}
	slices.Sort(paths)
	if diff := cmp.Diff([]string{"copies", "kind", "lent", "title"}, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

func TestHarmlessSlipsAreMended(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		input string
		want  map[string]any
		notes int
	}{
		"nothing but the title":    {`{"title":"x"}`, map[string]any{}, 0},
		"null is absent":           {`{"title":"x","tags":null,"extra":null}`, map[string]any{}, 0},
		"number as text":           {`{"title":"x","copies":" 3 "}`, map[string]any{"copies": int64(3)}, 0},
		"whole number as fraction": {`{"title":"x","copies":3.0}`, map[string]any{"copies": int64(3)}, 0},
		"yes as text":              {`{"title":"x","lent":"true"}`, map[string]any{"lent": true}, 0},
		"list as text":             {`{"title":"x","tags":"[\"a\",\"b\"]"}`, map[string]any{"tags": []any{"a", "b"}}, 0},
		"above its range":          {`{"title":"x","copies":99}`, map[string]any{"copies": int64(9)}, 1},
		"below its range":          {`{"title":"x","copies":-4}`, map[string]any{"copies": int64(1)}, 1},
		"beyond any range":         {`{"title":"x","copies":1e300}`, map[string]any{"copies": int64(9)}, 1},
		"what nobody sees is gone": {`{"title":"a\u200bb\u202e"}`, map[string]any{"title": "ab"}, 0},
		"at the limit, in runes":   {`{"title":"éééééééééééé"}`, map[string]any{"title": "éééééééééééé"}, 0},
		"free values stay":         {`{"title":"x","extra":{"a":[1,"b",true,null]}}`, map[string]any{"extra": map[string]any{"a": []any{json.Number("1"), "b", true, nil}}}, 0},
		"deep, but not too deep":   {`{"title":"x","extra":[[[[[[[[1]]]]]]]]}`, map[string]any{"extra": []any{[]any{[]any{[]any{[]any{[]any{[]any{[]any{json.Number("1")}}}}}}}}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, notes, err := check(tc.input)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]any{"title": "x", "kind": "book", "copies": json.Number("2")}
			want["copies"] = float64(2) // a default, as decoded
			maps.Copy(want, tc.want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
			if len(notes) != tc.notes {
				t.Errorf("notes = %q", notes)
			}
			for _, n := range notes {
				if !strings.Contains(n, "copies") || !strings.Contains(n, "1 to 9") || !strings.Contains(n, "was used") {
					t.Errorf("the note %q does not say what was done", n)
				}
			}
		})
	}
}

func TestNoArgumentsAreAnEmptyObject(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "  \n", "null", "{}"} {
		if args, err := Arguments([]byte(raw)); err != nil || len(args) != 0 || args == nil {
			t.Errorf("%q gives %v, %v", raw, args, err)
		}
	}
}

// What passes is what the handler can decode, whatever came in.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{"title":"x"}`, `{"title":"x","tags":"[1]","copies":"1e3"}`, `{"parts":[{"name":null}]}`, `{"extra":{"":{"":[]}}}`,
		`{"names":{"a":"b"}}`, `[[[[`, "\xff", `{"title":"\ud800"}`, `{"weight":1e400,"copies":-0}`, `nul`, `{"title":"x"}}`,
	} {
		f.Add([]byte(seed))
	}
	in := shelving(nil).Input
	f.Fuzz(func(t *testing.T, raw []byte) {
		args, err := Arguments(raw)
		if err == nil {
			_, err = validate(in, args)
		}
		if err != nil {
			if e := problem(t, err); e.Kind != fault.Invalid {
				t.Fatalf("refused as %v", e)
			}
			return
		}
		encoded, err := Marshal(args)
		if err != nil {
			t.Fatalf("valid arguments do not encode: %v", err)
		}
		if _, err := decode[shelf](encoded); err != nil {
			t.Fatalf("valid arguments do not decode: %v\n%s", err, encoded)
		}
	})
}
