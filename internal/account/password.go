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

// product is the name that everybody who finds a sign-in page knows.
const product = "driftless"

// argon is RFC 9106's second recommended choice, scaled to a machine of two cores: 32 MiB, 3 passes.
var argon = &argon2id.Params{Memory: 32 * 1024, Iterations: 3, Parallelism: 2, SaltLength: 16, KeyLength: 32}

// absent is compared against where there is no such person, so that an unknown address takes as long as a wrong password.
const absent = "$argon2id$v=19$m=32768,t=3,p=2$XwheDOw54PEHmI3DDiJrtQ$jJSf2JQn7ueglO2EYMlcyFrC0/DuCjLqJYYFXtxtyio"

// hashPassword makes the hash of a password that is being set, or refuses the field password. about is what is known around the
// account, which is what guessing begins with: its address and name, and the workspace it is made for.
func (s *Service) hashPassword(password string, about ...string) (string, error) {
	if n := utf8.RuneCountInString(password); n < passwordMin || n > passwordMax {
		return "", fault.Fieldf("password", "needs %d to %d characters, has %d", passwordMin, passwordMax, n)
	}
	problem, err := s.leaked.Problem(password, append(about, product)...)
	if err != nil {
		return "", err
	}
	if problem != "" {
		return "", fault.Fieldf("password", "it %s, so it is among the first that are guessed; choose another one, such as four words that have nothing to do with each other", problem)
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
