package git

import (
	"context"
	"fmt"
	"strings"

	"driftless/internal/source/repo"
)

// baseVariables are where the known build services say which branch a change is meant for.
var baseVariables = []string{"GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "BITBUCKET_PR_DESTINATION_BRANCH", "CHANGE_TARGET", "DRONE_TARGET_BRANCH"}

// Target is the branch that the checkout is meant to be merged into: what a build service names, else the default branch of the remote;
// ok is false when neither tells.
func (c Checkout) Target(ctx context.Context, env func(string) string) (branch string, ok bool) {
	for _, name := range baseVariables {
		if branch := env(name); branch != "" {
			return branch, true
		}
	}
	return c.DefaultBranch(ctx)
}

// Resolve is the commit of a name: a commit, a tag, a branch here, or one of the remote origin.
func (c Checkout) Resolve(ctx context.Context, name string) (commit string, ok bool) {
	for _, ref := range []string{"refs/remotes/origin/" + name, name} {
		commit, err := c.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
		if err == nil && repo.IsObject(commit) {
			return commit, true
		}
	}
	return "", false
}

// MergeBase is the commit that two commits have in common; ok is false where none is here, as in a shallow clone.
func (c Checkout) MergeBase(ctx context.Context, a, b string) (commit string, ok bool) {
	commit, err := c.line(ctx, "merge-base", a, b)
	return commit, err == nil && repo.IsObject(commit)
}

// Changes are the files that differ between two commits, compared at their endpoints with renames.
func (c Checkout) Changes(ctx context.Context, from, to string) ([]repo.Change, error) {
	out, err := c.run(ctx, "diff-tree", "-r", "-M", "-z", "--name-status", "--no-ext-diff", "--no-textconv", from, to, "--")
	if err != nil {
		return nil, fmt.Errorf("compare %.12s and %.12s: %w", from, to, err)
	}
	var changes []repo.Change
	parts := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		change := repo.Change{Path: parts[i+1], Status: repo.Modified}
		switch parts[i][:1] {
		case "A", "C":
			change.Status = repo.Added
		case "D":
			change.Status = repo.Deleted
		case "R":
			if i+2 >= len(parts) {
				return nil, fmt.Errorf("git cut off a rename of %q", parts[i+1])
			}
			change = repo.Change{Path: parts[i+2], Status: repo.Renamed, OldPath: parts[i+1]}
			i++
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// Patch is what differs between two commits as a unified diff without context.
func (c Checkout) Patch(ctx context.Context, from, to string) (string, error) {
	out, err := c.run(ctx, "diff-tree", "-r", "-p", "-M", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", from, to, "--")
	if err != nil {
		return "", fmt.Errorf("compare %.12s and %.12s: %w", from, to, err)
	}
	return strings.ToValidUTF8(string(out), "\uFFFD"), nil
}
