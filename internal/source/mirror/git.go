package mirror

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"driftless/internal/source/repo"
)

// RefusalError says why a repository could not be fetched, in words for whoever connected it; it quotes no credential. One that is lasting
// would be the same at the next attempt.
type RefusalError struct {
	Reason  string
	Lasting bool
}

// Error is the reason.
func (r *RefusalError) Error() string { return r.Reason }

func refused(format string, args ...any) error {
	return &RefusalError{Reason: fmt.Sprintf(format, args...), Lasting: true}
}

// errTooLarge ends a fetch that brought more than it may.
var errTooLarge = errors.New("the clone is too large")

// watchEvery is how often the size of a clone is looked at while it is fetched.
const watchEvery = 200 * time.Millisecond

// command is a run of git that reads nothing of this machine but what is said here. Settings go by the environment, so that no
// list of processes shows a credential.
func (c *Clone) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--git-dir=" + c.dir, "--no-pager"}, args...)...)
	settings := slices.Concat(c.settings, [][2]string{
		{"core.hooksPath", os.DevNull},
		{"core.fsmonitor", "false"},
		{"gc.auto", "0"},
		{"maintenance.auto", "false"},
		{"submodule.recurse", "false"},
		{"fetch.recurseSubmodules", "false"},
		{"fetch.unpackLimit", "1"},
		{"transfer.bundleURI", "false"},
		{"credential.helper", ""},
		{"http.proxy", ""},
		{"http.followRedirects", "false"},
		{"http.lowSpeedLimit", "1000"},
		{"http.lowSpeedTime", "30"},
		{"remote.origin.promisor", "true"},
		{"remote.origin.partialclonefilter", "blob:none"},
	})
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_PROTOCOL_FROM_USER=0", "GIT_ALLOW_PROTOCOL=" + c.scheme, "GIT_LFS_SKIP_SMUDGE=1",
		"GIT_SSH_VARIANT=ssh", "GIT_SSH_COMMAND=" + c.ssh, "GIT_CONFIG_COUNT=" + strconv.Itoa(len(settings)),
	}
	for i, s := range settings {
		cmd.Env = append(cmd.Env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s[1]))
	}
	// Its helpers hold the pipes; they end when they find nobody at the other end.
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// run runs git and answers at most [answerMax] of what it writes.
func (c *Clone) run(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	var out, complaint bounded
	cmd := c.command(ctx, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &complaint
	if err := cmd.Run(); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, explain(complaint.String())
	}
	return out.Bytes(), nil
}

// answerMax is how much of the output of git is read, in bytes.
const answerMax = 16 << 20

// bounded keeps the beginning of what is written to it.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	_, _ = b.Buffer.Write(p[:min(len(p), answerMax-b.Len())])
	return len(p), nil
}

// explanations say in words for people what git and its helpers complain of; the first that fits.
var explanations = []struct {
	mark    string
	reason  string
	lasting bool
}{
	{"Permission denied", "the host refused the key; add the public key of this mirror to the repository, for reading", true},
	{"Authentication failed", "the host refused the token, or wants one", true},
	{"could not read Username", "the host wants a token, or there is no such repository", true},
	{"returned error: 401", "the host refused the token, or wants one", true},
	{"returned error: 403", "the token may not read this repository", true},
	{"Host key verification failed", "the host shows another key than before; check it, and mirror the repository again", true},
	{"unable to update url base from redirection", "the host redirects to another address; mirror that one", true},
	{"returned error: 30", "the host redirects to another address; mirror that one", true},
	{"returned error: 404", "there is no such repository, or the credential may not see it", true},
	{"not found", "there is no such repository, or the credential may not see it", true},
	{"does not exist", "there is no such repository, or the credential may not see it", true},
	{"does not appear to be a git repository", "there is no such repository, or the credential may not see it", true},
	{"SSL certificate", "the certificate of the host cannot be verified", true},
	{"certificate verification failed", "the certificate of the host cannot be verified", true},
	{"transport '", "git reached for a protocol that is not allowed", true},
	{"not our ref", "the host does not have all that was asked for", true},
	{"timed out", "the host does not answer", false},
	{"unable to access", "the host cannot be reached", false},
	{"Connection refused", "the host cannot be reached", false},
}

// explain says why git failed, without quoting what a host wrote.
func explain(complaint string) error {
	for _, e := range explanations {
		if strings.Contains(complaint, e.mark) {
			return &RefusalError{Reason: e.reason, Lasting: e.lasting}
		}
	}
	return &RefusalError{Reason: "git could not fetch the repository"}
}

// settle leads git to the remote: its host is looked up and checked here, and git is handed the address.
func (c *Clone) settle(ctx context.Context, r Remote) error {
	u, err := url.Parse(r.URL)
	if err != nil {
		return refused("the URL of the mirror cannot be read")
	}
	host, port := place(u)
	ips, err := c.guard.Resolve(ctx, host)
	if err != nil {
		// What the name service says about a name is between it and the operator.
		return &RefusalError{Reason: "the host is not known, or not on the public internet and in none of the networks that mirrors may reach"}
	}
	c.scheme = u.Scheme
	c.settings = [][2]string{{"remote.origin.url", r.URL}, {"http.curloptResolve", pinned(host, port, ips)}}
	if c.authorities != "" {
		c.settings = append(c.settings, [2]string{"http.sslCAInfo", c.authorities})
	}
	if r.Token != "" {
		basic := base64.StdEncoding.EncodeToString([]byte(r.Username + ":" + r.Token))
		c.settings = append(c.settings, [2]string{"http." + u.Scheme + "://" + u.Host + "/.extraHeader", "Authorization: Basic " + basic})
	}
	if u.Scheme != "ssh" {
		return nil
	}
	files := map[string][]byte{"known_hosts": []byte(r.HostKeys), "key": r.Key}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(c.home, name), content, 0o600); err != nil {
			return fmt.Errorf("prepare ssh: %w", err)
		}
	}
	strict := "accept-new"
	if r.HostKeys != "" {
		strict = "yes"
	}
	options := []string{
		"HostName=" + ips[0].String(), "HostKeyAlias=" + knownAs(host, port), "CheckHostIP=no", "StrictHostKeyChecking=" + strict,
		`UserKnownHostsFile="` + filepath.Join(c.home, "known_hosts") + `"`, "GlobalKnownHostsFile=" + os.DevNull, "HashKnownHosts=no", "UpdateHostKeys=no",
		`IdentityFile="` + filepath.Join(c.home, "key") + `"`, "IdentitiesOnly=yes", "IdentityAgent=none", "BatchMode=yes", "ConnectTimeout=20",
		"ForwardAgent=no", "ClearAllForwardings=yes", "PreferredAuthentications=publickey", "ProxyCommand=none", "PermitLocalCommand=no",
	}
	c.ssh = "ssh -F none"
	for _, o := range options {
		c.ssh += " -o '" + o + "'"
	}
	return nil
}

// bound ends a context when the time is over or the clone grew too large; end has to be called.
func (c *Clone) bound(ctx context.Context) (_ context.Context, end func()) {
	ctx, stop := context.WithTimeoutCause(ctx, c.limits.Time, &RefusalError{Reason: "fetching took longer than " + c.limits.Time.String()})
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if sizeOf(c.dir) > c.limits.Bytes {
					cancel(errTooLarge)
					return
				}
			}
		}
	}()
	return ctx, func() { cancel(context.Canceled); <-done; stop() }
}

// sizeOf is what the files below a folder take, in bytes.
func sizeOf(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // a file that just went takes nothing
		}
		if info, err := d.Info(); err == nil && !d.IsDir() {
			size += info.Size()
		}
		return nil
	})
	return size
}

// branchesOf reads what ls-remote says: the branch that HEAD is, and the commit of each branch.
func branchesOf(out []byte) (standard string, heads map[string]string) {
	heads = map[string]string{}
	for line := range strings.Lines(string(out)) {
		left, ref, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if target, is := strings.CutPrefix(left, "ref: refs/heads/"); is && ref == "HEAD" {
			standard = target
		}
		if name, is := strings.CutPrefix(ref, "refs/heads/"); is && repo.IsObject(left) && repo.CheckBranch(name, false) == nil {
			heads[name] = left
		}
	}
	return standard, heads
}
