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

// Change is one difference between two versions of a topic, at a leaf named by a JSON Pointer (RFC 6901). An element of a
// list that was added or taken away is named by where it stands in the version that has it.
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
			d.list(path, b, a)
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
		d.list(path, list, nil)
		return
	}
	d.out = append(d.out, Change{Op: "remove", Path: path, Before: value})
}

func (d *differ) come(path string, value any) {
	if list, ok := value.([]any); ok {
		d.list(path, nil, list)
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

// Conflict is a leaf that a suggested edit and the topic changed differently since the edit began. Both sides are kept.
type Conflict struct {
	Path     string `json:"path"`
	Base     any    `json:"base,omitempty"`
	Current  any    `json:"current,omitempty"`
	Proposed any    `json:"proposed,omitempty"`
}

// rebase carries what changed between base and proposed over to current. Additions to and removals from a list go in
// beside what others did to it; a text that both changed, and not to the same, is a conflict, which a resolution for its path
// settles. It answers the merged content together with what is still in conflict.
func rebase(base, proposed, current Content, resolution map[string]any) (Content, []Conflict, error) {
	from, to, now := tree(base), tree(proposed), tree(current)
	var conflicts []Conflict
	for _, c := range Diff(base, proposed) {
		field, _, _ := strings.Cut(strings.TrimPrefix(c.Path, "/"), "/")
		path := "/" + field
		baseValue, nowValue, toValue := from[field], now[field], to[field]
		_, isList := first(baseValue, toValue, nowValue).([]any)
		switch value, settled := resolution[path]; {
		case settled:
			now[field] = value
		case isList && c.Op == "add":
			list, _ := nowValue.([]any)
			if !holds(list, c.After) {
				now[field] = append(slices.Clone(list), c.After)
			}
		case isList && c.Op == "remove":
			list, _ := nowValue.([]any)
			now[field] = slices.DeleteFunc(slices.Clone(list), func(item any) bool { return reflect.DeepEqual(item, c.Before) })
		case reflect.DeepEqual(nowValue, baseValue) || reflect.DeepEqual(nowValue, toValue):
			now[field] = toValue
		default:
			conflicts = append(conflicts, Conflict{Path: path, Base: baseValue, Current: nowValue, Proposed: toValue})
		}
	}
	merged, err := plant(now)
	return merged, conflicts, err
}

func first(values ...any) any {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}
