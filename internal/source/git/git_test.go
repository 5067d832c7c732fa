package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/source/git"
	"driftless/internal/source/repo"
)

// checkout is a repository that a test works in.
type checkout struct {
	t   *testing.T
	dir string
}

func start(t *testing.T) checkout {
	t.Helper()
	c := checkout{t, t.TempDir()}
	c.git("init", "-q", "-b", "main")
	c.git("remote", "add", "origin", "git@git.example.test:acme/shop.git")
	return c
}

func (c checkout) git(args ...string) string {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), "git", append([]string{"-C", c.dir, "-c", "user.name=A", "-c", "user.email=a@b.test", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c checkout) write(path, text string) {
	c.t.Helper()
	full := filepath.Join(c.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c checkout) commit() string {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "-m", "x")
	return c.git("rev-parse", "HEAD")
}

func open(t *testing.T, dir string) git.Checkout {
	t.Helper()
	c, err := git.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func noEnv(string) string { return "" }

func TestACheckoutTellsItsFilesWithSizesAndWeights(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.write("a.go", "package a\n")
	c.write("sub/señor \"x\".txt", "hola")
	c.commit()
	c.write("a.go", "package aa\n")
	head := c.commit()
	g := open(t, filepath.Join(c.dir, "sub"))
	tree, err := g.Tree(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	want := repo.Tree{
		{Path: "a.go", Blob: c.git("rev-parse", "HEAD:a.go"), Size: 11, Weight: 2},
		{Path: "sub/señor \"x\".txt", Blob: c.git("rev-parse", "HEAD:sub/señor \"x\".txt"), Size: 4, Weight: 1},
	}
	if diff := cmp.Diff(want, tree); diff != "" {
		t.Error(diff)
	}
	if got, _, err := g.Head(t.Context()); err != nil || got != head {
		t.Errorf("the head is %s, %v", got, err)
	}
	if url, ok := g.Remote(t.Context()); !ok || url != "git@git.example.test:acme/shop.git" {
		t.Errorf("the remote is %q", url)
	}
}

func TestRenamesAreFollowedBetweenEndpoints(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.write("old.txt", strings.Repeat("a line of text\n", 20))
	before := c.commit()
	c.git("mv", "old.txt", "step.txt")
	c.commit()
	c.git("mv", "step.txt", "new.txt")
	c.write("new.txt", strings.Repeat("a line of text\n", 20)+"more\n")
	after := c.commit()
	g := open(t, c.dir)
	if diff := cmp.Diff([]repo.Rename{{From: "old.txt", To: "new.txt"}}, g.Renames(t.Context(), before, after)); diff != "" {
		t.Error(diff)
	}
	if got := g.Renames(t.Context(), strings.Repeat("0", 40), after); got != nil {
		t.Errorf("from a commit that is not here: %v", got)
	}
	if !g.Before(t.Context(), before, after) || g.Before(t.Context(), after, before) {
		t.Error("which commit lies before the other is told wrongly")
	}
}

func TestShallowClonesWorktreesSubmodulesAndDetachedHeadsAreRead(t *testing.T) {
	t.Parallel()
	inner := start(t)
	inner.write("x", "1")
	inner.commit()
	c := start(t)
	c.write("a", "1")
	c.commit()
	c.git("submodule", "--quiet", "add", inner.dir, "inner")
	head := c.commit()

	shallow := t.TempDir()
	c.git("clone", "-q", "--depth", "1", "file://"+c.dir, shallow)
	tree := t.TempDir()
	c.git("worktree", "add", "-q", "--detach", filepath.Join(tree, "w"))
	for name, dir := range map[string]string{"shallow": shallow, "worktree": filepath.Join(tree, "w"), "whole": c.dir} {
		g := open(t, dir)
		files, err := g.Tree(t.Context(), head)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff([]string{".gitmodules", "a"}, files.Paths()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}

	g := open(t, shallow)
	if branch, ok := g.DefaultBranch(t.Context()); !ok || branch != "main" {
		t.Errorf("the default branch is %q", branch)
	}
	(checkout{t, shallow}).git("checkout", "-q", "--detach")
	if branch, ok := g.Branch(t.Context(), noEnv); !ok || branch != "main" {
		t.Errorf("a detached head at the branch of the remote is on %q", branch)
	}
	if branch, _ := g.Branch(t.Context(), func(name string) string { return map[string]string{"CI_COMMIT_BRANCH": "release/1"}[name] }); branch != "release/1" {
		t.Errorf("a build service names %q", branch)
	}
	if branch, ok := open(t, filepath.Join(tree, "w")).Branch(t.Context(), noEnv); ok {
		t.Errorf("a detached head that nothing names is on %q", branch)
	}
}

func TestBlobsAreReadAndWhatIsMissingIsLeftOut(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.write("a", "one\n")
	c.write("b", strings.Repeat("x", 100))
	c.commit()
	a, b := c.git("rev-parse", "HEAD:a"), c.git("rev-parse", "HEAD:b")
	got := map[string]string{}
	err := open(t, c.dir).Blobs(t.Context(), []string{strings.Repeat("0", 40), b, a, c.git("rev-parse", "HEAD")}, 50, func(id string, content []byte) error {
		got[id] = string(content)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{a: "one\n"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOutsideOfARepositoryThereIsNone(t *testing.T) {
	t.Parallel()
	if _, err := git.Open(t.Context(), t.TempDir()); err == nil {
		t.Error("a plain folder is taken for a repository")
	}
}

func TestACloneWithoutContentsTellsNoSizesAndFetchesNothing(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.write("a.go", "package a\n")
	head := c.commit()
	c.git("config", "uploadpack.allowFilter", "true")
	dir := t.TempDir()
	c.git("clone", "-q", "--bare", "--filter=blob:none", "file://"+c.dir, dir)
	g := open(t, dir)
	tree, err := g.Tree(t.Context(), head)
	if err != nil || len(tree) != 1 || tree[0].Size != 0 {
		t.Errorf("the files are %v, %v", tree, err)
	}
	missing, err := open(t, c.dir).Missing(t.Context(), []string{strings.Repeat("1", 40), head})
	if err != nil || len(missing) != 1 || missing[0] != strings.Repeat("1", 40) {
		t.Errorf("missing are %v, %v", missing, err)
	}
	// Nothing came with reading it.
	if packs, _ := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack")); len(packs) != 1 {
		t.Errorf("there are %d packs after it", len(packs))
	}
}

func TestWhatAChangeIsIsToldFromWhereItBegan(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.write("a.txt", "a\n")
	c.write("old name.txt", strings.Repeat("a line of text\n", 20))
	c.write("gone.txt", "x\n")
	base := c.commit()
	c.git("update-ref", "refs/remotes/origin/main", base)
	c.git("checkout", "-q", "-b", "feature")
	c.write("a.txt", "b\n")
	c.git("mv", "old name.txt", "new name.txt")
	c.git("rm", "-q", "gone.txt")
	c.write("came.txt", "y\n")
	head := c.commit()
	c.git("checkout", "-q", "main")
	c.write("elsewhere.txt", "z\n")
	later := c.commit()
	g := open(t, c.dir)
	if got, ok := g.MergeBase(t.Context(), later, head); !ok || got != base {
		t.Errorf("they have %s in common", got)
	}
	if got, ok := g.Resolve(t.Context(), "main"); !ok || got != base {
		t.Errorf("the branch of the remote is at %s", got)
	}
	if got, ok := g.Resolve(t.Context(), "--output=x"); ok {
		t.Errorf("a flag is the commit %s", got)
	}
	if got, _ := g.Target(t.Context(), func(name string) string { return map[string]string{"GITHUB_BASE_REF": "release/1"}[name] }); got != "release/1" {
		t.Errorf("a build service names %q", got)
	}
	changes, err := g.Changes(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	want := []repo.Change{
		{Path: "a.txt", Status: repo.Modified},
		{Path: "came.txt", Status: repo.Added},
		{Path: "gone.txt", Status: repo.Deleted},
		{Path: "new name.txt", Status: repo.Renamed, OldPath: "old name.txt"},
	}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Error(diff)
	}
	patch, err := g.Patch(t.Context(), base, head)
	if err != nil || !strings.Contains(patch, "rename to new name.txt") || !strings.Contains(patch, "+b\n") {
		t.Errorf("the patch: %v\n%s", err, patch)
	}
}

func TestALinkIsAFileOfItsOwnAndIsNotFollowed(t *testing.T) {
	t.Parallel()
	c := start(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("nobody must read this"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"outside": secret, "folder": "..", "dangling": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(c.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	head := c.commit()
	g := open(t, c.dir)
	tree, err := g.Tree(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, f := range tree {
		ids = append(ids, f.Blob)
	}
	if diff := cmp.Diff([]string{"dangling", "folder", "outside"}, tree.Paths()); diff != "" {
		t.Error(diff)
	}
	err = g.Blobs(t.Context(), ids, 1<<20, func(_ string, content []byte) error {
		if strings.Contains(string(content), "nobody") {
			t.Error("a link was followed")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
