package app

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"

	"github.com/google/uuid"
)

// thisBuild names the program by what it is made of: two builds of one version may cut words otherwise. Where the program cannot be
// read, the name is one that never was.
func thisBuild() string {
	path, err := os.Executable()
	if err != nil {
		return uuid.NewString()
	}
	f, err := os.Open(path)
	if err != nil {
		return uuid.NewString()
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return uuid.NewString()
	}
	return hex.EncodeToString(sum.Sum(nil))
}
