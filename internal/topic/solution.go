package topic

// Solution is what to do about a problem in one environment: the steps, how to see that they worked, and where they stop
// being right.
type Solution struct {
	ID         string      `json:"id" jsonschema:"short name, unique in the topic"`
	Env        Environment `json:"env,omitzero" jsonschema:"where it applies"`
	Fix        []string    `json:"fix" jsonschema:"the steps"`
	Verify     string      `json:"verify,omitempty" jsonschema:"a command that shows it worked"`
	Boundaries []string    `json:"boundaries,omitempty" jsonschema:"where it does not hold"`
}

// Environment names where something applies; a missing part matches anything.
type Environment struct {
	OS         string   `json:"os,omitempty" jsonschema:"operating system"`
	Runtime    string   `json:"runtime,omitempty" jsonschema:"name-major.minor"`
	PkgManager string   `json:"pkg_manager,omitempty" jsonschema:"package manager"`
	Labels     []string `json:"labels,omitempty" jsonschema:"rank, never filter"`
}
