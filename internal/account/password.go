package account

import (
	"fmt"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"driftless/internal/fault"
)

// Limits of a password, in characters. There are no rules of composition: length is what helps (NIST SP 800-63B §5.1.1).
const (
	passwordMin = 10
	passwordMax = 200
)

// argon is RFC 9106's second recommended choice, scaled to a machine of two cores: 32 MiB, 3 passes.
var argon = &argon2id.Params{Memory: 32 * 1024, Iterations: 3, Parallelism: 2, SaltLength: 16, KeyLength: 32}

// absent is compared against where there is no such person, so that an unknown address takes as long as a wrong password.
const absent = "$argon2id$v=19$m=32768,t=3,p=2$XwheDOw54PEHmI3DDiJrtQ$jJSf2JQn7ueglO2EYMlcyFrC0/DuCjLqJYYFXtxtyio"

func hashPassword(password string) (string, error) {
	if n := utf8.RuneCountInString(password); n < passwordMin || n > passwordMax {
		return "", fault.Fieldf("password", "needs %d to %d characters, has %d", passwordMin, passwordMax, n)
	}
	hash, err := argon2id.CreateHash(password, argon)
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return hash, nil
}

func passwordMatches(password, hash string) bool {
	ok, err := argon2id.ComparePasswordAndHash(password, hash)
	return err == nil && ok
}
