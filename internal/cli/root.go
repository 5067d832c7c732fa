package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"driftless/internal/fault"
)

// Options is where the client reads and writes, and which build it is.
type Options struct {
	Version  string
	In       io.Reader
	Out, Err io.Writer
	// Env reads a variable of the environment; nil is [os.Getenv].
	Env func(name string) string
}

// UsageError is a command line that cannot be run as it is: exit status 2.
type UsageError struct{ Message string }

func (e UsageError) Error() string { return e.Message }

func usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// callTimeout bounds one call. Answers that a model writes take the longest.
const callTimeout = 2 * time.Minute

// client is one run of the command line.
type client struct {
	Options
	http   *http.Client
	format format
	// url and workspace are the flags of these names; empty means the environment decides.
	url, workspace string
}

// Root is the command `driftless` with all commands of the client. Errors are the caller's to print: a [UsageError] for a
// command line that cannot be run, a *fault.Error for what the server refused or could not be asked.
func Root(o Options) *cobra.Command {
	c := &client{Options: o, format: formatTable}
	c.http = &http.Client{Timeout: callTimeout, Transport: &renewing{c: c, next: transport(), earlier: map[string]string{}}}
	root := group("driftless", "What your team knows about its systems, reviewed by people, served to AI clients")
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetIn(o.In)
	root.SetOut(o.Out)
	root.SetErr(o.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%v\nSee '%s --help'.", err, cmd.CommandPath())
	})
	// A field may be written as the interface names it, or as flags are usually written.
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	flags := root.PersistentFlags()
	flags.VarP(&c.format, "output", "o", "form of the result: "+strings.Join(formats(), ", "))
	flags.StringVar(&c.workspace, "workspace", "", "slug of the workspace (default $DRIFTLESS_WORKSPACE, or the only one there is)")
	flags.StringVar(&c.url, "url", "", "address of the server (default $DRIFTLESS_URL, or "+defaultURL+")")
	root.AddCommand(
		c.versionCommand(), c.loginCommand(), c.logoutCommand(), c.statusCommand(),
		c.importCommand(), c.exportCommand(), c.syncCommand(), c.installCommand(), c.bridgeCommand(),
	)
	AddTo(root, "connect", c.doctorCommand())
	AddTo(root, "hook", c.hookCommand())
	for _, op := range operations() {
		c.addOperation(root, op)
	}
	c.addDiffing(root)
	return root
}

// transport keeps as many connections open as the bridge uses at once; the default keeps two.
func transport() http.RoundTripper {
	shared, is := http.DefaultTransport.(*http.Transport)
	if !is {
		return http.DefaultTransport
	}
	own := shared.Clone()
	own.MaxIdleConnsPerHost = atOnce
	return own
}

// AddTo adds c below the command group, which is made when it does not exist.
func AddTo(root *cobra.Command, group string, c *cobra.Command) { below(root, group).AddCommand(c) }

// below finds or makes the groups named by words, each below the one before it.
func below(at *cobra.Command, words ...string) *cobra.Command {
	for _, word := range words {
		at = child(at, word)
	}
	return at
}

func child(of *cobra.Command, name string) *cobra.Command {
	for _, c := range of.Commands() {
		if c.Name() == name {
			return c
		}
	}
	short, known := groups[name]
	if !known {
		short = "Commands for " + name
	}
	g := group(name, short)
	of.AddCommand(g)
	return g
}

// groups says in a few words what stands below a group.
var groups = map[string]string{
	"context":   "Read, write and review what the team knows",
	"pr":        "Suggested edits of Knowledge",
	"note":      "Leave a note",
	"tags":      "The tags of the workspace",
	"areas":     "The areas of the workspace",
	"workspace": "Workspaces and their settings",
	"member":    "The people of the workspace",
	"key":       "API keys",
	"source":    "Connected repositories",
	"knowledge": "Public knowledge, read without an account",
	"audit":     "The chain of events",
	"connect":   "Connect AI clients",
	"hook":      "What AI clients call by themselves",
	"feedback":  "Say whether a solution worked",
}

// group is a command that only holds others. By itself it explains itself; a word it does not know is a mistake.
func group(name, short string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			hint := ""
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = fmt.Sprintf(" Did you mean %q?", near[0])
			}
			return usagef("there is no command %q.%s\nSee '%s --help'.", cmd.CommandPath()+" "+args[0], hint, cmd.CommandPath())
		},
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SuggestionsMinimumDistance: 2, DisableFlagsInUseLine: true,
	}
}

// exactly is a number of positional arguments.
func exactly(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return wrongArguments(cmd)
		}
		return nil
	}
}

func wrongArguments(cmd *cobra.Command) error {
	return usagef("usage: %s\nSee '%s --help'.", cmd.UseLine(), cmd.CommandPath())
}

func (c *client) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version of this program", Args: exactly(0),
		RunE: func(*cobra.Command, []string) error {
			if c.format == formatTable || c.format == formatMarkdown {
				_, err := fmt.Fprintln(c.Out, "driftless", c.Version)
				return err
			}
			return c.show(map[string]string{"version": c.Version})
		},
	}
}

// env is a variable of the environment.
func (c *client) env(name string) string {
	if c.Env == nil {
		return os.Getenv(name)
	}
	return c.Env(name)
}

// say writes a line for the person at the terminal; results never go this way.
func (c *client) say(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Err, format+"\n", args...)
}

// PrintError writes an error for a person: its code and message, what to do about it, and what the caller collided with.
func PrintError(w io.Writer, e *fault.Error) {
	_, _ = fmt.Fprintf(w, "driftless: %s\n", printable(e.Error()))
	if e.Hint != "" {
		_, _ = fmt.Fprintf(w, "  %s\n", printable(e.Hint))
	}
	if len(e.Allowed) > 0 && len(e.Fields) == 0 {
		_, _ = fmt.Fprintf(w, "  allowed: %s\n", printable(strings.Join(e.Allowed, ", ")))
	}
	for _, detail := range []struct {
		name  string
		value any
	}{{"current", e.Current}, {"changes since base", e.Changes}} {
		if detail.value != nil {
			_, _ = fmt.Fprintf(w, "  %s: %s\n", detail.name, printable(compact(detail.value)))
		}
	}
}

// interrupted is what a command answers when the person or the system stopped it.
func interrupted(ctx context.Context) error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "stopped before it was finished", "run it again to go on").Because(ctx.Err())
}
