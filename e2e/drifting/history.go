package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"driftless/internal/source/repo"
)

// history is what happened to the paths of a repository along its main line.
type history struct {
	name       string
	start      repo.Tree
	commits    []commit
	references []reference
}

type commit struct {
	SHA     string `json:"sha"`
	Time    int64  `json:"time"`
	Changes []struct {
		Status  string `json:"status"`
		Path    string `json:"path"`
		OldPath string `json:"old_path"`
	} `json:"changes"`
}

// reference is a path that a document cites, with what became of it.
type reference struct {
	ID            string `json:"id"`
	Doc           string `json:"doc"`
	Kind          string `json:"kind"`
	Ref           string `json:"ref"`
	Target        string `json:"target"`
	Resolves      bool   `json:"resolves_at_start"`
	ExistedBefore *bool  `json:"existed_before"`
	Introduced    string `json:"introduced_at"`
	BrokenBy      string `json:"broken_by"`
	Removed       string `json:"removed_at"`
	Moved         string `json:"moved_at"`
	To            string `json:"to"`
	Repaired      string `json:"repaired_at"`
	LagCommits    int    `json:"lag_commits"`
	Withdrawn     string `json:"withdrawn_at"`
	Open          bool   `json:"open_at_end"`
}

func (r reference) broken() string { return cmp.Or(r.Removed, r.Moved) }

// left is the commit with which the citation left its document, or was repaired.
func (r reference) left() string { return cmp.Or(r.Repaired, r.Withdrawn) }

func load(folder string) (h history, err error) {
	h.name = strings.ReplaceAll(filepath.Base(folder), "__", "/")
	err = lines(filepath.Join(folder, "tree_start.txt.gz"), func(line []byte) error {
		h.start = append(h.start, repo.File{Path: string(line)})
		return nil
	})
	if err != nil {
		return h, err
	}
	slices.SortFunc(h.start, func(a, b repo.File) int { return cmp.Compare(a.Path, b.Path) })
	err = lines(filepath.Join(folder, "commits.jsonl.gz"), func(line []byte) error {
		var c commit
		err := json.Unmarshal(line, &c)
		h.commits = append(h.commits, c)
		return err
	})
	if err != nil {
		return h, err
	}
	return h, lines(filepath.Join(folder, "references.jsonl"), func(line []byte) error {
		var r reference
		err := json.Unmarshal(line, &r)
		h.references = append(h.references, r)
		return err
	})
}

// changes are those of a commit in the form of the product.
func (c commit) changes() []repo.Change {
	out := make([]repo.Change, 0, len(c.Changes))
	for _, change := range c.Changes {
		status := repo.Status(change.Status)
		if status == "T" {
			status = repo.Modified
		}
		out = append(out, repo.Change{Path: change.Path, Status: status, OldPath: change.OldPath})
	}
	return out
}

// lines reads a file line by line, unpacked where its name says that it is packed.
func lines(path string, take func([]byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open a history: %w", err)
	}
	defer func() { _ = f.Close() }()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("unpack %s: %w", filepath.Base(path), err)
		}
	}
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 64<<20)
	for scan.Scan() {
		if err := take(scan.Bytes()); err != nil {
			return fmt.Errorf("read %s: %w", filepath.Base(path), err)
		}
	}
	if err := scan.Err(); err != nil {
		return fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	return nil
}
