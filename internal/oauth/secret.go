package oauth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
)

// The prefixes by which a leaked secret can be recognised.
const (
	prefixAccess  = "dat_"
	prefixRefresh = "drt_"
	prefixCode    = "dac_"
	prefixClient  = "dcl_"
	prefixSecret  = "dcs_"
	prefixDevice  = "ddc_"
)

// secretBytes is the entropy of everything issued here.
const secretBytes = 32

func newSecret(prefix string) (string, error) {
	raw := make([]byte, secretBytes)
	if _, err := rand.Read(raw); err != nil {
		return "", fmt.Errorf("read randomness: %w", err)
	}
	return prefix + base64.RawURLEncoding.EncodeToString(raw), nil
}

// hash is the form in which a secret is kept. One round of SHA-256 is enough for 256 random bits.
func hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

func sameHash(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }
