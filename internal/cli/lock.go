package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// The errands that programs of one person on one machine do one after the other.
const (
	errandFile   = "file"    // replace the credentials file
	errandRenew  = "renew"   // trade the refresh token of a server
	errandSignIn = "sign-in" // ask a person in the browser for a server
)

// locked runs do while this process alone, of all on this machine, is on the errand for the server; the empty server stands for
// all of them. The operating system frees the lock of a process that dies.
func locked(ctx context.Context, errand, server string, do func() error) error {
	file, err := credentialsFile()
	if err != nil {
		return err
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the configuration folder: %w", err)
	}
	sum := sha256.Sum256([]byte(server))
	release, err := lockFile(ctx, filepath.Join(dir, errand+"-"+hex.EncodeToString(sum[:6])+".lock"))
	if err != nil {
		return err
	}
	defer release()
	return do()
}

// lockFile waits for the lock until ctx ends. The wait of the system cannot be interrupted, so whoever gives up leaves it to
// end by itself.
func lockFile(ctx context.Context, path string) (func(), error) {
	type result struct {
		release func()
		err     error
	}
	got := make(chan result, 1)
	go func() {
		release, err := lockedfile.MutexAt(path).Lock()
		got <- result{release, err}
	}()
	select {
	case r := <-got:
		if r.err != nil {
			return nil, fmt.Errorf("wait for another program: %w", r.err)
		}
		return r.release, nil
	case <-ctx.Done():
		go func() {
			if r := <-got; r.err == nil {
				r.release()
			}
		}()
		return nil, interrupted(ctx)
	}
}
