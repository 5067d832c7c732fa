package topic

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"driftless/internal/fault"
)

// PatchOp is one step of a patch. The place is a JSON Pointer (RFC 6901) into the content; an element that has an id is
// addressed by the id, and - behind a list appends to it.
type PatchOp struct {
	Op    string `json:"op" jsonschema:"set or remove; or add, replace, move, copy and test as RFC 6902 means them"`
	From  string `json:"from,omitempty" jsonschema:"JSON Pointer, for move and copy"`
	Path  string `json:"path" jsonschema:"JSON Pointer, e.g. /what, /gotchas/-, /solutions/linux/verify"`
	Value any    `json:"value,omitempty" jsonschema:"what stands there then"`
}

// The words of a step. Set writes what is or is not there yet; add inserts into a list; replace wants something to replace.
const (
	opSet     = "set"
	opRemove  = "remove"
	opAdd     = "add"
	opReplace = "replace"
	opMove    = "move"
	opCopy    = "copy"
	opTest    = "test"
)

// place is what may stand somewhere in a topic: a text, a list of places, or an object of named places.
type place struct {
	element *place
	fields  map[string]place
	keyed   bool // the elements have ids
}

// writable is the form of the content. What is not here, a patch cannot name: no status, no trust, no slug.
func writable() place {
	text := place{}
	texts := place{element: &text}
	solution := place{fields: map[string]place{
		"id": text, "fix": texts, "verify": text, "boundaries": texts,
		"env": {fields: map[string]place{"os": text, "runtime": text, "pkg_manager": text, "labels": texts}},
	}}
	solutions := place{element: &solution, keyed: true}
	return place{fields: map[string]place{
		"title": text, "what": text, "how": text, "content": text, "decisions": texts, "gotchas": texts, "invariants": texts,
		"required_checks": texts, "anchors": texts, "solutions": solutions, "alternatives": solutions, "sources": texts,
		"owners": texts, "area": text, "tags": texts, "review_by": text,
		"relations": {element: &place{fields: map[string]place{"to": text, "type": text}}},
	}}
}

// applyOps is the content with every step of a patch taken in order, or the reason why one cannot be. It is pure; whether the
// outcome is a legal topic is for the caller to check, on the whole.
func applyOps(c Content, ops []PatchOp) (Content, error) {
	form := writable()
	var now any = tree(c)
	for i, o := range ops {
		at := fmt.Sprintf("ops[%d]", i)
		carries := o.Op == opMove || o.Op == opCopy
		switch {
		case carries && o.From == "":
			return Content{}, fault.Fieldf(at+".from", "required to %s", o.Op)
		case !carries && o.Op != opRemove && o.Value == nil:
			return Content{}, fault.Fieldf(at+".value", "required to %s", o.Op)
		}
		next, err := form.step(now, o)
		if errors.Is(err, errDiffers) {
			e := fault.New(fault.Conflict, fault.CodeVersionConflict, fmt.Sprintf("%s: %s does not say what the test expects", at, o.Path),
				"nothing was written; read the topic as it is now")
			e.Fields = []fault.Field{{Path: at + ".value", Problem: "differs from what stands there"}}
			return Content{}, e
		}
		if err != nil {
			return Content{}, illegal(at, o, err)
		}
		now = next
	}
	return plant(now.(map[string]any))
}

// pointer splits a JSON Pointer into its parts.
func pointer(text string) ([]string, error) {
	rest, rooted := strings.CutPrefix(text, "/")
	if !rooted {
		return nil, errors.New("a pointer begins with / and names a field")
	}
	tokens := strings.Split(rest, "/")
	for i, t := range tokens {
		if bad := strings.NewReplacer("~0", "", "~1", "").Replace(t); strings.Contains(bad, "~") {
			return nil, errors.New("~ is written ~0, and / within a name ~1")
		}
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return tokens, nil
}

// edit answers the value with one step taken at the place that the tokens lead to. The value it was given stays as it is.
func (p place) edit(value any, tokens []string, o PatchOp) (any, error) {
	switch {
	case len(tokens) == 0:
		if err := p.fits(o.Value); err != nil {
			return nil, wrongValueError{err}
		}
		return o.Value, nil
	case p.fields != nil:
		return p.editObject(value, tokens, o)
	case p.element != nil:
		return p.editList(value, tokens, o)
	}
	return nil, fmt.Errorf("a text has no part %q", tokens[0])
}

func (p place) editObject(value any, tokens []string, o PatchOp) (any, error) {
	name := tokens[0]
	inner, known := p.fields[name]
	if !known {
		return nil, unknownPartError{name, slices.Sorted(maps.Keys(p.fields))}
	}
	object, _ := value.(map[string]any)
	out := maps.Clone(object)
	if out == nil {
		out = map[string]any{}
	}
	if len(tokens) == 1 && o.Op == opRemove {
		// Every field is always there, if empty: taking out what is empty changes nothing.
		if _, text := out[name].(string); text {
			out[name] = ""
		} else {
			delete(out, name)
		}
		return out, nil
	}
	next, err := inner.edit(out[name], tokens[1:], o)
	if err != nil {
		return nil, err
	}
	out[name] = next
	return out, nil
}

func (p place) editList(value any, tokens []string, o PatchOp) (any, error) {
	list, token, last := slices.Clone(elements(value)), tokens[0], len(tokens) == 1
	if token == "-" {
		if !last || o.Op != opSet && o.Op != opAdd {
			return nil, errors.New("- stands behind the last element: only set and add reach it")
		}
		next, err := p.element.edit(nil, nil, o)
		return append(list, next), err
	}
	at, err := p.find(list, token)
	if err != nil {
		return nil, err
	}
	inserts := last && o.Op == opAdd && !p.keyed
	if at > len(list) || at == len(list) && !inserts {
		return nil, fmt.Errorf("the list has %d elements, counted from 0", len(list))
	}
	if last && o.Op == opRemove {
		return slices.Delete(list, at, at+1), nil
	}
	var before any
	if !inserts {
		before = list[at]
	}
	next, err := p.element.edit(before, tokens[1:], o)
	if err != nil {
		return nil, err
	}
	if inserts {
		return slices.Insert(list, at, next), nil
	}
	list[at] = next
	return list, nil
}

// find is where in a list the element stands that a token names, by id or by index.
func (p place) find(list []any, token string) (int, error) {
	index, err := strconv.Atoi(token)
	isIndex := err == nil && index >= 0 && strconv.Itoa(index) == token
	if !p.keyed {
		if !isIndex {
			return 0, fmt.Errorf("%q is no index of a list", token)
		}
		return index, nil
	}
	ids := make([]string, 0, len(list))
	for at, item := range list {
		id := idOf(item)
		if id == token {
			return at, nil
		}
		ids = append(ids, id)
	}
	if isIndex {
		return 0, byIDOnlyError{ids}
	}
	return 0, unknownPartError{token, ids}
}

// fits reports what is wrong with a value for a place.
func (p place) fits(value any) error {
	switch v := value.(type) {
	case string:
		if p.fields == nil && p.element == nil {
			return nil
		}
	case []any:
		if p.element == nil {
			break
		}
		for i, item := range v {
			if err := p.element.fits(item); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
		return nil
	case map[string]any:
		if p.fields == nil {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner, known := p.fields[name]
			if !known {
				return unknownPartError{name, slices.Sorted(maps.Keys(p.fields))}
			}
			if err := inner.fits(v[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
	switch {
	case p.fields != nil:
		return errors.New("must be an object")
	case p.element != nil:
		return errors.New("must be a list")
	}
	return errors.New("must be text")
}

// The reasons that carry more than words.
type (
	wrongValueError  struct{ error }
	unknownPartError struct {
		name  string
		known []string
	}
	byIDOnlyError struct{ ids []string }
)

func (e wrongValueError) Unwrap() error { return e.error }

func (e unknownPartError) Error() string {
	return fmt.Sprintf("there is no %q that a patch may change", e.name)
}

func (e byIDOnlyError) Error() string {
	return "an element of this list is addressed by its id, not by where it stands"
}

// illegal turns the reason why a step cannot be taken into the one error value.
func illegal(at string, o PatchOp, reason error) error {
	e := fault.New(fault.Invalid, fault.CodeInvalidPointer, fmt.Sprintf("%s: %s: %v", at, o.Path, reason),
		"nothing was written; read the topic and name a place in it, such as /what, /gotchas/- or /solutions/{id}/verify")
	field := fault.Field{Path: at + ".path", Problem: reason.Error()}
	var part unknownPartError
	var keyed byIDOnlyError
	var value wrongValueError
	if errors.As(reason, &part) {
		field.Allowed = part.known
	}
	switch {
	case errors.As(reason, &keyed):
		e.Code, field.Allowed = fault.CodeIDAddressing, keyed.ids
	case errors.As(reason, &value):
		e.Code, field.Path = fault.CodeValidation, at+".value"
	}
	e.Fields, e.Allowed = []fault.Field{field}, field.Allowed
	return e
}
