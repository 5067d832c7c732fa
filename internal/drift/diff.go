package drift

import (
	"cmp"
	"context"
	"slices"

	"driftless/internal/anchor"
	"driftless/internal/drift/claim"
	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

type diffIn struct {
	Changes     []any  `json:"changes,omitempty" jsonschema:"paths, or {path,status,old_path}"`
	UnifiedDiff string `json:"unified_diff,omitempty" jsonschema:"or git diff"`
	Repo        string `json:"repo,omitempty" jsonschema:"repository"`
	Base        string `json:"base,omitempty" jsonschema:"commit"`
	Mark        bool   `json:"mark,omitempty" jsonschema:"record drift"`
}

// Affected is a topic whose anchors match something that changed.
type Affected struct {
	Slug  string `json:"slug"`
	Title string `json:"title"`
	What  string `json:"what"`
	Trust string `json:"trust"`
	// Because are the anchors that fired, each with what it matched.
	Because []Fired `json:"because"`
	// MayBeWrong are the sentences of the topic that speak of what changed.
	MayBeWrong []Sentence `json:"may_be_wrong" jsonschema:"what in the topic speaks of what changed"`
	Marked     State      `json:"marked,omitempty" jsonschema:"the drift state it is in now"`
}

// Fired is an anchor with the changes it matched.
type Fired struct {
	Anchor  string        `json:"anchor"`
	Changes []repo.Change `json:"changes"`
	More    int           `json:"more,omitempty"`
}

// Sentence is one entry of a field of a topic.
type Sentence struct {
	Field string `json:"field"`
	Text  string `json:"text"`
	Why   string `json:"why"`
}

// Diff is what local changes touch.
type Diff struct {
	Changed int      `json:"changed" jsonschema:"files that changed"`
	Ignored []string `json:"ignored_files,omitempty" jsonschema:"paths that lie in no repository"`
	op.Page[Affected]
}

const (
	// changesMax is how many changes one call may name, patchMax how long a diff may be in characters.
	changesMax = 2000
	patchMax   = 900_000
	// affectedMax is how many topics are answered, firedMax how many changes of one anchor.
	affectedMax = 25
	firedMax    = 5
)

func (s *Service) diffOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_diff", ID: "drift.diff", Title: "Topics that local changes touch",
		Doc:   `Topics your changes may make wrong. Example: {"changes":["pay/charge.py"]}`,
		Scope: tenant.ContextDiff, Role: tenant.Viewer, Effect: op.Idempotent, REST: "POST /diff", CLI: "context diff",
		// Nothing of a diff is kept but the names of files.
		ScreensItself: true,
		Rules: op.Rules{
			"changes": op.Items(0, changesMax), "unified_diff": op.Length(0, patchMax), "repo": op.Length(0, 2*repo.NameMax), "base": op.Length(0, 200),
		},
	}, s.diff)
}

func (s *Service) diff(_ context.Context, tx *pg.Tx, in diffIn) (Diff, error) {
	changes, ignored, err := in.read()
	if err != nil {
		return Diff{}, err
	}
	if in.Mark {
		if err := mayMark(tx.Actor()); err != nil {
			return Diff{}, err
		}
		if err := event.Lock(tx); err != nil {
			return Diff{}, err
		}
	}
	var src *source.Source
	if in.Repo != "" {
		picked, err := source.Pick(tx, in.Repo)
		if err != nil {
			return Diff{}, err
		}
		src = &picked
	}
	topics, err := claim.Visible(tx)
	if err != nil {
		return Diff{}, err
	}
	rows := affected(topics, changes)
	if in.Mark {
		for i := range rows {
			if rows[i].view.Marked, err = mark(tx, rows[i], src, in.Base); err != nil {
				return Diff{}, err
			}
		}
	}
	views := make([]Affected, 0, min(len(rows), affectedMax))
	for _, r := range rows[:min(len(rows), affectedMax)] {
		views = append(views, r.view)
	}
	out := Diff{Changed: len(changes), Ignored: ignored}
	out.Page = op.NewPage(views, len(rows) > affectedMax, nextAfterDiff(views, in.Mark), func(Affected, int) (string, *op.Next) {
		return "", &op.Next{
			Tool: "driftless_context_get_for_files", Arguments: map[string]any{"files": pathsOf(changes, 50)}, Why: "more topics are touched; ask for fewer files at a time",
		}
	})
	out.ContentTrust = "untrusted-data"
	return out, nil
}

func mayMark(a tenant.Actor) error {
	if !a.HasScope(tenant.TopicsWrite) {
		return op.MissingScope(tenant.TopicsWrite)
	}
	if !a.Role.AtLeast(tenant.Member) {
		return op.InsufficientRole(a.Role, tenant.Member)
	}
	return nil
}

func nextAfterDiff(rows []Affected, marked bool) *op.Next {
	switch {
	case len(rows) == 0:
		return nil
	case marked:
		return &op.Next{
			Tool: "driftless_context_update", Arguments: map[string]any{"topic": rows[0].Slug, "summary": "Follow the change of the code"},
			Why: "say what holds now, where the change made it wrong",
		}
	}
	return &op.Next{Tool: "driftless_context_get", Arguments: map[string]any{"topic": rows[0].Slug}, Why: "read what your change may break"}
}

// hit is a topic with everything that fired.
type hit struct {
	claim claim.Claim
	view  Affected
	fired map[string][]edit
}

// affected finds the topics that changes touch, Knowledge first, then those that more of the changes touch.
func affected(topics []claim.Claim, changes []edit) []hit {
	trie := trieOf(topics)
	byTopic := map[int]map[string][]edit{}
	for _, c := range changes {
		fired := map[int]anchor.Anchor{}
		for _, path := range []string{c.OldPath, c.Path} {
			if path == "" {
				continue
			}
			for _, h := range trie.Match(path) {
				fired[h.Key] = h.Anchor
			}
		}
		for topic, a := range fired {
			if byTopic[topic] == nil {
				byTopic[topic] = map[string][]edit{}
			}
			byTopic[topic][a.Text] = append(byTopic[topic][a.Text], c)
		}
	}
	out := make([]hit, 0, len(byTopic))
	for topic, fired := range byTopic {
		out = append(out, newHit(topics[topic], fired))
	}
	slices.SortFunc(out, func(a, b hit) int {
		return cmp.Or(standing(a.claim)-standing(b.claim), b.size()-a.size(), cmp.Compare(a.claim.Slug, b.claim.Slug))
	})
	return out
}

func standing(c claim.Claim) int {
	return slices.Index([]string{"reviewed", "proposed", "draft"}, c.Status)
}

func (h hit) size() int {
	n := 0
	for _, changes := range h.fired {
		n += len(changes)
	}
	return n
}

func newHit(c claim.Claim, fired map[string][]edit) hit {
	h := hit{claim: c, fired: fired, view: Affected{Slug: c.Slug, Title: c.Title, What: c.What, Trust: c.Status, Because: []Fired{}}}
	var all []edit
	for _, text := range c.Body.Anchors {
		changes := fired[text]
		if len(changes) == 0 {
			continue
		}
		all = append(all, changes...)
		f := Fired{Anchor: text, More: max(0, len(changes)-firedMax)}
		for _, change := range changes[:min(len(changes), firedMax)] {
			f.Changes = append(f.Changes, change.Change)
		}
		h.view.Because = append(h.view.Because, f)
	}
	h.view.MayBeWrong = doubtful(c, all)
	return h
}

// mark records what a person or agent changed as drift of a topic. What changed on their machine alone is not yet true of a
// tracked branch, so that nothing is broken by it; it asks for a look.
func mark(tx *pg.Tx, h hit, src *source.Source, base string) (State, error) {
	for _, text := range h.claim.Body.Anchors {
		changes := h.fired[text]
		if len(changes) == 0 {
			continue
		}
		if err := dropMark(tx, h.claim.ID, text); err != nil {
			return "", err
		}
		f := found{origin: "mark", anchor: text, kind: Changed, state: Review, commit: base, paths: pathsOf(changes, len(changes))}
		if first := changes[0]; len(changes) == 1 && first.Status == repo.Deleted {
			f.kind = Removed
		} else if len(changes) == 1 && first.Status == repo.Renamed {
			f.kind, f.fix = Moved, "anchor "+first.Path+" instead of "+first.OldPath
		}
		if src != nil {
			f.source = &src.ID
		}
		if err := insertFinding(tx, h.claim.ID, f); err != nil {
			return "", err
		}
	}
	state, _, err := settle(tx, "drift.diff", h.claim.ID, map[string]any{"origin": "mark", "base": base})
	return state, err
}

func pathsOf(changes []edit, limit int) []string {
	out := make([]string, 0, min(len(changes), limit))
	for _, c := range changes[:min(len(changes), limit)] {
		out = append(out, c.Path)
	}
	return out
}

// read takes the changes in any of their forms.
func (in diffIn) read() (changes []edit, ignored []string, err error) {
	if (len(in.Changes) > 0) == (in.UnifiedDiff != "") {
		return nil, nil, fault.Fieldf("changes", "give either changes or unified_diff")
	}
	if in.UnifiedDiff != "" {
		changes, err = fromPatch(in.UnifiedDiff)
	} else {
		changes, err = fromList(in.Changes)
	}
	if err != nil {
		return nil, nil, err
	}
	kept := changes[:0]
	for _, c := range changes {
		if clean, ok := c.clean(); ok {
			kept = append(kept, clean)
		} else {
			ignored = append(ignored, c.Path)
		}
	}
	return kept, ignored, nil
}
