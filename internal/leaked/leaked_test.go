package leaked

import (
	"crypto/sha1"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWhatGuessingBeginsWithIsRefusedAndTheRestIsNot(t *testing.T) {
	t.Parallel()
	about := []string{"ada.lovelace@engine.example", "Ada Lovelace", "acme", "Acme Works", "driftless"}
	for password, refused := range map[string]bool{
		"qwertyuiop": true, "QwertyUIOP": true, "password123456": true, "!!password2026": true, "123456Dragon": true, "Monkey826461": true,
		"adalovelace": true, "Lovelace-2026!": true, "acmeDriftless": true, "engine.example": true, "driftless driftless": true,
		"abcabcabcabc": true, "aaaaaaaaaaaa": true, "dragondragondr": true, "ABCDEFGHIJKL": true, "9876543210": true,
		"correct horse": false, "battery staple": false, "a long enough one": false, "evaluation password": false,
		"dragon83720462": false, "lovelace and then some": false, "Aq7-x0PzR3kq1nLm2v": false, "monkey with dragon": false,
		"acme owns a zebra": false, "contraseña de ada": false,
	} {
		problem, err := Checker{}.Problem(password, about...)
		if err != nil || (problem != "") != refused {
			t.Errorf("%q: %q, %v; want it refused: %v", password, problem, err, refused)
		}
	}
}

func TestEveryLeakedPasswordIsFoundBySearch(t *testing.T) {
	t.Parallel()
	all := strings.Split(strings.TrimSuffix(common, "\n"), "\n")
	if !slices.IsSorted(all) || len(all) != 49_233 {
		t.Fatalf("%d lines, sorted: %v", len(all), slices.IsSorted(all))
	}
	for _, password := range all {
		if !isCommon(password) {
			t.Errorf("%q is not found", password)
		}
	}
}

func TestDigitsAndSignsDoNotHideALeakedPassword(t *testing.T) {
	t.Parallel()
	all := strings.Split(strings.TrimSuffix(common, "\n"), "\n")
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.StringMatching(`[0-9!._-]{0,3}`).Draw(t, "head")
		tail := rapid.StringMatching(`[0-9!?#]{0,3}`).Draw(t, "tail")
		password := head + strings.ToUpper(rapid.SampledFrom(all).Draw(t, "leaked")) + tail
		if problem, err := (Checker{}).Problem(password); problem == "" || err != nil {
			t.Fatalf("%q passes, %v", password, err)
		}
	})
}

// Whatever a person makes up at random must not be refused for being on a list.
func TestWhatIsDrawnAtRandomIsHardlyEverRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		password := rapid.StringMatching(`[a-z]{4,9}( [a-z]{4,9}){3}|[A-Za-z0-9]{16}`).Draw(t, "password")
		if strings.ContainsFunc(password, func(r rune) bool { return strings.Count(password, string(r)) > 4 }) {
			return // a draw that shrinks to repetitions is no random one
		}
		if problem, _ := (Checker{}).Problem(password, "ada@example.com", "driftless"); problem != "" {
			t.Fatalf("%q %s", password, problem)
		}
	})
}

// hashed writes a file of hashes in the form that is handed around.
func hashed(t *testing.T, end string, passwords ...string) string {
	t.Helper()
	rows := []string{}
	for i, p := range passwords {
		rows = append(rows, fmt.Sprintf("%X:%d", sha1.Sum([]byte(p)), i+1))
	}
	slices.Sort(rows)
	path := filepath.Join(t.TempDir(), "hashes.txt")
	if err := os.WriteFile(path, []byte(strings.Join(rows, end)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAPasswordIsLookedUpInAFileOfHashes(t *testing.T) {
	t.Parallel()
	in := []string{}
	for i := range 5000 {
		in = append(in, fmt.Sprintf("a leaked sentence, number %d", i))
	}
	for _, end := range []string{"\n", "\r\n"} {
		c := Checker{File: hashed(t, end, in...)}
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		for _, p := range in {
			if problem, err := c.Problem(p); problem == "" || err != nil {
				t.Fatalf("%q is not found: %v", p, err)
			}
			if problem, err := c.Problem(p + " more"); problem != "" || err != nil {
				t.Fatalf("%q is found: %q %v", p+" more", problem, err)
			}
		}
	}
}

func TestAFileThatIsNoListIsSaidToBeNone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("no hash at all, but long enough\n", 9)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, path + ".missing"} {
		if err := (Checker{File: file}).Check(); err == nil {
			t.Errorf("%s passes", file)
		}
	}
	if _, err := (Checker{File: path + ".missing"}).Problem("correct horse"); err == nil {
		t.Error("a password passes although the list cannot be read")
	}
}

func FuzzSearchingAnyBytesEnds(f *testing.F) {
	f.Add("a\nb\n", "b")
	f.Add("\n\n\r\n:", "")
	f.Add(strings.Repeat("x", 2*lineMax), "x")
	f.Fuzz(func(t *testing.T, text, key string) {
		l := lines{strings.NewReader(text), int64(len(text))}
		if found, err := l.has(key); err == nil && found && !strings.Contains(text, key) {
			t.Errorf("%q is found in %q", key, text)
		}
		if _, err := l.hasHash(key); err != nil && !strings.Contains(err.Error(), "longer") {
			t.Error(err)
		}
	})
}
