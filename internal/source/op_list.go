package source

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type listIn struct{}

// View is a repository as its readers see it.
type View struct {
	ID             uuid.UUID    `json:"id"`
	Name           string       `json:"name" jsonschema:"host/path, the same for every spelling of its remote"`
	Provider       string       `json:"provider"`
	DefaultBranch  string       `json:"default_branch"`
	Branches       []string     `json:"branches" jsonschema:"patterns of branches tracked beside the default one"`
	Heads          []BranchView `json:"heads" jsonschema:"the tracked branches that were synced"`
	ConnectedAt    time.Time    `json:"connected_at"`
	DisconnectedAt *time.Time   `json:"disconnected_at,omitempty"`
	Mirror         *MirrorView  `json:"mirror,omitempty" jsonschema:"the server fetches it by itself"`
}

// BranchView is what is known of a tracked branch.
type BranchView struct {
	Branch      string    `json:"branch"`
	Head        string    `json:"head"`
	Files       int       `json:"files"`
	CommittedAt time.Time `json:"committed_at"`
	SyncedAt    time.Time `json:"synced_at"`
}

func (s *Service) listOp() op.Operation {
	return op.Read(op.Spec{
		ID: "sources.list", Title: "List repositories",
		Doc:   "The repositories of the workspace with their tracked branches and the commit each was last synced at. Disconnected ones are listed too.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /sources", CLI: "source list",
	}, s.list)
}

func (s *Service) list(_ context.Context, tx *pg.Tx, _ listIn) (op.Page[View], error) {
	all, err := List(tx)
	if err != nil {
		return op.Page[View]{}, err
	}
	heads, err := Heads(tx)
	if err != nil {
		return op.Page[View]{}, err
	}
	mirrored, err := mirrors(tx)
	if err != nil {
		return op.Page[View]{}, err
	}
	rows := make([]View, 0, len(all))
	for _, s := range all {
		v := s.View(heads)
		if at := slices.IndexFunc(mirrored, func(m Mirror) bool { return m.SourceID == s.ID }); at >= 0 {
			v.Mirror = mirrored[at].View()
		}
		rows = append(rows, v)
	}
	return op.NewPage(rows, false, nil, nil), nil
}

// View shows the repository with those of the branches that are its own.
func (s Source) View(heads []Head) View {
	v := View{
		ID: s.ID, Name: s.Name, Provider: s.Provider, DefaultBranch: s.DefaultBranch, Branches: s.Branches,
		Heads: []BranchView{}, ConnectedAt: s.ConnectedAt.UTC(), DisconnectedAt: s.DisconnectedAt,
	}
	for _, h := range heads {
		if h.SourceID == s.ID {
			v.Heads = append(v.Heads, BranchView{
				Branch: h.Branch, Head: h.Head, Files: h.FileCount, CommittedAt: h.CommittedAt.UTC(), SyncedAt: h.SyncedAt.UTC(),
			})
		}
	}
	return v
}
