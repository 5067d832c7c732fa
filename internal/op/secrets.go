package op

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"driftless/internal/fault"
	"driftless/internal/screen"
)

// refuseSecrets walks the texts of an input, in whatever field they stand, and refuses the first that carries a credential.
// The secret is shown masked.
func refuseSecrets(value any, path string) error {
	switch x := value.(type) {
	case string:
		return SecretIn(x, path)
	case []any:
		for i, item := range x {
			if err := refuseSecrets(item, path+"["+strconv.Itoa(i)+"]"); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			if err := refuseSecrets(x[name], join(path, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// SecretIn is the refusal of a text that carries a credential, or nil. path names the field, and may be empty.
func SecretIn(text, path string) error {
	found := screen.Secrets(text)
	if len(found) == 0 {
		return nil
	}
	s := found[0]
	e := fault.New(fault.Invalid, fault.CodeSecretDetected, fmt.Sprintf("the text contains what looks like a secret (%s: %s)", s.Kind, s.Masked),
		"take it out and name where it is kept instead; if it is no secret, driftless_context_create takes allow_secrets: true, which is logged")
	if path != "" {
		e.Fields = []fault.Field{{Path: path, Problem: "contains what looks like a secret"}}
	}
	return e
}
