package local

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
)

// port names the socket file; nothing listens on the network.
const port = 5432

// maxSocketPath is what every Unix accepts as the path of a socket, in bytes
// (sun_path has 104 to 108).
const maxSocketPath = 100

// socketPath is the socket inside its folder.
func socketPath(dir string) string {
	return filepath.Join(dir, ".s.PGSQL."+strconv.Itoa(port))
}

// createSocketDir makes a short folder that only the account can enter.
func createSocketDir(who account) (string, error) {
	var problem error
	for _, parent := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"} {
		if !filepath.IsAbs(parent) {
			continue
		}
		dir, err := createSocketDirIn(parent, who)
		if err == nil {
			return dir, nil
		}
		problem = err
	}
	return "", fmt.Errorf("no folder for the socket of PostgreSQL: set TMPDIR to a short folder that every account may enter: %w", problem)
}

func createSocketDirIn(parent string, who account) (_ string, err error) {
	made, err := os.MkdirTemp(parent, "driftless-") // mode 0700
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(made))
		}
	}()
	if path := socketPath(made); len(path) >= maxSocketPath {
		return "", fmt.Errorf("%s is too long for a socket", path)
	}
	reached, err := who.reaches(made)
	if err != nil {
		return "", err
	}
	if !reached {
		return "", fmt.Errorf("%s is closed to the account that runs PostgreSQL", parent)
	}
	if err := who.own(made); err != nil {
		return "", err
	}
	return made, nil
}

// clearSocketDir removes what a PostgreSQL that was killed left in the folder:
// the number in its lock file may belong to another process by now.
func clearSocketDir(dir string) error {
	for _, path := range []string{socketPath(dir), socketPath(dir) + ".lock"} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clear the socket folder: %w", err)
		}
	}
	return nil
}

// removeSocketDir removes the folder and what PostgreSQL puts there, nothing
// else: the name may come from a file on disk.
func removeSocketDir(dir string) error {
	if err := clearSocketDir(dir); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the socket folder: %w", err)
	}
	return nil
}

// dsn is the address of a database behind the socket, for pgx.
func dsn(socketDir, role, database string) string {
	address := url.URL{
		Scheme: "postgres",
		User:   url.User(role),
		Host:   "",
		Path:   "/" + database,
		RawQuery: url.Values{
			"host":    {socketDir},
			"port":    {strconv.Itoa(port)},
			"sslmode": {"disable"},
		}.Encode(),
	}
	return address.String()
}
