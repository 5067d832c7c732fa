package repo

import (
	"cmp"
	"slices"
)

// Status is what happened to a file, in the letters of git.
type Status string

// The four things that happen to files.
const (
	Added    Status = "A"
	Modified Status = "M"
	Deleted  Status = "D"
	Renamed  Status = "R"
)

// Change is what happened to one file between two commits.
type Change struct {
	Path    string `json:"path"`
	Status  Status `json:"status"`
	OldPath string `json:"old_path,omitempty"`
}

// Rename says that a file went from one path to another, perhaps changed on the way.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// emptyBlobs are the ids of an empty file, which says nothing about where another one went.
var emptyBlobs = []string{"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"}

// Diff is what happened between two trees, sorted by path. A file that is gone and whose content turned up elsewhere was
// renamed; so were those that renames tells of, as far as the trees agree. The commits between do not count.
func Diff(before, after Tree, renames []Rename) []Change {
	var added, deleted Tree
	var out []Change
	for i, j := 0, 0; i < len(before) || j < len(after); {
		var order int
		switch {
		case i == len(before):
			order = 1
		case j == len(after):
			order = -1
		default:
			order = cmp.Compare(before[i].Path, after[j].Path)
		}
		switch {
		case order < 0:
			deleted = append(deleted, before[i])
			i++
		case order > 0:
			added = append(added, after[j])
			j++
		default:
			if before[i].Blob != after[j].Blob {
				out = append(out, Change{Path: after[j].Path, Status: Modified})
			}
			i, j = i+1, j+1
		}
	}
	from := follow(added, deleted, renames)
	moved := map[string]bool{}
	for _, f := range added {
		if old, is := from[f.Path]; is {
			moved[old] = true
			out = append(out, Change{Path: f.Path, Status: Renamed, OldPath: old})
		} else {
			out = append(out, Change{Path: f.Path, Status: Added})
		}
	}
	for _, f := range deleted {
		if !moved[f.Path] {
			out = append(out, Change{Path: f.Path, Status: Deleted})
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// follow says where each added file came from, as far as it is known. A path is taken once.
func follow(added, deleted Tree, renames []Rename) map[string]string {
	from, taken := map[string]string{}, map[string]bool{}
	pair := func(old, new string) {
		if _, known := from[new]; !known && !taken[old] {
			from[new], taken[old] = old, true
		}
	}
	for _, r := range renames {
		_, gone := deleted.Find(r.From)
		if _, come := added.Find(r.To); gone && come {
			pair(r.From, r.To)
		}
	}
	content := map[string]string{}
	for _, f := range deleted {
		if !taken[f.Path] && !slices.Contains(emptyBlobs, f.Blob) {
			content[f.Blob] = f.Path
		}
	}
	for _, f := range added {
		if old, is := content[f.Blob]; is {
			pair(old, f.Path)
		}
	}
	return from
}

// Apply is the tree after changes, of which no more than the names are known: what came has neither a blob nor a size.
func (t Tree) Apply(changes []Change) Tree {
	gone := map[string]bool{}
	var came Tree
	for _, c := range changes {
		switch c.Status {
		case Added:
			came = append(came, File{Path: c.Path})
		case Deleted:
			gone[c.Path] = true
		case Renamed:
			gone[c.OldPath] = true
			came = append(came, File{Path: c.Path})
		case Modified:
		}
	}
	if len(gone)+len(came) == 0 {
		return t
	}
	came.sort()
	came = slices.CompactFunc(came, func(a, b File) bool { return a.Path == b.Path })
	out := make(Tree, 0, len(t)+len(came))
	for _, f := range t {
		for len(came) > 0 && came[0].Path < f.Path {
			out, came = append(out, came[0]), came[1:]
		}
		if len(came) > 0 && came[0].Path == f.Path {
			came = came[1:] // something else took its place
		} else if gone[f.Path] {
			continue
		}
		out = append(out, f)
	}
	return append(out, came...)
}
