package topic

import (
	"errors"
	"reflect"
	"strings"
)

// errDiffers says that a test of a patch (RFC 6902 section 4.6) failed.
var errDiffers = errors.New("the value differs")

// step takes one step of a patch. The three of RFC 6902 that read a place are made of the others.
func (p place) step(now any, o PatchOp) (any, error) {
	tokens, err := pointer(o.Path)
	if err != nil {
		return nil, err
	}
	switch o.Op {
	case opTest:
		there, err := p.read(now, tokens)
		if err == nil && !reflect.DeepEqual(there, o.Value) {
			err = errDiffers
		}
		return now, err
	case opMove, opCopy:
		return p.carry(now, tokens, o)
	}
	return p.edit(now, tokens, o)
}

// carry adds at one place what stands at another, and takes it away there when it is moved.
func (p place) carry(now any, tokens []string, o PatchOp) (any, error) {
	from, err := pointer(o.From)
	if err != nil {
		return nil, err
	}
	if o.Op == opMove && strings.HasPrefix(o.Path, o.From+"/") {
		return nil, errors.New("a place cannot be moved into itself")
	}
	value, err := p.read(now, from)
	if err != nil {
		return nil, err
	}
	if o.Op == opMove {
		if now, err = p.edit(now, from, PatchOp{Op: opRemove}); err != nil {
			return nil, err
		}
	}
	return p.edit(now, tokens, PatchOp{Op: opAdd, Value: value})
}

// read is what stands at a place. An empty text or list is there, though it is not kept.
func (p place) read(value any, tokens []string) (any, error) {
	for _, token := range tokens {
		switch {
		case p.fields != nil:
			inner, known := p.fields[token]
			if !known {
				return nil, unknownPartError{token, nil}
			}
			object, _ := value.(map[string]any)
			p, value = inner, object[token]
		case p.element != nil:
			list := elements(value)
			at, err := p.find(list, token)
			if err != nil {
				return nil, err
			}
			if at >= len(list) {
				return nil, errors.New("the list has no such element")
			}
			p, value = *p.element, list[at]
		default:
			return nil, errors.New("a text has no parts")
		}
	}
	switch {
	case value != nil:
		return value, nil
	case p.fields != nil:
		return map[string]any{}, nil
	case p.element != nil:
		return []any{}, nil
	}
	return "", nil
}
