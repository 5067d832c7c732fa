package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// oldestMajor is the first PostgreSQL whose public schema is closed to ordinary
// roles, which the two roles rely on.
const oldestMajor = 15

const howToInstall = "install PostgreSQL 15 or newer (Debian and Ubuntu: apt install postgresql; Fedora: dnf install postgresql-server; macOS: brew install postgresql@17), or set DRIFTLESS_DATABASE_URL to a running one"

// programs are the server programs of one PostgreSQL.
type programs struct {
	dir   string
	major int
}

func (p programs) initdb() string   { return filepath.Join(p.dir, "initdb") }
func (p programs) postgres() string { return filepath.Join(p.dir, "postgres") }

// places are the folders where server programs may be, in order of preference.
type places struct {
	configured string   // if set, the only place
	searchPath []string // folders of PATH
	patterns   []string // globs, each of which may match several versions
}

// usualPlaces are the places on this machine.
func usualPlaces(o Options) places {
	platform := runtime.GOOS + "-" + strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	embedded := filepath.Join("@embedded-postgres", platform, "native", "bin")
	return places{
		configured: o.BinDir,
		searchPath: filepath.SplitList(os.Getenv("PATH")),
		patterns: []string{
			"/usr/lib/postgresql/*/bin",                               // Debian, Ubuntu
			"/usr/pgsql-*/bin",                                        // the project's RPM packages
			"/usr/libexec/postgresql*",                                // Alpine
			"/opt/homebrew/opt/postgresql@*/bin",                      // Homebrew on Apple silicon
			"/usr/local/opt/postgresql@*/bin",                         // Homebrew on Intel
			filepath.Join(quote(o.DataDir), "node_modules", embedded), // npm install in the data folder
			filepath.Join(quote(o.DataDir), embedded),
		},
	}
}

// quote makes a folder name literal in a glob.
func quote(dir string) string {
	return regexp.MustCompile(`[\\*?\[]`).ReplaceAllString(dir, `\$0`)
}

// find returns the programs to use: the first place that has them for a new
// cluster (major 0), the first with the same major version for an existing one.
func (p places) find(ctx context.Context, major int) (programs, error) {
	if p.configured != "" {
		found, err := inspect(ctx, p.configured)
		if err != nil {
			return programs{}, fmt.Errorf("the configured program folder %s holds no PostgreSQL server programs (initdb and postgres): correct it or %s", p.configured, howToInstall)
		}
		return pick([]programs{found}, major)
	}
	var found []programs
	for _, dir := range p.searchPath {
		if one, err := inspect(ctx, dir); err == nil {
			found = append(found, one)
		}
	}
	for _, pattern := range p.patterns {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			return programs{}, fmt.Errorf("look for PostgreSQL in %s: %w", pattern, err)
		}
		var versions []programs
		for _, dir := range dirs {
			if one, err := inspect(ctx, dir); err == nil {
				versions = append(versions, one)
			}
		}
		slices.SortFunc(versions, func(a, b programs) int { return b.major - a.major })
		found = append(found, versions...)
	}
	return pick(found, major)
}

// pick chooses among the programs found.
func pick(found []programs, major int) (programs, error) {
	if len(found) == 0 {
		return programs{}, errors.New("the PostgreSQL server programs were not found: " + howToInstall)
	}
	var seen []string
	for _, one := range found {
		if one.major == major || major == 0 && one.major >= oldestMajor {
			return one, nil
		}
		seen = append(seen, strconv.Itoa(one.major))
	}
	have := strings.Join(slices.Compact(seen), ", ")
	if major == 0 {
		return programs{}, fmt.Errorf("PostgreSQL %s is too old: %s", have, howToInstall)
	}
	return programs{}, fmt.Errorf("the data folder was made by PostgreSQL %d and only %s is installed: install PostgreSQL %d, or export with it and import into a new data folder", major, have, major)
}

var versionLine = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// inspect looks for both programs in a folder and asks for their version.
func inspect(ctx context.Context, dir string) (programs, error) {
	if !filepath.IsAbs(dir) {
		return programs{}, fmt.Errorf("program folder %q is not absolute", dir)
	}
	p := programs{dir: dir}
	for _, name := range []string{p.initdb(), p.postgres()} {
		if _, err := exec.LookPath(name); err != nil {
			return programs{}, err
		}
	}
	cmd := exec.CommandContext(ctx, p.postgres(), "--version")
	cmd.Env = environment()
	out, err := cmd.Output()
	if err != nil {
		return programs{}, fmt.Errorf("%s --version: %w", p.postgres(), err)
	}
	match := versionLine.FindSubmatch(out)
	if match == nil {
		return programs{}, fmt.Errorf("%s --version answers %q", p.postgres(), out)
	}
	if p.major, err = strconv.Atoi(string(match[1])); err != nil {
		return programs{}, fmt.Errorf("%s --version: %w", p.postgres(), err)
	}
	return p, nil
}

// environment is what the programs see of ours. They run as another account at
// times, and the variables of the product hold secrets; variables such as
// PGDATA would change what the programs do.
func environment() []string {
	env := []string{"LC_ALL=C", "TZ=UTC"}
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
