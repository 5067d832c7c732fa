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
	DefaultBranch string   `json:"default_branch,omitempty" jsonschema:"the branch that counts; main when nothing is known"`
	Branches      []string `json:"branches,omitempty" jsonschema:"more tracked branches; patterns such as release/* are allowed"`
	Provider      string   `json:"provider,omitempty" jsonschema:"where it lives; guessed by its host when left out"`
	NewSecret     bool     `json:"new_secret,omitempty" jsonschema:"make a new secret for its push hook; the one before ends"`
}

// Connected is a repository with what its forge needs to tell of pushes.
type Connected struct {
	View
	HookURL string `json:"hook_url" jsonschema:"where the forge sends its pushes"`
	// HookSecret is answered when it is made and never again.
	HookSecret string `json:"hook_secret,omitempty" jsonschema:"signs them; answered once"`
}

func (s *Service) connectOp() op.Operation {
	return op.Write(op.Spec{
		ID: "sources.connect", Title: "Connect a repository",
		Doc: "Make a repository known, so that its pushes and syncs are taken. Connecting it again changes what is given, and nothing else. " +
			`Example: {"remote":"git@github.com:acme/shop.git","branches":["release/*"]}`,
		Scope: tenant.WorkWrite, Role: tenant.Admin, Effect: op.Idempotent, REST: "POST /sources", Created: true, CLI: "source connect <remote>",
		Rules: op.Rules{
			"remote": op.Length(1, 2*repo.NameMax), "default_branch": op.Length(0, repo.BranchMax), "branches": op.Items(0, PatternsMax),
			"branches[]": op.Length(1, repo.BranchMax), "provider": op.OneOf("", Providers()...),
		},
	}, s.connect)
}

// keep fills what was left out with what is known of the repository already.
func (in *connectIn) keep(old Source) {
	if in.DefaultBranch == "" {
		in.DefaultBranch = old.DefaultBranch
	}
	if in.DefaultBranch == "" {
		in.DefaultBranch = "main"
	}
	if in.Branches == nil {
		in.Branches = old.Branches
	}
	if in.Provider == "" {
		in.Provider = old.Provider
	}
}

func (s *Service) connect(_ context.Context, tx *pg.Tx, in connectIn) (Connected, error) {
	name, err := repo.Name(in.Remote)
	if err != nil {
		return Connected{}, fault.Fieldf("remote", "%v", err)
	}
	if err := event.Lock(tx); err != nil {
		return Connected{}, err
	}
	old, before, err := ByName(tx, name)
	if err != nil {
		return Connected{}, err
	}
	in.keep(old)
	if err := repo.CheckBranch(in.DefaultBranch, false); err != nil {
		return Connected{}, fault.Fieldf("default_branch", "%v", err)
	}
	for i, pattern := range in.Branches {
		if err := repo.CheckBranch(pattern, true); err != nil {
			return Connected{}, fault.Fieldf(fmt.Sprintf("branches[%d]", i), "%v", err)
		}
	}
	row, err := Connect(tx, Source{Name: name, Provider: in.Provider, DefaultBranch: in.DefaultBranch, Branches: in.Branches})
	if err != nil {
		return Connected{}, err
	}
	heads, err := Heads(tx)
	if err != nil {
		return Connected{}, err
	}
	_, err = event.Append(tx, "sources.connect", "source.connected", nil,
		map[string]any{"source": row.ID, "name": row.Name, "default_branch": row.DefaultBranch, "branches": row.Branches})
	if err != nil {
		return Connected{}, err
	}
	out := Connected{View: row.View(heads), HookURL: s.publicURL + "/hooks/" + row.Provider + "/" + row.ID.String()}
	if before && !in.NewSecret {
		return out, nil
	}
	if before {
		if row, err = renumber(tx, row); err != nil {
			return Connected{}, err
		}
	}
	key, err := hookKey(tx)
	if err != nil {
		return Connected{}, err
	}
	out.HookSecret = row.hookSecret(key)
	return out, nil
}
