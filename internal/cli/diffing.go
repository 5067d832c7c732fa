package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"driftless/internal/cli/report"
	"driftless/internal/source/git"
)

const (
	diffPath = "/api/v1/workspaces/{workspace}/diff"
	// askedMax is how many files one change asks about, patchMax how long a diff is sent as text, in bytes.
	askedMax = 2000
	patchMax = 900_000
)

// ciFlags say what a build wants of a comparison.
type ciFlags struct {
	ci, names      bool
	format, failOn string
}

// The forms of a report, and the policies that end a build.
var (
	reportForms = []string{"markdown", "sarif", "table"}
	policies    = []string{"none", "review", "broken"}
)

// policyError ends a build; the report says why.
type policyError struct{ policy string }

func (e policyError) Error() string {
	return "the change is against --fail-on " + e.policy + "; see the report"
}

// addDiffing lets the command that compares do so for a build.
func (c *client) addDiffing(root *cobra.Command) {
	cmd, _, err := root.Find([]string{"context", "diff"})
	if err != nil || cmd.Name() != "diff" {
		return
	}
	var flags ciFlags
	cmd.Long += "\n\nWith --ci it compares the commit that is checked out here with the one at which it left --base (the branch that the build\n" +
		"service names, else the default branch), and writes a report to standard output. It comments nowhere by itself."
	cmd.Example += "\n  driftless context diff --ci > comment.md\n  driftless context diff --ci --format sarif --fail-on broken > driftless.sarif"
	f := cmd.Flags()
	f.BoolVar(&flags.ci, "ci", false, "compare what is checked out here, and write a report")
	f.BoolVar(&flags.names, "names", false, "with --ci: send the names of the changed files alone, not their lines")
	f.StringVar(&flags.format, "format", "markdown", "with --ci: form of the report: "+strings.Join(reportForms, ", "))
	f.StringVar(&flags.failOn, "fail-on", "none", "with --ci: exit with status 1 when the change is that bad for Knowledge: "+strings.Join(policies, ", "))
	plain, check := cmd.RunE, cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if flags.ci {
			return exactly(0)(cmd, args)
		}
		return check(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !flags.ci {
			for _, name := range []string{"names", "format", "fail-on"} {
				if f.Changed(name) {
					return usagef("--%s goes with --ci", name)
				}
			}
			return plain(cmd, args)
		}
		for _, name := range []string{"changes", "unified-diff", "mark", "repo"} {
			if f.Changed(name) {
				return usagef("--%s does not go with --ci: the changes are those of the checkout", name)
			}
		}
		base := ""
		if given, is := f.Lookup("base").Value.(*field); is && given.value != nil {
			base = fmt.Sprint(given.value)
		}
		return c.diffCI(cmd.Context(), base, flags)
	}
}

func (c *client) diffCI(ctx context.Context, base string, flags ciFlags) error {
	if !slices.Contains(reportForms, flags.format) {
		return usagef("--format is one of %s", strings.Join(reportForms, ", "))
	}
	if !slices.Contains(policies, flags.failOn) {
		return usagef("--fail-on is one of %s", strings.Join(policies, ", "))
	}
	d, input, err := c.readRange(ctx, base, flags.names)
	if err != nil {
		return err
	}
	if d.Files > 0 {
		if err := c.askDiff(ctx, input, &d); err != nil {
			return err
		}
	}
	if err := c.writeReport(d, flags.format); err != nil {
		return err
	}
	if d.Fails(flags.failOn) {
		return policyError{flags.failOn}
	}
	return nil
}

// readRange reads what changed since the checkout left its base, and how to ask about it.
func (c *client) readRange(ctx context.Context, base string, names bool) (d report.Diff, input map[string]any, err error) {
	checkout, err := git.Open(ctx, ".")
	if err != nil {
		return d, nil, usagef("context diff --ci: %v", err)
	}
	if base == "" {
		var ok bool
		if base, ok = checkout.Target(ctx, c.env); !ok {
			return d, nil, usagef("nothing says what to compare with; name a branch or commit: --base NAME")
		}
	}
	if d.Head, _, err = checkout.Head(ctx); err != nil {
		return d, nil, usagef("%v", err)
	}
	target, ok := checkout.Resolve(ctx, base)
	if !ok {
		return d, nil, usagef("%s is not in this clone; fetch it, in a build with the whole history (fetch-depth: 0, GIT_DEPTH: 0)", base)
	}
	if d.Base, ok = checkout.MergeBase(ctx, target, d.Head); !ok {
		return d, nil, usagef("where this left %s is not in this clone; fetch the whole history (fetch-depth: 0, GIT_DEPTH: 0)", base)
	}
	changes, err := checkout.Changes(ctx, d.Base, d.Head)
	if err != nil {
		return d, nil, err
	}
	d.Version, d.Files, d.Asked = c.Version, len(changes), min(len(changes), askedMax)
	input = map[string]any{"base": d.Base}
	if !names && d.Files <= askedMax {
		patch, err := checkout.Patch(ctx, d.Base, d.Head)
		if err != nil {
			return d, nil, err
		}
		if patch != "" && len(patch) <= patchMax {
			input["unified_diff"] = patch
			return d, input, nil
		}
		c.say("the diff is longer than %d bytes; the names of the files are sent alone", patchMax)
	}
	input["changes"] = changes[:d.Asked]
	return d, input, nil
}

// askDiff asks the server which topics the changes touch.
func (c *client) askDiff(ctx context.Context, input map[string]any, d *report.Diff) error {
	raw, err := c.call(ctx, http.MethodPost, diffPath, input)
	if err != nil {
		return err
	}
	var page struct {
		Results []report.Topic `json:"results"`
		HasMore bool           `json:"has_more"`
	}
	if err := json.Unmarshal(raw, &page); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	server, err := c.server()
	if err != nil {
		return err
	}
	workspace, err := c.inWorkspace(ctx)
	if err != nil {
		return err
	}
	d.Topics, d.More = page.Results, page.HasMore
	d.Link = func(slug string) string {
		return server + "/w/" + url.PathEscape(workspace) + "/t/" + url.PathEscape(slug)
	}
	return nil
}

func (c *client) writeReport(d report.Diff, form string) error {
	switch form {
	case "sarif":
		raw, err := d.SARIF()
		if err == nil {
			_, err = c.Out.Write(raw)
		}
		return err
	case "markdown":
		_, err := fmt.Fprint(c.Out, d.Markdown())
		return err
	}
	if len(d.Topics) == 0 {
		_, err := fmt.Fprintln(c.Out, "nothing written is touched")
		return err
	}
	rows := make([]map[string]any, 0, len(d.Topics))
	for _, t := range d.Sorted() {
		rows = append(rows, map[string]any{"level": t.LevelOf(), "slug": t.Slug, "trust": t.Trust, "title": t.Title})
	}
	return c.show(map[string]any{"results": rows})
}
