package question

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
)

// Can is what a client can be asked, as it said when it began.
type Can uint8

// The things that a client can be asked. Their values are part of session ids and never change.
const (
	Form     Can = 1 << iota // to show a form (elicitation)
	URL                      // to open an address (elicitation)
	Sampling                 // to run a model
	Roots                    // to list its folders
)

// Has reports whether c includes all of want.
func (c Can) Has(want Can) bool { return c&want == want }

// Session is what a client said when it began. The zero value is that of a client without one: it can be asked nothing.
type Session struct {
	Can Can
	id  [16]byte
}

// Kept is how long a session id is taken after it was given out.
const Kept = 90 * 24 * time.Hour

// A session id is 16 random bytes, what the client can be asked, the Unix time at which it ends, and a code over all of these
// and the person (HMAC-SHA-256), in base64url. The person is not in it: to everybody else it is no session id.
const (
	bodySize = 16 + 1 + 8
	idSize   = bodySize + sha256.Size
)

// Begin answers the id of a new session of this person.
func (s *Service) Begin(ctx context.Context, person uuid.UUID, can Can) (id string, err error) {
	secret, err := s.key(ctx)
	if err != nil {
		return "", err
	}
	in := Session{Can: can}
	_, _ = rand.Read(in.id[:]) // never fails
	return seal(secret, person, in, s.now().Add(Kept)), nil
}

// Resume answers the session behind an id. One that is forged, of another person or expired looks like none.
func (s *Service) Resume(ctx context.Context, person uuid.UUID, id string) (Session, error) {
	secret, err := s.key(ctx)
	if err != nil {
		return Session{}, err
	}
	in, ok := unseal(secret, person, id, s.now())
	if !ok {
		return Session{}, fault.New(fault.NotFound, fault.CodeNotFound, "there is no such session", "initialize again, or leave Mcp-Session-Id out")
	}
	return in, nil
}

func seal(secret []byte, person uuid.UUID, in Session, ends time.Time) string {
	raw := append(in.id[:], byte(in.Can))
	raw = binary.BigEndian.AppendUint64(raw, uint64(ends.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(raw, code(secret, person, raw)...))
}

func unseal(secret []byte, person uuid.UUID, id string, now time.Time) (in Session, ok bool) {
	// Strict and of one length (line ends are skipped otherwise), so that a session has one id.
	raw, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil || len(id) != base64.RawURLEncoding.EncodedLen(idSize) || len(raw) != idSize || !hmac.Equal(code(secret, person, raw[:bodySize]), raw[bodySize:]) {
		return Session{}, false
	}
	if ends := time.Unix(int64(binary.BigEndian.Uint64(raw[17:])), 0); now.After(ends) {
		return Session{}, false
	}
	return Session{Can: Can(raw[16]), id: [16]byte(raw[:16])}, true
}

func code(secret []byte, person uuid.UUID, body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("mcp session\x00"))
	mac.Write(person[:])
	mac.Write(body)
	return mac.Sum(nil)
}

// key reads the key when it is needed first; it never changes.
func (s *Service) key(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.secret != nil {
		return s.secret, nil
	}
	var secret []byte
	if err := s.db.ReadGlobal(ctx, func(b *pg.Batch) { queueSecret(b, &secret) }); err != nil {
		return nil, err
	}
	s.secret = secret
	return secret, nil
}
