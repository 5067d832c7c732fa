package source

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

type connectIn struct {
	Remote        string   `json:"remote" jsonschema:"its remote in any spelling, or host/path"`
	DefaultBranch string   `json:"default_branch,omitempty" jsonschema:"the branch that counts; main when left out"`
	Branches      []string `json:"branches,omitempty" jsonschema:"more tracked branches; patterns such as release/* are allowed"`
	Provider      string   `json:"provider,omitempty" jsonschema:"where it lives; guessed by its host when left out"`
}

func (s *Service) connectOp() op.Operation {
	return op.Write(op.Spec{
		ID: "sources.connect", Title: "Connect a repository",
		Doc: "Make a repository known, so that its pushes and syncs are taken. Connecting it again changes its branches. " +
			`Example: {"remote":"git@github.com:acme/shop.git","branches":["release/*"]}`,
		Scope: tenant.WorkWrite, Role: tenant.Admin, Effect: op.Idempotent, REST: "POST /sources", Created: true, CLI: "source connect <remote>",
		Rules: op.Rules{
			"remote": op.Length(1, 2*repo.NameMax), "default_branch": op.Length(0, repo.BranchMax), "branches": op.Items(0, PatternsMax),
			"branches[]": op.Length(1, repo.BranchMax), "provider": op.OneOf("", Providers()...),
		},
	}, s.connect)
}

func (s *Service) connect(_ context.Context, tx *pg.Tx, in connectIn) (View, error) {
	name, err := repo.Name(in.Remote)
	if err != nil {
		return View{}, fault.Fieldf("remote", "%v", err)
	}
	if in.DefaultBranch == "" {
		in.DefaultBranch = "main"
	}
	if err := repo.CheckBranch(in.DefaultBranch, false); err != nil {
		return View{}, fault.Fieldf("default_branch", "%v", err)
	}
	for i, pattern := range in.Branches {
		if err := repo.CheckBranch(pattern, true); err != nil {
			return View{}, fault.Fieldf(fmt.Sprintf("branches[%d]", i), "%v", err)
		}
	}
	if err := event.Lock(tx); err != nil {
		return View{}, err
	}
	row, err := Connect(tx, Source{Name: name, Provider: in.Provider, DefaultBranch: in.DefaultBranch, Branches: in.Branches})
	if err != nil {
		return View{}, err
	}
	heads, err := Heads(tx)
	if err != nil {
		return View{}, err
	}
	_, err = event.Append(tx, "sources.connect", "source.connected", nil,
		map[string]any{"source": row.ID, "name": row.Name, "default_branch": row.DefaultBranch, "branches": row.Branches})
	return row.View(heads), err
}
