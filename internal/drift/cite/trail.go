package cite

import (
	"strings"
)

// Trail is a target on its way through commits.
type Trail struct {
	Ref
	// Path is where the target was when somebody vouched for it, and Now where it is, or was last.
	Path, Now string
	Gone      bool
}

// Begin is the trail of a target that is there.
func Begin(r Ref, t Target) Trail { return Trail{Ref: r, Path: t.Path, Now: t.Path} }

// Wide reports whether the target is a folder or a glob: many files can touch it.
func (t Trail) Wide() bool { return t.Kind == Glob || strings.HasSuffix(t.Path, "/") }

// Step goes on to a commit with these files. Moved has the new path of each file that was renamed since the one before.
func (t *Trail) Step(files *Index, moved map[string]string) {
	switch {
	case t.Kind == Glob:
		t.Gone = !files.matches(t.Path)
	case files.has(t.Path):
		t.Now, t.Gone = t.Path, false
	case t.Gone:
		t.again(files)
	case t.again(files):
	case strings.HasSuffix(t.Now, "/"):
		t.stepFolder(files, moved)
	default:
		if to, is := moved[t.Now]; is {
			t.Now = to
		}
		t.Gone = !files.has(t.Now)
	}
}

// shortened reports whether the text left out the leading part of a path, so that it says nothing about where that begins.
func (t Trail) shortened() bool {
	return t.Kind != Link && strings.HasSuffix(strings.TrimSuffix(t.Path, "/"), "/"+bare(t.Text))
}

// page is the address of a page without what a site puts behind it to find the file; empty where the text names the file itself.
func (t Trail) page(of string) string {
	if t.Kind != Link || ended(t.Text) {
		return ""
	}
	for _, end := range pages[1:] {
		if stem, is := strings.CutSuffix(of, end); is {
			return stem
		}
	}
	return ""
}

// again looks whether a text that left out the leading part of a path, or the ending of a page, means one thing again.
func (t *Trail) again(files *Index) bool {
	if stem := t.page(t.Path); stem != "" {
		if target, is := files.page(stem); is && t.page(target) == stem {
			t.Now, t.Gone = target, false
			return true
		}
	}
	if !t.shortened() {
		return false
	}
	target, is := files.ending(bare(t.Text), "")
	if is && strings.HasSuffix(target, "/") == strings.HasSuffix(t.Path, "/") {
		t.Now, t.Gone = target, false
		return true
	}
	return false
}

// stepFolder follows a folder to where most of its files went.
func (t *Trail) stepFolder(files *Index, moved map[string]string) {
	if files.has(t.Now) {
		return
	}
	votes := map[string]int{}
	best := ""
	for from, to := range moved {
		rest, within := strings.CutPrefix(from, t.Now)
		if !within {
			continue
		}
		folder, same := strings.CutSuffix(to, "/"+rest)
		if !same {
			if i := strings.LastIndexByte(to, '/'); i >= 0 {
				folder = to[:i]
			} else {
				continue
			}
		}
		folder += "/"
		if votes[folder]++; votes[folder] > votes[best] || votes[folder] == votes[best] && folder < best {
			best = folder
		}
	}
	if best == "" {
		t.Gone = true
		return
	}
	t.Now = best
}

// Verdict is how it stands with a reference.
type Verdict int

// The verdicts.
const (
	Holds Verdict = iota
	Moved
	Dead
)

// Verdict says whether the text still names what it meant.
func (t Trail) Verdict() Verdict {
	switch {
	case t.Gone:
		return Dead
	case t.Now == t.Path, t.page(t.Path) != "" && t.page(t.Now) == t.page(t.Path), t.shortened() && strings.HasSuffix(strings.TrimSuffix(t.Now, "/"), "/"+bare(t.Text)):
		return Holds
	}
	return Moved
}
