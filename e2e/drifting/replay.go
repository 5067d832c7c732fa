package main

import (
	"fmt"
	"path"
	"strings"

	"driftless/internal/drift/cite"
	"driftless/internal/source/repo"
)

// followed is a citation while its document has it.
type followed struct {
	reference
	resolved bool
	trail    cite.Trail
	// alert is the first commit at which drift was found, and verdict what it was then, with the path to cite instead.
	alert   string
	verdict cite.Verdict
	to      string
	// quiet says that the commit of the alert removed and renamed nothing.
	quiet bool
	// touched says that a commit touched what it means: the rule of touched files would have flagged it.
	touched bool
}

// asWritten puts a reference into the Markdown in which a document would cite it.
func asWritten(r reference) string {
	switch r.Kind {
	case "link":
		return fmt.Sprintf("See [it](<%s>).", r.Ref)
	case "command":
		return "```sh\nrun " + r.Ref + "\n```"
	}
	return "See `" + r.Ref + "`."
}

// replay follows the citations of a history through its commits: one is resolved when it comes, and left when it goes. The commit that
// breaks a citation is looked at before the text that repairs it is.
func replay(h history) []followed {
	all := make([]followed, 0, len(h.references))
	come, leave := map[string][]int{}, map[string][]int{}
	for i, r := range h.references {
		all = append(all, followed{reference: r})
		come[r.Introduced] = append(come[r.Introduced], i)
		if r.left() != "" {
			leave[r.left()] = append(leave[r.left()], i)
		}
	}
	index := cite.NewIndex(h.start)
	live := map[int]bool{}
	begin := func(i int) {
		all[i].begin(index)
		live[i] = true
	}
	for _, i := range come[""] {
		begin(i)
	}
	for _, c := range h.commits {
		s := stepOf(c)
		if s.shape {
			index = cite.NewIndex(index.Files.Apply(s.changes))
		}
		for i := range live {
			all[i].step(s, index)
		}
		for _, i := range leave[c.SHA] {
			delete(live, i)
		}
		for _, i := range come[c.SHA] {
			begin(i)
		}
	}
	return all
}

// step is what a commit did to paths.
type step struct {
	commit  string
	changes []repo.Change
	shape   bool // paths came or went
	loses   bool // paths went
	moved   map[string]string
	touched map[string]bool // files and the folders around them
}

func stepOf(c commit) step {
	s := step{commit: c.SHA, changes: c.changes(), moved: map[string]string{}, touched: map[string]bool{}}
	for _, change := range s.changes {
		s.shape = s.shape || change.Status != repo.Modified
		s.loses = s.loses || change.Status == repo.Deleted || change.Status == repo.Renamed
		if change.Status == repo.Renamed {
			s.moved[change.OldPath] = change.Path
		}
		for _, p := range []string{change.Path, change.OldPath} {
			for ; p != "" && p != "." && !s.touched[p]; p = path.Dir(p) {
				s.touched[p] = true
			}
		}
	}
	return s
}

func (f *followed) begin(index *cite.Index) {
	var set cite.Set
	set.Read(asWritten(f.reference))
	base := path.Dir(f.Doc)
	if base == "." {
		base = ""
	}
	for _, r := range set.Refs {
		if t, is := index.Resolve(r, []string{base, ""}); is && !f.resolved {
			f.resolved, f.trail = true, cite.Begin(r, t)
		}
	}
}

func (f *followed) step(s step, index *cite.Index) {
	f.touched = f.touched || s.touched[strings.TrimSuffix(f.Target, "/")]
	if !f.resolved {
		return
	}
	f.trail.Step(index, s.moved)
	if v := f.trail.Verdict(); v != cite.Holds && f.alert == "" {
		f.alert, f.verdict, f.to, f.quiet = s.commit, v, f.trail.Now, !s.loses
	}
}
