package op

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"driftless/internal/fault"
	"driftless/internal/screen"
)

// deepest is how far an input may nest. The deepest legal input, a patch of a solution, stays below ten.
const deepest = 32

// Arguments parses the JSON object of a call. Nothing at all means no arguments.
func Arguments(raw []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return map[string]any{}, nil
	}
	if !utf8.Valid(raw) {
		return nil, fault.Fieldf("/", "the input is not valid UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fault.Fieldf("/", "the input is not valid JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.Fieldf("/", "there is more than one JSON value")
	}
	switch args := v.(type) {
	case map[string]any:
		return args, nil
	case nil:
		return map[string]any{}, nil
	}
	return nil, fault.Fieldf("/", "the arguments must be a JSON object")
}

// validate brings the arguments into the form the schema describes, or says everything that is wrong with them. Harmless
// slips are mended: a number as text, a list of one as the bare value is not, null means absent, a number outside its range
// is clamped and noted. Characters that a reader cannot see are removed from every text.
func validate(s *jsonschema.Schema, args map[string]any) (notes []string, err error) {
	var unknown []fault.Field
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if s.Properties[name] == nil {
			unknown = append(unknown, fault.Field{Path: name, Problem: "there is no such field"})
		}
	}
	if len(unknown) > 0 {
		known := slices.Sorted(maps.Keys(s.Properties))
		e := fault.Fields(unknown)
		e.Code, e.Allowed = fault.CodeUnknownField, known
		e.Hint = "the fields are " + strings.Join(known, ", ")
		return nil, e
	}
	v := validator{}
	v.object(s, args, "", 0)
	if len(v.problems) > 0 {
		return nil, fault.Fields(v.problems)
	}
	return v.notes, nil
}

type validator struct {
	problems []fault.Field
	notes    []string
}

func (v *validator) refuse(path, format string, args ...any) {
	v.problems = append(v.problems, fault.Field{Path: path, Problem: fmt.Sprintf(format, args...)})
}

func (v *validator) object(s *jsonschema.Schema, value map[string]any, path string, depth int) {
	if depth > deepest {
		v.refuse(path, "nested deeper than %d levels", deepest)
		return
	}
	for name, item := range value {
		if item == nil {
			delete(value, name)
			continue
		}
		child := s.Properties[name]
		if child == nil {
			child = s.AdditionalProperties
		}
		at := join(path, name)
		if child == nil && s.Properties != nil {
			v.problems = append(v.problems, fault.Field{
				Path: at, Problem: "there is no such field",
				Allowed: slices.Sorted(maps.Keys(s.Properties)),
			})
			continue
		}
		if s.Properties == nil && !v.storable(name, path) {
			continue
		}
		value[name] = v.value(child, item, at, depth+1)
	}
	for name, p := range s.Properties {
		if _, there := value[name]; !there && p.Default != nil {
			var standard any
			if json.Unmarshal(p.Default, &standard) == nil {
				value[name] = standard
			}
		}
	}
	for _, name := range s.Required {
		if _, there := value[name]; !there {
			v.refuse(join(path, name), "required")
		}
	}
}

func (v *validator) value(s *jsonschema.Schema, value any, path string, depth int) any {
	if s == nil || s.Type == "" {
		return v.free(value, path, depth)
	}
	switch s.Type {
	case "string":
		text, ok := value.(string)
		if !ok {
			v.refuse(path, "must be text")
			return value
		}
		return v.text(s, text, path)
	case "integer":
		return v.integer(s, value, path)
	case "number":
		return v.number(value, path)
	case "boolean":
		return v.boolean(value, path)
	case "array":
		return v.list(s, value, path, depth)
	case "object":
		fields, ok := value.(map[string]any)
		if !ok {
			v.refuse(path, "must be an object")
			return value
		}
		v.object(s, fields, path, depth)
		return fields
	}
	return value
}

func (v *validator) text(s *jsonschema.Schema, text, path string) string {
	if !v.storable(text, path) {
		return text
	}
	text, _ = screen.Strip(text)
	n := utf8.RuneCountInString(text)
	switch {
	case s.MinLength != nil && n < *s.MinLength:
		if n == 0 {
			v.refuse(path, "must not be empty")
		} else {
			v.refuse(path, "at least %d characters, has %d", *s.MinLength, n)
		}
	case s.MaxLength != nil && n > *s.MaxLength:
		v.refuse(path, "at most %d characters, has %d", *s.MaxLength, n)
	case s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(text):
		v.refuse(path, "must match %s", s.Pattern)
	}
	if s.Format == "date-time" {
		return v.moment(text, path)
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, any(text)) {
		words := make([]string, 0, len(s.Enum))
		for _, w := range s.Enum {
			words = append(words, fmt.Sprint(w))
		}
		v.problems = append(v.problems, fault.Field{Path: path, Problem: fmt.Sprintf("%q is not allowed", text), Allowed: words})
	}
	return text
}

// storable refuses what is no text: NUL and bytes that are not UTF-8.
func (v *validator) storable(text, path string) bool {
	err := screen.Valid(text)
	if err != nil {
		v.refuse(path, "is %v", err)
	}
	return err == nil
}

// moment takes a time as RFC 3339, or a date as its beginning in UTC.
func (v *validator) moment(text, path string) string {
	if _, err := time.Parse(time.RFC3339, text); err == nil {
		return text
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.Format(time.RFC3339)
	}
	v.refuse(path, "%q is not a time such as 2026-11-30T09:00:00Z, or a date", text)
	return text
}

func (v *validator) integer(s *jsonschema.Schema, value any, path string) any {
	var f float64
	var err error
	switch n := value.(type) {
	case json.Number:
		f, err = n.Float64()
	case string:
		f, err = strconv.ParseFloat(strings.TrimSpace(n), 64)
	case float64:
		f = n
	default:
		err = strconv.ErrSyntax
	}
	if err != nil || f != math.Trunc(f) || math.IsInf(f, 0) || math.IsNaN(f) {
		v.refuse(path, "must be a whole number")
		return value
	}
	if s.ExclusiveMaximum != nil && (f >= *s.ExclusiveMaximum || f <= *s.ExclusiveMinimum) {
		v.refuse(path, "must be between %.0f and %.0f", *s.ExclusiveMinimum+1, *s.ExclusiveMaximum-1)
		return value
	}
	clamped := f
	if s.Minimum != nil {
		clamped = max(clamped, *s.Minimum)
	}
	if s.Maximum != nil {
		clamped = min(clamped, *s.Maximum)
	}
	if clamped != f {
		v.notes = append(v.notes, fmt.Sprintf("%s %s is outside %d to %d; %d was used", path, fmt.Sprint(value),
			int64(*s.Minimum), int64(*s.Maximum), int64(clamped)))
	}
	if math.Abs(clamped) > 1<<53 {
		v.refuse(path, "is too large")
		return value
	}
	return int64(clamped)
}

func (v *validator) number(value any, path string) any {
	switch n := value.(type) {
	case json.Number:
		if _, err := n.Float64(); err != nil {
			v.refuse(path, "is too large")
		}
		return n
	case float64:
		return n
	}
	v.refuse(path, "must be a number")
	return value
}

func (v *validator) boolean(value any, path string) any {
	switch b := value.(type) {
	case bool:
		return b
	case string:
		if parsed, err := strconv.ParseBool(b); err == nil {
			return parsed
		}
	}
	v.refuse(path, "must be true or false")
	return value
}

func (v *validator) list(s *jsonschema.Schema, value any, path string, depth int) any {
	list, ok := value.([]any)
	if text, isText := value.(string); !ok && isText && strings.HasPrefix(strings.TrimSpace(text), "[") {
		ok = json.Unmarshal([]byte(text), &list) == nil
	}
	if !ok {
		v.refuse(path, "must be a list")
		return value
	}
	if s.MinItems != nil && len(list) < *s.MinItems {
		v.refuse(path, "at least %d, has %d", *s.MinItems, len(list))
		return list
	}
	if s.MaxItems != nil && len(list) > *s.MaxItems {
		v.refuse(path, "at most %d, has %d", *s.MaxItems, len(list))
		return list
	}
	if depth > deepest {
		v.refuse(path, "nested deeper than %d levels", deepest)
		return list
	}
	for i, item := range list {
		at := path + "[" + strconv.Itoa(i) + "]"
		if item == nil {
			v.refuse(at, "must not be null")
			continue
		}
		list[i] = v.value(s.Items, item, at, depth+1)
	}
	return list
}

// free walks a value without a schema: any JSON, with the same care for its texts and its depth.
func (v *validator) free(value any, path string, depth int) any {
	if depth > deepest {
		v.refuse(path, "nested deeper than %d levels", deepest)
		return value
	}
	switch x := value.(type) {
	case string:
		return v.text(&jsonschema.Schema{}, x, path)
	case json.Number:
		return v.number(x, path)
	case []any:
		for i, item := range x {
			x[i] = v.free(item, path+"["+strconv.Itoa(i)+"]", depth+1)
		}
	case map[string]any:
		for name, item := range x {
			if !v.storable(name, path) {
				continue
			}
			x[name] = v.free(item, join(path, name), depth+1)
		}
	}
	return value
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
