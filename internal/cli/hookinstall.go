package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	// hookLine is how the command of the hook begins; by it the hook is found again.
	hookLine = "driftless hook pre-edit"
	// hookMatcher are the tools of Claude Code that change files.
	hookMatcher = "Edit|Write|MultiEdit"
	// hookSeconds is when Claude Code itself gives up on the hook.
	hookSeconds = 5
)

var shellWord = regexp.MustCompile(`^[A-Za-z0-9._:/\[\]-]+$`)

// hookCall is the command line of the hook, with the server and the workspace where they were named.
func (c *client) hookCall() (string, error) {
	line := hookLine
	for _, flag := range [][2]string{{" --url ", c.url}, {" --workspace ", c.workspace}} {
		if flag[1] == "" {
			continue
		}
		if !shellWord.MatchString(flag[1]) {
			return "", usagef("%q has characters that a hook cannot hand on; set it in the environment", flag[1])
		}
		line += flag[0] + flag[1]
	}
	return line, nil
}

// installHook puts the hook into a settings file of Claude Code, or takes it out, and answers what it did; empty when there was nothing
// to do. Everything else in the file stays, in its order.
func installHook(path, call string, remove bool) (string, error) {
	raw, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case missing && remove:
		return "", nil
	case err != nil && !missing:
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	after, err := withHook(raw, call, remove)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", path, err)
	case after == nil:
		return "unchanged", nil
	case remove && string(after) == "{}\n":
		if err := os.Remove(path); err != nil {
			return "", fmt.Errorf("remove %s: %w", path, err)
		}
		return "removed", nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fmt.Errorf("make the folder of %s: %w", path, err)
	}
	if err := os.WriteFile(path, after, 0o644); err != nil {
		return "", fmt.Errorf("write %s: %w", path, err)
	}
	switch {
	case remove:
		return "hook removed", nil
	case missing:
		return "created with the hook", nil
	}
	return "hook added", nil
}

var errSettings = errors.New("it is not the JSON of settings; it was left as it is")

// withHook is the text of settings with the hook, or without; nil when that is what they are.
func withHook(raw []byte, call string, remove bool) ([]byte, error) {
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if len(bytes.TrimSpace(raw)) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var err error
		if root, err = decode(d); err != nil || root.Kind != yaml.MappingNode {
			return nil, errSettings
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, errSettings
		}
	}
	before := compactNode(root)
	hooks := fieldOrNew(root, "hooks", yaml.MappingNode)
	if hooks == nil {
		return nil, errSettings
	}
	events := fieldOrNew(hooks, "PreToolUse", yaml.SequenceNode)
	if events == nil {
		return nil, errSettings
	}
	found := false
	for _, group := range events.Content {
		list := at(group, "hooks")
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		list.Content = slices.DeleteFunc(list.Content, func(h *yaml.Node) bool {
			if command := text(h, "command"); command != hookLine && !strings.HasPrefix(command, hookLine+" ") {
				return false
			}
			// The first is kept where it stands, and told what holds now.
			if keep := !remove && !found; keep {
				found = true
				set(h, "command", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: call})
				return false
			}
			return true
		})
	}
	events.Content = slices.DeleteFunc(events.Content, func(group *yaml.Node) bool {
		list := at(group, "hooks")
		return remove && list != nil && len(list.Content) == 0 && text(group, "matcher") == hookMatcher
	})
	if !remove && !found {
		events.Content = append(events.Content, hookGroup(call))
	}
	if len(events.Content) == 0 {
		unset(hooks, "PreToolUse")
	}
	if len(hooks.Content) == 0 {
		unset(root, "hooks")
	}
	after := compactNode(root)
	if after == before && len(raw) > 0 {
		return nil, nil
	}
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(after), "", "  "); err != nil {
		return nil, errSettings
	}
	return append(out.Bytes(), '\n'), nil
}

// hookGroup is the hook as settings of Claude Code hold it.
func hookGroup(call string) *yaml.Node {
	raw, _ := json.Marshal(struct { // texts and a number always encode
		Matcher string `json:"matcher"`
		Hooks   []any  `json:"hooks"`
	}{hookMatcher, []any{struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}{"command", call, hookSeconds}}})
	n, _ := ordered(raw)
	return n
}

// fieldOrNew is a field of an object, made where it is missing; nil when it is of another kind.
func fieldOrNew(n *yaml.Node, name string, kind yaml.Kind) *yaml.Node {
	f := at(n, name)
	if f == nil {
		f = &yaml.Node{Kind: kind}
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, f)
	}
	if f.Kind != kind {
		return nil
	}
	return f
}

func set(n *yaml.Node, name string, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			n.Content[i+1] = value
		}
	}
}

func unset(n *yaml.Node, name string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
	}
}
