package retrieve

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"driftless/internal/evidence"
	"driftless/internal/relation"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/retrieve/packed"
	"driftless/internal/topic"
)

// snapshots is a folder with the last known index of each workspace, one file each, so that a server that starts again need not
// build them. A file holds the terms of private drafts, too: only the user of the server may read it.
type snapshots struct {
	dir string
	// build names the program. Another one may cut words otherwise, so that its files are as good as none.
	build func() string
}

// snapshotForm is the form of the file. It goes up with every change of what is packed.
const snapshotForm = "driftless index 1\n"

// snapshotAge is how old a file may be. What is purged leaves no trace in the sequence, but nothing is purged that was not in the trash
// for thirty days, which does.
const snapshotAge = 14 * 24 * time.Hour

// errNoSnapshot says that there is no file that can be used.
var errNoSnapshot = errors.New("no snapshot")

func (s snapshots) path(workspace uuid.UUID) string {
	return filepath.Join(s.dir, workspace.String()+".index")
}

// mark is what names the state of a workspace that a file is of: its place in the sequence, and the hash of the event there. A database
// that was set back to a backup and went on has the place, and another event.
type mark struct {
	seq  int64
	hash []byte
}

// save keeps an index, in the place of the one before it.
func (s snapshots) save(workspace uuid.UUID, packedIndex []byte, m mark) (err error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of snapshots: %w", err)
	}
	var head packed.Writer
	head.String(s.build())
	head.Raw(workspace[:])
	head.Int(m.seq)
	head.Blob(m.hash)
	f, err := os.CreateTemp(s.dir, "*.part") // of mode 0600
	if err != nil {
		return fmt.Errorf("write a snapshot: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write a snapshot: %w", err), os.Remove(f.Name()))
		}
	}()
	sum := sha256.New()
	for _, part := range [][]byte{head.Bytes(), packedIndex} {
		sum.Write(part)
	}
	for _, part := range [][]byte{[]byte(snapshotForm), sum.Sum(nil), head.Bytes(), packedIndex} {
		if _, err := f.Write(part); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), s.path(workspace))
}

// load reads the index of a workspace as it was kept. An error means that it has to be built; a file that cannot be used is removed.
func (s snapshots) load(workspace uuid.UUID) (*index, mark, error) {
	path := s.path(workspace)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, mark{}, errNoSnapshot
	}
	if err != nil {
		return nil, mark{}, fmt.Errorf("read a snapshot: %w", err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, mark{}, fmt.Errorf("read a snapshot: %w", err)
	}
	ix, m, err := s.read(workspace, raw)
	if err == nil && time.Since(info.ModTime()) > snapshotAge {
		err = fmt.Errorf("it is older than %s", snapshotAge)
	}
	if err != nil {
		return nil, m, errors.Join(err, os.Remove(path))
	}
	return ix, m, nil
}

func (s snapshots) read(workspace uuid.UUID, raw []byte) (*index, mark, error) {
	body, ours := bytes.CutPrefix(raw, []byte(snapshotForm))
	if !ours || len(body) < sha256.Size {
		return nil, mark{}, errors.New("it is none of this form")
	}
	sum := sha256.Sum256(body[sha256.Size:])
	if !bytes.Equal(sum[:], body[:sha256.Size]) {
		return nil, mark{}, packed.ErrDamaged
	}
	r := packed.NewReader(body[sha256.Size:])
	build, of := r.String(), uuid.UUID{}
	copy(of[:], r.Raw(len(of)))
	m := mark{seq: r.Int(), hash: r.Blob()}
	switch {
	case r.Err() != nil:
		return nil, m, r.Err()
	case build != s.build():
		return nil, m, errors.New("another version of the program wrote it")
	case of != workspace:
		return nil, m, errors.New("it is of another workspace")
	}
	ix, err := unpackIndex(r)
	if err != nil {
		return nil, m, err
	}
	ix.known = m.seq
	return ix, m, nil
}

// pack writes all that the index knows, but for its place in the sequence.
func (ix *index) pack() []byte {
	var w packed.Writer
	ix.shared.text.Pack(&w)
	w.Uint(uint64(len(ix.own)))
	for author, s := range ix.own {
		w.Raw(author[:])
		s.text.Pack(&w)
	}
	w.Uint(uint64(len(ix.topics)))
	for _, f := range ix.topics {
		f.pack(&w)
	}
	w.Uint(uint64(len(ix.edges.out)))
	for slug, links := range ix.edges.out {
		w.String(slug)
		w.Uint(uint64(len(links)))
		for _, l := range links {
			w.String(string(l.Type))
			w.String(l.Slug)
		}
	}
	return w.Bytes()
}

func unpackIndex(r *packed.Reader) (*index, error) {
	ix := newIndex()
	var err error
	if ix.shared.text, err = lexical.Unpack(lexical.DefaultWeights(), r); err != nil {
		return nil, err
	}
	for range r.Count(16) {
		author, s := uuid.UUID{}, newShelf()
		copy(author[:], r.Raw(len(author)))
		if s.text, err = lexical.Unpack(lexical.DefaultWeights(), r); err != nil {
			return nil, err
		}
		ix.own[author] = s
	}
	for range r.Count(16) {
		f := unpackFacts(r)
		if r.Err() != nil {
			return nil, r.Err()
		}
		ix.settle(ix.topics[f.id], f)
		ix.topics[f.id], ix.slugs[f.slug] = f, f
		ix.place(f).files.Add(f.id, f.anchors)
	}
	for range r.Count(2) {
		slug := r.String()
		for range r.Count(2) {
			ix.edges.connect(slug, relation.Type(r.String()), r.String())
		}
	}
	if !r.Done() {
		return nil, packed.ErrDamaged
	}
	return ix, nil
}

func (f *facts) pack(w *packed.Writer) {
	w.Raw(f.id[:])
	w.String(f.slug)
	w.String(string(f.status))
	w.Bool(f.private)
	w.Raw(f.author[:])
	w.String(f.area)
	w.Strings(f.tags)
	w.Bool(f.stale)
	w.String(f.drift)
	w.Int(micros(f.updated))
	w.Int(micros(f.vouched))
	w.Uint(uint64(len(f.anchors)))
	for _, a := range f.anchors {
		w.String(a.Text)
	}
	w.Uint(uint64(len(f.solutions)))
	for _, s := range f.solutions {
		w.Strings([]string{s.ID, s.Env.OS, s.Env.Runtime, s.Env.PkgManager})
		w.Strings(s.Env.Labels)
	}
}

func unpackFacts(r *packed.Reader) *facts {
	f := &facts{}
	copy(f.id[:], r.Raw(len(f.id)))
	f.slug, f.status, f.private = r.String(), topic.Status(r.String()), r.Bool()
	copy(f.author[:], r.Raw(len(f.author)))
	f.area, f.tags, f.stale = r.String(), r.Strings(), r.Bool()
	f.drift = r.String()
	f.updated, f.vouched = fromMicros(r.Int()), fromMicros(r.Int())
	f.anchors = readAnchors(r.Strings())
	for range r.Count(5) {
		names := append(r.Strings(), "", "", "", "")
		f.solutions = append(f.solutions, evidence.Solution{
			ID: names[0], Env: evidence.Environment{OS: names[1], Runtime: names[2], PkgManager: names[3], Labels: r.Strings()},
		})
	}
	return f
}

// micros is a time as the database keeps it; the zero time is 0.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// tidy removes what a server that was killed left half written.
func (s snapshots) tidy() {
	parts, err := filepath.Glob(filepath.Join(s.dir, "*.part"))
	if err != nil {
		return
	}
	for _, part := range slices.Backward(parts) {
		_ = os.Remove(part)
	}
}
