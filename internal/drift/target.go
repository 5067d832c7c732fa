package drift

import (
	"slices"

	"github.com/google/uuid"

	"driftless/internal/anchor"
	"driftless/internal/drift/cite"
	"driftless/internal/drift/claim"
	"driftless/internal/drift/word"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/source/repo"
)

// targetsMax is how many files of one topic are followed in a branch. An anchor that matches more is too broad to say anything.
const targetsMax = 1000

// The roles of targets.
const (
	anchored = "anchor"
	cited    = "cited"
)

// target is one thing that a topic relies on, as it was when somebody vouched for it and as it is now.
type target struct {
	topic                       uuid.UUID
	role, path, symbol, anchor  string
	kind                        cite.Kind // of a reference
	blob                        string
	size                        int64
	nowPath, nowBlob            string
	nowSize                     int64
	identical, known            bool // of the two contents: the same fingerprint; both fingerprints are there
	share                       float64
	absent, wasAbsent, resigned bool // a symbol: gone now; never there; with another signature
	whole                       bool // the file stands for the symbol
}

// key tells the targets of one topic in one branch apart.
func (t target) key() string { return t.role + "\x00" + t.path + "\x00" + t.symbol }

func (t target) gone() bool { return t.nowBlob == "" }

// What stands for the blob of a target of which only the being there counts: a file, or any of many.
const (
	there = "there"
	many  = "many"
)

// trail is a cited target on its way through commits.
func (t target) trail() cite.Trail {
	return cite.Trail{Ref: cite.Ref{Kind: t.kind, Text: t.anchor}, Path: t.path, Now: t.nowPath, Gone: t.gone()}
}

// arrived puts back how it stands with the trail of a target.
func (t *target) arrived(trail cite.Trail) {
	if t.nowPath, t.nowBlob = trail.Now, t.blob; trail.Gone {
		t.nowBlob = ""
	}
}

// citedIn is what the references of a topic mean in the files of a commit.
func citedIn(c claim.Claim, files *cite.Index) map[cite.Ref]cite.Target {
	out := map[cite.Ref]cite.Target{}
	bases := c.Bases()
	for _, r := range c.Refs {
		if t, is := files.Resolve(r, bases); is {
			out[r] = t
		}
	}
	return out
}

// citedTargets makes targets of what references mean, but of those whose file is followed already by an anchor that names it.
func citedTargets(c claim.Claim, files *cite.Index, meant map[cite.Ref]cite.Target) []target {
	var out []target
	for _, r := range c.Refs {
		means, is := meant[r]
		if !is || slices.ContainsFunc(c.Anchors, func(a anchor.Anchor) bool {
			return a.Kind != anchor.Glob && !a.Exclude && a.Canonical[0] == means.Path && (means.Symbol == "" || a.Symbol == means.Symbol)
		}) {
			continue
		}
		t := target{topic: c.ID, role: cited, kind: r.Kind, anchor: r.Text, path: means.Path, symbol: means.Symbol, blob: there}
		if means.Symbol != "" {
			f, _ := files.Files.Find(means.Path)
			t.blob, t.size = f.Blob, f.Size
		} else if cite.Begin(r, means).Wide() {
			t.blob = many
		}
		t.nowPath, t.nowBlob, t.nowSize = t.path, t.blob, t.size
		out = append(out, t)
	}
	return out
}

// anchoredTargets makes targets of the files and symbols under the anchors of a topic.
func anchoredTargets(c claim.Claim, files repo.Tree) []target {
	var out []target
	seen := map[string]bool{}
	add := func(text, symbol string, f repo.File) {
		t := target{
			topic: c.ID, role: anchored, path: f.Path, symbol: symbol, anchor: text, blob: f.Blob, size: f.Size,
			nowPath: f.Path, nowBlob: f.Blob, nowSize: f.Size,
		}
		if len(out) < targetsMax && !seen[t.key()] {
			seen[t.key()] = true
			out = append(out, t)
		}
	}
	var patterns anchor.Set
	for _, a := range c.Anchors {
		if a.Kind != anchor.Symbol {
			patterns = append(patterns, a)
			continue
		}
		if f, is := files.Find(a.Canonical[0]); is {
			add(a.Text, a.Symbol, f)
		}
	}
	for _, f := range within(patterns, files) {
		if a, hit := patterns.Match(f.Path); hit && !anchor.IsGenerated(f.Path) {
			add(a.Text, "", f)
		}
	}
	return out
}

// within is the part of a tree that patterns can match, so that each write does not walk a large one.
func within(patterns anchor.Set, files repo.Tree) repo.Tree {
	var folders []string
	for _, a := range patterns {
		if a.Exclude {
			continue
		}
		for _, p := range a.Canonical {
			folders = append(folders, source.PlainFolder(p))
		}
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	if slices.Contains(folders, "") {
		return files
	}
	var out repo.Tree
	for _, folder := range folders {
		out = append(out, files.Below(folder)...)
	}
	return out
}

// branch is a tracked branch with its files, as far as it was synced.
type branch struct {
	source source.Source
	head   source.Head
	files  *cite.Index
}

func (p branch) place() word.Place {
	return word.Place{Source: p.source.ID, Branch: p.head.Branch, Files: p.files.Files}
}

// branches reads all synced branches of connected repositories.
func branches(tx *pg.Tx) ([]branch, error) {
	heads, err := source.Heads(tx)
	if err != nil || len(heads) == 0 {
		return nil, err
	}
	all, err := source.List(tx)
	if err != nil {
		return nil, err
	}
	var out []branch
	for _, h := range heads {
		at := slices.IndexFunc(all, func(s source.Source) bool { return s.ID == h.SourceID })
		if at < 0 || !all[at].Connected() {
			continue
		}
		files, err := source.Files(tx, h.SourceID, h.Branch)
		if err != nil {
			return nil, err
		}
		out = append(out, branch{all[at], h, cite.NewIndex(files)})
	}
	return out, nil
}

// Follow brings what is known of a topic's targets into line with its anchors and words, after they were written: what is new
// is vouched for as it is now, what it no longer names is forgotten together with its findings. It answers the place in the
// sequence of the topic, 0 where that did not move. Call it with the workspace locked.
func Follow(tx *pg.Tx, topic uuid.UUID) (seq int64, err error) {
	return follow(tx, topic, false)
}

// Verify closes the drift of a topic: a person says that it holds as of the tracked branches as they are known. It answers the
// place in the sequence of the topic, 0 where that did not move. Call it with the workspace locked.
func Verify(tx *pg.Tx, topic uuid.UUID) (seq int64, err error) {
	if err := dropFindings(tx, topic, nil); err != nil {
		return 0, err
	}
	if seq, err = follow(tx, topic, true); err != nil || seq > 0 {
		return seq, err
	}
	_, seq, err = settle(tx, "topics.verify", topic, nil)
	return seq, err
}

func follow(tx *pg.Tx, topic uuid.UUID, again bool) (seq int64, err error) {
	if concerned, err := concerns(tx, topic); err != nil || !concerned {
		return 0, err
	}
	places, err := branches(tx)
	if err != nil {
		return 0, err
	}
	c, err := claim.Of(tx, topic)
	if err != nil {
		return 0, err
	}
	for _, p := range places {
		if err := forget(tx, p, c, again); err != nil {
			return 0, err
		}
		if err := insertTargets(tx, p, anchoredTargets(c, p.files.Files)); err != nil {
			return 0, err
		}
	}
	if err := followCited(tx, c, places, again); err != nil {
		return 0, err
	}
	if !again {
		if err := dropFindings(tx, topic, slices.Concat(c.Body.Anchors, c.Cited())); err != nil {
			return 0, err
		}
	}
	_, seq, err = settle(tx, "topics.follow", topic, nil)
	return seq, err
}

// followCited keeps the references of a topic and begins to follow what they mean.
func followCited(tx *pg.Tx, c claim.Claim, places []branch, again bool) error {
	resolved := map[cite.Ref]bool{}
	for _, p := range places {
		meant := citedIn(c, p.files)
		if err := insertTargets(tx, p, citedTargets(c, p.files, meant)); err != nil {
			return err
		}
		for r := range meant {
			resolved[r] = true
		}
	}
	return claim.Keep(tx, c, resolved, again)
}

// forget drops the targets that a topic no longer names; with again all of them.
func forget(tx *pg.Tx, p branch, c claim.Claim, again bool) error {
	names := c.Body.Anchors
	if again {
		names = nil
	}
	if err := dropTargets(tx, p, c.ID, names, c.Cited(), again); err != nil || again {
		return err
	}
	if !slices.ContainsFunc(c.Anchors, func(a anchor.Anchor) bool { return a.Exclude }) {
		return nil
	}
	including := slices.DeleteFunc(slices.Clone(c.Anchors), func(a anchor.Anchor) bool { return a.Exclude })
	paths, err := targetPaths(tx, p, c.ID)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		_, with := c.Anchors.Match(path)
		_, without := including.Match(path)
		return with || !without
	})
	return dropPaths(tx, p, c.ID, paths)
}

// Unresolved are the references of a topic that can hardly mean anything but a file, and mean none of a known repository: a hint to
// its author, for they may be planned, misspelt or elsewhere.
func Unresolved(tx *pg.Tx, topic uuid.UUID) ([]string, error) { return claim.Unresolved(tx, topic) }
