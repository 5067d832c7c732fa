package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// field is an input field on the command line: a flag or a positional argument. What does not fit its schema is refused when
// it is read, before anything is asked of a server.
type field struct {
	name   string
	schema *jsonschema.Schema
	in     io.Reader
	value  any // nil until it is given
}

// Set reads one use of the field; a list grows with each.
func (f *field) Set(text string) error {
	value, err := read(f.schema, text, f.in)
	if err != nil {
		return err
	}
	if list, ok := value.([]any); ok && f.value != nil {
		value = slices.Concat(f.value.([]any), list)
	}
	f.value = value
	return nil
}

// String is empty: the default of a field is the server's, and the description names it.
func (f *field) String() string { return "" }

// Type is the word for the value in the help.
func (f *field) Type() string {
	switch f.schema.Type {
	case "integer", "number":
		return "number"
	case "boolean":
		return "bool"
	case "array":
		return "list"
	case "object":
		return "json"
	}
	return "text"
}

// usage is the line of the field in the help.
func (f *field) usage() string {
	text := f.schema.Description
	if len(f.schema.Enum) > 0 {
		text += ": " + strings.Join(enum(f.schema), ", ")
	}
	if f.schema.Default != nil {
		text += fmt.Sprintf(" (default %s)", strings.Trim(string(f.schema.Default), `"`))
	}
	// A backquoted word would rename the value.
	return strings.ReplaceAll(text, "`", "'")
}

func enum(s *jsonschema.Schema) []string {
	words := make([]string, 0, len(s.Enum))
	for _, w := range s.Enum {
		words = append(words, fmt.Sprint(w))
	}
	return words
}

// read makes a value of the kind that the schema describes. For texts and JSON, @name is the content of a file, - is
// standard input, and @@ begins a text with @.
func read(s *jsonschema.Schema, text string, in io.Reader) (any, error) {
	switch s.Type {
	case "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, errors.New("must be a whole number")
		}
		return n, nil
	case "number":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, errors.New("must be a number")
		}
		return n, nil
	case "boolean":
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, errors.New("must be true or false")
		}
		return b, nil
	case "array":
		return parseList(s.Items, text, in)
	}
	text, err := content(text, in)
	if err != nil {
		return nil, err
	}
	switch s.Type {
	case "object":
		return parseObject(s, text)
	case "string":
		if words := enum(s); len(words) > 0 && !slices.Contains(words, text) {
			return nil, fmt.Errorf("%q is not allowed (allowed: %s)", text, strings.Join(words, ", "))
		}
		if s.MinLength != nil && text == "" {
			return nil, errors.New("must not be empty")
		}
		return text, nil
	}
	var any any
	if json.Unmarshal([]byte(text), &any) == nil {
		return any, nil
	}
	return text, nil
}

// content follows @name and -.
func content(text string, in io.Reader) (string, error) {
	switch {
	case text == "-":
		raw, err := io.ReadAll(in)
		if err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		return string(raw), nil
	case strings.HasPrefix(text, "@@"):
		return text[1:], nil
	case len(text) > 1 && text[0] == '@':
		raw, err := os.ReadFile(text[1:])
		if err != nil {
			return "", fmt.Errorf("%w (write @@ for a text that begins with @)", err)
		}
		return string(raw), nil
	}
	return text, nil
}

// parseList reads one use of a list: a JSON list, one element, or words with commas between them. A text with a blank in it
// is one element, because its commas are its own.
func parseList(item *jsonschema.Schema, text string, in io.Reader) ([]any, error) {
	if item == nil {
		item = &jsonschema.Schema{}
	}
	if item.Type == "object" {
		var err error
		if text, err = content(text, in); err != nil {
			return nil, err
		}
	}
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		var list []any
		if err := json.Unmarshal([]byte(text), &list); err == nil {
			return list, nil
		} else if item.Type == "object" {
			return nil, fmt.Errorf("is not a JSON list: %w", err)
		}
	}
	out := []any{}
	for _, word := range split(text) {
		value, err := parseItem(item, word)
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
}

func parseItem(item *jsonschema.Schema, text string) (any, error) {
	switch item.Type {
	case "object":
		return parseObject(item, text)
	case "string", "":
		if words := enum(item); len(words) > 0 && !slices.Contains(words, text) {
			return nil, fmt.Errorf("%q is not allowed (allowed: %s)", text, strings.Join(words, ", "))
		}
		return text, nil
	}
	return read(item, text, nil)
}

// split divides at commas outside braces, unless the text has blanks or is JSON.
func split(text string) []string {
	if strings.ContainsFunc(text, unicode.IsSpace) || strings.HasPrefix(text, "{\"") {
		return []string{text}
	}
	var out []string
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case r == '{':
			depth++
		case r == '}' && depth > 0:
			depth--
		case r == ',' && depth == 0:
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	return append(out, text[start:])
}

// parseObject reads JSON, or the short form: name=value with commas between, and for a relation type:slug.
func parseObject(s *jsonschema.Schema, text string) (any, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		var object map[string]any
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			return nil, fmt.Errorf("is not a JSON object: %w", err)
		}
		return object, nil
	}
	if kind, slug, ok := strings.Cut(text, ":"); ok && len(s.Properties) == 2 && s.Properties["to"] != nil && s.Properties["type"] != nil {
		return map[string]any{"to": slug, "type": kind}, nil
	}
	object := map[string]any{}
	for _, pair := range split(text) {
		name, value, ok := strings.Cut(pair, "=")
		p := s.Properties[name]
		if !ok || p == nil {
			return nil, fmt.Errorf("%q is neither JSON nor name=value with one of the names %s", pair,
				strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", "))
		}
		parsed, err := read(p, value, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if list, isList := parsed.([]any); isList && object[name] != nil {
			parsed = slices.Concat(object[name].([]any), list)
		}
		object[name] = parsed
	}
	return object, nil
}
