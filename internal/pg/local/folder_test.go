//go:build unix

package local

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestClusterOfAnotherMajorVersionIsRefused(t *testing.T) {
	t.Parallel()
	dir := usedFolder(t)
	version := filepath.Join(folder(dir).dir, "PG_VERSION")
	right, err := os.ReadFile(version)
	check(t, err)
	check(t, os.WriteFile(version, []byte("9999\n"), 0o600))
	wantText(t, startError(t, Options{DataDir: dir}), "made by PostgreSQL 9999", "install PostgreSQL 9999")

	check(t, os.WriteFile(version, right, 0o600))
	start(t, dir) // nothing was touched
}

func TestBrokenDataFolderIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"version is garbage":    {map[string]string{"PG_VERSION": "\x00\xff!"}, "PG_VERSION names no version"},
		"version is empty":      {map[string]string{"PG_VERSION": ""}, "PG_VERSION names no version"},
		"version is negative":   {map[string]string{"PG_VERSION": "-15"}, "PG_VERSION names no version"},
		"version is missing":    {map[string]string{"base": ""}, "no PostgreSQL cluster"},
		"only the version left": {map[string]string{"PG_VERSION": "15\n"}, "start PostgreSQL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			check(t, os.Mkdir(folder(dir).dir, 0o700))
			for file, content := range tc.files {
				check(t, os.WriteFile(filepath.Join(folder(dir).dir, file), []byte(content), 0o600))
			}
			wantText(t, startError(t, Options{DataDir: dir}), tc.want)
			for file, content := range tc.files {
				raw, err := os.ReadFile(filepath.Join(folder(dir).dir, file))
				if err != nil || string(raw) != content {
					t.Errorf("%s became %q (%v)", file, raw, err)
				}
			}
			// The refusal gave up the lock.
			lock, err := lockFolder(dir, false)
			check(t, err)
			check(t, lock.release())
		})
	}
}

func TestDataFolderThatCannotBeUsedIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(file, nil, 0o600))
	wantText(t, startError(t, Options{DataDir: file}), file)
	wantText(t, startError(t, Options{}), "DRIFTLESS_DATA_DIR")
}

func TestEmptyDatabaseFolderIsFilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check(t, os.Mkdir(folder(dir).dir, 0o755))
	connect(t, start(t, dir).AppDSN())
}

func TestUnfinishedClusterIsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	half := folder(dir).dir + ".new"
	check(t, os.Mkdir(half, 0o700))
	check(t, os.WriteFile(filepath.Join(half, "PG_VERSION"), []byte("15\n"), 0o600))
	connect(t, start(t, dir).AppDSN())
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unfinished cluster stays behind: %v", err)
	}
}

func TestCopiedDataFolderIsRepaired(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(dir string) error{
		"open to others": func(dir string) error { return os.Chmod(dir, 0o755) },
		// Copied by whoever runs this: root has to give the files away again.
		"copied by this user": func(dir string) error {
			return filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
				return errors.Join(err, os.Lchown(path, os.Geteuid(), os.Getegid()))
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := usedFolder(t)
			s := start(t, dir)
			exec1(t, connect(t, s.OwnerDSN()), "create table kept as select 42 as v")
			stop(t, s)
			check(t, spoil(folder(dir).dir))
			s = start(t, dir)
			if got := query1[int](t, connect(t, s.OwnerDSN()), "select v from kept"); got != 42 {
				t.Errorf("v = %d", got)
			}
			info, err := os.Stat(folder(dir).dir)
			check(t, err)
			if uid, _ := ownerOf(info); info.Mode().Perm() != 0o700 || uid != s.account.uid {
				t.Errorf("mode %v, owner %d", info.Mode(), uid)
			}
		})
	}
}

func TestLongDataPath(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("long/", 20), strings.Repeat("n", 200), "with space and 'quote' and * and [")
	s := start(t, dir)
	connect(t, s.AppDSN())
	stop(t, s)
	connect(t, start(t, dir).AppDSN())
}

func TestPidFile(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]pidFile{
		"12\n/data\n1700000000\n5432\n/tmp/s\n\n  5432001  3\nready   \n": {pid: 12, socketDir: "/tmp/s", ready: true},
		"12\n/data\n1700000000\n5432\n/tmp/s\n\n  5432001  3\nstarting\n": {pid: 12, socketDir: "/tmp/s"},
		"12\n/data\n1700000000\n5432\n/tmp/s\n\n  5432001  3\nstopping\n": {pid: 12, socketDir: "/tmp/s"},
		"12\n/data\n":            {pid: 12},
		"":                       {},
		"99999999999999999999\n": {pid: 0},
	} {
		c := cluster{dir: t.TempDir()}
		check(t, os.WriteFile(filepath.Join(c.dir, "postmaster.pid"), []byte(content), 0o600))
		got, err := c.pidFile()
		check(t, err)
		if got != want {
			t.Errorf("%q: got %+v, want %+v", content, got, want)
		}
	}
}

func TestSocketFolderThatDoesNotWorkIsNotUsed(t *testing.T) {
	t.Parallel()
	who := ordinary(t)
	long := filepath.Join(openFolder(t), strings.Repeat("n", maxSocketPath))
	check(t, os.Mkdir(long, 0o755))
	closed := t.TempDir()
	check(t, os.Chmod(filepath.Dir(closed), 0o700))
	unusable := map[string]string{long: "too long for a socket"}
	if who.dropped {
		unusable[closed] = "closed to the account"
	}
	for parent, want := range unusable {
		_, err := createSocketDirIn(parent, who)
		if err == nil {
			t.Fatalf("%s was used", parent)
		}
		wantText(t, err, want)
		left, err := os.ReadDir(parent)
		check(t, err)
		if len(left) != 0 {
			t.Errorf("%v stays behind", left)
		}
	}
}
