// Package tenant owns who is calling, from where, and with which authority: the closed sets of roles, scopes and
// ways to arrive, the [Caller] behind a credential and the [Actor] that a caller becomes in one workspace.
//
// It refuses to look anything up: callers are made by authentication, actors by the operation pipeline.
package tenant

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Role is what a person may do in one workspace. Each role includes the ones below it.
type Role string

// The four roles, lowest first.
const (
	Viewer Role = "viewer"
	Member Role = "member"
	Admin  Role = "admin"
	Owner  Role = "owner"
)

// Roles lists the roles, lowest first.
func Roles() []Role { return []Role{Viewer, Member, Admin, Owner} }

// AtLeast reports whether r includes want. An unknown role includes nothing.
func (r Role) AtLeast(want Role) bool {
	have := slices.Index(Roles(), r)
	return have >= 0 && have >= slices.Index(Roles(), want)
}

// Scope is what a credential may be used for, whoever holds it.
type Scope string

// The five scopes. None implies another.
const (
	ContextRead  Scope = "context:read"
	TopicsCreate Scope = "topics:create"
	TopicsWrite  Scope = "topics:write"
	WorkWrite    Scope = "work:write"
	ContextDiff  Scope = "context:diff"
)

// Scopes lists the scopes in the order in which they are shown.
func Scopes() []Scope { return []Scope{ContextRead, TopicsCreate, TopicsWrite, WorkWrite, ContextDiff} }

// Describe says in one sentence what a scope allows; the consent page shows it.
func (s Scope) Describe() string {
	switch s {
	case ContextRead:
		return "Read topics, search, and see what is up for review"
	case TopicsCreate:
		return "Write new notes and topics"
	case TopicsWrite:
		return "Change and delete topics"
	case WorkWrite:
		return "Propose, reject, archive, and curate tags and areas; approval still needs a person"
	case ContextDiff:
		return "Compare local changes with what is written about the code"
	}
	return string(s)
}

// Via is how a call arrived.
type Via string

// The ways to arrive. System is our own work: jobs and derived indexes.
const (
	ViaConsole Via = "console"
	ViaAPI     Via = "api"
	ViaMCP     Via = "mcp"
	ViaCLI     Via = "cli"
	ViaSystem  Via = "system"
)

// Membership is one person's place in one workspace.
type Membership struct {
	Workspace uuid.UUID
	Slug      string
	Name      string
	Role      Role
}

// Caller is the principal behind a credential and what the credential allows. Memberships are read in the same round
// trip that checks the credential, and hold only workspaces that the credential was granted.
type Caller struct {
	Person      uuid.UUID
	Name        string
	Email       string
	Service     bool // a service account: no person behind it
	Via         Via
	OAuth       bool   // an access token; otherwise an API key or a session
	Client      string // the name of the application, when known
	Credential  uuid.UUID
	Scopes      []Scope
	Memberships []Membership
	SignedInAt  time.Time // of a console session; zero otherwise
	RequestID   string
}

// Same reports whether two looks for the caller behind one credential found the same. When it arrived does not count.
func (c Caller) Same(other Caller) bool {
	return c.Person == other.Person && c.Name == other.Name && c.Email == other.Email && c.Service == other.Service &&
		c.Via == other.Via && c.OAuth == other.OAuth && c.Client == other.Client && c.Credential == other.Credential &&
		slices.Equal(c.Scopes, other.Scopes) && slices.Equal(c.Memberships, other.Memberships) && c.SignedInAt.Equal(other.SignedInAt)
}

// HasScope reports whether the credential carries s. A console session carries all scopes.
func (c Caller) HasScope(s Scope) bool { return slices.Contains(c.Scopes, s) }

// Membership finds the caller's place in a workspace by slug.
func (c Caller) Membership(slug string) (Membership, bool) {
	for _, m := range c.Memberships {
		if m.Slug == slug {
			return m, true
		}
	}
	return Membership{}, false
}

// HighestRole is the best role the caller holds anywhere within the grant; lists of tools are filtered by it.
func (c Caller) HighestRole() Role {
	best := Role("")
	for _, m := range c.Memberships {
		if best == "" || m.Role.AtLeast(best) {
			best = m.Role
		}
	}
	return best
}

// Actor is a caller in one workspace with the role that is in force right now.
type Actor struct {
	Caller
	Workspace uuid.UUID
	Slug      string
	Role      Role
}

// In makes the actor that the caller is in one of its workspaces.
func (c Caller) In(m Membership) Actor {
	return Actor{Caller: c, Workspace: m.Workspace, Slug: m.Slug, Role: m.Role}
}

// System is our own work in a workspace: it sees private drafts, and no surface ever hands it out.
func System(workspace uuid.UUID) Actor {
	return Actor{Caller: Caller{Via: ViaSystem}, Workspace: workspace, Role: Viewer}
}
