package source

import (
	"maps"
	"slices"
	"strings"

	"driftless/internal/anchor"
	"driftless/internal/pg"
	"driftless/internal/source/repo"
)

// Known is what is known of the files of a workspace's repositories, read once to judge many sets of anchors.
type Known struct {
	// live are the default branches of connected repositories, gone those of disconnected ones as they were last heard of.
	live, gone []repo.Tree
	// unknown says why nothing is known, where nothing is.
	unknown string
}

// Look reads the files of the default branches of all repositories.
func Look(tx *pg.Tx) (Known, error) {
	all, err := List(tx)
	if err != nil {
		return Known{}, err
	}
	k := Known{unknown: "no repository is connected to this workspace"}
	for _, s := range all {
		_, known, err := HeadOf(tx, s.ID, s.DefaultBranch)
		if err != nil {
			return k, err
		}
		if !known {
			if s.Connected() {
				k.unknown = "the files of " + s.Name + " are not known yet; run 'driftless sync' in a checkout of " + s.DefaultBranch
			}
			continue
		}
		tree, err := Files(tx, s.ID, s.DefaultBranch)
		if err != nil {
			return k, err
		}
		if s.Connected() {
			k.live = append(k.live, tree)
		} else {
			k.gone = append(k.gone, tree)
		}
	}
	if len(k.live) > 0 {
		k.unknown = ""
	}
	return k, nil
}

// Validate judges each anchor of a set. Where no files are known each anchor is skipped and says why.
func (k Known) Validate(set anchor.Set) []anchor.Validation {
	if len(set) == 0 {
		return nil
	}
	if k.unknown != "" {
		return anchor.SkipValidation(set, k.unknown)
	}
	return judge(set, k.live)
}

// Orphaned reports whether a set matches files of a repository that was disconnected, and of no connected one.
func (k Known) Orphaned(set anchor.Set) bool { return matches(set, k.gone) && !matches(set, k.live) }

// Zombie reports whether a set matches no file of any repository, although files are known.
func (k Known) Zombie(set anchor.Set) bool {
	return k.unknown == "" && len(set) > 0 && !matches(set, k.live) && !matches(set, k.gone)
}

func judge(set anchor.Set, trees []repo.Tree) []anchor.Validation {
	var files []string
	for _, tree := range trees {
		files = append(files, reachable(tree, set)...)
	}
	return anchor.Validate(set, files)
}

func matches(set anchor.Set, trees []repo.Tree) bool {
	return len(trees) > 0 && slices.ContainsFunc(judge(set, trees), func(v anchor.Validation) bool { return v.Count > 0 })
}

// Validate judges each anchor by the files of the default branches of all connected repositories. Where none are known each
// anchor is skipped and says why.
func Validate(tx *pg.Tx, set anchor.Set) ([]anchor.Validation, error) {
	if len(set) == 0 {
		return nil, nil
	}
	known, err := Look(tx)
	if err != nil {
		return nil, err
	}
	return known.Validate(set), nil
}

// reachable are the paths below the folders that the anchors of a set begin with: of a large tree mostly a small part.
func reachable(tree repo.Tree, set anchor.Set) []string {
	folders := map[string]bool{}
	for _, a := range set {
		for _, pattern := range a.Canonical {
			folders[PlainFolder(pattern)] = true
		}
	}
	if folders[""] {
		return tree.Paths()
	}
	seen := map[string]bool{}
	for folder := range folders {
		for _, f := range tree.Below(folder) {
			seen[f.Path] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// PlainFolder is the folder that everything a pattern matches lies in.
func PlainFolder(pattern string) string {
	if wild := strings.IndexAny(pattern, "*?["); wild >= 0 {
		pattern = pattern[:wild]
	}
	return pattern[:max(0, strings.LastIndexByte(pattern, '/'))]
}
