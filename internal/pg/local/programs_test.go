//go:build unix

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fakePrograms makes a folder with programs that only know their version.
func fakePrograms(t *testing.T, dir string, major int) string {
	t.Helper()
	check(t, os.MkdirAll(dir, 0o755))
	script := fmt.Sprintf("#!/bin/sh\necho 'postgres (PostgreSQL) %d.3 (Some Distribution)'\n", major)
	for _, name := range []string{"initdb", "postgres"} {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755))
	}
	return dir
}

func TestProgramsAreFoundInOrder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	onPath := fakePrograms(t, filepath.Join(root, "path"), 16)
	old := fakePrograms(t, filepath.Join(root, "lib", "9", "bin"), 9)
	v15 := fakePrograms(t, filepath.Join(root, "lib", "15", "bin"), 15)
	v17 := fakePrograms(t, filepath.Join(root, "lib", "17", "bin"), 17)
	half := filepath.Join(root, "lib", "18", "bin")
	check(t, os.MkdirAll(half, 0o755))
	check(t, os.WriteFile(filepath.Join(half, "postgres"), []byte("#!/bin/sh\n"), 0o755))
	pattern := []string{filepath.Join(root, "lib", "*", "bin")}

	for name, tc := range map[string]struct {
		places places
		major  int
		want   string
	}{
		"configured before all":                 {places{configured: v15, searchPath: []string{onPath}, patterns: pattern}, 0, v15},
		"search path before distribution":       {places{searchPath: []string{root, ".", "", onPath}, patterns: pattern}, 0, onPath},
		"newest complete one of a distribution": {places{patterns: pattern}, 0, v17},
		"the one that made the cluster":         {places{searchPath: []string{onPath}, patterns: pattern}, 15, v15},
		"however old":                           {places{searchPath: []string{onPath}, patterns: pattern}, 9, old},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tc.places.find(t.Context(), tc.major)
			check(t, err)
			if got.dir != tc.want {
				t.Errorf("found %s, want %s", got.dir, tc.want)
			}
		})
	}
}

func TestMissingProgramsSayWhatToInstall(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	old := fakePrograms(t, t.TempDir(), 14)
	for name, tc := range map[string]struct {
		places places
		major  int
		want   []string
	}{
		"nowhere":            {places{searchPath: []string{empty}, patterns: []string{filepath.Join(empty, "*")}}, 0, []string{"were not found", "apt install postgresql"}},
		"configured, empty":  {places{configured: empty}, 0, []string{empty, "initdb and postgres", "apt install postgresql"}},
		"configured, absent": {places{configured: filepath.Join(empty, "absent")}, 0, []string{"absent", "apt install postgresql"}},
		"too old":            {places{searchPath: []string{old}}, 0, []string{"PostgreSQL 14 is too old", "apt install postgresql"}},
		"another version":    {places{searchPath: []string{old}}, 18, []string{"made by PostgreSQL 18", "only 14 is installed", "install PostgreSQL 18"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tc.places.find(t.Context(), tc.major)
			if err == nil {
				t.Fatal("found")
			}
			wantText(t, err, tc.want...)
		})
	}
}

func TestStartWithoutProgramsLeavesTheFolderFree(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	wantText(t, startError(t, Options{DataDir: dir, BinDir: t.TempDir()}), "apt install postgresql")
	start(t, dir)
}

func TestPackageUnpackedIntoTheDataFolderIsFound(t *testing.T) {
	t.Parallel()
	platform := runtime.GOOS + "-" + strings.ReplaceAll(runtime.GOARCH, "amd64", "x64")
	for name, parent := range map[string]string{"by npm": "node_modules", "by hand": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "odd [name]*")
			want := fakePrograms(t, filepath.Join(dir, parent, "@embedded-postgres", platform, "native", "bin"), 9998)
			got, err := usualPlaces(Options{DataDir: dir}).find(t.Context(), 9998)
			check(t, err)
			if got.dir != want {
				t.Errorf("found %s, want %s", got.dir, want)
			}
		})
	}
}

// Variables of ours hold secrets, and some of PostgreSQL's change what its
// programs do.
func TestProgramsSeeOnlyTheEnvironmentTheyNeed(t *testing.T) {
	t.Parallel()
	for _, variable := range environment() {
		name, _, _ := strings.Cut(variable, "=")
		switch name {
		case "PATH", "LD_LIBRARY_PATH", "LC_ALL", "TZ":
		default:
			t.Errorf("programs see %s", name)
		}
	}
}
