package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// format is the form in which a result is written.
type format string

// The forms. The same one is the default on a terminal and in a pipe, so that what a person tries is what a script gets.
const (
	formatTable    format = "table"
	formatJSON     format = "json"
	formatYAML     format = "yaml"
	formatJSONL    format = "jsonl"
	formatMarkdown format = "md"
)

func formats() []string {
	return []string{string(formatTable), string(formatJSON), string(formatYAML), string(formatJSONL), string(formatMarkdown)}
}

// Set is the flag -o.
func (f *format) Set(text string) error {
	if !slices.Contains(formats(), text) {
		return fmt.Errorf("%q is not allowed (allowed: %s)", text, strings.Join(formats(), ", "))
	}
	*f = format(text)
	return nil
}

func (f *format) String() string { return string(*f) }

// Type is the word for the value in the help.
func (f *format) Type() string { return "form" }

// show prints a value of our own.
func (c *client) show(value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	return c.print(raw)
}

// print writes an answer as the result, and tells the person what matters beside it.
func (c *client) print(raw []byte) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	n, err := ordered(raw)
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	c.mention(n)
	var b bytes.Buffer
	switch c.format {
	case formatJSON:
		if err = json.Indent(&b, raw, "", "  "); err == nil {
			b.WriteByte('\n')
		}
	case formatJSONL:
		for _, row := range rowsOf(n) {
			b.WriteString(compactNode(row) + "\n")
		}
	case formatYAML:
		e := yaml.NewEncoder(&b)
		e.SetIndent(2)
		err = e.Encode(n)
	case formatMarkdown:
		writeMarkdown(&b, n)
	default:
		writeTable(&b, n)
	}
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	_, err = c.Out.Write(b.Bytes())
	return err
}

// mention says on standard error what a person should not overlook, whatever the form of the result.
func (c *client) mention(n *yaml.Node) {
	if notes := at(n, "notes"); notes != nil {
		for _, note := range values(notes) {
			c.say("note: %s", printable(note))
		}
	}
	if text(n, "status") == "awaiting_confirmation" {
		c.say("A person decides. Open this address and confirm: %s", printable(text(n, "confirm_url")))
	}
	if cursor := text(n, "next_cursor"); cursor != "" && c.format != formatJSON && c.format != formatYAML {
		c.say("there is more: repeat it with --cursor %s", printable(cursor))
	}
}

// ordered decodes JSON and keeps the order of the fields, which is the order of their importance.
func ordered(raw []byte) (*yaml.Node, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return decode(d)
}

func decode(d *json.Decoder) (*yaml.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	scalar := func(tag, value string) (*yaml.Node, error) {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}, nil
	}
	switch v := token.(type) {
	case string:
		return scalar("!!str", v)
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return scalar("!!float", v.String())
		}
		return scalar("!!int", v.String())
	case bool:
		return scalar("!!bool", fmt.Sprint(v))
	case json.Delim:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		if v == '{' {
			n.Kind, n.Tag = yaml.MappingNode, "!!map"
		}
		for d.More() {
			item, err := decode(d)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, item)
		}
		_, err := d.Token()
		return n, err
	}
	return scalar("!!null", "null")
}

// member is a field of an object.
type member struct {
	name  string
	value *yaml.Node
}

func fieldsOf(n *yaml.Node) []member {
	var out []member
	if n.Kind != yaml.MappingNode {
		return out
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		out = append(out, member{n.Content[i].Value, n.Content[i+1]})
	}
	return out
}

func at(n *yaml.Node, name string) *yaml.Node {
	for _, f := range fieldsOf(n) {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

func text(n *yaml.Node, name string) string {
	if f := at(n, name); f != nil && f.Kind == yaml.ScalarNode && f.Tag != "!!null" {
		return f.Value
	}
	return ""
}

// values are the elements of a list as text.
func values(n *yaml.Node) []string {
	out := make([]string, 0, len(n.Content))
	for _, item := range n.Content {
		out = append(out, inline(item))
	}
	return out
}

// scalars reports a list of plain values.
func scalars(n *yaml.Node) bool {
	return n.Kind == yaml.SequenceNode &&
		!slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return item.Kind != yaml.ScalarNode })
}

// rowsOf are the rows of a list, or the one thing that the answer is.
func rowsOf(n *yaml.Node) []*yaml.Node {
	if list := at(n, "results"); list != nil && list.Kind == yaml.SequenceNode {
		return list.Content
	}
	return []*yaml.Node{n}
}

// empty reports a value that a person need not see.
func empty(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.ScalarNode:
		return n.Value == "" || n.Tag == "!!null" || n.Tag == "!!bool" && n.Value == "false"
	default:
		return len(n.Content) == 0
	}
}

// compactNode writes a value as JSON on one line.
func compactNode(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		parts := []string{}
		for _, f := range fieldsOf(n) {
			parts = append(parts, jsonText(f.name)+":"+compactNode(f.value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case yaml.SequenceNode:
		parts := []string{}
		for _, item := range n.Content {
			parts = append(parts, compactNode(item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	default:
		if n.Tag == "!!str" {
			return jsonText(n.Value)
		}
		return n.Value
	}
}

func jsonText(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// A string always encodes.
	_ = e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// inline writes a value as a few words: plain values as they are, people by their address, the rest as JSON.
func inline(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.ScalarNode:
		return n.Value
	case scalars(n):
		return strings.Join(values(n), ", ")
	}
	for _, name := range []string{"slug", "email", "name"} {
		if word := text(n, name); word != "" && n.Kind == yaml.MappingNode {
			return word
		}
	}
	return compactNode(n)
}

// printable replaces what could steer a terminal, or turn text around so that it reads as another: topics are foreign text, and
// so are the names of files.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

const (
	columnsMax = 7
	cellMax    = 60 // characters
)

// beside are fields that the person is told in another way, or that only programs use.
var beside = []string{"next_action", "content_trust", "notes", "next_cursor", "has_more", "shown", "nearest", "content_warnings"}

// columnsOf picks the fields that rows can be told apart by: plain values that some row has, in the order of the rows.
func columnsOf(rows []*yaml.Node) []string {
	var out []string
	for _, row := range rows {
		for _, f := range fieldsOf(row) {
			if len(out) < columnsMax && !slices.Contains(out, f.name) && !slices.Contains(beside, f.name) && !empty(f.value) &&
				(f.value.Kind == yaml.ScalarNode && !strings.Contains(f.value.Value, "\n") || scalars(f.value) || person(f.value) != "") {
				out = append(out, f.name)
			}
		}
	}
	return out
}

// person is how somebody is named in a cell; empty for anything else.
func person(n *yaml.Node) string {
	name, email := text(n, "name"), text(n, "email")
	switch {
	case email == "":
		return name
	case name == "" || name == email:
		return email
	}
	return name + " <" + email + ">"
}

func cell(row *yaml.Node, column string) string {
	n := at(row, column)
	if n == nil {
		return ""
	}
	shown := person(n)
	if shown == "" {
		shown = inline(n)
	}
	s := strings.Join(strings.Fields(printable(shown)), " ")
	if r := []rune(s); len(r) > cellMax {
		return string(r[:cellMax-1]) + "…"
	}
	return s
}

func writeTable(w io.Writer, n *yaml.Node) {
	list := at(n, "results")
	if list == nil {
		writeObject(w, n)
		return
	}
	if len(list.Content) == 0 {
		writeNothing(w, n)
		return
	}
	columns := columnsOf(list.Content)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, strings.ToUpper(strings.Join(columns, "\t")))
	for _, row := range list.Content {
		cells := make([]string, 0, len(columns))
		for _, column := range columns {
			cells = append(cells, cell(row, column))
		}
		_, _ = fmt.Fprintln(t, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	_ = t.Flush()
}

func writeNothing(w io.Writer, n *yaml.Node) {
	_, _ = fmt.Fprintln(w, "nothing found")
	if near := at(n, "nearest"); near != nil && len(near.Content) > 0 {
		_, _ = fmt.Fprintf(w, "nearest: %s\n", printable(inline(near)))
	}
}

// writeObject writes one thing: plain values in two columns, lists below, and a long text at the end as it is.
func writeObject(w io.Writer, n *yaml.Node) {
	if markdown := text(n, "markdown"); markdown != "" {
		_, _ = fmt.Fprintln(w, strings.TrimRight(printable(markdown), "\n"))
		return
	}
	if n.Kind != yaml.MappingNode {
		_, _ = fmt.Fprintln(w, printable(inline(n)))
		return
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	var blocks []member
	for _, f := range fieldsOf(n) {
		switch {
		case empty(f.value) || slices.Contains(beside, f.name):
		case f.value.Kind == yaml.ScalarNode && !strings.Contains(f.value.Value, "\n"):
			_, _ = fmt.Fprintf(t, "%s\t%s\n", f.name, printable(f.value.Value))
		default:
			blocks = append(blocks, f)
		}
	}
	_ = t.Flush()
	for _, f := range blocks {
		_, _ = fmt.Fprintf(w, "\n%s\n", f.name)
		switch f.value.Kind {
		case yaml.ScalarNode:
			_, _ = fmt.Fprintln(w, strings.TrimRight(printable(f.value.Value), "\n"))
		case yaml.SequenceNode:
			for _, item := range f.value.Content {
				_, _ = fmt.Fprintf(w, "  - %s\n", strings.ReplaceAll(printable(line(item)), "\n", "\n    "))
			}
		default:
			for _, inner := range fieldsOf(f.value) {
				if !empty(inner.value) {
					_, _ = fmt.Fprintf(w, "  %s: %s\n", inner.name, printable(line(inner.value)))
				}
			}
		}
	}
}

// line writes an element of a list: an object by its plain values.
func line(n *yaml.Node) string {
	if n.Kind != yaml.MappingNode {
		return inline(n)
	}
	var parts []string
	for _, f := range fieldsOf(n) {
		if !empty(f.value) {
			parts = append(parts, f.name+": "+inline(f.value))
		}
	}
	return strings.Join(parts, ", ")
}

func writeMarkdown(w io.Writer, n *yaml.Node) {
	list := at(n, "results")
	switch {
	case list == nil:
		writeObject(w, n)
		return
	case len(list.Content) == 0:
		writeNothing(w, n)
		return
	}
	columns := columnsOf(list.Content)
	_, _ = fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat(" --- |", len(columns)))
	for _, row := range list.Content {
		cells := make([]string, 0, len(columns))
		for _, column := range columns {
			cells = append(cells, strings.ReplaceAll(cell(row, column), "|", `\|`))
		}
		_, _ = fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
}
