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
	raw := make([]byte, bodySize, idSize)
	_, _ = rand.Read(raw[:16]) // never fails
	raw[16] = byte(can)
	binary.BigEndian.PutUint64(raw[17:], uint64(s.now().Add(Kept).Unix()))
	code, err := s.code(ctx, person, raw)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(append(raw, code...)), nil
}

// Resume answers the session behind an id. One that is forged, of another person or expired looks like none.
func (s *Service) Resume(ctx context.Context, person uuid.UUID, id string) (Session, error) {
	missing := fault.New(fault.NotFound, fault.CodeNotFound, "there is no such session", "initialize again, or leave Mcp-Session-Id out")
	raw, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil || len(raw) != idSize {
		return Session{}, missing
	}
	code, err := s.code(ctx, person, raw[:bodySize])
	if err != nil {
		return Session{}, err
	}
	ends := time.Unix(int64(binary.BigEndian.Uint64(raw[17:])), 0)
	if !hmac.Equal(code, raw[bodySize:]) || s.now().After(ends) {
		return Session{}, missing
	}
	return Session{Can: Can(raw[16]), id: [16]byte(raw[:16])}, nil
}

func (s *Service) code(ctx context.Context, person uuid.UUID, body []byte) ([]byte, error) {
	secret, err := s.key(ctx)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("mcp session\x00"))
	mac.Write(person[:])
	mac.Write(body)
	return mac.Sum(nil), nil
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
