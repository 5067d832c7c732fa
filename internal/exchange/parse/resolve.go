package parse

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"sort"
	"strings"
)

// finish settles what only the whole tree can tell: slugs, anchors that exist,
// and where relations lead.
func (t *tree) finish() []Draft {
	taken := map[string]bool{}
	for _, d := range t.docs {
		if d.draft.Exported {
			taken[d.draft.Slug] = true
		}
	}
	ix := index(t.docs)
	docsOnly := t.fsys != nil && t.documentsOnly()
	for _, d := range t.docs {
		if !d.draft.Exported {
			d.draft.Slug = freeSlug(slugify(d.draft.Title, d.draft.Key), taken)
		}
		d.draft.Anchors = t.cited(d, ix, docsOnly)
	}
	var all []directed
	for _, d := range t.docs {
		all = append(all, ix.resolve(d)...)
	}
	connect(t.docs, all)
	out := make([]Draft, 0, len(t.docs))
	for _, d := range t.docs {
		out = append(out, d.draft)
	}
	return out
}

func freeSlug(slug string, taken map[string]bool) string {
	free := slug
	for n := 2; taken[free]; n++ {
		suffix := fmt.Sprintf("-%d", n)
		free = strings.TrimRight(slug[:min(len(slug), maxSlug-len(suffix))], "-") + suffix
	}
	taken[free] = true
	return free
}

// lookup finds documents by the ways in which texts name them.
type lookup struct {
	paths  map[string][]*document // file, or folder of a README
	folder map[string][]*document // last part of a folder with a README
	number map[string][]*document // folder and number of a record
}

func index(docs []*document) lookup {
	ix := lookup{map[string][]*document{}, map[string][]*document{}, map[string][]*document{}}
	for _, d := range docs {
		ix.paths[d.path] = append(ix.paths[d.path], d)
		dir, base := path.Dir(d.path), strings.ToLower(path.Base(d.path))
		if base == "readme.md" || base == "index.md" {
			ix.paths[dir] = append(ix.paths[dir], d)
			if d.format == enhancement {
				ix.folder[path.Base(dir)] = append(ix.folder[path.Base(dir)], d)
				ix.number["#"+numberOf(path.Base(dir))] = append(ix.number["#"+numberOf(path.Base(dir))], d)
			}
		}
		if d.format == decision {
			key := dir + "#" + numberOf(base)
			ix.number[key] = append(ix.number[key], d)
		}
	}
	return ix
}

var bareNumber = regexp.MustCompile(`^(?i:(?:adr|kep)[-_ ]?)?0*(\d{1,5})$`)

// find returns the document that a text names, or nothing.
func (ix lookup) find(from *document, to string) *document {
	if m := bareNumber.FindStringSubmatch(to); m != nil {
		if d := only(ix.number[path.Dir(from.path)+"#"+m[1]]); d != nil {
			return d
		}
		return only(ix.number["#"+m[1]])
	}
	target, fragment, ok := relative(to)
	if !ok {
		return nil
	}
	for _, p := range candidates(from.path, target) {
		if docs := ix.paths[p]; len(docs) > 0 {
			for _, d := range docs {
				for _, f := range d.fragments {
					if f == fragment {
						return d
					}
				}
			}
			return docs[0]
		}
	}
	if from.format == enhancement {
		return only(ix.folder[path.Base(strings.TrimSuffix(target, "/README.md"))])
	}
	return nil
}

// only returns the first of the parts of one file; names that fit several files
// name none.
func only(docs []*document) *document {
	if len(docs) == 0 || docs[len(docs)-1].path != docs[0].path {
		return nil
	}
	return docs[0]
}

// relative returns the path and the fragment of a link that stays in the tree.
func relative(dest string) (target, fragment string, ok bool) {
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return "", "", false
	}
	return u.Path, u.Fragment, true
}

// candidates are the paths in the tree that a name in a file may mean: from the
// folder of the file, and from the root.
func candidates(from, target string) []string {
	var out []string
	if !strings.HasPrefix(target, "/") {
		out = append(out, path.Join(path.Dir(from), target))
	}
	out = append(out, path.Clean(strings.TrimLeft(target, "/")))
	valid := out[:0]
	for _, p := range out {
		if fs.ValidPath(p) && p != "." {
			valid = append(valid, p)
		}
	}
	return valid
}

// directed is an edge between two documents of the tree.
type directed struct {
	from, to *document
	kind     string
}

func (ix lookup) resolve(d *document) []directed {
	var out []directed
	for _, e := range d.edges {
		other := ix.find(d, e.to)
		switch {
		case other == nil || other == d || other.path == d.path && e.kind != relatesTo:
		case e.incoming:
			out = append(out, directed{other, d, e.kind})
		default:
			out = append(out, directed{d, other, e.kind})
		}
	}
	return out
}

// connect writes the edges into the drafts. A typed edge says more than the
// link beside it, in either direction, and both ends may have said it.
func connect(docs []*document, edges []directed) {
	sort.SliceStable(edges, func(i, j int) bool { return edges[i].kind != relatesTo && edges[j].kind == relatesTo })
	type pair struct{ a, b *document }
	known := map[pair]bool{}
	for _, e := range edges {
		if known[pair{e.from, e.to}] || e.kind == relatesTo && known[pair{e.to, e.from}] || len(e.from.draft.Relations) >= maxRelations {
			continue
		}
		known[pair{e.from, e.to}] = true
		e.from.draft.Relations = append(e.from.draft.Relations, Relation{To: e.to.draft.Key, Type: e.kind})
	}
	for _, d := range docs {
		if r := d.draft.Relations; !d.draft.Exported {
			sort.SliceStable(r, func(i, j int) bool { return r[i].To < r[j].To })
		}
	}
}

// documentsOnly reports a tree without any file but documents: the code that
// its texts cite is elsewhere, and citations cannot be checked.
func (t *tree) documentsOnly() bool {
	const enough = 10000 // entries
	seen, only := 0, true
	// Folders that cannot be read do not change the answer.
	_ = fs.WalkDir(t.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil || seen > enough:
			return fs.SkipAll
		case d.IsDir() && skipped(name):
			return fs.SkipDir
		case d.Type().IsRegular() && formatOf(name) == ignored && path.Base(name) != "kep.yaml" && !strings.HasPrefix(path.Base(name), "."):
			only = false
			return fs.SkipAll
		}
		return nil
	})
	return only
}

var (
	pathShape = regexp.MustCompile(`^\.{0,2}/?[\w@.+()\[\]-]+(?:/[\w@.+()\[\]-]+)*/?$`)
	location  = regexp.MustCompile(`(?:#L?[\w.-]*|:\d+(?:[:-]\d+)?)$`)
)

// cited returns the anchors of a document with those files and folders added
// that its text cites and the tree holds. Documents are related, not anchored.
func (t *tree) cited(d *document, ix lookup, docsOnly bool) []string {
	anchors := d.draft.Anchors
	if t.fsys == nil || d.draft.Exported {
		return anchors
	}
	left := maxCited
	for _, text := range d.paths {
		if left == 0 {
			break
		}
		name := location.ReplaceAllString(strings.TrimSpace(text), "")
		if !pathShape.MatchString(name) {
			continue
		}
		found := t.existing(d.path, name)
		if len(ix.paths[strings.TrimSuffix(found, "/**")]) > 0 {
			continue // the folder of a document
		}
		if found == "" && docsOnly && d.format != rule && d.format != instructions && checkable(name) {
			found = path.Clean(name)
		}
		if found == "" {
			continue
		}
		if n := len(anchors); len(unique(anchors, maxAnchors, found)) > n {
			anchors = unique(anchors, maxAnchors, found)
			left--
		}
	}
	return anchors
}

// checkable reports a name that can mean nothing but a file in a repository.
func checkable(name string) bool {
	ext := path.Ext(name)
	folder, _, nested := strings.Cut(name, "/")
	return nested && folder != "" && !strings.Contains(folder, ".") && len(ext) > 1 && len(ext) <= 6 && ext != ".md"
}

// picture reports an image: part of a document, not what it is about.
func picture(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp":
		return true
	}
	return false
}

// existing returns the anchor for a name that the tree holds.
func (t *tree) existing(from, name string) string {
	if !strings.ContainsAny(name, "/.") {
		return "" // a word, not a path
	}
	for _, p := range candidates(from, name) {
		info, err := fs.Stat(t.fsys, p)
		switch {
		case err != nil:
		case info.IsDir():
			return p + "/**"
		case formatOf(p) == ignored && !picture(p) && path.Base(p) != "kep.yaml":
			return p
		default:
			return ""
		}
	}
	return ""
}
