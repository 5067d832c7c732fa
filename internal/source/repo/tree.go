package repo

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"driftless/internal/anchor"
)

const (
	// FilesMax is how many files a tree may hold.
	FilesMax = 1_000_000
	// treeBytes bounds a tree before compression, so that a small body cannot become a large memory.
	treeBytes = 256 << 20
	// lineMax bounds one line of a tree: a path and the numbers before it.
	lineMax = anchor.MaxPath + 256
	// packedMost is how many times larger than sent a tree may become. The ids of blobs are random and hardly pack, so that real
	// trees stay far below.
	packedMost = 64
	// TreeText bounds a tree as it is sent, in characters.
	TreeText = 24 << 20
)

// File is one file of a commit.
type File struct {
	Path string
	// Blob is the id of its content, hexadecimal: SHA-1 or SHA-256.
	Blob string
	// Size is in bytes, 0 where it is not known.
	Size int64
	// Weight is how many of the latest commits touched it.
	Weight int
}

// Tree is the files of a commit, sorted by path.
type Tree []File

// ParseTree reads what [Tree.Pack] wrote. Paths come out as anchors are matched against them.
func ParseTree(packed []byte) (Tree, error) { return parseTree(packed, treeBytes) }

func parseTree(packed []byte, most int) (Tree, error) {
	if len(packed) == 0 {
		return Tree{}, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("it is not compressed with gzip: %w", err)
	}
	tree, err := readFiles(z, most)
	if err != nil {
		return nil, err
	}
	tree.sort()
	for i := 1; i < len(tree); i++ {
		if tree[i].Path == tree[i-1].Path {
			return nil, fmt.Errorf("%q is there twice", shortened(tree[i].Path))
		}
	}
	return tree, nil
}

// readFiles reads the lines of a tree one by one, so that what is refused was never held whole.
func readFiles(from io.Reader, most int) (Tree, error) {
	tree := Tree{}
	lines := bufio.NewReaderSize(from, lineMax)
	for {
		line, err := lines.ReadSlice(0)
		switch {
		case err == nil:
		case errors.Is(err, io.EOF) && len(line) == 0:
			return tree, nil
		case errors.Is(err, io.EOF):
			return nil, errors.New("its last line has no end")
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("line %d: its path is longer than %d bytes", len(tree)+1, anchor.MaxPath)
		default:
			return nil, fmt.Errorf("it is not compressed with gzip: %w", err)
		}
		if most -= len(line); most < 0 {
			return nil, fmt.Errorf("it is larger than %d MiB, or packed tighter than a list of files can be", treeBytes>>20)
		}
		if len(tree) == FilesMax {
			return nil, fmt.Errorf("it has more than %d files", FilesMax)
		}
		f, err := parseFile(string(line[:len(line)-1]))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(tree)+1, err)
		}
		tree = append(tree, f)
	}
}

// parseFile reads "blob size weight<tab>path".
func parseFile(line string) (f File, err error) {
	head, path, ok := strings.Cut(line, "\t")
	blob, numbers, spaced := strings.Cut(head, " ")
	size, weight, both := strings.Cut(numbers, " ")
	if !ok || !spaced || !both {
		return f, errors.New("it is not: blob, size, weight, tab, path")
	}
	if !IsObject(blob) {
		return f, fmt.Errorf("%q is not the id of a blob", shortened(blob))
	}
	if f.Path, err = anchor.NormalizePath(path); err != nil {
		return f, fmt.Errorf("its path: %w", err)
	}
	f.Blob = blob
	if f.Size, err = strconv.ParseInt(size, 10, 64); err != nil || f.Size < 0 {
		return f, fmt.Errorf("%q is not a size", shortened(size))
	}
	if f.Weight, err = strconv.Atoi(weight); err != nil || f.Weight < 0 || f.Weight > math.MaxInt32 {
		return f, fmt.Errorf("%q is not a number of commits", shortened(weight))
	}
	return f, nil
}

// IsObject reports whether a text is the id of an object of git, whole and in small letters.
func IsObject(id string) bool {
	return (len(id) == 40 || len(id) == 64) && strings.Trim(id, "0123456789abcdef") == ""
}

// Pack is the tree compressed with gzip: for each file a line "blob size weight<tab>path" that ends with NUL. A hundred
// thousand files take about 3 MB.
func (t Tree) Pack() ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, fmt.Errorf("pack a tree: %w", err)
	}
	var line []byte
	for _, f := range t {
		line = append(line[:0], f.Blob...)
		line = strconv.AppendInt(append(line, ' '), f.Size, 10)
		line = strconv.AppendInt(append(line, ' '), int64(f.Weight), 10)
		line = append(append(append(line, '\t'), f.Path...), 0)
		if _, err := z.Write(line); err != nil {
			return nil, fmt.Errorf("pack a tree: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack a tree: %w", err)
	}
	return out.Bytes(), nil
}

// Text is the packed tree in base64, as it is sent.
func (t Tree) Text() (string, error) {
	packed, err := t.Pack()
	return base64.StdEncoding.EncodeToString(packed), err
}

// ParseTreeText reads what [Tree.Text] wrote.
func ParseTreeText(text string) (Tree, error) {
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("it is not base64")
	}
	return parseTree(packed, min(treeBytes, 1<<20+packedMost*len(packed)))
}

func (t Tree) sort() {
	byPath := func(a, b File) int { return cmp.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(t, byPath) {
		slices.SortFunc(t, byPath)
	}
}

// Find is the file at a path.
func (t Tree) Find(path string) (File, bool) {
	at, ok := slices.BinarySearchFunc(t, path, func(f File, path string) int { return cmp.Compare(f.Path, path) })
	if !ok {
		return File{}, false
	}
	return t[at], true
}

// Below is the part of the tree in a folder; the empty folder is the whole.
func (t Tree) Below(folder string) Tree {
	if folder == "" {
		return t
	}
	from, _ := slices.BinarySearchFunc(t, folder+"/", func(f File, path string) int { return cmp.Compare(f.Path, path) })
	// "0" follows "/" in the order of bytes.
	to, _ := slices.BinarySearchFunc(t, folder+"0", func(f File, path string) int { return cmp.Compare(f.Path, path) })
	return t[from:to]
}

// Paths are those of all files.
func (t Tree) Paths() []string {
	out := make([]string, len(t))
	for i, f := range t {
		out[i] = f.Path
	}
	return out
}
