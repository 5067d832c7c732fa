package oauth

import (
	"crypto/subtle"

	"driftless/internal/opaque"
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

// hash is the form in which a secret is kept.
func hash(secret string) []byte { return opaque.Hash(secret) }

func sameHash(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }
