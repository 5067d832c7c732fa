package op

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// leafMin is the size in bytes from which a value is worth leaving out.
const leafMin = 256

// Omission is a value that was left out of an answer to keep its size.
type Omission struct {
	Path  string `json:"path"` // JSON Pointer
	Bytes int    `json:"bytes"`
}

// Shrink makes an encoded answer fit into limit bytes by leaving out its largest values whole, never a part of one, and says
// which in "omitted". It is the last resort, for an answer whose single row is too large: rows are dropped before.
func Shrink(raw json.RawMessage, limit int) (json.RawMessage, error) {
	if limit <= 0 || len(raw) <= limit {
		return raw, nil
	}
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		return raw, nil //nolint:nilerr // what is no object cannot lose a field
	}
	var leaves []leaf
	collect(root, "", &leaves)
	slices.SortStableFunc(leaves, func(a, b leaf) int { return b.size - a.size })
	// The list of what was left out takes some room itself.
	size, room := len(raw), limit-min(2048, limit/8)
	omitted := []Omission{}
	for _, l := range leaves {
		if size <= room || len(omitted) == 50 {
			break
		}
		l.drop()
		size -= l.size
		omitted = append(omitted, Omission{Path: l.path, Bytes: l.size})
	}
	if size > room {
		return shrinkWhole(raw, room)
	}
	root["omitted"] = omitted
	return Marshal(root)
}

// shrinkWhole is for many small values: the smallest part that makes up for the excess goes, and everything else stays.
func shrinkWhole(raw json.RawMessage, room int) (json.RawMessage, error) {
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		return raw, fmt.Errorf("read an answer again: %w", err)
	}
	const hint = "the answer is too large for one call; ask for fewer rows or fields, or read it over REST"
	var parts []leaf
	branches(root, "", &parts)
	parts = slices.DeleteFunc(parts, func(l leaf) bool { return len(raw)-l.size > room })
	if len(parts) == 0 {
		return Marshal(map[string]any{"omitted": []Omission{{Path: "", Bytes: len(raw)}}, "hint": hint})
	}
	least := slices.MinFunc(parts, func(a, b leaf) int { return cmp.Or(a.size-b.size, len(b.path)-len(a.path)) })
	least.drop()
	root["omitted"] = []Omission{{Path: least.path, Bytes: least.size}}
	if _, has := root["hint"]; !has {
		root["hint"] = hint
	}
	return Marshal(root)
}

// branches collects every field, however deep, that can go whole.
func branches(node any, path string, into *[]leaf) {
	switch x := node.(type) {
	case map[string]any:
		for name, child := range x {
			at := path + "/" + name
			*into = append(*into, leaf{at, sizeOf(child), func() { delete(x, name) }})
			branches(child, at, into)
		}
	case []any:
		for i, child := range x {
			branches(child, path+"/"+strconv.Itoa(i), into)
		}
	}
}

// leaf is a text or a list without objects, which goes whole or stays whole.
type leaf struct {
	path string
	size int
	drop func()
}

func collect(node any, path string, into *[]leaf) {
	switch x := node.(type) {
	case map[string]any:
		for name, child := range x {
			at := path + "/" + name
			if n := sizeOf(child); n >= leafMin {
				if plain(child) {
					*into = append(*into, leaf{at, n, func() { delete(x, name) }})
				} else {
					collect(child, at, into)
				}
			}
		}
	case []any:
		for i, child := range x {
			collect(child, path+"/"+strconv.Itoa(i), into)
		}
	}
}

// plain reports whether a value holds no object.
func plain(v any) bool {
	switch x := v.(type) {
	case map[string]any:
		return false
	case []any:
		return !slices.ContainsFunc(x, func(item any) bool { return !plain(item) })
	}
	return true
}

func sizeOf(v any) int {
	raw, err := Marshal(v)
	if err != nil {
		return 0
	}
	return len(raw)
}
