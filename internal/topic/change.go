package topic

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Change is one difference between two versions of a topic, at a leaf named by a JSON Pointer (RFC 6901). An element with an
// id is named by it; any other that was added or taken away by where it stands in the version that has it.
type Change struct {
	Op     string `json:"op"` // add, remove or replace
	Path   string `json:"path"`
	Before any    `json:"before,omitempty"`
	After  any    `json:"after,omitempty"`
}

// Diff lists the leaf changes that turn one content into another, in the order of the paths.
func Diff(before, after Content) []Change {
	d := differ{out: []Change{}}
	d.value("", tree(before), tree(after))
	return d.out
}

// tree is a content as plain JSON values.
func tree(c Content) map[string]any {
	raw, err := json.Marshal(c)
	if err != nil {
		panic(fmt.Sprintf("encode a topic: %v", err))
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(fmt.Sprintf("decode a topic: %v", err))
	}
	return out
}

// plant turns plain JSON values back into a content.
func plant(values map[string]any) (Content, error) {
	var c Content
	raw, err := json.Marshal(values)
	if err != nil {
		return c, fmt.Errorf("encode a topic: %w", err)
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return c, fmt.Errorf("decode a topic: %w", err)
	}
	return c, nil
}

type differ struct{ out []Change }

func (d *differ) value(path string, before, after any) {
	switch b := before.(type) {
	case map[string]any:
		if a, ok := after.(map[string]any); ok {
			d.object(path, b, a)
			return
		}
	case []any:
		if a, ok := after.([]any); ok {
			d.lists(path, b, a)
			return
		}
	}
	if !reflect.DeepEqual(before, after) {
		d.out = append(d.out, Change{Op: "replace", Path: path, Before: before, After: after})
	}
}

func (d *differ) object(path string, before, after map[string]any) {
	names := slices.Sorted(maps.Keys(before))
	for name := range after {
		if _, both := before[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		b, had := before[name]
		a, has := after[name]
		at := path + "/" + escape(name)
		switch {
		case had && has:
			d.value(at, b, a)
		case had:
			d.gone(at, b)
		default:
			d.come(at, a)
		}
	}
}

// lists compares elements by their ids where all have one, and as a set otherwise.
func (d *differ) lists(path string, before, after []any) {
	b, keyed := byID(before)
	a, too := byID(after)
	if !keyed || !too {
		d.list(path, before, after)
		return
	}
	start := len(d.out)
	d.object(path, b, a)
	if start == len(d.out) && !reflect.DeepEqual(before, after) {
		d.out = append(d.out, Change{Op: "replace", Path: path, Before: before, After: after})
	}
}

// byID is a list of objects as an object of them; ok is false unless each has an id of its own. An empty list is both.
func byID(list []any) (out map[string]any, ok bool) {
	out = map[string]any{}
	for _, item := range list {
		id := idOf(item)
		if _, twice := out[id]; id == "" || twice {
			return nil, false
		}
		out[id] = item
	}
	return out, true
}

// idOf is the id of an element, or empty when it has none.
func idOf(item any) string {
	fields, _ := item.(map[string]any)
	id, _ := fields["id"].(string)
	return id
}

// list compares elements as a set: what is only on one side was removed or added. A list that was merely put in another
// order is one replacement of the whole list.
func (d *differ) list(path string, before, after []any) {
	start := len(d.out)
	for i, item := range before {
		if !holds(after, item) {
			d.out = append(d.out, Change{Op: "remove", Path: path + "/" + strconv.Itoa(i), Before: item})
		}
	}
	for i, item := range after {
		if !holds(before, item) {
			d.out = append(d.out, Change{Op: "add", Path: path + "/" + strconv.Itoa(i), After: item})
		}
	}
	if start == len(d.out) && !reflect.DeepEqual(before, after) {
		d.out = append(d.out, Change{Op: "replace", Path: path, Before: before, After: after})
	}
}

func (d *differ) gone(path string, value any) {
	if list, ok := value.([]any); ok {
		d.lists(path, list, nil)
		return
	}
	d.out = append(d.out, Change{Op: "remove", Path: path, Before: value})
}

func (d *differ) come(path string, value any) {
	if list, ok := value.([]any); ok {
		d.lists(path, nil, list)
		return
	}
	d.out = append(d.out, Change{Op: "add", Path: path, After: value})
}

func holds(list []any, item any) bool {
	return slices.ContainsFunc(list, func(other any) bool { return reflect.DeepEqual(other, item) })
}

func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
