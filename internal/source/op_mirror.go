package source

import (
	"context"
	"strings"
	"unicode"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/source/mirror"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

// The longest credential of a mirror, and the longest lines of known_hosts, in characters.
const (
	tokenMax    = 4096
	hostKeysMax = 8192
)

type mirrorIn struct {
	Remote        string   `json:"remote" jsonschema:"where it is fetched from, https or ssh; without a credential in it"`
	Username      string   `json:"username,omitempty" jsonschema:"goes with the token; most hosts take any"`
	Token         string   `json:"token,omitempty" jsonschema:"token that may read the repository, over https; kept when left out"`
	NewKey        bool     `json:"new_key,omitempty" jsonschema:"make another deploy key, over ssh; the first is made anyway"`
	HostKeys      string   `json:"host_keys,omitempty" jsonschema:"lines of known_hosts for the host; without them the first key it shows is kept"`
	DefaultBranch string   `json:"default_branch,omitempty" jsonschema:"the branch that counts; main when nothing is known"`
	Branches      []string `json:"branches,omitempty" jsonschema:"more tracked branches; patterns such as release/* are allowed"`
}

func (s *Service) mirrorOp() op.Operation {
	return op.Write(op.Spec{
		ID: "sources.mirror", Title: "Mirror a repository",
		Doc: "Have the server fetch a repository by itself: now, on each push that its hook tells of, and every hour. Connects it where it is not. " +
			"Over ssh the answer has the public key to add at the host. Again, it changes what is given and fetches at once. " +
			`Example: {"remote":"https://git.example.com/acme/shop.git"}`,
		Scope: tenant.WorkWrite, Role: tenant.Admin, Effect: op.Idempotent, REST: "POST /sources/mirrors", Created: true, CLI: "source mirror <remote>",
		// The token is a secret by its nature, is sealed, and is never answered.
		ScreensItself: true,
		Rules: op.Rules{
			"remote": op.Length(1, 2*repo.NameMax), "username": op.Length(0, 200), "token": op.Length(0, tokenMax), "host_keys": op.Length(0, hostKeysMax),
			"default_branch": op.Length(0, repo.BranchMax), "branches": op.Items(0, PatternsMax), "branches[]": op.Length(1, repo.BranchMax),
		},
	}, s.mirror)
}

func (s *Service) mirror(ctx context.Context, tx *pg.Tx, in mirrorIn) (Connected, error) {
	address, err := mirror.Address(in.Remote)
	if err != nil {
		return Connected{}, fault.Fieldf("remote", "%v", err)
	}
	overSSH := strings.HasPrefix(address, "ssh:")
	if err := in.check(overSSH); err != nil {
		return Connected{}, err
	}
	out, err := s.connect(ctx, tx, connectIn{Remote: address, DefaultBranch: in.DefaultBranch, Branches: in.Branches})
	if err != nil {
		return Connected{}, err
	}
	row, before, err := MirrorOf(tx, out.ID)
	if err != nil {
		return Connected{}, err
	}
	if !before || row.URL != address {
		// What was given for one address is not shown to another.
		row = Mirror{SourceID: out.ID, URL: address}
	}
	if in.Token != "" {
		row.Username = in.Username
		if row.Username == "" {
			row.Username = "driftless"
		}
		if row.Token, err = s.seal([]byte(in.Token), out.ID); err != nil {
			return Connected{}, err
		}
	}
	if in.HostKeys != "" {
		row.HostKeys = strings.TrimSpace(in.HostKeys) + "\n"
	}
	if overSSH && (in.NewKey || len(row.PrivateKey) == 0) {
		private, public, err := newDeployKey(out.Name)
		if err != nil {
			return Connected{}, err
		}
		row.PublicKey = public
		if row.PrivateKey, err = s.seal(private, out.ID); err != nil {
			return Connected{}, err
		}
	}
	if err := saveMirror(tx, row); err != nil {
		return Connected{}, err
	}
	if _, err := event.Append(tx, "sources.mirror", "source.mirrored", nil, map[string]any{"source": out.ID, "name": out.Name, "url": address}); err != nil {
		return Connected{}, err
	}
	out.Mirror = row.View()
	return out, FetchSoon(tx, out.ID)
}

func (in mirrorIn) check(overSSH bool) error {
	switch {
	case overSSH && in.Token != "":
		return fault.Fieldf("token", "goes with https; over ssh there is a deploy key")
	case !overSSH && in.NewKey:
		return fault.Fieldf("new_key", "goes with ssh; over https give a token")
	case !overSSH && in.HostKeys != "":
		return fault.Fieldf("host_keys", "goes with ssh")
	case strings.ContainsFunc(in.Token, unicode.IsControl):
		return fault.Fieldf("token", "holds characters that no token has")
	case strings.ContainsFunc(in.Username, unicode.IsControl) || strings.Contains(in.Username, ":"):
		return fault.Fieldf("username", "holds characters that no name of a user has")
	}
	return nil
}
