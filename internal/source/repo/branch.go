package repo

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
)

// BranchMax is the longest name or pattern of a branch, in bytes.
const BranchMax = 255

// CheckBranch refuses what cannot be the name of a branch, or with pattern true a pattern of such names.
func CheckBranch(text string, pattern bool) error {
	switch {
	case text == "":
		return errors.New("must not be empty")
	case len(text) > BranchMax:
		return fmt.Errorf("at most %d bytes", BranchMax)
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }), strings.ContainsAny(text, `\~^:`):
		return errors.New(`a branch holds no spaces and none of \~^: in its name`)
	case strings.HasPrefix(text, "/"), strings.HasSuffix(text, "/"), strings.HasPrefix(text, "refs/"):
		return errors.New("write the branch alone, such as main or release/*")
	case pattern && !doublestar.ValidatePattern(text):
		return errors.New("a bracket or brace has no partner")
	case !pattern && strings.ContainsAny(text, "*?["):
		return errors.New("must be one branch; patterns go into branches")
	}
	return nil
}

// Tracked reports whether a branch is one of those that patterns pick. * stays within one segment: release/* is release/1.2,
// and release/** also release/1.2/fix.
func Tracked(patterns []string, branch string) bool {
	for _, p := range patterns {
		if p == branch || doublestar.MatchUnvalidated(p, branch) {
			return true
		}
	}
	return false
}
