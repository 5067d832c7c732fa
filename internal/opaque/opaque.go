// Package opaque owns random secrets that mean nothing in themselves: keys, tokens, links and cookies, how they are made, the
// form in which they are kept, and what is sealed so that only who brings the secret reads it.
//
// It refuses to be used for what people choose: a password can be guessed, and has to be kept by a function that is slow.
package opaque

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// Size is the entropy of a secret, in bytes.
const Size = 32

// New makes a secret of [Size] random bytes in base64url. A prefix lets a leaked one be recognised; it may be empty.
func New(prefix string) string {
	raw := make([]byte, Size)
	_, _ = rand.Read(raw) // never fails
	return prefix + base64.RawURLEncoding.EncodeToString(raw)
}

// Hash is the form in which a secret is kept: one round of SHA-256 is enough for 256 random bits.
func Hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// Is reports whether a text has the form of what [New] makes without a prefix.
func Is(text string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && len(raw) == Size
}
