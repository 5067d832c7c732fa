package cite

import (
	"path"
	"strings"
	"sync"

	"driftless/internal/anchor"
	"driftless/internal/source/repo"
)

// Index answers what names mean among the files of a commit. It may be asked by several at once.
type Index struct {
	Files repo.Tree

	once   sync.Once
	byBase map[string][]string // files and, with a slash at the end, folders by the last part of their paths
}

// NewIndex makes one. What is found without a leading part is looked up in a table that is made when it is first needed.
func NewIndex(files repo.Tree) *Index { return &Index{Files: files} }

// at is what stands at a path: a file, or a folder, which ends in a slash.
func (x *Index) at(clean string) (string, bool) {
	if clean == "" || clean == "." || strings.HasPrefix(clean, "../") {
		return "", false
	}
	if _, is := x.Files.Find(clean); is {
		return clean, true
	}
	if len(x.Files.Below(clean)) > 0 {
		return clean + "/", true
	}
	return "", false
}

// has reports whether a target is still there.
func (x *Index) has(target string) bool {
	if folder, is := strings.CutSuffix(target, "/"); is {
		return len(x.Files.Below(folder)) > 0
	}
	_, is := x.Files.Find(target)
	return is
}

// matches reports whether a glob matches any file.
func (x *Index) matches(glob string) bool {
	a, err := anchor.Parse(glob)
	if err != nil {
		return false
	}
	for _, pattern := range a.Canonical {
		for _, f := range x.Files.Below(plainFolder(pattern)) {
			if a.Match(f.Path) {
				return true
			}
		}
	}
	return false
}

// plainFolder is the folder that everything a pattern matches lies in.
func plainFolder(pattern string) string {
	if wild := strings.IndexAny(pattern, "*?["); wild >= 0 {
		pattern = pattern[:wild]
	}
	return pattern[:max(0, strings.LastIndexByte(pattern, '/'))]
}

// ending finds what has a path as its end. Where several do it is the one nearest to a base, if there is one.
func (x *Index) ending(clean, base string) (string, bool) {
	x.once.Do(x.build)
	best, depth, unique := "", -1, false
	for _, target := range x.byBase[path.Base(clean)] {
		bare := strings.TrimSuffix(target, "/")
		if bare != clean && !strings.HasSuffix(bare, "/"+clean) {
			continue
		}
		if near := common(bare, base); near > depth {
			best, depth, unique = target, near, true
		} else if near == depth {
			unique = false
		}
	}
	return best, unique
}

func (x *Index) build() {
	x.byBase = map[string][]string{}
	add := func(bare, target string) {
		base := path.Base(bare)
		x.byBase[base] = append(x.byBase[base], target)
	}
	last := ""
	for _, f := range x.Files {
		add(f.Path, f.Path)
		folder := path.Dir(f.Path)
		if folder == last {
			continue
		}
		// The files are sorted, so that a folder is new exactly where the file before lay outside of it.
		for d := folder; d != "." && d != "/" && d != last && !strings.HasPrefix(last, d+"/"); d = path.Dir(d) {
			add(d, d+"/")
		}
		last = folder
	}
}

// common counts the leading folders that two paths share.
func common(a, b string) int {
	n := 0
	for {
		x, restA, moreA := strings.Cut(a, "/")
		y, restB, moreB := strings.Cut(b, "/")
		if x != y || x == "" {
			return n
		}
		n++
		if !moreA || !moreB {
			return n
		}
		a, b = restA, restB
	}
}
