package parse

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"
	"unicode/utf8"
)

// Tree reads the documents below the paths, or below the root when none is
// given, in the order of their paths. Paths are relative to the root, use
// slashes, and may name files. The root should be the root of the repository:
// anchors and keys are relative to it.
//
// A file that cannot be read becomes a [Problem] and never loses the others. The
// error is for a path that is not there. Symbolic links are not followed: a link
// to a document of the tree is that document.
func Tree(fsys fs.FS, paths ...string) ([]Draft, []Problem, error) {
	t := &tree{fsys: fsys, files: map[string]bool{}}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, p := range paths {
		if err := t.collect(path.Clean(p)); err != nil {
			return nil, nil, err
		}
	}
	names := make([]string, 0, len(t.files))
	for name := range t.files {
		names = append(names, name)
	}
	sort.Strings(names)
	if len(names) > MaxFiles {
		t.problem(names[MaxFiles], fmt.Sprintf("left out with %d more: one import reads %d documents", len(names)-MaxFiles-1, MaxFiles))
		names = names[:MaxFiles]
	}
	for _, name := range names {
		t.read(name)
	}
	t.dropCopies()
	drafts := t.finish()
	sort.Slice(t.problems, func(i, j int) bool { return t.problems[i].Path < t.problems[j].Path })
	return drafts, t.problems, nil
}

// File reads one document by itself, as [Tree] would read a tree of it alone.
func File(name string, data []byte) ([]Draft, error) {
	t := &tree{}
	docs, err := t.parse(name, data)
	if err != nil {
		return nil, err
	}
	t.docs = docs
	return t.finish(), nil
}

// tree is one reading.
type tree struct {
	fsys     fs.FS // nil for a single file
	files    map[string]bool
	docs     []*document
	problems []Problem
}

func (t *tree) problem(name, reason string) {
	t.problems = append(t.problems, Problem{name, reason})
}

// collect finds the documents at or below a path.
func (t *tree) collect(root string) error {
	info, err := fs.Lstat(t.fsys, root)
	if err != nil {
		return fmt.Errorf("import %s: %w", root, err)
	}
	if !info.IsDir() {
		t.files[root] = true
		return nil
	}
	return fs.WalkDir(t.fsys, root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			t.problem(name, reason(err))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			if name != root && skipped(name) {
				return fs.SkipDir
			}
		case formatOf(name) == ignored || boilerplate(name):
		case d.Type()&fs.ModeSymlink != 0:
			t.link(name)
		case d.Type().IsRegular():
			t.files[name] = true
		}
		return nil
	})
}

// link decides about a symbolic link. Where it ends at a file that is read
// anyway, or outside the tree, it adds nothing.
func (t *tree) link(name string) {
	target := name
	for range 8 {
		to, err := fs.ReadLink(t.fsys, target)
		if err != nil {
			break
		}
		if path.IsAbs(to) {
			return
		}
		target = path.Join(path.Dir(target), to)
	}
	if info, err := fs.Lstat(t.fsys, target); err != nil || !info.Mode().IsRegular() || formatOf(target) != ignored {
		return
	}
	t.files[name] = true
}

// reason is an error without the path, which the problem names already.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return err.Error()
}

// read parses one file into documents, or notes the problem.
func (t *tree) read(name string) {
	data, err := t.load(name)
	if err == nil {
		var docs []*document
		if docs, err = t.parse(name, data); err == nil {
			t.docs = append(t.docs, docs...)
			return
		}
	}
	t.problem(name, reason(err))
}

var (
	errTooLarge = fmt.Errorf("larger than %d KiB", MaxFile>>10)
	errNotText  = errors.New("not UTF-8 text")
	errEmpty    = errors.New("empty")
	errFormat   = errors.New("not a Markdown document")
)

// load reads a file within its limit.
func (t *tree) load(name string) ([]byte, error) {
	f, err := t.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxFile {
		return nil, errTooLarge
	}
	return data, nil
}

// parse reads the bytes of one file.
func (t *tree) parse(name string, data []byte) ([]*document, error) {
	text := normal(data)
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return nil, errNotText
	case strings.TrimSpace(text) == "":
		return nil, errEmpty
	}
	front, body, has := splitFrontMatter(text)
	meta := fields{}
	if has {
		var err error
		if meta, err = readFrontMatter(front); err != nil {
			return nil, err
		}
	}
	f := file{name: name, front: front, meta: meta, body: body}
	if validSlug(meta.text("slug")) && meta.text("title") != "" {
		return f.exported()
	}
	f.outline = outlineOf(body)
	switch formatOf(name) {
	case contextFile:
		return f.context(), nil
	case rule:
		return f.rule("globs"), nil
	case instructions:
		return f.rule("applyTo"), nil
	case decision:
		return f.decision(), nil
	case markdown:
		if kep, ok := t.kep(name); ok {
			return f.enhancement(kep)
		}
		return f.plain(), nil
	default:
		return nil, errFormat
	}
}

// kep returns the text of the kep.yaml beside a README.md.
func (t *tree) kep(name string) (string, bool) {
	if t.fsys == nil || !strings.EqualFold(path.Base(name), "README.md") {
		return "", false
	}
	data, err := t.load(path.Join(path.Dir(name), "kep.yaml"))
	if err != nil || !utf8.Valid(data) {
		return "", false
	}
	return normal(data), true
}

// dropCopies leaves out context files that say in the same folder what another
// says already: a copy for another tool, or a file that only names the other.
func (t *tree) dropCopies() {
	seen := map[[2]string]string{}
	kept := t.docs[:0]
	for _, d := range t.docs {
		if d.format == contextFile {
			id := [2]string{scopeOf(d.path), d.draft.ContentHash}
			if first, ok := seen[id]; ok && first != d.path {
				continue
			}
			seen[id] = d.path
		}
		kept = append(kept, d)
	}
	t.docs = kept
}
