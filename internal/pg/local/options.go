package local

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
)

// ErrInUse means that another process of ours runs the database of this data
// folder. The message names its process id.
var ErrInUse = errors.New("already in use")

// Options say where the private PostgreSQL lives.
type Options struct {
	// DataDir is the data folder of the product, created with mode 0700 when it
	// is missing. The cluster is its subfolder "postgres". Required.
	DataDir string

	// BinDir is the folder of the server programs initdb and postgres. When it
	// is empty they are looked for on the search path, in the folders of the
	// distribution, and in an @embedded-postgres package inside DataDir.
	BinDir string

	// Logger receives what the supervisor does and what PostgreSQL says about
	// itself, never a statement or a value of one. Nil discards it.
	Logger *slog.Logger
}

// complete checks the options, fills in defaults and creates the data folder.
func (o Options) complete() (Options, error) {
	if !supported {
		return o, errors.New("the private PostgreSQL does not run on this operating system: set DRIFTLESS_DATABASE_URL to a running PostgreSQL")
	}
	if o.DataDir == "" {
		return o, errors.New("the private PostgreSQL needs a data folder: set DRIFTLESS_DATA_DIR")
	}
	dir, err := filepath.Abs(o.DataDir)
	if err != nil {
		return o, fmt.Errorf("data folder %s: %w", o.DataDir, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return o, fmt.Errorf("create the data folder: %w", err)
	}
	o.DataDir = dir
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}
