package drift

import (
	"cmp"
	"maps"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/anchor"
	"driftless/internal/drift/cite"
	"driftless/internal/drift/claim"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/source/repo"
)

// begin makes targets of what all topics rely on in a branch that is new, or known again: as it is now.
func begin(tx *pg.Tx, p branch) error {
	if err := dropBranch(tx, p); err != nil {
		return err
	}
	if err := readAnew(tx); err != nil {
		return err
	}
	topics, err := claim.Public(tx)
	if err != nil {
		return err
	}
	var all []target
	for _, c := range topics {
		meant := citedIn(c, p.files)
		all = append(append(all, anchoredTargets(c, p.files.Files)...), citedTargets(c, p.files, meant)...)
		if len(meant) > 0 {
			if err := claim.Resolve(tx, c, meant); err != nil {
				return err
			}
		}
	}
	return insertTargets(tx, p, all)
}

// adopt makes targets of files that came under an anchor. They were not there when the topic was vouched for.
func adopt(tx *pg.Tx, p branch, came []repo.Change) error {
	topics, err := claim.Public(tx)
	if err != nil {
		return err
	}
	var all []target
	trie := trieOf(topics)
	for _, change := range came {
		f, is := p.files.Files.Find(change.Path)
		if !is || anchor.IsGenerated(change.Path) {
			continue
		}
		for _, h := range trie.Match(change.Path) {
			if h.Anchor.Kind == anchor.Symbol {
				continue
			}
			all = append(all, target{
				topic: topics[h.Key].ID, role: anchored, path: f.Path, anchor: h.Anchor.Text, nowPath: f.Path, nowBlob: f.Blob, nowSize: f.Size,
			})
		}
	}
	return insertTargets(tx, p, all)
}

// arrive tells the targets of a branch what happened to their files.
func arrive(tx *pg.Tx, p branch, changes []repo.Change) error {
	if err := moveTargets(tx, p, changes); err != nil {
		return err
	}
	if err := stepCited(tx, p, changes); err != nil {
		return err
	}
	var came []repo.Change
	for _, c := range changes {
		if c.Status == repo.Added || c.Status == repo.Renamed {
			came = append(came, c)
		}
	}
	if len(came) == 0 {
		return nil
	}
	return adopt(tx, p, came)
}

// stepCited takes cited targets along the way that changes took.
func stepCited(tx *pg.Tx, p branch, changes []repo.Change) error {
	left, came, moved := ways(changes)
	if len(left)+len(came) == 0 {
		return nil
	}
	targets, err := citedTargetsAt(tx, p, left, came)
	if err != nil {
		return err
	}
	var changed []target
	for _, t := range targets {
		if step(&t, p.files, moved) {
			changed = append(changed, t)
		}
	}
	return keepTargets(tx, p, changed)
}

// step takes a cited target on and reports whether that changed it.
func step(t *target, files *cite.Index, moved map[string]string) bool {
	before := *t
	trail := t.trail()
	trail.Step(files, moved)
	t.arrived(trail)
	return *t != before
}

// ways are the paths that files left and those they came to, and where the renamed ones went.
func ways(changes []repo.Change) (left, came []string, moved map[string]string) {
	moved = map[string]string{}
	for _, c := range changes {
		switch c.Status {
		case repo.Added:
			came = append(came, c.Path)
		case repo.Deleted:
			left = append(left, c.Path)
		case repo.Renamed:
			left, came = append(left, c.OldPath), append(came, c.Path)
			moved[c.OldPath] = c.Path
		case repo.Modified:
		}
	}
	return left, came, moved
}

// readAnew reads the references of topics that were never read, or by earlier rules, as of the files that are known now.
func readAnew(tx *pg.Tx) error {
	topics, err := claim.Unread(tx)
	if err != nil || len(topics) == 0 {
		return err
	}
	places, err := branches(tx)
	if err != nil {
		return err
	}
	for _, c := range topics {
		if err := followCited(tx, c, places, false); err != nil {
			return err
		}
	}
	return nil
}

// scan brings the findings of a branch into line with its targets, and answers how many topics are in which state now, of those
// whose findings changed.
func scan(tx *pg.Tx, operation, origin string, p branch) (map[State]int, error) {
	whole, err := driftingTargets(tx, p)
	if err != nil {
		return nil, err
	}
	before, err := openFindings(tx, p)
	if err != nil {
		return nil, err
	}
	return renew(tx, operation, origin, p, before, whole)
}

// renew judges targets and puts what that finds in the place of what was found before about these topics.
func renew(tx *pg.Tx, operation, origin string, p branch, before map[uuid.UUID][]found, targets []target) (map[State]int, error) {
	after := map[uuid.UUID][]found{}
	for topic, own := range group(targets) {
		for _, f := range judge(own) {
			f.source, f.branch, f.origin, f.commit = &p.source.ID, p.head.Branch, origin, p.head.Head
			after[topic] = append(after[topic], f)
		}
	}
	topics := map[uuid.UUID]bool{}
	for topic := range before {
		topics[topic] = true
	}
	for topic := range after {
		topics[topic] = true
	}
	states := map[State]int{}
	for _, topic := range slices.SortedFunc(maps.Keys(topics), func(a, b uuid.UUID) int { return cmp.Compare(a.String(), b.String()) }) {
		if sameFindings(before[topic], after[topic]) {
			continue
		}
		state, err := replace(tx, operation, p, topic, before[topic], after[topic])
		if err != nil {
			return nil, err
		}
		states[state]++
	}
	return states, nil
}

// sameFindings reports whether nothing new is to be said. What was found at an earlier commit and still holds keeps that commit.
func sameFindings(before, after []found) bool {
	return slices.EqualFunc(before, after, func(a, b found) bool {
		return a.anchor == b.anchor && a.kind == b.kind && a.state == b.state && a.fix == b.fix &&
			slices.Equal(a.paths, b.paths[:min(len(b.paths), pathsMax)]) && sameScore(a.score, b.score)
	})
}

func sameScore(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	const close = 0.0005
	return *a-*b < close && *b-*a < close
}

func replace(tx *pg.Tx, operation string, p branch, topic uuid.UUID, before, after []found) (State, error) {
	if err := dropOf(tx, p, topic); err != nil {
		return "", err
	}
	for _, f := range after {
		if err := insertFinding(tx, topic, f); err != nil {
			return "", err
		}
	}
	detail := map[string]any{"source": p.source.ID, "branch": p.head.Branch, "commit": p.head.Head, "findings": len(after)}
	if len(before) > 0 && len(after) == 0 {
		detail["closed"] = "the content is what it was"
	}
	state, _, err := settle(tx, operation, topic, detail)
	return state, err
}

// branchOf is a branch of a repository as it is known now.
func branchOf(tx *pg.Tx, src source.Source, name string) (branch, bool, error) {
	head, known, err := source.HeadOf(tx, src.ID, name)
	if err != nil || !known {
		return branch{}, false, err
	}
	files, err := source.Files(tx, src.ID, name)
	return branch{src, head, cite.NewIndex(files)}, true, err
}

// trieOf finds claims by path; the keys are their places in the list.
func trieOf(claims []claim.Claim) *anchor.Trie[int] {
	trie := anchor.NewTrie[int]()
	for i, c := range claims {
		if len(c.Anchors) > 0 {
			trie.Add(i, c.Anchors)
		}
	}
	return trie
}
