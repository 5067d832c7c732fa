package topic

import (
	"maps"
	"reflect"
	"slices"
)

// Conflict is a leaf that two changes of the same text treat differently. Both sides are kept.
type Conflict struct {
	Path     string `json:"path"`
	Base     any    `json:"base,omitempty"`
	Current  any    `json:"current,omitempty"`
	Proposed any    `json:"proposed,omitempty"`
}

// rebase carries what changed between base and proposed over to current. Additions to and removals from a list go in
// beside what others did to it, elements with an id are compared by it, and a text that both changed, and not to the same, is
// a conflict, which a resolution for its path settles. It answers the merged content together with what is still in conflict.
func rebase(base, proposed, current Content, resolution map[string]any) (Content, []Conflict, error) {
	m := merger{resolution: resolution}
	return m.contents(base, proposed, current)
}

// revert is rebase for taking a change back: what somebody else has removed or replaced since is a conflict too, for then
// there is nothing left to take back.
func revert(after, before, current Content) (Content, []Conflict, error) {
	m := merger{strict: true}
	return m.contents(after, before, current)
}

// merger is one three-way merge. Values are plain JSON; an absent one is nil, and none is changed in place.
type merger struct {
	resolution map[string]any
	strict     bool
	conflicts  []Conflict
}

func (m *merger) contents(base, to, now Content) (Content, []Conflict, error) {
	fields := m.objects("", tree(base), tree(to), tree(now))
	merged, err := plant(fields)
	return merged, m.conflicts, err
}

func (m *merger) value(path string, base, to, now any) any {
	if reflect.DeepEqual(base, to) {
		return now
	}
	if settled, ok := m.resolution[path]; ok {
		return settled
	}
	if reflect.DeepEqual(now, base) {
		return to
	}
	if reflect.DeepEqual(now, to) && !m.strict {
		return now
	}
	if b, t, n, ok := all[map[string]any](base, to, now); ok {
		return m.objects(path, b, t, n)
	}
	if _, ok := first(base, to, now).([]any); ok {
		return m.lists(path, base, to, now)
	}
	return m.conflict(path, base, to, now)
}

func (m *merger) conflict(path string, base, to, now any) any {
	m.conflicts = append(m.conflicts, Conflict{Path: path, Base: base, Current: now, Proposed: to})
	return now
}

func (m *merger) objects(path string, base, to, now map[string]any) map[string]any {
	names := map[string]any{}
	for _, side := range []map[string]any{base, to, now} {
		maps.Copy(names, side)
	}
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if v := m.value(path+"/"+escape(name), base[name], to[name], now[name]); v != nil {
			out[name] = v
		}
	}
	return out
}

func (m *merger) lists(path string, base, to, now any) any {
	was, will, is := elements(base), elements(to), elements(now)
	b, one := byID(was)
	t, two := byID(will)
	n, three := byID(is)
	if one && two && three {
		return m.keyed(path, b, t, n, slices.Concat(is, will))
	}
	added := slices.DeleteFunc(slices.Clone(will), func(item any) bool { return holds(was, item) })
	removed := slices.DeleteFunc(slices.Clone(was), func(item any) bool { return holds(will, item) })
	if len(added)+len(removed) == 0 {
		// The same elements in another order, and the list has changed meanwhile.
		return m.conflict(path, base, to, now)
	}
	missing := slices.ContainsFunc(removed, func(item any) bool { return !holds(is, item) })
	there := slices.ContainsFunc(added, func(item any) bool { return holds(is, item) })
	if m.strict && (missing || there) {
		return m.conflict(path, base, to, now)
	}
	out := slices.DeleteFunc(slices.Clone(is), func(item any) bool { return holds(removed, item) })
	for _, item := range added {
		if !holds(out, item) {
			out = append(out, item)
		}
	}
	return out
}

// keyed merges elements by id, in the order in which they first occur.
func (m *merger) keyed(path string, base, to, now map[string]any, order []any) any {
	merged := m.objects(path, base, to, now)
	out := []any{}
	for _, item := range order {
		id := idOf(item)
		if v, ok := merged[id]; ok {
			out = append(out, v)
			delete(merged, id)
		}
	}
	return out
}

// all gives three values of one type; ok is false when one of them is another or absent.
func all[T any](a, b, c any) (x, y, z T, ok bool) {
	x, one := a.(T)
	y, two := b.(T)
	z, three := c.(T)
	return x, y, z, one && two && three
}

func elements(v any) []any {
	list, _ := v.([]any)
	return list
}

func first(values ...any) any {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}
