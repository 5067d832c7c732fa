package source

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/crypto/ssh"

	"driftless/internal/fault"
	"driftless/internal/job"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/source/mirror"
)

// dueAfter is how old the last fetch of a mirror is when the hourly sweep asks for another one.
const dueAfter = 50 * time.Minute

// Mirror is a repository that the server fetches by itself, with the credential sealed.
type Mirror struct {
	SourceID   uuid.UUID
	URL        string
	Username   string
	Token      []byte
	PrivateKey []byte
	PublicKey  string
	HostKeys   string
	AskedAt    time.Time
	TriedAt    *time.Time
	FetchedAt  *time.Time
	Error      string
}

// MirrorView is a mirror as its readers see it.
type MirrorView struct {
	URL       string     `json:"url"`
	Token     bool       `json:"token" jsonschema:"a token is kept"`
	PublicKey string     `json:"public_key,omitempty" jsonschema:"to be added to the repository at its host, for reading"`
	FetchedAt *time.Time `json:"fetched_at,omitempty" jsonschema:"when it was last fetched"`
	TriedAt   *time.Time `json:"tried_at,omitempty"`
	Error     string     `json:"error,omitempty" jsonschema:"why the last attempt failed"`
}

// View shows a mirror without its secrets.
func (m Mirror) View() *MirrorView {
	return &MirrorView{URL: m.URL, Token: len(m.Token) > 0, PublicKey: m.PublicKey, FetchedAt: m.FetchedAt, TriedAt: m.TriedAt, Error: m.Error}
}

// Fetch is the job that fetches a mirror. Package drift/fetch does it.
type Fetch struct {
	Workspace uuid.UUID `json:"workspace"`
	Source    uuid.UUID `json:"source"`
}

// Kind names the job.
func (Fetch) Kind() string { return "source.fetch" }

// FetchSoon asks for a fetch of a repository, where the server mirrors it. Of several that were asked for before one begins, one is done.
func FetchSoon(tx *pg.Tx, source uuid.UUID) error {
	mirrored, err := askFetch(tx, source)
	if err != nil || !mirrored {
		return err
	}
	return job.Enqueue(tx, Fetch{Workspace: tx.Actor().Workspace, Source: source})
}

// FetchDue asks for a fetch of each mirror of the workspace whose last attempt is 50 minutes ago; the hourly sweep calls it.
func FetchDue(tx *pg.Tx) error {
	due, err := mirrorsBefore(tx, tx.Now().Add(-dueAfter))
	if err != nil {
		return err
	}
	for _, id := range due {
		if err := FetchSoon(tx, id); err != nil {
			return err
		}
	}
	return nil
}

// errKey is told where a credential should be kept and nothing is there to keep it with.
func errKey() error {
	return fault.New(fault.State, fault.CodeStateConflict, "the server has no key to keep the credential of a mirror with",
		"ask whoever runs the server to set DRIFTLESS_SECRET_KEY, or use 'driftless sync' in a checkout")
}

// seal encrypts a credential for one repository.
func (s *Service) seal(plain []byte, source uuid.UUID) ([]byte, error) {
	if s.secretKey == "" {
		return nil, errKey()
	}
	return opaque.Seal(plain, s.boxKey(source))
}

// boxKey is another one for each repository, so that a row that is moved opens nothing.
func (s *Service) boxKey(source uuid.UUID) []byte {
	return opaque.Hash("mirror " + source.String() + " " + s.secretKey)
}

// errSealed is told where the key of the server is another one than before.
var errSealed = errors.New("the credential cannot be read with the key of the server; give it again")

// Remote is a mirror with its credential in clear, for the job that fetches it.
func (s *Service) Remote(m Mirror) (mirror.Remote, error) {
	out := mirror.Remote{URL: m.URL, Username: m.Username, HostKeys: m.HostKeys}
	open := func(sealed []byte) ([]byte, error) {
		if len(sealed) == 0 {
			return nil, nil
		}
		plain, err := opaque.Open(sealed, s.boxKey(m.SourceID))
		if err != nil {
			return nil, &mirror.RefusalError{Reason: errSealed.Error(), Lasting: true}
		}
		return plain, nil
	}
	token, err := open(m.Token)
	if err != nil {
		return out, err
	}
	out.Token = string(token)
	out.Key, err = open(m.PrivateKey)
	return out, err
}

// newDeployKey makes a key pair in the forms of OpenSSH.
func newDeployKey(name string) (private []byte, public string, err error) {
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, "", fmt.Errorf("make a deploy key: %w", err)
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		return nil, "", fmt.Errorf("make a deploy key: %w", err)
	}
	wire, err := ssh.NewPublicKey(pub)
	if err != nil {
		return nil, "", fmt.Errorf("make a deploy key: %w", err)
	}
	return pem.EncodeToMemory(block), strings.TrimSpace(string(ssh.MarshalAuthorizedKey(wire))) + " driftless:" + name, nil
}
