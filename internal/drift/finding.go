package drift

import (
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/pg"
)

// State is how far a topic has drifted, by the worst of its findings.
type State string

// The states. Stale are the last two.
const (
	Fresh   State = "fresh"   // nothing
	Touched State = "touched" // something under an anchor changed: shown, no work for anybody
	Review  State = "review"  // a person should look
	Broken  State = "broken"  // what it relies on is gone
)

var states = []State{Fresh, Touched, Review, Broken}

// Kind is what happened to what a topic relies on.
type Kind string

// The kinds of findings.
const (
	Changed          Kind = "changed"
	SignatureChanged Kind = "signature_changed"
	Moved            Kind = "moved"
	Removed          Kind = "removed"
	DeadReference    Kind = "dead_reference"
)

// Finding is one piece of evidence on a topic as its readers see it.
type Finding struct {
	Anchor     string    `json:"anchor" jsonschema:"the anchor that fired, or what the text cites"`
	Kind       Kind      `json:"kind"`
	Severity   State     `json:"severity"`
	Score      *float64  `json:"score,omitempty" jsonschema:"share of the anchored lines that changed, 0 to 1; absent where only names were heard of"`
	Commit     string    `json:"commit,omitempty"`
	Repository string    `json:"repository,omitempty"`
	Paths      []string  `json:"paths"`
	MorePaths  int       `json:"more_paths,omitempty" jsonschema:"how many more there are"`
	Fix        string    `json:"fix,omitempty"`
	At         time.Time `json:"at"`
}

// FindingsSQL is an expression for the findings of the topic t as JSON, the worst first and at most ten; null where it is fresh.
const FindingsSQL = `case when t.drift_state <> 'fresh' then (select json_agg(json_build_object('anchor', f.anchor, 'kind', f.kind,
	'severity', f.severity, 'score', f.score, 'commit', f.commit, 'paths', f.paths, 'more_paths', f.path_count - cardinality(f.paths), 'fix', f.fix,
	'at', f.at, 'repository', (select r.name from source r where r.workspace_id = f.workspace_id and r.id = f.source_id)))
	from (select * from finding where workspace_id = t.workspace_id and topic_id = t.id
		order by array_position(array['broken', 'review', 'touched'], severity), score desc nulls last, id limit 10) f) end`

// pathsMax is how many paths a finding names; it counts the others.
const pathsMax = 10

// found is a finding before it is stored.
type found struct {
	source *uuid.UUID
	branch string
	origin string
	anchor string
	kind   Kind
	state  State
	score  *float64
	commit string
	paths  []string
	fix    string
}

// settle brings the state of a topic into line with its findings. A change of it moves the topic's place in the sequence, which
// is answered, and is an event; with a detail it is one in any case. Otherwise the place is 0.
func settle(tx *pg.Tx, operation string, topic uuid.UUID, detail map[string]any) (state State, seq int64, err error) {
	before, after, err := statesOf(tx, topic)
	if err != nil || before == after && len(detail) == 0 {
		return after, 0, err
	}
	kind := "topic.drifted"
	if slices.Index(states, after) < slices.Index(states, before) {
		kind = "topic.drift_closed"
	}
	all := map[string]any{"from": before, "to": after}
	maps.Copy(all, detail)
	if seq, err = event.Append(tx, operation, kind, &topic, all); err != nil {
		return after, 0, err
	}
	return after, seq, setState(tx, topic, after, seq)
}
