package mcpapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/tenant"
)

// topicTemplate is the address of a topic as a resource.
const topicTemplate = "driftless://{workspace}/topics/{slug}"

const markdownType = "text/markdown"

// A list of resources is a bounded choice for a menu, not an export: the newest Knowledge of each workspace.
const (
	resourcePage = 50
	resourceMax  = 200 // of each workspace
)

// readOperation is the ordinary operation that a resource is read through.
const readOperation = "topics.get"

// resources offers topics as resources. Every read and every row goes through an ordinary operation, so that scopes, roles
// and privacy hold as they do for the tools.
type resources struct{ reg *op.Registry }

func (s resources) register(m *server.MCPServer) {
	m.AddResourceTemplate(mcp.NewResourceTemplate(topicTemplate, "topic",
		mcp.WithTemplateTitle("A topic"), mcp.WithTemplateMIMEType(markdownType),
		mcp.WithTemplateDescription("One topic of a workspace as Markdown, with its trust.")), s.read)
}

func topicURI(workspace, slug string) string { return "driftless://" + workspace + "/topics/" + slug }

func (s resources) read(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	q, err := requestFrom(ctx)
	if err != nil {
		return nil, err
	}
	text, err := s.markdown(ctx, q.caller, request.Params.URI)
	if err != nil {
		q.refused = err
		return nil, err
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: request.Params.URI, MIMEType: markdownType, Text: text}}, nil
}

// markdown reads the topic. A foreign workspace, another's private draft and what never was look the same.
func (s resources) markdown(ctx context.Context, caller tenant.Caller, uri string) (string, error) {
	missing := fault.Missing("resource", uri)
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" {
		return "", missing
	}
	slug, ok := strings.CutPrefix(u.Path, "/topics/")
	if !ok || slug == "" {
		return "", missing
	}
	var got struct {
		Markdown string `json:"markdown"`
	}
	err = ask(ctx, s.reg, caller, readOperation, u.Host, map[string]any{"topic": slug, "format": "markdown"}, &got)
	if fault.Is(err, fault.CodeNotFound) {
		return "", missing
	}
	return got.Markdown, err
}

// resourcesAt is where a page of the list ended.
type resourcesAt struct {
	Workspace string `json:"w"`
	Cursor    string `json:"c,omitempty"`
	Seen      int    `json:"n,omitempty"`
}

// list fills the page that the library left empty: the library knows fixed resources only, the same ones for everybody.
func (s resources) list(ctx context.Context, _ any, request *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	q, err := requestFrom(ctx)
	if err != nil {
		return
	}
	var at resourcesAt
	if request.Params.Cursor != "" {
		raw, err := base64.StdEncoding.DecodeString(string(request.Params.Cursor))
		if err != nil || json.Unmarshal(raw, &at) != nil {
			q.refused = fault.Fieldf("cursor", "is not one that this list gave out; leave it out to begin again")
			return
		}
	}
	rows, next, err := s.page(ctx, q.caller, at)
	if err != nil {
		q.refused = err
		return
	}
	result.Resources = rows
	if next != (resourcesAt{}) {
		raw, err := json.Marshal(next)
		if err != nil {
			q.refused = fmt.Errorf("encode a cursor: %w", err)
			return
		}
		// The library insists on this encoding.
		result.NextCursor = mcp.Cursor(base64.StdEncoding.EncodeToString(raw))
	}
}

// page reads one page of one workspace, the first one from at on that has any rows.
func (s resources) page(ctx context.Context, caller tenant.Caller, at resourcesAt) ([]mcp.Resource, resourcesAt, error) {
	out := []mcp.Resource{}
	if !caller.HasScope(s.reg.Operation(readOperation).Scope) {
		return out, resourcesAt{}, nil
	}
	places := slices.Clone(caller.Memberships)
	slices.SortFunc(places, func(a, b tenant.Membership) int { return strings.Compare(a.Slug, b.Slug) })
	for i, place := range places {
		if place.Slug < at.Workspace {
			continue
		}
		if place.Slug != at.Workspace {
			at = resourcesAt{Workspace: place.Slug}
		}
		args := map[string]any{"status": "reviewed", "limit": resourcePage}
		if at.Cursor != "" {
			args["cursor"] = at.Cursor
		}
		var p struct {
			NextCursor string `json:"next_cursor"`
			Results    []struct {
				Slug      string    `json:"slug"`
				Title     string    `json:"title"`
				What      string    `json:"what"`
				UpdatedAt time.Time `json:"updated_at"`
			} `json:"results"`
		}
		if err := ask(ctx, s.reg, caller, "topics.list", place.Slug, args, &p); err != nil {
			return nil, resourcesAt{}, err
		}
		for _, t := range p.Results {
			out = append(out, mcp.Resource{
				URI: topicURI(place.Slug, t.Slug), Name: t.Slug, Title: t.Title, Description: t.What, MIMEType: markdownType,
				Annotated: mcp.Annotated{Annotations: &mcp.Annotations{LastModified: t.UpdatedAt.UTC().Format(time.RFC3339)}},
			})
		}
		at.Cursor, at.Seen = p.NextCursor, at.Seen+len(p.Results)
		switch {
		case at.Cursor != "" && at.Seen < resourceMax:
			return out, at, nil
		case len(out) > 0 && i+1 < len(places):
			return out, resourcesAt{Workspace: places[i+1].Slug}, nil
		case len(out) > 0:
			return out, resourcesAt{}, nil
		}
	}
	return out, resourcesAt{}, nil
}

// ask runs an ordinary operation and reads its answer.
func ask(ctx context.Context, reg *op.Registry, caller tenant.Caller, id, workspace string, args map[string]any, into any) error {
	raw, err := op.Marshal(args)
	if err != nil {
		return fmt.Errorf("arguments of %s: %w", id, err)
	}
	// The pipeline takes arguments as they come off the wire.
	if args, err = op.Arguments(raw); err != nil {
		return err
	}
	out, err := reg.Call(ctx, caller, op.Call{Operation: reg.Operation(id), Workspace: workspace, Arguments: args})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(out.JSON, into); err != nil {
		return fmt.Errorf("read the answer of %s: %w", id, err)
	}
	return nil
}
