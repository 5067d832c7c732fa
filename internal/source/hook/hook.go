// Package hook owns reading what a forge sends when somebody pushes: whether it is signed with the secret of the repository, and
// which files which branch changed.
//
// It is pure. It refuses to believe what is not signed, and to read the messages of commits or the names of authors.
package hook

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"driftless/internal/anchor"
	"driftless/internal/source/repo"
)

// changesMax is how many changed files of a push are kept.
const changesMax = 20_000

// ErrSignature is the refusal of what is not signed, or with another secret. It does not say which.
var ErrSignature = errors.New("the signature does not fit")

// Push is what a push did to a branch.
type Push struct {
	// Branch is empty where a tag was pushed.
	Branch string
	Before string
	After  string
	// Deleted says that the branch is gone.
	Deleted bool
	Changes []repo.Change
	// Partial says that the forge leaves out a part of the commits.
	Partial bool
}

// Verify checks the signature of a body, in constant time.
//
//   - github, generic: X-Hub-Signature-256 is sha256= and the HMAC-SHA256 of the body, hexadecimal. SHA-1 is not taken.
//   - gitea (and Forgejo): X-Gitea-Signature or X-Forgejo-Signature is the same without a prefix.
//   - gitlab: X-Gitlab-Token is the secret itself.
func Verify(provider string, header http.Header, body []byte, secret string) error {
	given, want := "", ""
	switch provider {
	case "github", "generic":
		given, want = header.Get("X-Hub-Signature-256"), "sha256="+Sign(body, secret)
	case "gitea":
		given, want = header.Get("X-Gitea-Signature"), Sign(body, secret)
		if given == "" {
			given = header.Get("X-Forgejo-Signature")
		}
	case "gitlab":
		given, want = header.Get("X-Gitlab-Token"), secret
	}
	if secret == "" || want == "" || subtle.ConstantTimeCompare([]byte(given), []byte(want)) != 1 {
		return ErrSignature
	}
	return nil
}

// Sign is the HMAC-SHA256 of a body, hexadecimal.
func Sign(body []byte, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// Delivery is the name that the forge gave to this delivery, the same when it sends it again; without one, the hash of the body.
func Delivery(header http.Header, body []byte) string {
	for _, name := range []string{"X-GitHub-Delivery", "X-Gitea-Delivery", "X-Forgejo-Delivery", "X-Gitlab-Event-UUID", "Idempotency-Key"} {
		if id := header.Get(name); id != "" && len(id) <= 200 {
			return id
		}
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// IsPush reports whether a delivery is about a push; everything else is none of our business.
func IsPush(provider string, header http.Header) bool {
	switch provider {
	case "github":
		return header.Get("X-GitHub-Event") == "push"
	case "gitea":
		return header.Get("X-Gitea-Event") == "push" || header.Get("X-Forgejo-Event") == "push"
	case "gitlab":
		return header.Get("X-Gitlab-Event") == "Push Hook"
	}
	// A generic sender sends nothing else.
	return true
}

// payload is a push as all of them describe it, and beside it the form of a generic sender, which may name its changes whole.
type payload struct {
	Ref     string `json:"ref"`
	Before  string `json:"before"`
	After   string `json:"after"`
	Deleted bool   `json:"deleted"`
	Commits []struct {
		Added    []string `json:"added"`
		Modified []string `json:"modified"`
		Removed  []string `json:"removed"`
	} `json:"commits"`
	Total   int `json:"total_commits_count"`
	Changes []struct {
		Path    string      `json:"path"`
		Status  repo.Status `json:"status"`
		OldPath string      `json:"old_path"`
	} `json:"changes"`
}

// Parse reads the body of a push.
func Parse(body []byte) (Push, error) {
	var in payload
	if err := json.Unmarshal(body, &in); err != nil {
		return Push{}, errors.New("the body is not the JSON of a push")
	}
	branch, is := strings.CutPrefix(in.Ref, "refs/heads/")
	if !is {
		branch = ""
		if !strings.HasPrefix(in.Ref, "refs/") {
			branch = in.Ref
		}
	}
	p := Push{Branch: branch, Before: in.Before, After: in.After, Deleted: in.Deleted || strings.Trim(in.After, "0") == "" && in.After != ""}
	if p.Branch != "" {
		if err := repo.CheckBranch(p.Branch, false); err != nil {
			return Push{}, fmt.Errorf("its ref: %w", err)
		}
	}
	if !p.Deleted && !repo.IsObject(p.After) {
		return Push{}, errors.New("after has to be a whole commit id")
	}
	if p.Before != "" && !repo.IsObject(p.Before) {
		return Push{}, errors.New("before has to be a whole commit id")
	}
	f := Fold{}
	for _, c := range in.Commits {
		for status, names := range map[repo.Status][]string{repo.Added: c.Added, repo.Modified: c.Modified, repo.Deleted: c.Removed} {
			for _, name := range names {
				f.Add(repo.Change{Path: name, Status: status})
			}
		}
	}
	for _, c := range in.Changes {
		f.Add(repo.Change{Path: c.Path, Status: c.Status, OldPath: c.OldPath})
	}
	p.Changes = f.Changes()
	p.Partial = in.Total > len(in.Commits) || len(p.Changes) > changesMax
	p.Changes = p.Changes[:min(len(p.Changes), changesMax)]
	return p, nil
}

// Fold sums changes up to what they come to from end to end. The zero value is empty.
type Fold struct {
	status map[string]repo.Status
	from   map[string]string
}

// Add takes the next change. What is no path of a repository, or no change, is left out.
func (f *Fold) Add(c repo.Change) {
	if f.status == nil {
		f.status, f.from = map[string]repo.Status{}, map[string]string{}
	}
	clean, err := anchor.NormalizePath(c.Path)
	if err != nil {
		return
	}
	switch before := f.status[clean]; c.Status {
	case repo.Renamed:
		old, err := anchor.NormalizePath(c.OldPath)
		if err != nil || old == clean {
			return
		}
		if first := f.from[old]; first != "" {
			delete(f.from, old)
			delete(f.status, old)
			old = first
		} else if f.status[old] == repo.Added {
			delete(f.status, old)
			f.status[clean] = repo.Added
			return
		}
		f.status[clean], f.from[clean] = repo.Renamed, old
	case repo.Added:
		if before == repo.Deleted {
			f.status[clean] = repo.Modified
		} else if before == "" {
			f.status[clean] = repo.Added
		}
	case repo.Modified:
		if before == "" || before == repo.Deleted {
			f.status[clean] = repo.Modified
		}
	case repo.Deleted:
		switch before {
		case repo.Added:
			delete(f.status, clean)
		case repo.Renamed:
			f.status[f.from[clean]] = repo.Deleted
			delete(f.status, clean)
			delete(f.from, clean)
		default:
			f.status[clean] = repo.Deleted
		}
	}
}

// tailMax is how many last parts of two paths are compared to tell which file went where.
const tailMax = 4

// tail is the last n parts of a path.
func tail(of string, n int) string {
	at := len(of)
	for range n {
		if at = strings.LastIndexByte(of[:at], '/'); at < 0 {
			return of
		}
	}
	return of[at+1:]
}

// guess pairs files that went with files that came, which forges that tell no renames leave to us: one that went and one of the same name
// that came were moved. Where several have that name, as when a folder got another one, the folders right above it tell.
func guess(came, went []string) (from map[string]string, left map[string]bool) {
	from, left = map[string]string{}, map[string]bool{}
	for n := 1; n <= tailMax; n++ {
		starts, ends := map[string][]string{}, map[string][]string{}
		for _, p := range went {
			if !left[p] {
				starts[tail(p, n)] = append(starts[tail(p, n)], p)
			}
		}
		for _, p := range came {
			if from[p] == "" {
				ends[tail(p, n)] = append(ends[tail(p, n)], p)
			}
		}
		for name, old := range starts {
			if to := ends[name]; len(old) == 1 && len(to) == 1 {
				from[to[0]], left[old[0]] = old[0], true
			}
		}
	}
	return from, left
}

// Changes are the sums, by path. Where a sender tells no renames they are guessed by the names of files.
func (f *Fold) Changes() []repo.Change {
	var came, went []string
	for p, status := range f.status {
		switch status {
		case repo.Added:
			came = append(came, p)
		case repo.Deleted:
			went = append(went, p)
		case repo.Modified, repo.Renamed:
		}
	}
	moved, left := guess(came, went)
	out := make([]repo.Change, 0, len(f.status))
	for p, status := range f.status {
		c := repo.Change{Path: p, Status: status, OldPath: f.from[p]}
		if old := moved[p]; old != "" {
			c = repo.Change{Path: p, Status: repo.Renamed, OldPath: old}
		}
		if !left[p] {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b repo.Change) int { return strings.Compare(a.Path, b.Path) })
	return out
}
