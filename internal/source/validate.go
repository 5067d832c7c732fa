package source

import (
	"maps"
	"slices"
	"strings"

	"driftless/internal/anchor"
	"driftless/internal/pg"
	"driftless/internal/source/repo"
)

// Validate judges each anchor by the files of the default branches of all connected repositories. Where none are known each
// anchor is skipped and says why.
func Validate(tx *pg.Tx, set anchor.Set) ([]anchor.Validation, error) {
	if len(set) == 0 {
		return nil, nil
	}
	all, err := List(tx)
	if err != nil {
		return nil, err
	}
	var files []string
	reason := "no repository is connected to this workspace"
	synced := false
	for _, s := range all {
		if !s.Connected() {
			continue
		}
		_, known, err := HeadOf(tx, s.ID, s.DefaultBranch)
		if err != nil {
			return nil, err
		}
		if !known {
			reason = "the files of " + s.Name + " are not known yet; run 'driftless sync' in a checkout of " + s.DefaultBranch
			continue
		}
		synced = true
		tree, err := Files(tx, s.ID, s.DefaultBranch)
		if err != nil {
			return nil, err
		}
		files = append(files, reachable(tree, set)...)
	}
	if !synced {
		return anchor.SkipValidation(set, reason), nil
	}
	return anchor.Validate(set, files), nil
}

// reachable are the paths below the folders that the anchors of a set begin with: of a large tree mostly a small part.
func reachable(tree repo.Tree, set anchor.Set) []string {
	folders := map[string]bool{}
	for _, a := range set {
		for _, pattern := range a.Canonical {
			folders[plainFolder(pattern)] = true
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

// plainFolder is the folder that everything a pattern matches lies in.
func plainFolder(pattern string) string {
	if wild := strings.IndexAny(pattern, "*?["); wild >= 0 {
		pattern = pattern[:wild]
	}
	return pattern[:max(0, strings.LastIndexByte(pattern, '/'))]
}
