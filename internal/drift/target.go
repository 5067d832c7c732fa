package drift

import (
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"driftless/internal/anchor"
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
	blob                        string
	size                        int64
	nowPath, nowBlob            string
	nowSize                     int64
	identical, known            bool // of the two contents: the same fingerprint; both fingerprints are there
	share                       float64
	absent, wasAbsent, resigned bool // a symbol: gone now; never there; with another signature
}

// key tells the targets of one topic in one branch apart.
func (t target) key() string { return t.role + "\x00" + t.path + "\x00" + t.symbol }

func (t target) gone() bool { return t.nowBlob == "" }

// targetsIn lists what a topic relies on in the files of a commit.
func targetsIn(c claim, files repo.Tree) []target {
	var out []target
	seen := map[string]bool{}
	add := func(role, text, symbol string, f repo.File) {
		t := target{
			topic: c.ID, role: role, path: f.Path, symbol: symbol, anchor: text, blob: f.Blob, size: f.Size,
			nowPath: f.Path, nowBlob: f.Blob, nowSize: f.Size,
		}
		if len(out) < targetsMax && !seen[t.key()] {
			seen[t.key()] = true
			out = append(out, t)
		}
	}
	named := map[string]bool{}
	var patterns anchor.Set
	for _, a := range c.Anchors {
		if a.Kind != anchor.Symbol {
			patterns = append(patterns, a)
			continue
		}
		named[a.Canonical[0]] = true
		if f, is := files.Find(a.Canonical[0]); is {
			add(anchored, a.Text, a.Symbol, f)
		}
	}
	for _, f := range within(patterns, files) {
		if a, hit := patterns.Match(f.Path); hit && !anchor.IsGenerated(f.Path) {
			add(anchored, a.Text, "", f)
			named[f.Path] = named[f.Path] || a.Kind == anchor.File
		}
	}
	for _, path := range c.cites() {
		if f, is := files.Find(path); is && !named[path] {
			add(cited, path, "", f)
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

var citation = regexp.MustCompile(`[\p{L}\p{N}_.@+-]+(?:/[\p{L}\p{N}_.@+-]+)+|[\p{L}\p{N}_-]+\.[\p{L}\p{N}]{1,8}`)

// citesMax is how many paths of one text are followed.
const citesMax = 200

// cites are the paths that the words of a topic name. Only what exists in a repository counts, so that anything that merely
// looks like a path does no harm.
func (c claim) cites() []string {
	texts := slices.Concat([]string{c.What, c.Body.How, c.Body.Text}, c.Body.Decisions, c.Body.Gotchas, c.Body.Invariants, c.Body.RequiredChecks)
	var out []string
	for _, text := range texts {
		for _, path := range citation.FindAllString(text, citesMax) {
			clean, err := anchor.NormalizePath(strings.TrimRight(path, "."))
			if err == nil && len(out) < citesMax && !slices.Contains(out, clean) {
				out = append(out, clean)
			}
		}
	}
	return out
}

// branch is a tracked branch with its files, as far as it was synced.
type branch struct {
	source source.Source
	head   source.Head
	files  repo.Tree
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
		out = append(out, branch{all[at], h, files})
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
	c, err := claimOf(tx, topic)
	if err != nil {
		return 0, err
	}
	for _, p := range places {
		if err := c.forget(tx, p, again); err != nil {
			return 0, err
		}
		if err := insertTargets(tx, p, targetsIn(c, p.files)); err != nil {
			return 0, err
		}
	}
	if !again {
		if err := dropFindings(tx, topic, slices.Concat(c.Body.Anchors, c.cites())); err != nil {
			return 0, err
		}
	}
	_, seq, err = settle(tx, "topics.follow", topic, nil)
	return seq, err
}

// forget drops the targets that a topic no longer names; with again all of them.
func (c claim) forget(tx *pg.Tx, p branch, again bool) error {
	names := c.Body.Anchors
	if again {
		names = nil
	}
	if err := dropTargets(tx, p, c.ID, names, c.cites(), again); err != nil || again {
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
