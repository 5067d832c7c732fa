package evidence

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"driftless/internal/fault"
)

// Solution is what to do about a problem in one environment: the steps, how to see that they worked, and where they stop
// being right.
type Solution struct {
	ID         string      `json:"id" jsonschema:"short name, unique in the topic"`
	Env        Environment `json:"env,omitzero" jsonschema:"where it applies"`
	Fix        []string    `json:"fix" jsonschema:"the steps"`
	Verify     string      `json:"verify,omitempty" jsonschema:"a command that shows it worked"`
	Boundaries []string    `json:"boundaries,omitempty" jsonschema:"where it does not hold"`
	// Revision counts the changes of this solution. It is kept beside the text and not a part of it: what a caller sends back is
	// ignored.
	Revision int `json:"revision,omitempty" jsonschema:"set by the server"`
}

// same reports whether two texts of a solution say the same, so that what was reported about one holds for the other.
func same(a, b Solution) bool {
	a.Revision, b.Revision = 0, 0
	return reflect.DeepEqual(a, b)
}

// NoTwoAnswers refuses a second current answer for the same operating system and runtime: whoever has the problem there could
// not know which of them to take.
func NoTwoAnswers(solutions []Solution) error {
	type place struct{ os, runtime string }
	taken := map[place]string{}
	for i, s := range solutions {
		env := s.Env.canonical()
		at := place{env.OS, env.Runtime}
		if first, twice := taken[at]; twice {
			e := fault.New(fault.Conflict, fault.CodeOverlappingAnswer, fmt.Sprintf("solutions[%d]: %q answers for %s, as %q does already", i, s.ID, env, first),
				"change the one that is there, give it another environment, or keep the abandoned one under alternatives")
			e.Current = map[string]any{"solution": first}
			return e
		}
		taken[at] = s.ID
	}
	return nil
}

// Applicable are the solutions for an environment, the most specific one first; labels rank among equals, and never filter.
func Applicable(solutions []Solution, env Environment) []Solution {
	var out []Solution
	for _, s := range solutions {
		if s.Env.Meets(env) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b Solution) int {
		return cmp.Or(b.Env.parts()-a.Env.parts(), b.Env.Shared(env)-a.Env.Shared(env))
	})
	return out
}
