//go:build unix

package cli_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hugeRSS is how much memory a sync of 100,000 files may take, in bytes.
const hugeRSS = 300 << 20

// history writes a repository with that many files, and a hundred later commits that change a hundred files each, without a working tree.
func history(t *testing.T, dir string, files int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "init", "-q", "--bare", "-b", "main", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd = exec.CommandContext(t.Context(), "git", "--git-dir", dir, "fast-import", "--quiet")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(in)
	name := func(i int) string { return fmt.Sprintf("services/team-%02d/part-%03d/module_%05d.py", i%40, i%700, i) }
	for round := range 101 {
		_, _ = fmt.Fprintf(w, "commit refs/heads/main\ncommitter A <a@b.test> %d +0000\ndata 1\nx\n", 1_700_000_000+round)
		for i := range files {
			if round > 0 && (i >= 100*round || i < 100*(round-1)) {
				continue
			}
			text := fmt.Sprintf("def run_%d():\n    return %d\n", i, round)
			_, _ = fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", name(i), len(text), text)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestAHundredThousandFilesAreSyncedInBoundedMemory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "huge.git")
	history(t, dir, 100_000)
	server := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(server.Close)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The binary of the test is the program when it is called by its name.
	link := filepath.Join(t.TempDir(), "driftless")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), link, "sync", dir, "--remote", "git.example.test/acme/huge", "--branch", "main")
	cmd.Env = append(os.Environ(), "DRIFTLESS_URL="+server.URL, "DRIFTLESS_API_KEY=dl_good", "DRIFTLESS_WORKSPACE=acme")
	began := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(began)
	if err != nil || !strings.Contains(string(out), "100000 files") {
		t.Fatalf("%v: %s", err, out)
	}
	usage, is := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !is {
		t.Fatal("the system does not tell the memory of a program")
	}
	rss := usage.Maxrss
	if runtime.GOOS == "linux" {
		rss <<= 10
	}
	t.Logf("100,000 files in %.1f s, %.1f s of processor, at most %d MiB", took.Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), rss>>20)
	if rss > hugeRSS {
		t.Errorf("it took %d MiB, at most %d are allowed", rss>>20, hugeRSS>>20)
	}
}
