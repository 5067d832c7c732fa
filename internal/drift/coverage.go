package drift

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"driftless/internal/anchor"
	"driftless/internal/drift/claim"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

type coverageIn struct {
	Repo  string `json:"repo,omitempty" jsonschema:"repository"`
	Path  string `json:"path,omitempty" jsonschema:"folder"`
	Limit int    `json:"limit,omitempty" jsonschema:"gaps"`
}

// Covered counts files by what is written about them.
type Covered struct {
	Files     int `json:"files"`
	Knowledge int `json:"knowledge" jsonschema:"files under an anchor of Knowledge"`
	Note      int `json:"note" jsonschema:"files under an anchor of Notes alone"`
	None      int `json:"none" jsonschema:"files under no anchor"`
	// Share weighs each file by how often it changes: what nobody touches needs no words.
	Share float64 `json:"share" jsonschema:"covered by Knowledge, each file weighed by how often it changes; 0 to 1"`

	weight, known int
}

// Folder is what is written about the files below a folder.
type Folder struct {
	Path string `json:"path"`
	Covered
}

// Gap is a folder with files of its own that no topic covers.
type Gap struct {
	Path    string   `json:"path"`
	Files   int      `json:"files" jsonschema:"files that no topic covers"`
	Commits int      `json:"commits" jsonschema:"how often the latest commits touched them"`
	Samples []string `json:"samples"`
}

// Coverage is what is written about the files of a repository.
type Coverage struct {
	Repository string   `json:"repository"`
	Branch     string   `json:"branch"`
	Head       string   `json:"head"`
	Path       string   `json:"path,omitempty"`
	Total      Covered  `json:"total"`
	Folders    []Folder `json:"folders" jsonschema:"the next level, the largest gaps first"`
	op.Page[Gap]
}

const (
	// foldersMax is how many folders of the next level are answered, samplesMax how many files of a gap.
	foldersMax = 30
	samplesMax = 3
)

func (s *Service) coverageOp() op.Operation {
	return op.Read(op.Spec{
		Tool: "driftless_context_coverage", ID: "coverage.show", Title: "Coverage",
		Doc:   `Code no topic covers, most changed first. Example: {"path":"billing"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /coverage", CLI: "context coverage",
		Rules: op.Rules{"limit": op.Range(1, 100, 20), "repo": op.Length(0, 2*repo.NameMax), "path": op.Length(0, anchor.MaxPath)},
	}, s.coverage)
}

func (s *Service) coverage(_ context.Context, tx *pg.Tx, in coverageIn) (Coverage, error) {
	folder, err := folderOf(in.Path)
	if err != nil {
		return Coverage{}, err
	}
	src, err := source.Pick(tx, in.Repo)
	if err != nil {
		return Coverage{}, err
	}
	head, known, err := source.HeadOf(tx, src.ID, src.DefaultBranch)
	if err != nil {
		return Coverage{}, err
	}
	if !known {
		return Coverage{}, fault.New(fault.State, fault.CodeStateConflict, "the files of "+src.Name+" are not known yet",
			"run 'driftless sync' in a checkout of "+src.DefaultBranch)
	}
	tree, err := source.Files(tx, src.ID, src.DefaultBranch)
	if err != nil {
		return Coverage{}, err
	}
	topics, err := claim.Visible(tx)
	if err != nil {
		return Coverage{}, err
	}
	out := cover(tree.Below(folder), folder, topics)
	out.Repository, out.Branch, out.Head, out.Path = src.Name, src.DefaultBranch, head.Head, folder
	gaps, more := out.Results, false
	if len(gaps) > in.Limit {
		gaps, more = gaps[:in.Limit], true
	}
	out.Page = op.NewPage(gaps, more, nextAfterGaps(gaps), func(_ Gap, _ int) (string, *op.Next) {
		if len(out.Folders) > 0 && out.Folders[0].None > 0 && out.Folders[0].Path != folder {
			return "", &op.Next{
				Tool: "driftless_context_coverage", Arguments: map[string]any{"repo": src.Name, "path": out.Folders[0].Path},
				Why: "there are more gaps; this folder has the largest",
			}
		}
		return "", &op.Next{
			Tool: "driftless_context_coverage", Arguments: map[string]any{"repo": src.Name, "path": folder, "limit": 100}, Why: "there are more gaps",
		}
	})
	return out, nil
}

// folderOf reads the folder of a question; the root is empty.
func folderOf(text string) (string, error) {
	text = strings.Trim(text, "/")
	if text == "" || text == "." {
		return "", nil
	}
	folder, err := anchor.NormalizePath(text)
	if err != nil {
		return "", fault.Fieldf("path", "%v", err)
	}
	return folder, nil
}

func nextAfterGaps(gaps []Gap) *op.Next {
	if len(gaps) == 0 {
		return nil
	}
	anchor := gaps[0].Path + "/*"
	if gaps[0].Path == "." {
		anchor = gaps[0].Samples[0]
	}
	return &op.Next{
		Tool: "driftless_note_add", Arguments: map[string]any{"content": "What I learned: …", "anchors": []string{anchor}},
		Why: "leave what you know about the largest gap as a note",
	}
}

// cover counts the files of a part of a tree by what is written about them. Generated and vendored ones do not count.
func cover(tree repo.Tree, root string, topics []claim.Claim) Coverage {
	trie := trieOf(topics)
	folders, gaps := map[string]*Covered{}, map[string]*Gap{}
	out := Coverage{Folders: []Folder{}}
	for _, f := range tree {
		if anchor.IsGenerated(f.Path) {
			continue
		}
		standing := ""
		for _, hit := range trie.Match(f.Path) {
			if standing = topics[hit.Key].Status; standing == "reviewed" {
				break
			}
		}
		below := nextLevel(f.Path, root)
		if folders[below] == nil {
			folders[below] = &Covered{}
		}
		out.Total.add(f, standing)
		folders[below].add(f, standing)
		if standing == "" {
			dir := path.Dir(f.Path)
			if gaps[dir] == nil {
				gaps[dir] = &Gap{Path: dir}
			}
			gaps[dir].add(f)
		}
	}
	out.Total.share()
	for name, c := range folders {
		c.share()
		out.Folders = append(out.Folders, Folder{Path: name, Covered: *c})
	}
	slices.SortFunc(out.Folders, func(a, b Folder) int {
		return cmp.Or(cmp.Compare(b.weight-b.known, a.weight-a.known), cmp.Compare(a.Path, b.Path))
	})
	out.Folders = out.Folders[:min(len(out.Folders), foldersMax)]
	for _, g := range gaps {
		out.Results = append(out.Results, *g)
	}
	slices.SortFunc(out.Results, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(b.Files, a.Files), cmp.Compare(a.Path, b.Path))
	})
	return out
}

// nextLevel is the folder just below root that a path lies in, or root itself, which is "." at the top.
func nextLevel(file, root string) string {
	rest := file
	if root != "" {
		rest = file[len(root)+1:]
	}
	if first, _, deeper := strings.Cut(rest, "/"); deeper {
		return path.Join(root, first)
	}
	return path.Clean(root)
}

func (c *Covered) add(f repo.File, standing string) {
	c.Files++
	c.weight += 1 + f.Weight
	switch standing {
	case "reviewed":
		c.Knowledge++
		c.known += 1 + f.Weight
	case "":
		c.None++
	default:
		c.Note++
	}
}

func (c *Covered) share() {
	if c.weight > 0 {
		c.Share = float64(int(1000*float64(c.known)/float64(c.weight))) / 1000
	}
}

func (g *Gap) add(f repo.File) {
	g.Files++
	g.Commits += f.Weight
	if len(g.Samples) < samplesMax {
		g.Samples = append(g.Samples, f.Path)
	}
}
