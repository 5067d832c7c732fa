package op

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
)

// Rule bounds one input field. Lengths are in characters (Unicode code points), items in elements.
type Rule struct {
	Min, Max int
	Default  any
	Enum     []string
	Pattern  string
	kind     ruleKind
}

type ruleKind uint8

const (
	length ruleKind = iota
	items
	number
	exact
	choice
)

// Rules are keyed by field name; "tags[]" bounds the elements of tags.
type Rules map[string]Rule

// Length bounds a string.
func Length(low, high int) Rule { return Rule{Min: low, Max: high, kind: length} }

// Items bounds a list.
func Items(low, high int) Rule { return Rule{Min: low, Max: high, kind: items} }

// Range bounds a whole number. A value outside is clamped, and the answer says so.
func Range(low, high, standard int) Rule {
	return Rule{Min: low, Max: high, Default: standard, kind: number}
}

// Number bounds a whole number that names something, such as a revision: one outside is refused, for another would name another
// thing.
func Number(low, high int) Rule { return Rule{Min: low, Max: high, kind: exact} }

// OneOf closes a set of words. The first is the default where standard is empty.
func OneOf(standard string, words ...string) Rule {
	r := Rule{Enum: words, kind: choice}
	if standard != "" {
		r.Default = standard
	}
	return r
}

// With merges rules; the later win.
func (r Rules) With(more Rules) Rules {
	out := Rules{}
	for k, v := range r {
		out[k] = v
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

func inputSchema[In any](rules Rules) (*jsonschema.Schema, error) {
	s, err := jsonschema.For[In](asWritten())
	if err != nil {
		return nil, err
	}
	if s.Type != "object" {
		return nil, fmt.Errorf("%s is not an object", reflect.TypeFor[In]())
	}
	tidy(s)
	for name, rule := range rules {
		target, err := find(s, name)
		if err != nil {
			return nil, err
		}
		if err := rule.apply(target); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for name, p := range s.Properties {
		if p.Description == "" {
			return nil, fmt.Errorf("field %s has no description", name)
		}
	}
	return s, nil
}

func outputSchema[Out any]() (*jsonschema.Schema, error) {
	s, err := jsonschema.For[Out](asWritten())
	if err != nil {
		return nil, err
	}
	if s.Type != "object" {
		return nil, fmt.Errorf("%s is not an object", reflect.TypeFor[Out]())
	}
	tidy(s)
	return s, nil
}

// asWritten names the types whose JSON is not what their Go kind suggests. A client that validates answers refuses the whole
// answer when its schema is wrong in one field.
func asWritten() *jsonschema.ForOptions {
	return &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[uuid.UUID](): {Type: "string", Format: "uuid"},
		reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time"},
	}}
}

// tidy removes what inference adds and no reader needs: a list is never null here, and objects stay open, so that an
// older client accepts a newer field. Unknown input fields are refused by the pipeline, which can say which are known.
func tidy(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.AdditionalProperties = loosen(s.AdditionalProperties)
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	for _, p := range s.Properties {
		tidy(p)
	}
	tidy(s.Items)
}

// loosen drops "additionalProperties: false" and keeps a schema for the values of a map.
func loosen(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil || s.Not != nil {
		return nil
	}
	tidy(s)
	return s
}

func find(s *jsonschema.Schema, path string) (*jsonschema.Schema, error) {
	for part := range strings.SplitSeq(path, ".") {
		name, element := strings.CutSuffix(part, "[]")
		next := s.Properties[name]
		if next != nil && element {
			next = next.Items
		}
		if next == nil {
			return nil, fmt.Errorf("a rule names the unknown field %s", path)
		}
		s = next
	}
	return s, nil
}

func (r Rule) apply(s *jsonschema.Schema) error {
	low, high := r.Min, r.Max
	switch r.kind {
	case length:
		if s.Type != "string" {
			return fmt.Errorf("a length is for strings")
		}
		if low > 0 {
			s.MinLength = &low
		}
		s.MaxLength, s.Pattern = &high, r.Pattern
	case items:
		if s.Type != "array" {
			return fmt.Errorf("a number of items is for lists")
		}
		if low > 0 {
			s.MinItems = &low
		}
		s.MaxItems = &high
	case number:
		if s.Type != "integer" {
			return fmt.Errorf("a range is for whole numbers")
		}
		lo, hi := float64(low), float64(high)
		s.Minimum, s.Maximum = &lo, &hi
	case exact:
		if s.Type != "integer" {
			return fmt.Errorf("a range is for whole numbers")
		}
		// Exclusive bounds tell it from a range that is clamped.
		lo, hi := float64(low-1), float64(high+1)
		s.ExclusiveMinimum, s.ExclusiveMaximum = &lo, &hi
	case choice:
		if s.Type != "string" {
			return fmt.Errorf("a set of words is for strings")
		}
		for _, w := range r.Enum {
			s.Enum = append(s.Enum, w)
		}
	}
	if r.Default != nil {
		raw, err := Marshal(r.Default)
		if err != nil {
			return err
		}
		s.Default = raw
	}
	return nil
}

// Only keeps the named rules.
func (r Rules) Only(names ...string) Rules {
	out := Rules{}
	for _, name := range names {
		out[name] = r[name]
	}
	return out
}

// Shown is what a model reads of a schema: names, types, words, choices and defaults. Lengths, nested fields and the fields
// called hidden cost tokens in every conversation, and are said by the refusal of the one call that needs to know.
func Shown(s *jsonschema.Schema, hidden ...string) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: s.Type, Required: s.Required, Properties: map[string]*jsonschema.Schema{}}
	for name, p := range s.Properties {
		if slices.Contains(hidden, name) {
			continue
		}
		short := &jsonschema.Schema{Type: p.Type, Enum: p.Enum}
		if len(p.Enum) == 0 {
			short.Description = p.Description
		}
		if p.Type == "integer" && string(p.Default) != "0" || len(p.Enum) > 0 {
			short.Default = p.Default
		}
		if p.Items != nil {
			short.Items = &jsonschema.Schema{Type: p.Items.Type, Enum: p.Items.Enum}
		}
		out.Properties[name] = short
	}
	return out
}
