// Package cite owns what the words of a topic say about code: it reads the references out of a text, finds what each of them means
// among the files of a commit, and follows that from commit to commit, so that what was removed, what moved and what never was there
// are told apart.
//
// It is pure. It refuses to guess: what means nothing among the files, or several things, is unresolved and followed nowhere, and
// what plainly speaks of something else (addresses, placeholders, examples, paths of machines) is no reference at all.
package cite

import "strings"

// Kind is the form in which a text refers to code.
type Kind string

// The kinds. They decide what a reference may mean: a link is read from the folder of its document, as a browser would, while a path
// in code is often written without its leading part.
const (
	Link   Kind = "link"
	Path   Kind = "path"
	Glob   Kind = "glob"
	Symbol Kind = "symbol" // file#Name
	Word   Kind = "word"   // a name, flag, key or target of a command, without a path
)

// RefsMax is how many references of one topic are followed, and TextMax the longest of them in bytes.
const (
	RefsMax = 300
	TextMax = 500
)

// Ref is a reference as a text writes it, without the line or heading it points to.
type Ref struct {
	Kind Kind
	Text string
}

// Certain reports whether a reference can hardly mean anything but a file of a repository, so that one that leads nowhere is worth
// telling its author.
func (r Ref) Certain() bool {
	switch r.Kind {
	case Link:
		return ended(r.Text)
	case Path:
		return strings.Contains(r.Text, "/") && ended(r.Text)
	case Symbol:
		return true
	case Glob, Word:
	}
	return false
}

// file is the part of the text that names files, and name the symbol behind it.
func (r Ref) file() (file, name string) {
	if r.Kind == Symbol {
		file, name, _ = strings.Cut(r.Text, "#")
		return file, name
	}
	return r.Text, ""
}

// Set collects references, each once.
type Set struct {
	Refs []Ref
	seen map[Ref]bool
}

func (s *Set) add(r Ref, is bool) {
	if !is || len(r.Text) > TextMax || len(s.Refs) >= RefsMax || s.seen[r] {
		return
	}
	if s.seen == nil {
		s.seen = map[Ref]bool{}
	}
	s.seen[r] = true
	s.Refs = append(s.Refs, r)
}
