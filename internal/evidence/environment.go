package evidence

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"driftless/internal/fault"
)

// Environment names where something applies or happened; a missing part matches anything.
type Environment struct {
	OS         string   `json:"os,omitempty" jsonschema:"operating system"`
	Runtime    string   `json:"runtime,omitempty" jsonschema:"name-major.minor"`
	PkgManager string   `json:"pkg_manager,omitempty" jsonschema:"package manager"`
	Labels     []string `json:"labels,omitempty" jsonschema:"rank, never filter"`
}

// runtimeVersion is the name of a runtime with the part of its version that counts: what comes after major and minor is the
// same environment.
var runtimeVersion = regexp.MustCompile(`^(.*?-v?[0-9]+(?:\.[0-9]+)?)(?:[.\-+].*)?$`)

// canonical is the form in which environments are compared: lower case, a runtime up to its minor version.
func (e Environment) canonical() Environment {
	form := func(text string) string { return strings.ToLower(strings.TrimSpace(text)) }
	out := Environment{OS: form(e.OS), Runtime: form(e.Runtime), PkgManager: form(e.PkgManager)}
	if m := runtimeVersion.FindStringSubmatch(out.Runtime); m != nil {
		out.Runtime = m[1]
	}
	for _, l := range e.Labels {
		if l = form(l); l != "" && !slices.Contains(out.Labels, l) {
			out.Labels = append(out.Labels, l)
		}
	}
	slices.Sort(out.Labels)
	return out
}

// Meets reports whether two environments can be the same one: no part that both name differs.
func (e Environment) Meets(other Environment) bool {
	a, b := e.canonical(), other.canonical()
	same := func(a, b string) bool { return a == "" || b == "" || a == b }
	return same(a.OS, b.OS) && same(a.PkgManager, b.PkgManager) && sameRuntime(a.Runtime, b.Runtime)
}

// sameRuntime lets a runtime without a version, or without a minor one, stand for all of its versions.
func sameRuntime(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == "" || a == b {
		return true
	}
	rest, begins := strings.CutPrefix(b, a)
	return begins && (rest[0] == '-' || rest[0] == '.')
}

// parts counts what an environment names.
func (e Environment) parts() int {
	n := 0
	for _, part := range []string{e.OS, e.Runtime, e.PkgManager} {
		if strings.TrimSpace(part) != "" {
			n++
		}
	}
	return n
}

// Shared counts the labels that two environments have in common.
func (e Environment) Shared(other Environment) int {
	n := 0
	theirs := other.canonical().Labels
	for _, l := range e.canonical().Labels {
		if slices.Contains(theirs, l) {
			n++
		}
	}
	return n
}

// Names reports whether an environment names an ecosystem, such as npm or python: its package manager, or its runtime with or without
// a version.
func (e Environment) Names(ecosystem string) bool {
	own, other := e.canonical(), Environment{Runtime: ecosystem}.canonical().Runtime
	return other != "" && (own.PkgManager == other || own.Runtime != "" && sameRuntime(own.Runtime, other))
}

// Check bounds what names an environment; field is what it is called in an error.
func (e Environment) Check(field string) error {
	for _, part := range []struct{ name, text string }{{"os", e.OS}, {"runtime", e.Runtime}, {"pkg_manager", e.PkgManager}} {
		if utf8.RuneCountInString(part.text) > PartMax {
			return fault.Fieldf(field+"."+part.name, "at most %d characters", PartMax)
		}
	}
	if len(e.Labels) > 20 {
		return fault.Fieldf(field+".labels", "at most 20, has %d", len(e.Labels))
	}
	return nil
}

// String names an environment for a person.
func (e Environment) String() string {
	var parts []string
	for _, part := range []string{e.OS, e.Runtime, e.PkgManager} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return "any environment"
	}
	return strings.Join(parts, ", ")
}
