package retrieve

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/obs"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// kept is a server that keeps its indexes in the folder, as this build of the program.
func kept(t testing.TB, dir, build string) (server, *obs.Metrics) {
	t.Helper()
	metrics := obs.NewMetrics()
	s := serveWith(t, 64*mebibyte, WithSnapshots(dir, func() string { return build }), WithObservation(quiet, metrics))
	return s, metrics
}

// counted is the value of a metric with this label, or without one.
func counted(t testing.TB, m *obs.Metrics, name, label string) float64 {
	t.Helper()
	families, err := m.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, one := range f.GetMetric() {
			if f.GetName() != name || label != "" && one.GetLabel()[0].GetValue() != label {
				continue
			}
			return one.GetCounter().GetValue() + one.GetGauge().GetValue() + float64(one.GetHistogram().GetSampleCount())
		}
	}
	return 0
}

// answers are those to questions that look at everything an index holds.
func answers(s server, a tenant.Actor) (all []args) {
	s.t.Helper()
	for _, task := range []args{
		{"task": "boil the kettle", "explain": true},
		{"task": "descale a valv", "files": []string{"kettle/a.go"}, "explain": true},
		{"task": "old kettle", "env": args{"os": "linux"}, "explain": true},
	} {
		page := s.ok(a, "context.retrieve", task)
		for _, row := range results(page) {
			parts := row["score_parts"].(args)
			delete(parts, "recency") // it falls with the time
			delete(parts, "verified")
			delete(row, "score")
		}
		all = append(all, page)
	}
	return append(all, s.ok(a, "context.search", args{"query": `"kettle valve" OR tea -zibbelon`, "limit": 20}))
}

func fillKettles(s server, owner tenant.Actor) (member tenant.Actor) {
	s.t.Helper()
	member = pgtest.Person(s.t, owner, tenant.Member)
	s.ok(owner, "areas.create", args{"name": "Kitchen"})
	old := s.knowledge(owner, args{"title": "Old kettle", "what": "Boil at seventy.", "area": "Kitchen", "tags": []string{"tea"}, "solutions": []args{solution("k", linux)}})
	s.knowledge(owner, args{"title": "Kettle valve", "what": "Descale the valve; the kettle boils.", "anchors": []string{"kettle/**", "!kettle/gen/**"}, "rels": []args{{"to": old, "type": "supersedes"}}})
	s.ok(member, "notes.add", args{"content": "A private zibbelon hides in the kettle."})
	for i := range 40 { // some of them leave dead entries behind
		slug := s.create(owner, args{"title": fmt.Sprintf("Kettle %d", i), "what": "Tea and water."})
		if i%3 == 0 {
			s.ok(owner, "topics.archive", args{"topic": slug})
		}
	}
	return member
}

func TestAServerThatStartsAgainAnswersFromTheSnapshotAndWhatCameSince(t *testing.T) {
	t.Parallel()
	dir, owner := filepath.Join(t.TempDir(), "indexes"), pgtest.Workspace(t)
	before, metrics := kept(t, dir, "one")
	member := fillKettles(before, owner)
	want := [][]args{answers(before, owner), answers(before, member)}
	before.svc.Close(t.Context())
	if n := counted(t, metrics, "driftless_index_snapshots_total", "written"); n != 1 {
		t.Fatalf("%v snapshots are written", n)
	}
	info, err := os.Stat(before.svc.files.path(owner.Workspace))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file is %v, %v", info.Mode(), err)
	}
	if folder, err := os.Stat(dir); err != nil || folder.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", folder.Mode(), err)
	}

	after, metrics := kept(t, dir, "one")
	if diff := cmp.Diff(want, [][]args{answers(after, owner), answers(after, member)}); diff != "" {
		t.Errorf("from the snapshot: %s", diff)
	}
	if counted(t, metrics, "driftless_index_build_seconds", "database") != 0 || counted(t, metrics, "driftless_index_snapshots_total", "loaded") != 1 {
		t.Error("the index was not taken from the snapshot")
	}
	after.svc.Close(t.Context())
	if n := counted(t, metrics, "driftless_index_snapshots_total", "written"); n != 0 {
		t.Errorf("nothing changed, and %v were written", n)
	}
	// What was written, changed and put away since is found or not, as everywhere.
	before.create(owner, args{"title": "Whistle", "what": "It whistles."})
	before.ok(owner, "topics.archive", args{"topic": "kettle-valve"})
	later, _ := kept(t, dir, "one")
	if got := found(later.ok(owner, "context.search", args{"query": "whistle"})); len(got) != 1 {
		t.Errorf("what came since: %v", got)
	}
	if diff := cmp.Diff(answers(before, owner), answers(later, owner)); diff != "" {
		t.Errorf("after the changes: %s", diff)
	}
}

func TestASnapshotThatDoesNotFitIsPassedOver(t *testing.T) {
	t.Parallel()
	dir, owner := t.TempDir(), pgtest.Workspace(t)
	first, _ := kept(t, dir, "one")
	fillKettles(first, owner)
	want := answers(first, owner)
	first.svc.Close(t.Context())
	path := first.svc.files.path(owner.Workspace)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	half, flipped := good[:len(good)/2], bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	for name, tc := range map[string]struct {
		content []byte
		build   string
		old     bool
	}{
		"cut off": {content: half, build: "one"}, "damaged": {content: flipped, build: "one"}, "empty": {build: "one"},
		"of another form":  {content: append([]byte("driftless index 0\n"), good[len(snapshotForm):]...), build: "one"},
		"of another build": {content: good, build: "two"}, "old": {content: good, build: "one", old: true},
	} {
		if err := os.WriteFile(path, tc.content, 0o600); err != nil {
			t.Fatal(err)
		}
		if tc.old {
			then := time.Now().Add(-snapshotAge - time.Hour)
			if err := os.Chtimes(path, then, then); err != nil {
				t.Fatal(err)
			}
		}
		s, metrics := kept(t, dir, tc.build)
		if diff := cmp.Diff(want, answers(s, owner)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if counted(t, metrics, "driftless_index_snapshots_total", "refused") != 1 || counted(t, metrics, "driftless_index_build_seconds", "database") != 1 {
			t.Errorf("%s: it was not refused", name)
		}
	}
}

// A database that was set back to a backup and went on has the number of the snapshot again, and other events.
func TestASnapshotOfAnotherHistoryIsPassedOver(t *testing.T) {
	t.Parallel()
	dir, owner := t.TempDir(), pgtest.Workspace(t)
	first, _ := kept(t, dir, "one")
	first.create(owner, args{"title": "Kettle"})
	answers(first, owner)
	first.svc.Close(t.Context())
	ix, m, err := first.svc.files.load(owner.Workspace)
	if err != nil || len(m.hash) == 0 {
		t.Fatalf("loaded %v, %v", m, err)
	}
	if err := first.svc.files.save(owner.Workspace, ix.pack(), mark{m.seq, append([]byte{1}, m.hash[1:]...)}); err != nil {
		t.Fatal(err)
	}
	s, metrics := kept(t, dir, "one")
	if got := found(s.ok(owner, "context.search", args{"query": "kettle"})); len(got) != 1 {
		t.Errorf("found %v", got)
	}
	if counted(t, metrics, "driftless_index_snapshots_total", "refused") != 1 {
		t.Error("it was not refused")
	}
}

func TestWhatIsDroppedForRoomIsKeptAndComesBack(t *testing.T) {
	t.Parallel()
	dir, metrics := t.TempDir(), obs.NewMetrics()
	s := serveWith(t, 1, WithSnapshots(dir, func() string { return "one" }), WithObservation(quiet, metrics))
	first, second := pgtest.Workspace(t), pgtest.Workspace(t)
	for _, a := range []tenant.Actor{first, second} {
		s.create(a, args{"title": "Kettle"})
	}
	read := 0.0
	for _, a := range []tenant.Actor{first, second, first, second} {
		s.svc.saving.Wait() // what was dropped before is written
		before := counted(t, metrics, "driftless_index_snapshots_total", "loaded")
		if got := found(s.ok(a, "context.search", args{"query": "kettle"})); len(got) != 1 {
			t.Errorf("found %v", got)
		}
		read += counted(t, metrics, "driftless_index_snapshots_total", "loaded") - before
	}
	if read < 3 { // the one that was used last may have stayed
		t.Errorf("%v of four came back from snapshots", read)
	}
	if counted(t, metrics, "driftless_index_evictions_total", "") < read || counted(t, metrics, "driftless_indexes", "") != 1 || counted(t, metrics, "driftless_index_bytes", "") <= 0 {
		t.Error("evictions and what is held are counted otherwise")
	}
}
