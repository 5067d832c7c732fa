package hook_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/source/hook"
	"driftless/internal/source/repo"
)

const secret = "a secret of the repository"

func TestOnlyTheRightSignatureIsBelieved(t *testing.T) {
	t.Parallel()
	body := []byte(`{"ref":"refs/heads/main"}`)
	const mac = "0cb1f4c0f9c0b1d5b4f2f0a3a3b3a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0"
	good := hook.Sign(body, secret)
	for name, tc := range map[string]struct {
		provider, header, value string
		want                    bool
	}{
		"github":                   {"github", "X-Hub-Signature-256", "sha256=" + good, true},
		"generic":                  {"generic", "X-Hub-Signature-256", "sha256=" + good, true},
		"gitea":                    {"gitea", "X-Gitea-Signature", good, true},
		"forgejo":                  {"gitea", "X-Forgejo-Signature", good, true},
		"gitlab":                   {"gitlab", "X-Gitlab-Token", secret, true},
		"none":                     {"github", "X-Other", "x", false},
		"another":                  {"github", "X-Hub-Signature-256", "sha256=" + mac, false},
		"without its prefix":       {"github", "X-Hub-Signature-256", good, false},
		"SHA-1":                    {"github", "X-Hub-Signature", "sha1=" + good[:40], false},
		"the token of GitLab":      {"github", "X-Gitlab-Token", secret, false},
		"another token":            {"gitlab", "X-Gitlab-Token", secret + "x", false},
		"an empty token":           {"gitlab", "X-Gitlab-Token", "", false},
		"a provider nobody knows":  {"svn", "X-Hub-Signature-256", "sha256=" + good, false},
		"a signature with a space": {"github", "X-Hub-Signature-256", "sha256= " + good, false},
	} {
		header := http.Header{}
		header.Set(tc.header, tc.value)
		if err := hook.Verify(tc.provider, header, body, secret); (err == nil) != tc.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	header := http.Header{}
	header.Set("X-Gitlab-Token", "")
	if hook.Verify("gitlab", header, body, "") == nil {
		t.Error("a repository without a secret believes everybody")
	}
}

func TestAPushSaysWhatABranchCameTo(t *testing.T) {
	t.Parallel()
	after, before := strings.Repeat("a", 40), strings.Repeat("b", 40)
	commits := func(list string) []byte {
		return []byte(`{"ref":"refs/heads/main","before":"` + before + `","after":"` + after + `","commits":[` + list + `]}`)
	}
	for name, tc := range map[string]struct {
		body []byte
		want []repo.Change
	}{
		"one commit": {
			commits(`{"added":["n.go"],"modified":["m.go"],"removed":["d.go"]}`),
			[]repo.Change{{Path: "d.go", Status: repo.Deleted}, {Path: "m.go", Status: repo.Modified}, {Path: "n.go", Status: repo.Added}},
		},
		"came and went": {commits(`{"added":["x"]},{"removed":["x"]}`), []repo.Change{}},
		"went and came": {commits(`{"removed":["x"]},{"added":["x"]}`), []repo.Change{{Path: "x", Status: repo.Modified}}},
		"moved": {
			commits(`{"removed":["a/x.go"],"added":["b/x.go"]}`),
			[]repo.Change{{Path: "b/x.go", Status: repo.Renamed, OldPath: "a/x.go"}},
		},
		"two of one name are not moved": {
			commits(`{"removed":["a/x.go"],"added":["b/x.go","c/x.go"]}`),
			[]repo.Change{{Path: "a/x.go", Status: repo.Deleted}, {Path: "b/x.go", Status: repo.Added}, {Path: "c/x.go", Status: repo.Added}},
		},
		"a folder with several of one name": {
			commits(`{"removed":["old/a/x.go","old/b/x.go","old/x.go"],"added":["new/a/x.go","new/b/x.go"]}`),
			[]repo.Change{
				{Path: "new/a/x.go", Status: repo.Renamed, OldPath: "old/a/x.go"},
				{Path: "new/b/x.go", Status: repo.Renamed, OldPath: "old/b/x.go"},
				{Path: "old/x.go", Status: repo.Deleted},
			},
		},
		"a path that climbs": {commits(`{"removed":["../x","/y",""]}`), []repo.Change{}},
		"of a generic sender": {
			[]byte(`{"ref":"main","after":"` + after + `","changes":[{"path":"q.go","status":"R","old_path":"p.go"},{"path":"r.go","status":"R","old_path":"q.go"}]}`),
			[]repo.Change{{Path: "r.go", Status: repo.Renamed, OldPath: "p.go"}},
		},
	} {
		got, err := hook.Parse(tc.body)
		if err != nil || got.Branch != "main" || got.After != after {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if diff := cmp.Diff(tc.want, got.Changes); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if p, err := hook.Parse([]byte(`{"ref":"refs/tags/v1","after":"` + after + `"}`)); err != nil || p.Branch != "" {
		t.Errorf("a tag is %+v, %v", p, err)
	}
	if p, err := hook.Parse([]byte(`{"ref":"refs/heads/x","after":"` + strings.Repeat("0", 40) + `"}`)); err != nil || !p.Deleted {
		t.Errorf("a deleted branch is %+v, %v", p, err)
	}
	for _, bad := range []string{"", "[]", "x", `{"ref":"refs/heads/main","after":"short"}`, `{"ref":"refs/heads/a b","after":"` + after + `"}`} {
		if p, err := hook.Parse([]byte(bad)); err == nil {
			t.Errorf("%q is %+v", bad, p)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"ref":"refs/heads/main","after":"` + strings.Repeat("a", 40) + `","commits":[{"added":["a/x"],"removed":["b/x"]}]}`))
	f.Add([]byte(`{"ref":"m","after":"` + strings.Repeat("a", 40) + `","changes":[{"path":"b","status":"R","old_path":"a"},{"path":"b","status":"D"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := hook.Parse(body)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, c := range p.Changes {
			if c.Path == "" || seen[c.Path] || (c.Status == repo.Renamed) != (c.OldPath != "") {
				t.Errorf("%s gives %+v", body, p.Changes)
			}
			seen[c.Path] = true
		}
	})
}
