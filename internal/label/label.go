// Package label owns the two registries by which topics are curated: areas, of which a topic has one as its home, and tags,
// of which it has many. It keeps names in one form, counts uses, and renames or removes an entry everywhere at once.
//
// It refuses to decide anything about the content of a topic, and to be a permission boundary.
package label

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"driftless/internal/fault"
)

// Limits, in characters.
const (
	NameMax        = 64
	DescriptionMax = 500
	// TagsMax is how many tags one topic may carry.
	TagsMax = 50
)

// Tag brings a tag into its one form: lower case, white space as single dashes, nothing else changed.
func Tag(text string) (string, error) {
	name := strings.Join(strings.FieldsFunc(strings.ToLower(text), unicode.IsSpace), "-")
	if name == "" {
		return "", fault.Fieldf("tags", "a tag must not be empty")
	}
	if n := utf8.RuneCountInString(name); n > NameMax {
		return "", fault.Fieldf("tags", "a tag has at most %d characters; %q has %d", NameMax, name, n)
	}
	return name, nil
}

// Tags normalises a list and drops repetitions; the order of first appearance stays.
func Tags(texts []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, text := range texts {
		name, err := Tag(text)
		if err != nil {
			return nil, err
		}
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	if len(out) > TagsMax {
		return nil, fault.Fieldf("tags", "at most %d, has %d", TagsMax, len(out))
	}
	return out, nil
}

// areaName trims an area's name; key is what makes two names the same: case and spaces at the edges do not count.
func areaName(text string) (name, key string, err error) {
	name = strings.Join(strings.Fields(text), " ")
	if name == "" {
		return "", "", fault.Fieldf("name", "must not be empty")
	}
	if n := utf8.RuneCountInString(name); n > NameMax {
		return "", "", fault.Fieldf("name", "at most %d characters, has %d", NameMax, n)
	}
	return name, strings.ToLower(name), nil
}
