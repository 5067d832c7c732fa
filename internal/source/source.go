package source

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/source/repo"
)

// PatternsMax is how many patterns of branches a repository may track beside its default branch.
const PatternsMax = 20

// Service is the repositories of one server.
type Service struct{ publicURL, secretKey string }

// New makes the service; hooks are addressed below the public address. The operations of a nil service can be listed, not called.
func New(c config.Config) *Service { return &Service{publicURL: c.PublicURL, secretKey: c.SecretKey} }

// Operations lists what can be done with repositories. What arrives from them belongs to package drift.
func (s *Service) Operations() []op.Operation {
	return []op.Operation{
		s.listOp(),
		s.connectOp(),
		s.mirrorOp(),
		s.unmirrorOp(),
		s.fetchOp(),
	}
}

// Source is a repository of a workspace.
type Source struct {
	WorkspaceID   uuid.UUID
	ID            uuid.UUID
	Name          string
	Provider      string
	DefaultBranch string
	// Branches are the patterns of branches that are tracked beside the default one.
	Branches    pg.Strings
	ConnectedBy *uuid.UUID
	// HookNumber goes up with each new secret of its hook.
	HookNumber     int
	ConnectedAt    time.Time
	DisconnectedAt *time.Time
}

// Connected reports whether news of the repository are taken.
func (s Source) Connected() bool { return s.DisconnectedAt == nil }

// Tracks reports whether a branch counts; all others are heard of and mark nothing.
func (s Source) Tracks(branch string) bool {
	return branch == s.DefaultBranch || repo.Tracked(s.Branches, branch)
}

// Head is a tracked branch as it was last heard of.
type Head struct {
	SourceID    uuid.UUID
	Branch      string
	Head        string
	CommittedAt time.Time
	SyncedAt    time.Time
	FileCount   int
}

// Providers are the words for where a repository lives; they decide how its push hooks are signed.
func Providers() []string { return []string{"generic", "github", "gitlab", "gitea"} }

// providerOf guesses the provider by the name of the host.
func providerOf(name string) string {
	host, _, _ := strings.Cut(name, "/")
	switch {
	case host == "github.com":
		return "github"
	case strings.Contains(host, "gitlab"):
		return "gitlab"
	case strings.Contains(host, "gitea"), strings.Contains(host, "forgejo"), host == "codeberg.org":
		return "gitea"
	}
	return "generic"
}

// Connect makes a repository known to the actor's workspace, or known again. Call it with the workspace locked.
func Connect(tx *pg.Tx, s Source) (Source, error) {
	a := tx.Actor()
	s.ID = pg.NewID()
	s.WorkspaceID, s.ConnectedAt, s.DisconnectedAt = a.Workspace, tx.Now(), nil
	if a.Person != uuid.Nil {
		s.ConnectedBy = &a.Person
	}
	if s.Provider == "" {
		s.Provider = providerOf(s.Name)
	}
	if s.Branches == nil {
		s.Branches = pg.Strings{}
	}
	return save(tx, s)
}

// Named is the repository that a person means: its name, any spelling of its remote, or its id.
func Named(tx *pg.Tx, text string) (Source, error) {
	all, err := List(tx)
	if err != nil {
		return Source{}, err
	}
	name, _ := repo.Name(text)
	at := slices.IndexFunc(all, func(s Source) bool { return s.Name == text || s.Name == name || s.ID.String() == text })
	if at < 0 {
		return Source{}, fault.Missing("repository", text)
	}
	return all[at], nil
}

// Pick finds the connected repository that a caller means. Without a name it is the only one.
func Pick(tx *pg.Tx, text string) (Source, error) {
	if text != "" {
		s, err := Named(tx, text)
		if err == nil && !s.Connected() {
			return s, fault.Missing("repository", text)
		}
		return s, err
	}
	all, err := List(tx)
	if err != nil {
		return Source{}, err
	}
	all = slices.DeleteFunc(all, func(s Source) bool { return !s.Connected() })
	switch len(all) {
	case 0:
		return Source{}, fault.New(fault.State, fault.CodeStateConflict, "no repository is connected to this workspace",
			"run 'driftless sync' in a checkout, as an owner or admin")
	case 1:
		return all[0], nil
	}
	names := make([]string, 0, len(all))
	for _, s := range all {
		names = append(names, s.Name)
	}
	return Source{}, fault.Fields([]fault.Field{{Path: "repo", Problem: "there are several repositories; name one", Allowed: names}})
}
