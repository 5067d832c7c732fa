package op

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// Next is the call that makes sense after this answer, ready to send.
type Next struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Why       string         `json:"why"`
}

// step is where an encoded [Next] begins, up to its arguments. Within a text the quotes would be escaped, and an object that
// somebody wrote has its keys sorted, so nothing else looks like it.
var step = regexp.MustCompile(`\{"tool":"[a-z_]+","arguments":`)

// address names the workspace in each next step of an encoded answer that names none. All other bytes stay as they are.
func address(raw []byte, workspace string) ([]byte, error) {
	var out []byte
	for {
		at := step.FindIndex(raw)
		if at == nil {
			return append(out, raw...), nil
		}
		out, raw = append(out, raw[:at[1]]...), raw[at[1]:]
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var args map[string]any
		if err := d.Decode(&args); err != nil {
			return nil, err
		}
		if args == nil {
			args = map[string]any{}
		}
		if args["workspace"] == nil {
			args["workspace"] = workspace
		}
		named, err := Marshal(args)
		if err != nil {
			return nil, err
		}
		out, raw = append(out, named...), raw[d.InputOffset():]
	}
}

// roomFor is what naming a workspace adds to the one next step of an answer, in bytes.
func roomFor(workspace string) int {
	if workspace == "" {
		return 0
	}
	return len(`"workspace":"",`) + len(workspace)
}
