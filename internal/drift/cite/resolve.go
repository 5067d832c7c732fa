package cite

import (
	"path"
	"strings"
)

// Target is what a reference meant when somebody vouched for it.
type Target struct {
	// Path is a file, a folder with a slash at its end, or a glob.
	Path string
	// Symbol is set for a reference to a symbol of a file.
	Symbol string
}

// Resolve finds what a reference means. The bases are the folders of the documents that the text came from; a text that was written
// here has none. ok is false where it means nothing, or several things.
func (x *Index) Resolve(r Ref, bases []string) (t Target, ok bool) {
	text, name := r.file()
	if r.Kind == Word {
		return Target{}, false // contents tell, not names
	}
	if r.Kind == Glob {
		return Target{Path: text}, x.matches(text)
	}
	if len(bases) == 0 {
		bases = []string{""}
	}
	for _, base := range bases {
		if t.Path, ok = x.resolve(r.Kind, text, base); ok && (name == "" || !strings.HasSuffix(t.Path, "/")) {
			t.Symbol = name
			return t, true
		}
	}
	return Target{}, false
}

// pages are what sites put behind an address to find the file of a page.
var pages = []string{"", ".md", ".mdx", "/index.md", "/index.mdx", "/README.md"}

func (x *Index) resolve(kind Kind, text, base string) (string, bool) {
	if kind != Link {
		rooted, is := strings.CutPrefix(text, "/")
		if is && !ended(rooted) {
			return x.at(rooted) // else it is rather an address of an API
		}
		text = rooted
		if target, is := x.at(path.Join(base, text)); is {
			return target, true
		}
		if target, is := x.at(text); is {
			return target, true
		}
		return x.ending(bare(text), base)
	}
	if rooted, is := strings.CutPrefix(text, "/"); is {
		// The root of a site is one of the folders around its pages, the outermost first.
		for _, root := range around(base) {
			if target, is := x.page(path.Join(root, rooted)); is {
				return target, true
			}
		}
		return x.pageEnding(rooted, base)
	}
	if target, is := x.page(path.Join(base, text)); is {
		return target, true
	}
	return x.page(text)
}

func (x *Index) page(clean string) (string, bool) {
	for _, end := range pages {
		if target, is := x.at(clean + end); is && (end == "" || !strings.HasSuffix(target, "/")) {
			return target, true
		}
	}
	return "", false
}

func (x *Index) pageEnding(clean, base string) (string, bool) {
	for _, end := range pages {
		if target, is := x.ending(clean+end, base); is {
			return target, true
		}
	}
	return "", false
}

// bare is a path without the steps up at its beginning.
func bare(text string) string {
	for {
		rest, is := strings.CutPrefix(text, "../")
		if !is {
			return text
		}
		text = rest
	}
}

// around are a folder and those it lies in, the root first.
func around(folder string) []string {
	out := []string{""}
	for i, r := range folder {
		if r == '/' {
			out = append(out, folder[:i])
		}
	}
	if folder != "" {
		out = append(out, folder)
	}
	return out
}
