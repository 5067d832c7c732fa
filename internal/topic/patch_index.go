package topic

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"driftless/internal/fault"
)

// sameIndexes refuses a patch that names an element by its index in a list which the caller's open suggested edit has changed: the
// index was read in Knowledge, and would mean another element in the edit.
func sameIndexes(knowledge, edit Content, ops []PatchOp) error {
	before, after, form := tree(knowledge), tree(edit), writable()
	for i, o := range ops {
		for _, path := range []string{o.Path, o.From} {
			list, ok := form.indexed(path)
			if !ok {
				continue
			}
			was, _ := form.read(before, list)
			is, _ := form.read(after, list)
			if reflect.DeepEqual(was, is) {
				continue
			}
			name := "/" + strings.Join(list, "/")
			e := fault.New(fault.Conflict, fault.CodeVersionConflict, fmt.Sprintf("ops[%d]: your open suggested edit has changed %s, where an index means another element", i, name),
				"set the whole list, append with /-, or withdraw the edit first")
			e.Current = map[string]any{"path": name, "knowledge": was, "edit": is}
			return e
		}
	}
	return nil
}

// indexed is the list in which a pointer names an element by its index; ok is false for one that does not.
func (p place) indexed(path string) (list []string, ok bool) {
	tokens, err := pointer(path)
	if err != nil {
		return nil, false
	}
	for at, token := range tokens {
		switch {
		case p.fields != nil:
			p = p.fields[token]
		case p.element != nil:
			if _, err := strconv.Atoi(token); err == nil && !p.keyed {
				return slices.Clone(tokens[:at]), true
			}
			p = *p.element
		default:
			return nil, false
		}
	}
	return nil, false
}
