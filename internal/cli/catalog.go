package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"driftless/internal/catalog/surface"
)

// operation is an entry of the embedded catalogue, as far as a command needs it.
type operation struct {
	ID          string             `json:"id"`
	Title       string             `json:"title"`
	Doc         string             `json:"doc"`
	Destructive bool               `json:"destructive"`
	Method      string             `json:"method"`
	Path        string             `json:"path"`
	CLI         string             `json:"cli"`
	Public      bool               `json:"public"`
	Input       *jsonschema.Schema `json:"input"`
}

// operations reads the catalogue. It is part of the program, so that a broken one is a mistake of the build.
func operations() []operation {
	var file struct {
		Operations []operation `json:"operations"`
	}
	if err := json.Unmarshal(surface.Catalog, &file); err != nil {
		panic(fmt.Sprintf("read the embedded catalogue: %v", err))
	}
	out := file.Operations[:0]
	for _, op := range file.Operations {
		if op.CLI != "" {
			out = append(out, op)
		}
	}
	return out
}

// positional is one argument of a command: <name> or [name].
type positional struct {
	name     string
	required bool
}

var placeholder = regexp.MustCompile(`^(?:<([a-z_]+)>|\[([a-z_]+)\])$`)

// words splits the command of an operation into the groups and verb, and the arguments behind them.
func (op operation) words() (path []string, args []positional) {
	for word := range strings.FieldsSeq(op.CLI) {
		switch m := placeholder.FindStringSubmatch(word); {
		case m == nil:
			path = append(path, word)
		case m[1] != "":
			args = append(args, positional{m[1], true})
		default:
			args = append(args, positional{m[2], false})
		}
	}
	return path, args
}

// schema is that of an input field; one without a schema takes any value.
func (op operation) schema(name string) *jsonschema.Schema {
	if s := op.Input.Properties[name]; s != nil {
		return s
	}
	return &jsonschema.Schema{}
}

// example turns the JSON of "Example: {...}" at the end of a description into the command that does the same.
func (op operation) example(path []string, args []positional) (doc, example string) {
	doc, raw, found := strings.Cut(op.Doc, "Example: ")
	doc = strings.TrimSpace(doc)
	if !found {
		return doc, ""
	}
	node, err := ordered([]byte(raw))
	if err != nil {
		return doc, ""
	}
	given := map[string]string{}
	var flags []string
	for _, f := range fieldsOf(node) {
		name, text := f.name, f.value.Value
		switch {
		case name == "action" || name == "workspace" && op.Input.Properties[name] == nil:
			continue
		case len(f.value.Content) > 0 && scalars(f.value):
			for _, item := range f.value.Content {
				flags = append(flags, flagOf(name)+" "+quote(item.Value))
			}
			given[name] = quote(strings.Join(values(f.value), ","))
			continue
		case f.value.Value == "":
			text = compactNode(f.value)
		case f.value.Value == "true":
			flags = append(flags, flagOf(name))
			continue
		}
		given[name] = quote(text)
		flags = append(flags, flagOf(name)+" "+quote(text))
	}
	line := append([]string{"  driftless"}, path...)
	for _, p := range args {
		value, ok := given[p.name]
		if !ok && p.required {
			value = "<" + p.name + ">"
		}
		if value != "" {
			line = append(line, value)
		}
	}
	for _, flag := range flags {
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), " ")
		if !isPositional(args, strings.ReplaceAll(name, "-", "_")) {
			line = append(line, flag)
		}
	}
	return doc, strings.Join(line, " ")
}

func isPositional(args []positional, name string) bool {
	for _, p := range args {
		if p.name == name {
			return true
		}
	}
	return false
}

func flagOf(name string) string { return "--" + strings.ReplaceAll(name, "_", "-") }

var plainWord = regexp.MustCompile(`^[\w./:@%+,=-]+$`)

// quote makes one word of a shell out of a text.
func quote(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
