package mcpapi

import (
	"context"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/tenant"
)

// completionMax is the largest number of values that the protocol allows in one completion.
const completionMax = 100

// completion suggests values of arguments while a person types them, each through an ordinary operation.
type completion struct{ reg *op.Registry }

// CompleteResourceArgument suggests the workspace and the slug of a topic's address.
func (c completion) CompleteResourceArgument(ctx context.Context, uri string, a mcp.CompleteArgument, known mcp.CompleteContext) (*mcp.Completion, error) {
	if uri != topicTemplate {
		return c.unknown(ctx, "ref", "there is no such template; list them with resources/templates/list")
	}
	return c.complete(ctx, a, known)
}

// CompletePromptArgument suggests the workspace, area and tag of a prompt; its other arguments are free text.
func (c completion) CompletePromptArgument(ctx context.Context, prompt string, a mcp.CompleteArgument, known mcp.CompleteContext) (*mcp.Completion, error) {
	if !isPrompt(prompt) {
		return c.unknown(ctx, "ref", "there is no such prompt; list them with prompts/list")
	}
	return c.complete(ctx, a, known)
}

func (c completion) unknown(ctx context.Context, path, problem string) (*mcp.Completion, error) {
	q, err := requestFrom(ctx)
	if err != nil {
		return nil, err
	}
	q.refused = fault.Fieldf(path, "%s", problem)
	return nil, q.refused
}

func (c completion) complete(ctx context.Context, a mcp.CompleteArgument, known mcp.CompleteContext) (*mcp.Completion, error) {
	q, err := requestFrom(ctx)
	if err != nil {
		return nil, err
	}
	values, err := c.values(ctx, q.caller, known.Arguments["workspace"], a)
	if err != nil {
		switch fault.From(err).Kind {
		case fault.NotFound, fault.Scope, fault.Forbidden:
			// Where the caller may not look there is nothing to suggest.
			values = nil
		default:
			q.refused = err
			return nil, err
		}
	}
	out := &mcp.Completion{Values: values, Total: len(values)}
	if len(values) > completionMax {
		out.Values, out.HasMore = values[:completionMax], true
	}
	return out, nil
}

func (c completion) values(ctx context.Context, caller tenant.Caller, workspace string, a mcp.CompleteArgument) ([]string, error) {
	if a.Name == "workspace" {
		names := make([]string, 0, len(caller.Memberships))
		for _, m := range caller.Memberships {
			names = append(names, m.Slug)
		}
		slices.Sort(names)
		return beginning(names, a.Value), nil
	}
	if workspace == "" && len(caller.Memberships) != 1 {
		return []string{}, nil // not chosen yet
	}
	switch a.Name {
	case "slug":
		return c.slugs(ctx, caller, workspace, a.Value)
	case "tag":
		return c.names(ctx, caller, "tags.list", workspace, a.Value)
	case "area":
		return c.names(ctx, caller, "areas.list", workspace, a.Value)
	}
	return []string{}, nil
}

// slugs finds topics by the words of the unfinished slug; those that begin with it come first.
func (c completion) slugs(ctx context.Context, caller tenant.Caller, workspace, value string) ([]string, error) {
	var found struct {
		Results []struct {
			Slug string `json:"slug"`
		} `json:"results"`
	}
	read := func(id string, args map[string]any) ([]string, error) {
		if err := ask(ctx, c.reg, caller, id, workspace, args, &found); err != nil {
			return nil, err
		}
		out := make([]string, 0, len(found.Results))
		for _, r := range found.Results {
			out = append(out, r.Slug)
		}
		return out, nil
	}
	words := strings.TrimSpace(strings.ReplaceAll(value, "-", " "))
	if words != "" {
		slugs, err := read("context.search", map[string]any{"query": words, "prefix": true, "limit": 20})
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(slugs, func(a, b string) int { return rank(a, value) - rank(b, value) })
		if len(slugs) > 0 {
			return slugs, nil
		}
	}
	slugs, err := read("topics.list", map[string]any{"limit": 200})
	return beginning(slugs, value), err
}

func rank(name, value string) int {
	if strings.HasPrefix(name, value) {
		return 0
	}
	return 1
}

// names lists a registry of names and keeps those that begin with the value.
func (c completion) names(ctx context.Context, caller tenant.Caller, id, workspace, value string) ([]string, error) {
	var found struct {
		Results []struct {
			Name string `json:"name"`
		} `json:"results"`
	}
	if err := ask(ctx, c.reg, caller, id, workspace, map[string]any{"limit": 500}, &found); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(found.Results))
	for _, r := range found.Results {
		names = append(names, r.Name)
	}
	return beginning(names, value), nil
}

func beginning(names []string, value string) []string {
	value = strings.ToLower(value)
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(strings.ToLower(name), value) })
}
