package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"driftless/internal/exchange/parse"
	"driftless/internal/fault"
	"driftless/internal/source/repo"
)

// A batch of drafts stays below the number and the size that the server takes: 100 drafts and a body of 1 MiB.
const (
	batchDrafts = 100
	batchBytes  = 800 << 10
)

const importPath = "/api/v1/workspaces/{workspace}/imports"

// importResult is what the server did with one draft.
type importResult struct {
	Key    string   `json:"key"`
	Slug   string   `json:"slug,omitempty"`
	Action string   `json:"action"`
	Error  string   `json:"error,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

func (c *client) importCommand() *cobra.Command {
	dry := false
	cmd := &cobra.Command{
		Use: "import PATH...", Short: "Make drafts from context files, rules, decisions and Markdown",
		Long: "Reads AGENTS.md and its relatives, Cursor rules, Copilot instructions, decision records, KEP folders, exports and any other\n" +
			"Markdown below the paths, and makes one draft for each decision or section that stands alone. Importing again changes only\n" +
			"what changed: a draft at once, Knowledge as a suggested edit. Files are known by their path in the repository.",
		Example: "  driftless import . --dry-run\n  driftless import docs/adr AGENTS.md",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongArguments(cmd)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.importPaths(cmd.Context(), args, dry) },
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would happen, and write nothing")
	return cmd
}

func (c *client) importPaths(ctx context.Context, args []string, dry bool) error {
	root, paths, err := importRoot(args)
	if err != nil {
		return err
	}
	drafts, problems, err := parse.Tree(os.DirFS(root), paths...)
	if err != nil {
		return usagef("%v", err)
	}
	c.say("%d drafts from %s", len(drafts), root)
	i := importer{c: c, origin: origin(ctx, root), dry: dry, results: map[string]*importResult{}}
	if c.workspace, err = c.inWorkspace(ctx); err != nil {
		return err
	}
	for _, p := range problems {
		i.add(importResult{Key: p.Path, Action: "failed", Error: p.Reason})
	}
	if err := i.send(ctx, drafts); err != nil {
		return err
	}
	return i.summary(drafts)
}

// importRoot finds the folder that keys and anchors are relative to: the repository around the paths, else the folder that
// holds them all. The paths are answered relative to it.
func importRoot(args []string) (root string, paths []string, err error) {
	full := make([]string, 0, len(args))
	for _, arg := range args {
		path, err := filepath.Abs(arg)
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		if err != nil {
			return "", nil, usagef("import %s: %v", arg, err)
		}
		full = append(full, path)
	}
	root = repository(full[0])
	for _, path := range full[1:] {
		if repository(path) != root {
			return "", nil, usagef("the paths lie in different repositories; import one at a time")
		}
	}
	if root == "" {
		root = common(full)
	}
	for _, path := range full {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return "", nil, fmt.Errorf("place %s below %s: %w", path, root, err)
		}
		paths = append(paths, filepath.ToSlash(rel))
	}
	return root, paths, nil
}

// repository is the root of the git repository around a path, or empty.
func repository(path string) string {
	for dir := path; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}

// common is the deepest folder that holds all paths; a single folder is itself.
func common(paths []string) string {
	root := paths[0]
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		root = filepath.Dir(root)
	}
	for _, path := range paths[1:] {
		for path != root && !strings.HasPrefix(path, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator)) {
			root = filepath.Dir(root)
		}
	}
	return root
}

// origin names the tree, so that files of the same path in two repositories stay two: the remote of the repository without
// any credential, else the name of the folder.
func origin(ctx context.Context, root string) string {
	if repository(root) == root {
		out, err := exec.CommandContext(ctx, "git", "-C", root, "remote", "get-url", "origin").Output()
		if name, bad := repo.Name(string(out)); err == nil && bad == nil {
			return name
		}
	}
	return filepath.Base(root)
}

// importer sends drafts and keeps account of them.
type importer struct {
	c       *client
	origin  string
	dry     bool
	order   []string
	results map[string]*importResult
}

// add takes one result. What a later pass does to a draft counts only when the first did nothing.
func (i *importer) add(r importResult) {
	have := i.results[r.Key]
	switch {
	case have == nil:
		i.order = append(i.order, r.Key)
		i.results[r.Key] = &r
	case r.Action == "failed" || have.Action == "unchanged":
		have.Action, have.Error, have.Notes = r.Action, r.Error, slices.Concat(have.Notes, r.Notes)
	default:
		have.Notes = slices.Concat(have.Notes, r.Notes)
	}
}

// item is one element of a batch, encoded once.
type item struct {
	key string
	raw json.RawMessage
}

// send gives the server all drafts first and their relations afterwards, when both ends of each are there.
func (i *importer) send(ctx context.Context, drafts []parse.Draft) error {
	var contents, links []item
	for _, d := range drafts {
		raw, err := json.Marshal(d.Wire())
		if err != nil {
			return fmt.Errorf("encode %s: %w", d.Key, err)
		}
		contents = append(contents, item{d.Key, raw})
		if raw, err = json.Marshal(d.WireRelations()); err != nil {
			return fmt.Errorf("encode the relations of %s: %w", d.Key, err)
		}
		links = append(links, item{d.Key, raw})
	}
	if err := i.batches(ctx, "drafts", contents); err != nil || i.dry {
		return err
	}
	links = slices.DeleteFunc(links, func(l item) bool { return i.results[l.key] == nil || i.results[l.key].Action == "failed" })
	return i.batches(ctx, "links", links)
}

func (i *importer) batches(ctx context.Context, kind string, items []item) error {
	done := 0
	for done < len(items) {
		size, n := 0, 0
		for n < batchDrafts && done+n < len(items) && (n == 0 || size+len(items[done+n].raw) <= batchBytes) {
			size += len(items[done+n].raw)
			n++
		}
		if err := i.batch(ctx, kind, items[done:done+n]); err != nil {
			return err
		}
		done += n
		i.c.say("%s: %d of %d", kind, done, len(items))
	}
	return nil
}

// batch sends some items. A batch that is refused as a whole is sent one by one, so that the one at fault is named and
// loses no other.
func (i *importer) batch(ctx context.Context, kind string, items []item) error {
	raws := make([]json.RawMessage, 0, len(items))
	for _, it := range items {
		raws = append(raws, it.raw)
	}
	raw, err := i.c.call(ctx, http.MethodPost, importPath, map[string]any{"origin": i.origin, kind: raws, "dry_run": i.dry})
	var refusal *fault.Error
	if errors.As(err, &refusal) && (refusal.Kind == fault.Invalid || refusal.Kind == fault.Limit) {
		if len(items) == 1 {
			i.add(importResult{Key: items[0].key, Action: "failed", Error: refusal.Message})
			return nil
		}
		for n := range items {
			if err := i.batch(ctx, kind, items[n:n+1]); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	var answer struct {
		Results []importResult `json:"results"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	for _, r := range answer.Results {
		i.add(r)
	}
	return nil
}

// summary prints what happened, the failures at the end, and fails when there was one.
func (i *importer) summary(drafts []parse.Draft) error {
	counts := map[string]int{"created": 0, "updated": 0, "suggested": 0, "unchanged": 0, "failed": 0}
	out := struct {
		DryRun  bool           `json:"dry_run,omitempty"`
		Counts  map[string]int `json:"counts"`
		Results []importResult `json:"results"`
	}{DryRun: i.dry, Counts: counts, Results: []importResult{}}
	var failed []importResult
	for _, key := range i.order {
		r := *i.results[key]
		counts[r.Action]++
		if r.Action == "failed" {
			failed = append(failed, r)
			continue
		}
		out.Results = append(out.Results, r)
	}
	out.Results = append(out.Results, failed...)
	if i.dry || i.c.format != formatTable {
		if err := i.c.show(out); err != nil {
			return err
		}
	}
	relations := 0
	for _, d := range drafts {
		relations += len(d.Relations)
	}
	words := fmt.Sprintf("created %d, updated %d, suggested %d, unchanged %d, failed %d (%d relations)",
		counts["created"], counts["updated"], counts["suggested"], counts["unchanged"], counts["failed"], relations)
	if i.dry {
		words = "would have: " + words
	}
	if i.c.format == formatTable {
		if _, err := fmt.Fprintln(i.c.Out, words); err != nil {
			return err
		}
	}
	for _, key := range i.order {
		for _, note := range i.results[key].Notes {
			i.c.say("note: %s: %s", printable(key), printable(note))
		}
	}
	for _, r := range failed {
		i.c.say("failed: %s: %s", printable(r.Key), printable(r.Error))
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d could not be imported", len(failed), len(i.order))
	}
	return nil
}
