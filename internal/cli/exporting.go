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
	var t parse.Exported
	if err := c.get(ctx, "/api/v1/workspaces/{workspace}/topics/{topic}", map[string]any{"topic": slug, "view": "full"}, &t); err != nil {
		return err
	}
	raw, err := parse.Render(t.Draft())
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
