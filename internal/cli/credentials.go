package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"driftless/internal/fault"
)

// credential is what is remembered for one server: a key, or the tokens of a sign-in.
type credential struct {
	APIKey string  `json:"api_key,omitempty"`
	Tokens *tokens `json:"tokens,omitempty"`
}

// secret is what a request carries.
func (c credential) secret() string {
	if c.Tokens != nil {
		return c.Tokens.Access
	}
	return c.APIKey
}

// credentialsFile is below the person's configuration folder. Only its owner may read it.
func credentialsFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the configuration folder: %w", err)
	}
	return filepath.Join(dir, "driftless", "credentials.json"), nil
}

// loadCredentials answers what is remembered, by address of the server; nothing remembered is an empty answer.
func loadCredentials() (map[string]credential, error) {
	known := map[string]credential{}
	path, err := credentialsFile()
	if err != nil {
		return known, err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return known, fmt.Errorf("read the remembered credentials: %w", err)
	}
	// Windows has no such rights; there the folder of the person is their own.
	if others := info.Mode().Perm() & 0o077; others != 0 && runtime.GOOS != "windows" {
		return known, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated,
			fmt.Sprintf("others on this machine can read %s (its rights are %#o)", path, info.Mode().Perm()),
			fmt.Sprintf("run 'chmod 600 %s'; if somebody may have read it, run 'driftless logout' and sign in again", path))
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return known, fmt.Errorf("read the remembered credentials: %w", err)
	}
	if err := json.Unmarshal(raw, &known); err != nil {
		return known, fmt.Errorf("%s is damaged; remove it and sign in again: %w", path, err)
	}
	return known, nil
}

// saveCredentials replaces the file in one step, so that a reader never sees half of it.
func saveCredentials(known map[string]credential) error {
	path, err := credentialsFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the configuration folder: %w", err)
	}
	raw, err := json.MarshalIndent(known, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the credentials: %w", err)
	}
	// A temporary file is made with the rights 0600.
	f, err := os.CreateTemp(filepath.Dir(path), ".credentials-*")
	if err != nil {
		return fmt.Errorf("remember the credential: %w", err)
	}
	_, err = f.Write(append(raw, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("remember the credential: %w", err), os.Remove(f.Name()))
	}
	return nil
}

// remember keeps the credential for a server in place of the one before; an empty one is forgotten. It answers the one before.
func remember(ctx context.Context, server string, c credential) (before credential, err error) {
	err = locked(ctx, errandFile, "", func() error {
		known, err := loadCredentials()
		if err != nil {
			return err
		}
		before = known[server]
		if c == (credential{}) {
			delete(known, server)
		} else {
			known[server] = c
		}
		return saveCredentials(known)
	})
	return before, err
}
