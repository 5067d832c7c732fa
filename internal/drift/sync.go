package drift

import (
	"context"
	"time"

	"github.com/google/uuid"

	"driftless/internal/drift/word"
	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

const (
	// renamesMax is how many renames one sync may tell.
	renamesMax = 20_000
	// changesShown is how many changed files the answer to a sync names.
	changesShown = 20
)

type syncIn struct {
	Remote        string        `json:"remote" jsonschema:"the remote of the checkout in any spelling"`
	Branch        string        `json:"branch" jsonschema:"the branch that is checked out"`
	DefaultBranch string        `json:"default_branch,omitempty" jsonschema:"the default branch, for a repository that is not connected yet"`
	Head          string        `json:"head" jsonschema:"the commit that is checked out, whole"`
	CommittedAt   time.Time     `json:"committed_at" jsonschema:"when it was committed, RFC 3339"`
	Files         string        `json:"files,omitempty" jsonschema:"all files of the commit: gzip in base64, for each file the id of its blob, its size, how many of the latest commits touched it, a tab, its path and NUL; may be left out where the server knows this commit"`
	Renames       []repo.Rename `json:"renames,omitempty" jsonschema:"what git finds renamed since the commit that was synced before"`
}

// Synced is what a sync did.
type Synced struct {
	ID         uuid.UUID `json:"id" jsonschema:"of the repository"`
	Repository string    `json:"repository"`
	Branch     string    `json:"branch"`
	// Tracked is false for a branch that does not count; then nothing is kept.
	Tracked   bool          `json:"tracked"`
	Connected bool          `json:"connected,omitempty" jsonschema:"the repository is known from now on"`
	Before    string        `json:"before,omitempty" jsonschema:"the commit that was known before"`
	Head      string        `json:"head"`
	Files     int           `json:"files"`
	Changes   Counts        `json:"changes"`
	Changed   []repo.Change `json:"changed" jsonschema:"the first of them"`
	// Want is what the server needs to judge the topics; while it is not empty they are not judged.
	Want  []Want        `json:"want" jsonschema:"contents whose fingerprints are needed before topics are judged"`
	Words []string      `json:"words" jsonschema:"words that topics cite, to be looked for in the code: told with the fingerprints"`
	Drift map[State]int `json:"drift" jsonschema:"how many topics are in which state now, of those of which something changed"`
	Next  *op.Next      `json:"next_action"`
}

// Counts are how many files changed, by what happened to them.
type Counts struct {
	Added    int `json:"added"`
	Modified int `json:"modified"`
	Deleted  int `json:"deleted"`
	Renamed  int `json:"renamed"`
}

func countChanges(changes []repo.Change) (n Counts) {
	for _, c := range changes {
		switch c.Status {
		case repo.Added:
			n.Added++
		case repo.Modified:
			n.Modified++
		case repo.Deleted:
			n.Deleted++
		case repo.Renamed:
			n.Renamed++
		}
	}
	return n
}

func (s *Service) syncOp() op.Operation {
	return op.Write(op.Spec{
		ID: "sources.sync", Title: "Sync a checkout",
		Doc: "Tell what is checked out: the commit and the names, sizes and ids of its files, no text. 'driftless sync' sends it. " +
			"An owner or admin connects a repository that is not known yet by it.",
		Scope: tenant.TopicsWrite, Role: tenant.Member, Effect: op.Idempotent, REST: "POST /sources/sync", CLI: "sync",
		// What is sent are names and hashes, and the packed files are no text.
		ScreensItself: true, Body: repo.TreeText + 8<<20,
		Rules: op.Rules{
			"remote": op.Length(1, 2*repo.NameMax), "branch": op.Length(1, repo.BranchMax), "default_branch": op.Length(0, repo.BranchMax),
			"head": {Min: 40, Max: 64, Pattern: `^[0-9a-f]+$`}, "files": op.Length(0, repo.TreeText), "renames": op.Items(0, renamesMax),
		},
	}, s.sync)
}

func (s *Service) sync(_ context.Context, tx *pg.Tx, in syncIn) (Synced, error) {
	name, err := repo.Name(in.Remote)
	if err != nil {
		return Synced{}, fault.Fieldf("remote", "%v", err)
	}
	if err := repo.CheckBranch(in.Branch, false); err != nil {
		return Synced{}, fault.Fieldf("branch", "%v", err)
	}
	if !repo.IsObject(in.Head) {
		return Synced{}, fault.Fieldf("head", "must be a whole commit id of 40 or 64 characters")
	}
	files, err := repo.ParseTreeText(in.Files)
	if err != nil {
		return Synced{}, fault.Fieldf("files", "cannot be read: %v", err)
	}
	if err := event.Lock(tx); err != nil {
		return Synced{}, err
	}
	src, fresh, err := connected(tx, name, in)
	if err != nil {
		return Synced{}, err
	}
	c := Commit{Branch: in.Branch, Head: in.Head, CommittedAt: in.CommittedAt, Renames: in.Renames}
	if in.Files != "" {
		c.Files = append(repo.Tree{}, files...)
	}
	out, err := Arrive(tx, src, c)
	out.Connected = fresh
	return out, err
}

// Commit is what a branch is now, as whoever has the repository tells it: a checkout, or a mirror of the server.
type Commit struct {
	Branch, Head string
	CommittedAt  time.Time
	// Files are nil where only the commit is said; then the server has to know it.
	Files   repo.Tree
	Renames []repo.Rename
}

// Arrive takes a commit of a branch of a connected repository. While it wants fingerprints, the topics are not judged; [Bring] brings
// them. Call it with the workspace locked.
func Arrive(tx *pg.Tx, src source.Source, c Commit) (Synced, error) {
	out := Synced{ID: src.ID, Repository: src.Name, Branch: c.Branch, Head: c.Head, Changed: []repo.Change{}, Want: []Want{}, Words: []string{}, Drift: map[State]int{}}
	if !src.Tracks(c.Branch) {
		_, err := event.Append(tx, "sources.sync", "source.heard", nil, map[string]any{"source": src.ID, "branch": c.Branch, "head": c.Head})
		return out, err
	}
	out.Tracked = true
	err := receive(tx, src, c, &out)
	return out, err
}

// connected finds the repository of a sync, and connects it where it is new and the actor may do that.
func connected(tx *pg.Tx, name string, in syncIn) (src source.Source, fresh bool, err error) {
	src, known, err := source.ByName(tx, name)
	if err != nil || known && src.Connected() {
		return src, false, err
	}
	if a := tx.Actor(); !a.Role.AtLeast(tenant.Admin) {
		e := op.InsufficientRole(a.Role, tenant.Admin)
		e.Message, e.Hint = name+" is not connected to this workspace, and connecting it needs the role admin", "ask an owner or admin to connect or to sync it once"
		return src, false, e
	}
	branch := in.DefaultBranch
	if branch == "" {
		branch = in.Branch
	}
	if err := repo.CheckBranch(branch, false); err != nil {
		return src, false, fault.Fieldf("default_branch", "%v", err)
	}
	if src, err = source.Connect(tx, source.Source{Name: name, DefaultBranch: branch}); err != nil {
		return src, false, err
	}
	_, err = event.Append(tx, "sources.sync", "source.connected", nil,
		map[string]any{"source": src.ID, "name": src.Name, "default_branch": src.DefaultBranch})
	return src, true, err
}

// receive keeps what a tracked branch is now and says what changed.
func receive(tx *pg.Tx, src source.Source, in Commit, out *Synced) error {
	files := in.Files
	head, known, err := source.HeadOf(tx, src.ID, in.Branch)
	if err != nil {
		return err
	}
	before, err := source.Files(tx, src.ID, in.Branch)
	if err != nil {
		return err
	}
	out.Before = head.Head
	if known {
		if err := readAnew(tx); err != nil {
			return err
		}
	}
	if files == nil {
		if head.Head != in.Head {
			return fault.Fieldf("files", "required: the server does not know this commit")
		}
		files = before
	}
	var changes []repo.Change
	if known {
		changes = repo.Diff(before, files, in.Renames)
	}
	out.Files, out.Changes, out.Changed = len(files), countChanges(changes), append(out.Changed, changes[:min(len(changes), changesShown)]...)
	out.Next = &op.Next{Tool: "driftless_context_coverage", Arguments: map[string]any{"repo": src.Name}, Why: "see what no topic covers"}
	if err := source.KeepHead(tx, src.ID, in.Branch, in.Head, in.CommittedAt, files); err != nil {
		return err
	}
	if head.Head != in.Head {
		seq, err := event.Append(tx, "sources.sync", "source.synced", nil,
			map[string]any{"source": src.ID, "branch": in.Branch, "before": head.Head, "head": in.Head, "files": len(files), "changes": out.Changes})
		if err != nil {
			return err
		}
		if err := source.Heard(tx, src.ID, in.Branch, in.Head, seq); err != nil {
			return err
		}
	}
	p, _, err := branchOf(tx, src, in.Branch)
	if err != nil {
		return err
	}
	if known {
		err = arrive(tx, p, changes)
	} else {
		err = begin(tx, p)
	}
	if err != nil {
		return err
	}
	asked, err := wanted(tx, p, wantsMax)
	if err != nil {
		return err
	}
	words, err := word.Open(tx, p.place())
	if err != nil {
		return err
	}
	// Topics are judged without words: they tell of no more than what is gone for good.
	if out.Want, out.Words = append(out.Want, asked...), append(out.Words, words...); len(asked) > 0 {
		return nil
	}
	if out.Drift, err = scan(tx, "sources.sync", "sync", p); err != nil {
		return err
	}
	if next := nextAfterScan(out.Drift); next != nil {
		out.Next = next
	}
	return sweepPrints(tx, p)
}
