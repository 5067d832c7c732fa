package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"driftless/internal/exchange/parse"
)

// exported is a topic as far as its file holds it.
type exported struct {
	Slug           string   `json:"slug"`
	Title          string   `json:"title"`
	What           string   `json:"what"`
	How            string   `json:"how"`
	Content        string   `json:"content"`
	Decisions      []string `json:"decisions"`
	Gotchas        []string `json:"gotchas"`
	Invariants     []string `json:"invariants"`
	RequiredChecks []string `json:"required_checks"`
	Tags           []string `json:"tags"`
	Area           string   `json:"area"`
	Anchors        []string `json:"anchors"`
	Sources        []string `json:"sources"`
	ReviewBy       string   `json:"review_by"`
	Solutions      []any    `json:"solutions"`
	Alternatives   []any    `json:"alternatives"`
	Relations      struct {
		Outgoing []struct {
			Type string `json:"type"`
			Slug string `json:"slug"`
		} `json:"outgoing"`
	} `json:"relations"`
}

func (t exported) draft() parse.Draft {
	d := parse.Draft{
		Slug: t.Slug, Title: t.Title, What: t.What, How: t.How, Content: t.Content, Decisions: t.Decisions, Gotchas: t.Gotchas,
		Invariants: t.Invariants, RequiredChecks: t.RequiredChecks, Tags: t.Tags, Area: t.Area, Anchors: t.Anchors, Sources: t.Sources,
		ReviewBy: t.ReviewBy, Solutions: t.Solutions, Alternatives: t.Alternatives,
	}
	for _, e := range t.Relations.Outgoing {
		d.Relations = append(d.Relations, parse.Relation{To: e.Slug, Type: e.Type})
	}
	return d
}

func (c *client) exportCommand() *cobra.Command {
	private := false
	cmd := &cobra.Command{
		Use: "export FOLDER", Short: "Write each topic as a Markdown file",
		Long: "Writes one Markdown file with front matter for each topic into the folder. Files of these names are replaced, others stay.\n" +
			"'driftless import FOLDER' reads them back. Your private notes stay out unless you ask for them: an import makes them visible.",
		Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.export(cmd.Context(), args[0], private) },
	}
	cmd.Flags().BoolVar(&private, "private", false, "also your private notes")
	return cmd
}

const exportAtOnce = 8

func (c *client) export(ctx context.Context, folder string, private bool) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	slugs, left, err := c.slugs(ctx, private)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(exportAtOnce)
	for _, slug := range slugs {
		group.Go(func() error { return c.exportTopic(ctx, folder, slug) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if left > 0 {
		c.say("left out: %d private notes (--private takes them along)", left)
	}
	return c.show(map[string]any{"folder": folder, "topics": len(slugs)})
}

// slugs lists the topics to write, and counts the private ones that are left out.
func (c *client) slugs(ctx context.Context, private bool) (out []string, left int, err error) {
	if c.workspace, err = c.inWorkspace(ctx); err != nil {
		return nil, 0, err
	}
	cursor := ""
	for {
		input := map[string]any{"limit": 200}
		if cursor != "" {
			input["cursor"] = cursor
		}
		var page struct {
			Results []struct {
				Slug    string `json:"slug"`
				Private bool   `json:"is_private"`
			} `json:"results"`
			HasMore bool   `json:"has_more"`
			Cursor  string `json:"next_cursor"`
		}
		if err := c.get(ctx, "/api/v1/workspaces/{workspace}/topics", input, &page); err != nil {
			return nil, 0, err
		}
		for _, t := range page.Results {
			if t.Private && !private {
				left++
				continue
			}
			out = append(out, t.Slug)
		}
		if !page.HasMore || page.Cursor == "" {
			return out, left, nil
		}
		cursor = page.Cursor
	}
}

func (c *client) exportTopic(ctx context.Context, folder, slug string) error {
	var t exported
	if err := c.get(ctx, "/api/v1/workspaces/{workspace}/topics/{topic}", map[string]any{"topic": slug, "view": "full"}, &t); err != nil {
		return err
	}
	raw, err := parse.Render(t.draft())
	if err != nil {
		return fmt.Errorf("write %s: %w", slug, err)
	}
	// The name comes from the list; a server that sends a path in it gets no further than the folder.
	path := filepath.Join(folder, filepath.Base(slug)+".md")
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		return fmt.Errorf("write a topic: %w", err)
	}
	return nil
}
