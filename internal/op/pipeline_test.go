package op

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// line runs operations through the pipeline and keeps what it observed.
type line struct {
	*Registry
	mu   sync.Mutex
	seen []Observation
}

func pipeline(t *testing.T, ops ...Operation) *line {
	t.Helper()
	l := &line{}
	var err error
	l.Registry, err = NewRegistry(pgtest.DB(t), ops, func(o Observation) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.seen = append(l.seen, o)
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *line) call(t *testing.T, c tenant.Caller, workspace string, args map[string]any) (Result, error) {
	t.Helper()
	return l.Call(t.Context(), c, Call{Operation: &l.ops[0], Workspace: workspace, Arguments: args})
}

func title(text string) map[string]any { return map[string]any{"title": text} }

func wants(t *testing.T, err error, code fault.Code) *fault.Error {
	t.Helper()
	if !fault.Is(err, code) {
		t.Fatalf("got %v, want %s", err, code)
	}
	return fault.From(err)
}

// Each refusal stands before the next, so that a caller learns nothing that the earlier one keeps from them.
func TestScopeIsAskedBeforeRoleBeforeTheInput(t *testing.T) {
	t.Parallel()
	l := pipeline(t, shelving(nil))
	owner := pgtest.Workspace(t)
	viewer := pgtest.Person(t, owner, tenant.Viewer).Caller
	bare := viewer
	bare.Scopes = []tenant.Scope{tenant.ContextRead}
	wrong := map[string]any{"colour": 1}

	_, err := l.call(t, bare, "elsewhere", wrong)
	if e := wants(t, err, fault.CodeInsufficientScope); e.Kind != fault.Scope || len(e.Allowed) != 1 || e.Allowed[0] != string(tenant.TopicsCreate) {
		t.Errorf("the refusal of a scope is %+v", e)
	}
	_, err = l.call(t, viewer, "elsewhere", wrong)
	wants(t, err, fault.CodeNotFound)
	_, err = l.call(t, viewer, owner.Slug, wrong)
	e := wants(t, err, fault.CodeInsufficientRole)
	if diff := cmp.Diff([]string{"member", "admin", "owner"}, e.Allowed); diff != "" {
		t.Errorf("roles that may (-want +got):\n%s", diff)
	}
	_, err = l.call(t, owner.Caller, owner.Slug, wrong)
	wants(t, err, fault.CodeUnknownField)
	out, err := l.call(t, owner.Caller, owner.Slug, title("Atlas"))
	if err != nil || string(out.JSON) != `{"said":"yes"}` || out.Value.(*answer).Said != "yes" {
		t.Errorf("a legal call answers %s, %v", out.JSON, err)
	}
	var codes []fault.Code
	for _, o := range l.seen {
		codes = append(codes, o.Code)
		if o.Operation != "shelves.add" || o.Via != tenant.ViaConsole {
			t.Errorf("observed %+v", o)
		}
	}
	want := []fault.Code{fault.CodeInsufficientScope, fault.CodeNotFound, fault.CodeInsufficientRole, fault.CodeUnknownField, ""}
	if diff := cmp.Diff(want, codes); diff != "" {
		t.Errorf("observed codes (-want +got):\n%s", diff)
	}
}

func TestTheWorkspaceIsNamedOrTheOnlyOne(t *testing.T) {
	t.Parallel()
	l := pipeline(t, shelving(nil))
	one, two := pgtest.Workspace(t), pgtest.Workspace(t)
	if _, err := l.call(t, one.Caller, "", title("Atlas")); err != nil {
		t.Errorf("with one workspace in reach: %v", err)
	}
	both := one.Caller
	both.Memberships = append(both.Memberships, two.Memberships...)
	_, err := l.call(t, both, "", title("Atlas"))
	e := wants(t, err, fault.CodeValidation)
	if diff := cmp.Diff([]string{one.Slug, two.Slug}, e.Allowed); diff != "" || e.Fields[0].Path != "workspace" {
		t.Errorf("of two, %+v; allowed (-want +got):\n%s", e.Fields, diff)
	}
	none := one.Caller
	none.Memberships = nil
	if _, err := l.call(t, none, "", title("Atlas")); err == nil {
		t.Error("a caller without any workspace was let in")
	}
}

// What authentication read may be old by the time a call runs: the membership of that moment is the one that counts.
func TestTheRoleThatCountsIsTheOneInsideTheTransaction(t *testing.T) {
	t.Parallel()
	ran := 0
	l := pipeline(t, Write(spec("shelves.add", func(s *Spec) { s.Rules = shelfRules() }),
		func(_ context.Context, tx *pg.Tx, _ shelf) (answer, error) {
			ran++
			return answer{string(tx.Actor().Role)}, nil
		}))
	owner := pgtest.Workspace(t)
	member := pgtest.Person(t, owner, tenant.Member)

	become(t, member, tenant.Admin)
	out, err := l.call(t, member.Caller, owner.Slug, title("Atlas"))
	if err != nil || out.Value.(*answer).Said != "admin" {
		t.Errorf("raised after they arrived: %s, %v", out.JSON, err)
	}
	become(t, member, tenant.Viewer)
	_, err = l.call(t, member.Caller, owner.Slug, title("Atlas"))
	wants(t, err, fault.CodeInsufficientRole)
	become(t, member, "")
	_, err = l.call(t, member.Caller, owner.Slug, title("Atlas"))
	gone := wants(t, err, fault.CodeNotFound)
	_, err = l.call(t, pgtest.Workspace(t).Caller, owner.Slug, title("Atlas"))
	if foreign := wants(t, err, fault.CodeNotFound); foreign.Message != gone.Message {
		t.Errorf("somebody who left reads %q, a stranger %q", gone.Message, foreign.Message)
	}
	if ran != 1 {
		t.Errorf("the handler ran %d times", ran)
	}
}

// become changes a membership behind the back of an actor; an empty role ends it.
func become(t *testing.T, a tenant.Actor, role tenant.Role) {
	t.Helper()
	err := pgtest.DB(t).Workspace(t.Context(), tenant.System(a.Workspace), pg.ReadWrite, func(tx *pg.Tx) error {
		if role == "" {
			return tx.Store().Exec(`delete from membership where workspace_id = ? and person_id = ?`, a.Workspace, a.Person).Error
		}
		return tx.Store().Exec(`update membership set role = ? where workspace_id = ? and person_id = ?`, role, a.Workspace, a.Person).Error
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAServiceAccountIsRefusedWhereAPersonMustDecide(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	robot := owner.Caller
	robot.Service = true
	_, err := pipeline(t, shelving(func(s *Spec) { s.Human = true })).call(t, robot, owner.Slug, title("Atlas"))
	if e := wants(t, err, fault.CodeMissingHumanIdentity); e.Kind != fault.Forbidden {
		t.Errorf("kind %v", e.Kind)
	}
	if _, err := pipeline(t, shelving(nil)).call(t, robot, owner.Slug, title("Atlas")); err != nil {
		t.Errorf("where no person is needed: %v", err)
	}
}

func TestAReadingOperationCannotWrite(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	l := pipeline(t, Read(spec("shelves.peek", nil), func(_ context.Context, tx *pg.Tx, _ struct{}) (answer, error) {
		return answer{}, tx.Store().Exec(`update workspace_setting set four_eyes = true where workspace_id = ?`, tx.Actor().Workspace).Error
	}))
	_, err := l.call(t, owner.Caller, "", map[string]any{})
	wants(t, err, fault.CodeInternal)
}

func TestAFailureTakesItsWritesWithIt(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	id := uuid.Must(uuid.NewV7())
	l := pipeline(t, Write(spec("shelves.fail", nil), func(_ context.Context, tx *pg.Tx, _ struct{}) (answer, error) {
		err := tx.Store().Exec(`insert into tag (workspace_id, id, name, created_at) values (?, ?, 'lost', now())`, tx.Actor().Workspace, id).Error
		return answer{}, errors.Join(err, errors.New("the disk is on fire"))
	}))
	_, err := l.call(t, owner.Caller, "", map[string]any{})
	if e := wants(t, err, fault.CodeInternal); e.Unwrap() == nil {
		t.Error("the cause is lost to the log")
	}
	var n int
	err = pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadOnly, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select count(*) from tag where workspace_id = ?`, owner.Workspace).Scan(&n).Error
	})
	if err != nil || n != 0 {
		t.Errorf("%d tags are left, %v", n, err)
	}
}

func TestANoteAboutTheInputStandsBesideTheAnswer(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	args := map[string]any{"title": "Atlas", "copies": json.Number("99")}
	out, err := pipeline(t, shelving(nil)).call(t, owner.Caller, "", args)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Notes []string
		Said  string
	}
	if err := json.Unmarshal(out.JSON, &got); err != nil || len(got.Notes) != 1 || got.Said != "yes" {
		t.Errorf("answered %s, %v", out.JSON, err)
	}
}

func TestAQueryAndAGlobalOperationGetWhoIsCalling(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	query := Query(spec("shelves.near", nil), func(_ context.Context, a tenant.Actor, _ struct{}) (answer, error) {
		return answer{a.Slug + string(a.Role)}, nil
	})
	if out, err := pipeline(t, query).call(t, owner.Caller, "", map[string]any{}); err != nil || out.Value.(*answer).Said != owner.Slug+"owner" {
		t.Errorf("a query answers %s, %v", out.JSON, err)
	}
	global := Global(spec("shelves.mine", nil), func(_ context.Context, c tenant.Caller, _ struct{}) (answer, error) { return answer{c.Name}, nil })
	if global.InWorkspace() || !query.InWorkspace() {
		t.Error("which of the two needs a workspace is mixed up")
	}
	stranger := owner.Caller
	stranger.Memberships = nil
	if out, err := pipeline(t, global).call(t, stranger, "", map[string]any{}); err != nil || out.Value.(*answer).Said != owner.Name {
		t.Errorf("outside any workspace: %s, %v", out.JSON, err)
	}
	stranger.Scopes = nil
	_, err := pipeline(t, global).call(t, stranger, "", map[string]any{})
	wants(t, err, fault.CodeInsufficientScope)
}

func TestACancelledCallIsToldFromABrokenOne(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	l := pipeline(t, shelving(nil))
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	_, err := l.Call(ctx, owner.Caller, Call{Operation: &l.ops[0], Arguments: title("Atlas")})
	if e := wants(t, err, fault.CodeUnavailable); !e.Retryable() {
		t.Error("it does not say that trying again helps")
	}
}

// A page is answered by value and fits itself by its address; both must meet.
func TestAListAnswersWithinItsLimit(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	l := pipeline(t, Read(spec("shelves.list", nil), func(context.Context, *pg.Tx, struct{}) (Page[row], error) {
		return pageOf([]int{9000, 9000, 9000, 9000}, false, "more"), nil
	}))
	for limit, rows := range map[int]int{0: 4, 40_000: 2, 22_000: 1, 1 << 20: 4} {
		out, err := l.Call(t.Context(), owner.Caller, Call{Operation: &l.ops[0], Arguments: map[string]any{}, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Shown   int
			HasMore bool `json:"has_more"`
			Results []row
		}
		if err := json.Unmarshal(out.JSON, &got); err != nil || len(got.Results) != rows || got.Shown != rows || got.HasMore != (rows < 4) {
			t.Errorf("within %d bytes: %d rows, %v, %v", limit, len(got.Results), got.HasMore, err)
		}
	}
}
