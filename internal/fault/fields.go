package fault

import (
	"fmt"
	"strings"
)

// Missing is the one answer for what does not exist, is hidden or belongs to somebody else, so that none of the three
// can be told from the others.
func Missing(noun, name string) *Error {
	hint := "check the spelling; what you may not see looks the same as what is not there"
	if noun == "topic" {
		hint = "check the spelling, or look for it with driftless_context_search"
	}
	return New(NotFound, CodeNotFound, fmt.Sprintf("there is no %s %q that you may see", noun, name), hint)
}

// Fieldf refuses one field with a reason.
func Fieldf(path, format string, args ...any) *Error {
	return Fields([]Field{{Path: path, Problem: fmt.Sprintf(format, args...)}})
}

// Choice refuses a value outside a closed set and lists the set.
func Choice(path, got string, allowed []string) *Error {
	return Fields([]Field{{Path: path, Problem: fmt.Sprintf("%q is not allowed", got), Allowed: allowed}})
}

// Fields refuses an input for all the reasons given. A closed set of the first field that has one is repeated in
// Allowed, where clients look for it.
func Fields(fields []Field) *Error {
	parts := make([]string, 0, len(fields))
	var allowed []string
	for _, f := range fields {
		text := f.Path + ": " + f.Problem
		if len(f.Allowed) > 0 {
			text += " (allowed: " + strings.Join(f.Allowed, ", ") + ")"
			if allowed == nil {
				allowed = f.Allowed
			}
		}
		parts = append(parts, text)
	}
	return &Error{
		Kind: Invalid, Code: CodeValidation, Message: strings.Join(parts, "; "),
		Hint: "correct the named fields and send the call again", Fields: fields, Allowed: allowed,
	}
}
