package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"driftless/internal/egress"
	"driftless/internal/source/git"
)

const (
	// branchesMax is how many tracked branches of one repository are fetched.
	branchesMax = 50
	// packsMax is how many packs a clone gathers before it begins anew: each fetch leaves one.
	packsMax = 100
	// bisections bounds how often a host is asked for contents again that it does not have all of.
	bisections = 40
)

// Limits are what one fetch may take. Bytes are those of the whole clone on disk.
type Limits struct {
	Bytes int64
	Time  time.Duration
}

// Clones are the clones of one server, each in a folder of its own.
type Clones struct {
	// Dir holds them. It may be removed while the server is stopped.
	Dir    string
	Guard  egress.Guard
	Limits Limits
	// Authorities is a file of certificates (PEM) that hosts are verified by; empty is what the system trusts.
	Authorities string
}

// Clone is a bare clone that this process alone works on, until it is closed.
type Clone struct {
	dir, home, scheme, ssh, authorities string
	settings                            [][2]string
	guard                               egress.Guard
	limits                              Limits
	release                             func()
}

// Open takes the clone of a name, which is a plain word such as an id, or begins it. It waits for other processes that have it.
func (all Clones) Open(ctx context.Context, name string, r Remote) (*Clone, error) {
	if err := capable(ctx); err != nil {
		return nil, err
	}
	dir := filepath.Join(all.Dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of a mirror: %w", err)
	}
	release, err := lockedfile.MutexAt(dir + ".lock").Lock()
	if err != nil {
		return nil, fmt.Errorf("lock a mirror: %w", err)
	}
	home, err := os.MkdirTemp(all.Dir, name+"-home-")
	if err != nil {
		release()
		return nil, fmt.Errorf("make the folder of a fetch: %w", err)
	}
	c := &Clone{
		dir: filepath.Join(dir, "git"), home: home, authorities: all.Authorities, guard: all.Guard, limits: all.Limits,
		release: func() { _ = os.RemoveAll(home); release() },
	}
	if err := c.prepare(ctx, r); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close gives the clone back, and removes what a fetch needed to know.
func (c *Clone) Close() { c.release() }

// Remove throws the clone of a name away.
func (all Clones) Remove(name string) error {
	release, err := lockedfile.MutexAt(filepath.Join(all.Dir, name) + ".lock").Lock()
	if err != nil {
		return fmt.Errorf("lock a mirror: %w", err)
	}
	defer release()
	return os.RemoveAll(filepath.Join(all.Dir, name))
}

func (c *Clone) prepare(ctx context.Context, r Remote) error {
	if packs, _ := filepath.Glob(filepath.Join(c.dir, "objects", "pack", "*.pack")); len(packs) > packsMax {
		if err := os.RemoveAll(c.dir); err != nil {
			return fmt.Errorf("begin a mirror anew: %w", err)
		}
	}
	if err := c.settle(ctx, r); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(c.dir, "HEAD")); err == nil {
		return nil
	}
	_, err := c.run(ctx, nil, "init", "--quiet", "--bare", "--template=", c.dir)
	return err
}

// Fetched is what a host told of a repository.
type Fetched struct {
	// Default is the branch that the host calls the default one; it may be empty.
	Default string
	// Heads are the commits of the branches that were fetched.
	Heads map[string]string
	// HostKeys are the lines of known_hosts that were learned or given; empty over https.
	HostKeys string
}

// Fetch brings commits and folders of the branches that are wanted, at most 50 of them, and says what they are now. It fails with a
// [RefusalError] that a person can do something about.
func (c *Clone) Fetch(ctx context.Context, wanted func(branch string) bool) (Fetched, error) {
	ctx, end := c.bound(ctx)
	defer end()
	listed, err := c.run(ctx, nil, "ls-remote", "--symref", "origin", "HEAD", "refs/heads/*")
	if err != nil {
		return Fetched{}, c.judged(err)
	}
	out := Fetched{Heads: map[string]string{}}
	var all map[string]string
	out.Default, all = branchesOf(listed)
	args := []string{
		"fetch", "--quiet", "--force", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance",
		"--filter=blob:none", "--refmap=", "origin",
	}
	refs := 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if wanted(name) && refs < branchesMax {
			refs++
			out.Heads[name] = all[name]
			args = append(args, "+refs/heads/"+name+":refs/heads/"+name)
		}
	}
	if refs > 0 {
		if _, err := c.run(ctx, nil, args...); err != nil {
			return Fetched{}, c.judged(err)
		}
	}
	if sizeOf(c.dir) > c.limits.Bytes {
		return Fetched{}, c.judged(errTooLarge)
	}
	if c.scheme == "ssh" {
		known, err := os.ReadFile(filepath.Join(c.home, "known_hosts"))
		if err != nil {
			return Fetched{}, fmt.Errorf("read the key of a host: %w", err)
		}
		out.HostKeys = string(known)
	}
	return out, nil
}

// judged is a failure as it is told. A clone that grew too large is thrown away.
func (c *Clone) judged(err error) error {
	if !errors.Is(err, errTooLarge) {
		return err
	}
	if err := os.RemoveAll(c.dir); err != nil {
		return fmt.Errorf("remove a mirror that is too large: %w", err)
	}
	return refused("the repository is larger than the %d MiB that a mirror may have", c.limits.Bytes>>20)
}

// Checkout reads what was fetched.
func (c *Clone) Checkout() git.Checkout { return git.Checkout{Root: c.dir} }

// Contents brings the contents of these blobs, as far as the host has them: what was force-pushed away is often gone there.
func (c *Clone) Contents(ctx context.Context, ids []string) error {
	missing, err := c.missing(ctx, ids)
	if err != nil || len(missing) == 0 {
		return err
	}
	ctx, end := c.bound(ctx)
	defer end()
	budget := bisections
	err = c.bring(ctx, missing, &budget)
	if err == nil && sizeOf(c.dir) > c.limits.Bytes {
		err = errTooLarge
	}
	return c.judged(err)
}

// bring fetches blobs; where the host does not have all of them it asks for halves.
func (c *Clone) bring(ctx context.Context, ids []string, budget *int) error {
	if *budget--; *budget < 0 || len(ids) == 0 {
		return nil
	}
	_, err := c.run(ctx, strings.NewReader(strings.Join(ids, "\n")+"\n"), "-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet", "--no-tags",
		"--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--filter=blob:none", "--refmap=", "--stdin", "origin")
	var refusal *RefusalError
	if err == nil || !errors.As(err, &refusal) || !refusal.Lasting || len(ids) == 1 {
		if refusal != nil && refusal.Lasting {
			return nil
		}
		return err
	}
	half := len(ids) / 2
	return errors.Join(c.bring(ctx, ids[:half], budget), c.bring(ctx, ids[half:], budget))
}

// missing are those of the blobs that are not here.
func (c *Clone) missing(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return c.Checkout().Missing(ctx, ids)
}

// gitWanted is the first version of git that connects where it is told to (http.curloptResolve).
const gitWanted = 37

func capable(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "git", "version").Output()
	if err != nil {
		return refused("the server has no program git; mirrors need it")
	}
	var major, minor int
	fields := strings.Fields(string(out))
	if len(fields) >= 3 {
		parts := strings.SplitN(fields[2], ".", 3)
		major, _ = strconv.Atoi(parts[0])
		if len(parts) > 1 {
			minor, _ = strconv.Atoi(parts[1])
		}
	}
	if major < 2 || major == 2 && minor < gitWanted {
		return refused("the git of the server is too old for mirrors; they need 2.%d", gitWanted)
	}
	return nil
}
