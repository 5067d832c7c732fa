package retrieve

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

type forFilesIn struct {
	Files []string `json:"files" jsonschema:"paths"`
	View  string   `json:"view,omitempty" jsonschema:"how much"`
	Limit int      `json:"limit,omitempty" jsonschema:"rows"`
}

func (s *Service) getForFilesOp() op.Operation {
	return op.Query(op.Spec{
		Tool: "driftless_context_get_for_files", ID: "context.get_for_files", Title: "Topics about files",
		Doc:   `Topics whose anchors match files, drifted first. Example: {"files":["billing/charge.py"]}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, Core: true, REST: "POST /files", CLI: "context for-files <files>",
		Rules: op.Rules{"files": op.Items(1, 200), "view": topic.ViewRule(topic.Brief), "limit": op.Range(1, 25, 10)},
	}, s.getForFiles)
}

func (s *Service) getForFiles(ctx context.Context, a tenant.Actor, in forFilesIn) (Answer, error) {
	paths, ignored := usable(in.Files)
	var rows []*candidate
	err := s.with(ctx, a.Workspace, func(ix *index) {
		rows = ix.rank(question{actor: a, files: paths, drifted: true}).rows
	})
	if err != nil {
		return Answer{}, err
	}
	docs, err := s.read(ctx, a, ids(rows[:min(len(rows), in.Limit+1)]))
	if err != nil {
		return Answer{}, err
	}
	page, err := fill(a, rows, docs, layout{view: in.View, limit: in.Limit}, nothing(a, paths))
	if err != nil {
		return Answer{}, err
	}
	return Answer{Page: page, IgnoredFiles: ignored[:min(len(ignored), ignoredShown)]}, nil
}
