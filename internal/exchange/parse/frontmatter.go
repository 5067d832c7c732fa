package parse

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// maxFrontMatter bounds what is given to the YAML parser.
const maxFrontMatter = 128 << 10

var errFrontMatter = errors.New("front matter is not valid YAML")

// fields is front matter by name.
type fields map[string]any

// splitFrontMatter returns the text between the first two lines of dashes, and
// what follows. A file that opens with dashes and never closes them has none.
func splitFrontMatter(text string) (front, body string, ok bool) {
	rest, found := strings.CutPrefix(text, "---\n")
	if !found {
		return "", text, false
	}
	for at := 0; at < len(rest) && at < maxFrontMatter; {
		line, _, more := strings.Cut(rest[at:], "\n")
		if strings.TrimRight(line, " \t") == "---" {
			if !more {
				return rest[:at], "", true
			}
			return rest[:at], rest[at+len(line)+1:], true
		}
		at += len(line) + 1
	}
	return "", text, false
}

// readFrontMatter decodes front matter. Rule files are often not valid YAML
// ("globs: **/*"): those are read line by line. What claims to be an export must
// be valid, for reading a part of it would lose the rest.
func readFrontMatter(front string) (fields, error) {
	f := fields{}
	err := yaml.Unmarshal([]byte(front), &f)
	if err == nil {
		return f, nil
	}
	f = readLines(front)
	if _, exported := f["slug"]; exported {
		return nil, fmt.Errorf("%w: %s", errFrontMatter, yamlReason(err))
	}
	return f, nil
}

// yamlReason is an error of the YAML parser on one line.
func yamlReason(err error) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " ")
}

// readLines reads `name: value` at the left margin and lists below a name.
func readLines(front string) fields {
	f := fields{}
	name := ""
	for _, line := range strings.Split(front, "\n") {
		trimmed := strings.TrimSpace(line)
		if item, ok := strings.CutPrefix(trimmed, "- "); ok && name != "" {
			list, _ := f[name].([]any)
			f[name] = append(list, unquote(item))
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || key == "" || strings.ContainsAny(key, " \t#\"'") {
			continue
		}
		name, value = key, strings.TrimSpace(value)
		var list []any
		if strings.HasPrefix(value, "[") && yaml.Unmarshal([]byte(value), &list) == nil {
			f[name] = list
		} else if value != "" {
			f[name] = unquote(value)
		}
	}
	return f
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// text returns a scalar as text.
func (f fields) text(name string) string {
	switch v := f[name].(type) {
	case string:
		return v
	case time.Time:
		return v.Format(time.DateOnly)
	case int, int64, uint64, float64, bool:
		return fmt.Sprint(v)
	}
	return ""
}

// list returns a list of scalars; a single scalar is a list of one.
func (f fields) list(name string) []string {
	items, ok := f[name].([]any)
	if !ok {
		items = []any{f[name]}
	}
	var out []string
	for _, item := range items {
		if s := (fields{"": item}).text(""); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// words returns a list written as a list or with commas.
func (f fields) words(name string) []string {
	var out []string
	for _, s := range f.list(name) {
		out = append(out, splitOutsideBraces(s)...)
	}
	return out
}

// splitOutsideBraces splits at commas that are not part of an alternative:
// "a/**, b/*.{js,ts}" is two.
func splitOutsideBraces(s string) []string {
	var out []string
	depth, from := 0, 0
	add := func(to int) {
		if part := unquote(s[from:to]); part != "" {
			out = append(out, part)
		}
		from = to + 1
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth = max(0, depth-1)
		case ',':
			if depth == 0 {
				add(i)
			}
		}
	}
	if from <= len(s) {
		add(len(s))
	}
	return out
}

// tags returns tags in the form of labels: lower case, dashes for blanks.
func (f fields) tags() []string {
	var out []string
	for _, tag := range f.words("tags") {
		tag = strings.Join(strings.Fields(strings.ToLower(tag)), "-")
		if len([]rune(tag)) <= maxTag {
			out = unique(out, maxTags, tag)
		}
	}
	return out
}
