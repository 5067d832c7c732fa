// Package git reads a checkout with the git program: where it comes from, what is checked out, which files that has, what was
// renamed, and the content of single files.
//
// It refuses to change anything, to fetch, and to run what a repository configures: no hook, filter, external diff or prompt.
package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"driftless/internal/source/repo"
)

// weighed is how many of the latest commits a file is weighed by.
const weighed = 1000

// Checkout is a working tree, or a bare repository.
type Checkout struct {
	// Root is its folder.
	Root string
}

// ErrNone is answered outside of any repository.
var ErrNone = errors.New("this folder is in no git repository")

// Open finds the repository around a folder.
func Open(ctx context.Context, dir string) (Checkout, error) {
	c := Checkout{Root: dir}
	if _, err := exec.LookPath("git"); err != nil {
		return c, fmt.Errorf("the program git is needed: %w", err)
	}
	if root, err := c.line(ctx, "rev-parse", "--show-toplevel"); err == nil && root != "" {
		c.Root = root
		return c, nil
	}
	if _, err := c.line(ctx, "rev-parse", "--git-dir"); err != nil {
		return c, ErrNone
	}
	return c, nil
}

// Remote is the address of the remote that the repository came from: origin, else the only one; ok is false when there is
// none.
func (c Checkout) Remote(ctx context.Context) (url string, ok bool) {
	if url, err := c.line(ctx, "remote", "get-url", "origin"); err == nil {
		return url, true
	}
	names, err := c.line(ctx, "remote")
	if err != nil || names == "" || strings.Contains(names, "\n") {
		return "", false
	}
	url, err = c.line(ctx, "remote", "get-url", names)
	return url, err == nil
}

// Head is the commit that is checked out, and when it was committed, in seconds since 1970.
func (c Checkout) Head(ctx context.Context) (commit string, at int64, err error) {
	line, err := c.line(ctx, "log", "-1", "--no-show-signature", "--format=%H %ct")
	if err != nil {
		return "", 0, fmt.Errorf("there is no commit yet: %w", err)
	}
	commit, seconds, _ := strings.Cut(line, " ")
	if at, err = strconv.ParseInt(seconds, 10, 64); err != nil || !repo.IsObject(commit) {
		return "", 0, fmt.Errorf("git named the commit %q", line)
	}
	return commit, at, nil
}

// Committed is when a commit was made, in seconds since 1970.
func (c Checkout) Committed(ctx context.Context, commit string) (at int64, err error) {
	line, err := c.line(ctx, "log", "-1", "--no-show-signature", "--format=%ct", commit)
	if err != nil {
		return 0, fmt.Errorf("read a commit: %w", err)
	}
	if at, err = strconv.ParseInt(line, 10, 64); err != nil {
		return 0, fmt.Errorf("git said the time %q", line)
	}
	return at, nil
}

// branchVariables are where the known build services say which branch they work on.
var branchVariables = []string{"GITHUB_REF_NAME", "CI_COMMIT_BRANCH", "BITBUCKET_BRANCH", "CIRCLE_BRANCH", "BUILDKITE_BRANCH", "DRONE_BRANCH", "CI_COMMIT_REF_NAME"}

// Branch is the branch that is checked out. With a detached head it is the one a build service names, else the only branch of
// the remote that is at this commit; ok is false when neither tells.
func (c Checkout) Branch(ctx context.Context, env func(string) string) (branch string, ok bool) {
	if branch, err := c.line(ctx, "symbolic-ref", "--short", "-q", "HEAD"); err == nil && branch != "" {
		return branch, true
	}
	for _, name := range branchVariables {
		if branch := env(name); branch != "" {
			return branch, true
		}
	}
	refs, err := c.line(ctx, "for-each-ref", "--points-at", "HEAD", "--format=%(refname:lstrip=3)", "refs/remotes")
	if err != nil {
		return "", false
	}
	names := slices.DeleteFunc(strings.Fields(refs), func(name string) bool { return name == "HEAD" })
	slices.Sort(names)
	if names = slices.Compact(names); len(names) != 1 {
		return "", false
	}
	return names[0], true
}

// DefaultBranch is what the remote calls its default branch, as far as this checkout knows it.
func (c Checkout) DefaultBranch(ctx context.Context) (branch string, ok bool) {
	ref, err := c.line(ctx, "symbolic-ref", "--short", "-q", "refs/remotes/origin/HEAD")
	branch, ok = strings.CutPrefix(ref, "origin/")
	return branch, err == nil && ok
}

// Tree is the files of a commit with their weights. Submodules are no files of this repository, and paths that are not UTF-8
// cannot be said; both are left out.
func (c Checkout) Tree(ctx context.Context, commit string) (repo.Tree, error) {
	weights, err := c.weights(ctx, commit)
	if err != nil {
		return nil, err
	}
	list := []string{"ls-tree", "-r", "-z", "--full-tree", "-l", commit}
	if c.partial(ctx) {
		// The sizes are where the contents are, and nothing is fetched to learn them; git before 2.44 would fetch each by itself.
		list = slices.Delete(list, 4, 5)
	}
	out, err := c.run(ctx, list...)
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", commit, err)
	}
	tree, partial := make(repo.Tree, 0, bytes.Count(out, []byte{0})), false
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		head, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) < 3 || fields[1] != "blob" || !utf8.ValidString(path) {
			continue
		}
		f := repo.File{Path: path, Blob: fields[2], Weight: weights[path]}
		if len(fields) == 4 && fields[3] == sizeUnknown {
			partial = true
		} else if len(fields) == 4 {
			if f.Size, err = strconv.ParseInt(fields[3], 10, 64); err != nil {
				return nil, fmt.Errorf("git said the size %q", fields[3])
			}
		}
		tree = append(tree, f)
	}
	if partial {
		// Sizes are told for all or for none, so that files weigh alike.
		for i := range tree {
			tree[i].Size = 0
		}
	}
	return tree, nil
}

// partial reports whether the repository is a clone that fetches contents when they are needed.
func (c Checkout) partial(ctx context.Context) bool {
	_, err := c.run(ctx, "config", "--get-regexp", `^(extensions\.partialclone|remote\..*\.promisor)$`)
	return err == nil
}

// sizeUnknown is what git lists as the size of a blob that is not here.
const sizeUnknown = "BAD"

// weights counts how many of the latest commits touched each path. The first commit of a shallow clone seems to touch all.
func (c Checkout) weights(ctx context.Context, commit string) (map[string]int, error) {
	out, err := c.run(ctx, "log", "-n", strconv.Itoa(weighed), "--no-merges", "--no-renames", "--no-show-signature", "--format=", "--name-only", "-z", commit)
	if err != nil {
		return nil, fmt.Errorf("read the latest commits: %w", err)
	}
	weights := map[string]int{}
	for path := range strings.SplitSeq(string(out), "\x00") {
		if path = strings.TrimPrefix(path, "\n"); path != "" {
			weights[path]++
		}
	}
	return weights, nil
}

// Renames are the files that git finds renamed between two commits, compared at their endpoints. Where the earlier commit is
// not here, as in a shallow clone, there are none.
func (c Checkout) Renames(ctx context.Context, from, to string) []repo.Rename {
	out, err := c.run(ctx, "diff-tree", "-r", "-M", "-z", "--name-status", "--no-ext-diff", "--no-textconv", "--diff-filter=R", from, to, "--")
	if err != nil {
		return nil
	}
	var renames []repo.Rename
	parts := strings.Split(string(out), "\x00")
	for i := 0; i+2 < len(parts); i += 3 {
		renames = append(renames, repo.Rename{From: parts[i+1], To: parts[i+2]})
	}
	return renames
}

// Missing are those of the objects that are not here.
func (c Checkout) Missing(ctx context.Context, ids []string) ([]string, error) {
	cmd := c.command(ctx, "cat-file", "--batch-check")
	cmd.Stdin = strings.NewReader(strings.Join(ids, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("look for objects: %w", err)
	}
	var missing []string
	for line := range strings.Lines(string(out)) {
		if id, is := strings.CutSuffix(strings.TrimSpace(line), " missing"); is {
			missing = append(missing, id)
		}
	}
	return missing, nil
}

// Moved are the blobs of files that are at one of two commits alone, which git has to read to find what was renamed with changes.
func (c Checkout) Moved(ctx context.Context, from, to string) []string {
	out, err := c.run(ctx, "diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--diff-filter=AD", from, to, "--")
	if err != nil {
		return nil
	}
	var blobs []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		// :100644 000000 <before> <after> D
		fields := strings.Fields(entry)
		if len(fields) != 5 || !strings.HasPrefix(entry, ":") {
			continue
		}
		for _, id := range fields[2:4] {
			if strings.Trim(id, "0") != "" {
				blobs = append(blobs, id)
			}
		}
	}
	slices.Sort(blobs)
	return slices.Compact(blobs)
}

// Before reports whether a commit is an ancestor of another one, as far as both are here.
func (c Checkout) Before(ctx context.Context, commit, later string) bool {
	_, err := c.run(ctx, "merge-base", "--is-ancestor", commit, later)
	return err == nil
}

// Blobs gives the content of each of these objects to scan, in their order. What is not here, is no file or is longer than
// limit bytes is left out.
func (c Checkout) Blobs(ctx context.Context, ids []string, limit int64, scan func(id string, content []byte) error) (err error) {
	if len(ids) == 0 {
		return nil
	}
	cmd := c.command(ctx, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(strings.Join(ids, "\n") + "\n")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("read files from git: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("read files from git: %w", err)
	}
	defer func() {
		if err != nil {
			_ = cmd.Process.Kill()
		}
		if ended := cmd.Wait(); err == nil && ended != nil {
			err = fmt.Errorf("read files from git: %w", ended)
		}
	}()
	in := bufio.NewReaderSize(pipe, 64<<10)
	for range ids {
		head, err := in.ReadString('\n')
		if err != nil {
			return fmt.Errorf("read files from git: %w", err)
		}
		fields := strings.Fields(head)
		if len(fields) != 3 {
			continue // "<id> missing"
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return fmt.Errorf("git said %q", head)
		}
		if fields[1] != "blob" || size > limit {
			if _, err := io.CopyN(io.Discard, in, size+1); err != nil {
				return fmt.Errorf("read files from git: %w", err)
			}
			continue
		}
		content := make([]byte, size+1)
		if _, err := io.ReadFull(in, content); err != nil {
			return fmt.Errorf("read files from git: %w", err)
		}
		if err := scan(fields[0], content[:size]); err != nil {
			return err
		}
	}
	return nil
}

func (c Checkout) command(ctx context.Context, args ...string) *exec.Cmd {
	base := []string{"-C", c.Root, "-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "--no-pager"}
	cmd := exec.CommandContext(ctx, "git", append(base, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1")
	return cmd
}

func (c Checkout) run(ctx context.Context, args ...string) ([]byte, error) {
	var complaint bytes.Buffer
	cmd := c.command(ctx, args...)
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, first)
	}
	return out, nil
}

func (c Checkout) line(ctx context.Context, args ...string) (string, error) {
	out, err := c.run(ctx, args...)
	return strings.TrimSpace(string(out)), err
}
