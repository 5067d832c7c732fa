package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"driftless/internal/source/git"
	"driftless/internal/source/repo"
)

const (
	sourcesPath = "/api/v1/workspaces/{workspace}/sources"
	syncPath    = sourcesPath + "/sync"
)

// syncFlags say what the checkout does not, or against it.
type syncFlags struct {
	remote, branch string
	force          bool
	// bundle is the file that is written instead of sending, since the commit that the server is known to have; from is sent instead of
	// what is checked out.
	bundle, since, from string
}

// synced is the answer of the server to a sync.
type synced struct {
	ID         string `json:"id"`
	Repository string `json:"repository"`
	Branch     string `json:"branch"`
	Tracked    bool   `json:"tracked"`
	Connected  bool   `json:"connected"`
	Before     string `json:"before"`
	Head       string `json:"head"`
	Files      int    `json:"files"`
	Changes    struct {
		Added    int `json:"added"`
		Modified int `json:"modified"`
		Deleted  int `json:"deleted"`
		Renamed  int `json:"renamed"`
	} `json:"changes"`
	Want  []want         `json:"want"`
	Words []string       `json:"words"`
	Drift map[string]int `json:"drift"`
}

// want is a content whose fingerprints the server asks for.
type want struct {
	Blob    string   `json:"blob"`
	Path    string   `json:"path"`
	Symbols []string `json:"symbols"`
}

func (c *client) syncCommand() *cobra.Command {
	var flags syncFlags
	cmd := &cobra.Command{
		Use: "sync [FOLDER]", Short: "Tell the server what is checked out here",
		Long: "Reads the git repository around the folder and sends its remote, the branch, the commit, and the names, sizes and ids of its\n" +
			"files; no source text. The server then knows what anchors match and what changed since the sync before. Works on shallow\n" +
			"clones, worktrees, detached heads and repositories with submodules, and never changes the repository.\n\n" +
			"Where the checkout and the server cannot reach one another, --bundle writes to a file what would be sent, and --from sends it\n" +
			"from elsewhere. A bundle holds the fingerprints of what changed --since a commit, which should be the one synced before.",
		Example: "  driftless sync\n  driftless sync ~/src/shop -o json\n" +
			"  driftless sync --bundle shop.bundle --since v1.2 && driftless sync --from shop.bundle",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongArguments(cmd)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			if flags.from != "" {
				if len(args) > 0 || flags.bundle != "" || flags.since != "" || flags.remote != "" || flags.branch != "" {
					return usagef("--from sends a file as it is: it goes with nothing else")
				}
				return c.sendBundle(cmd.Context(), flags.from)
			}
			if flags.since != "" && flags.bundle == "" {
				return usagef("--since goes with --bundle")
			}
			return c.sync(cmd.Context(), dir, flags)
		},
	}
	cmd.Flags().StringVar(&flags.remote, "remote", "", "the repository, where its remote does not tell")
	cmd.Flags().StringVar(&flags.branch, "branch", "", "the branch, where a detached head does not tell")
	cmd.Flags().StringVar(&flags.bundle, "bundle", "", "write what would be sent to this file, and send nothing")
	cmd.Flags().StringVar(&flags.since, "since", "", "with --bundle: the commit or branch that was synced before")
	cmd.Flags().StringVar(&flags.from, "from", "", "send a file that --bundle wrote")
	cmd.Flags().BoolVar(&flags.force, "force", false, "sync also a commit that lies before the one that was synced last")
	return cmd
}

func (c *client) sync(ctx context.Context, dir string, flags syncFlags) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usagef("sync %s: there is no such folder", dir)
	}
	checkout, err := git.Open(ctx, dir)
	if err != nil {
		return usagef("sync %s: %v", dir, err)
	}
	s, err := c.readCheckout(ctx, checkout, flags)
	if err != nil {
		return err
	}
	if flags.bundle != "" {
		return c.writeBundle(ctx, s, flags)
	}
	known, err := c.knownHead(ctx, s.name, s.branch)
	if err != nil {
		return err
	}
	if known != "" && known != s.head && !flags.force && checkout.Before(ctx, s.head, known) {
		c.say("%s was synced at %.12s, which is newer than %.12s here; pull first, or repeat it with --force", s.branch, known, s.head)
		return c.show(map[string]any{"repository": s.name, "branch": s.branch, "head": s.head, "before": known, "behind": true})
	}
	input := s.input()
	if known != s.head {
		c.say("reading the files of %.12s on %s", s.head, s.branch)
		if err := s.addFiles(ctx, input, known); err != nil {
			return err
		}
	}
	return c.sendSync(ctx, input, func(answer synced) (map[string]int, error) {
		words, err := c.findWords(ctx, s, answer.Words)
		if err != nil {
			return nil, err
		}
		return c.sendPrints(ctx, checkout, answer, words)
	})
}

// sendSync sends a sync, brings the fingerprints that the server asks for, and shows what came of it.
func (c *client) sendSync(ctx context.Context, input map[string]any, bring func(synced) (map[string]int, error)) error {
	c.say("sending to %v", input["remote"])
	raw, err := c.call(ctx, http.MethodPost, syncPath, input)
	if err != nil {
		return err
	}
	var answer synced
	if err := json.Unmarshal(raw, &answer); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if len(answer.Want)+len(answer.Words) == 0 {
		return c.showSynced(raw, answer)
	}
	states, err := bring(answer)
	if err != nil {
		return err
	}
	if answer.Drift == nil {
		answer.Drift = map[string]int{}
	}
	for state, topics := range states {
		answer.Drift[state] += topics
	}
	// What was asked for is answered; the person is told what came of it.
	var whole map[string]any
	if err := json.Unmarshal(raw, &whole); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	whole["want"], whole["words"], whole["drift"] = []want{}, []string{}, answer.Drift
	if raw, err = json.Marshal(whole); err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	return c.showSynced(raw, answer)
}

// snapshot is what is checked out.
type snapshot struct {
	checkout               git.Checkout
	name, branch, standard string
	head                   string
	at                     time.Time
}

// input is what is sent of it, without its files.
func (s snapshot) input() map[string]any {
	return map[string]any{
		"remote": s.name, "branch": s.branch, "default_branch": s.standard, "head": s.head, "committed_at": s.at.UTC().Format(time.RFC3339),
	}
}

func (c *client) readCheckout(ctx context.Context, checkout git.Checkout, flags syncFlags) (s snapshot, err error) {
	s.checkout = checkout
	remote, ok := flags.remote, true
	if remote == "" {
		remote, ok = checkout.Remote(ctx)
	}
	if !ok {
		return s, usagef("the repository has no remote to know it by; name it: driftless sync --remote host/path")
	}
	if s.name, err = repo.Name(remote); err != nil {
		return s, usagef("%v; name the repository: driftless sync --remote host/path", err)
	}
	if s.branch = flags.branch; s.branch == "" {
		if s.branch, ok = checkout.Branch(ctx, c.env); !ok {
			return s, usagef("the head is detached and nothing says which branch it belongs to; name it: driftless sync --branch NAME")
		}
	}
	if s.standard, ok = checkout.DefaultBranch(ctx); !ok {
		s.standard = s.branch
	}
	head, seconds, err := checkout.Head(ctx)
	if err != nil {
		return s, usagef("%v", err)
	}
	s.head, s.at = head, time.Unix(seconds, 0)
	return s, nil
}

// knownHead is the commit at which the server knows the branch, or empty.
func (c *client) knownHead(ctx context.Context, name, branch string) (string, error) {
	var page struct {
		Results []struct {
			Name         string  `json:"name"`
			Disconnected *string `json:"disconnected_at"`
			Heads        []struct {
				Branch string `json:"branch"`
				Head   string `json:"head"`
			} `json:"heads"`
		} `json:"results"`
	}
	if err := c.get(ctx, sourcesPath, map[string]any{}, &page); err != nil {
		return "", err
	}
	for _, s := range page.Results {
		if s.Name != name || s.Disconnected != nil {
			continue
		}
		for _, h := range s.Heads {
			if h.Branch == branch && repo.IsObject(h.Head) {
				return h.Head, nil
			}
		}
	}
	return "", nil
}

// addFiles puts the list of files into a sync, and what was renamed since the commit that the server knows.
func (s snapshot) addFiles(ctx context.Context, input map[string]any, known string) error {
	tree, err := s.checkout.Tree(ctx, s.head)
	if err != nil {
		return err
	}
	if len(tree) > repo.FilesMax {
		return usagef("the repository has %d files; at most %d can be synced", len(tree), repo.FilesMax)
	}
	if input["files"], err = tree.Text(); err != nil {
		return err
	}
	if known != "" {
		if renames := s.checkout.Renames(ctx, known, s.head); len(renames) > 0 {
			input["renames"] = renames
		}
	}
	return nil
}

// showSynced prints what a sync did.
func (c *client) showSynced(raw []byte, s synced) error {
	if c.format != formatTable {
		return c.print(raw)
	}
	name, branch := printable(s.Repository), printable(s.Branch)
	if s.Connected {
		c.say("%s is connected now", name)
	}
	words := fmt.Sprintf("%s is not tracked: nothing was marked", branch)
	switch n := s.Changes; {
	case !s.Tracked:
	case s.Before == s.Head:
		words = fmt.Sprintf("%s %s at %.12s: nothing new", name, branch, s.Head)
	case s.Before == "":
		words = fmt.Sprintf("%s %s at %.12s: %d files", name, branch, s.Head, s.Files)
	default:
		words = fmt.Sprintf("%s %s at %.12s: %d files; %d added, %d modified, %d deleted, %d renamed since %.12s",
			name, branch, s.Head, s.Files, n.Added, n.Modified, n.Deleted, n.Renamed, s.Before)
	}
	for _, state := range []string{"broken", "review", "touched", "fresh"} {
		if n := s.Drift[state]; n > 0 {
			words += fmt.Sprintf("\n%s: %d", driftWords[state], n)
		}
	}
	if _, err := fmt.Fprintln(c.Out, words); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// driftWords say what the states of topics mean.
var driftWords = map[string]string{
	"broken": "topics that rely on something that is gone", "review": "topics to look at",
	"touched": "topics touched", "fresh": "topics whose code is what it was again",
}
