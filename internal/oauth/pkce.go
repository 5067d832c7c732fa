package oauth

import "strings"

// isChallenge reports whether text can be the S256 of anything: 32 bytes in base64url without padding (RFC 7636 §4.2).
func isChallenge(text string) bool {
	return len(text) == 43 && strings.IndexFunc(text, func(r rune) bool { return !isUnreserved(r) || r == '.' || r == '~' }) < 0
}

// isVerifier reports whether text has the shape of a verifier: 43 to 128 unreserved characters (RFC 7636 §4.1).
func isVerifier(text string) bool {
	return len(text) >= 43 && len(text) <= 128 && strings.IndexFunc(text, func(r rune) bool { return !isUnreserved(r) }) < 0
}

func isUnreserved(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~", r)
}
