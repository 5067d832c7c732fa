package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"driftless/internal/fault"
)

// Options is where the client reads and writes, and which build it is.
type Options struct {
	Version  string
	In       io.Reader
	Out, Err io.Writer
}

// UsageError is a command line that cannot be run as it is: exit status 2.
type UsageError struct{ Message string }

func (e UsageError) Error() string { return e.Message }

// Root is the command `driftless` with all commands of the client. Errors are the caller's to print.
func Root(o Options) *cobra.Command {
	root := &cobra.Command{
		Use:           "driftless",
		Short:         "What your team knows about its systems, reviewed by people, served to AI clients",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(o.In)
	root.SetOut(o.Out)
	root.SetErr(o.Err)
	return root
}

// AddTo adds c below the command group, which is made when it does not exist.
func AddTo(root *cobra.Command, group string, c *cobra.Command) {
	for _, g := range root.Commands() {
		if g.Name() == group {
			g.AddCommand(c)
			return
		}
	}
	g := &cobra.Command{Use: group, Short: "Commands for " + group}
	g.AddCommand(c)
	root.AddCommand(g)
}

// PrintError writes an error for a person: what was wrong and what to do.
func PrintError(w io.Writer, e *fault.Error) {
	_, _ = fmt.Fprintf(w, "driftless: %s\n", e.Error())
	if e.Hint != "" {
		_, _ = fmt.Fprintf(w, "  %s\n", e.Hint)
	}
}
