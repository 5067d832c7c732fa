package event_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"driftless/internal/event"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// write appends an entry of its own transaction and answers its number.
func write(t *testing.T, a tenant.Actor, topic *uuid.UUID, detail any) int64 {
	t.Helper()
	var seq int64
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		var err error
		seq, err = event.Append(tx, "tests.write", "thing.happened", topic, detail)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func verify(t *testing.T, a tenant.Actor) event.Report {
	t.Helper()
	var r event.Report
	err := pgtest.DB(t).Workspace(t.Context(), tenant.System(a.Workspace), pg.ReadOnly, func(tx *pg.Tx) error {
		var err error
		r, err = event.Verify(tx, event.Kept{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func list(t *testing.T, a tenant.Actor, f event.Filter) []event.Row {
	t.Helper()
	var rows []event.Row
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadOnly, func(tx *pg.Tx) error {
		var err error
		rows, err = event.List(tx, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func seqs(rows []event.Row) []int64 {
	out := []int64{}
	for _, r := range rows {
		out = append(out, r.Seq)
	}
	return out
}

// chain is a workspace with five entries of different shape.
func chain(t *testing.T) tenant.Actor {
	t.Helper()
	owner := pgtest.Workspace(t)
	mine := topic(t, owner, false)
	owner.Client, owner.Caller.Via = "editor", tenant.ViaMCP
	for i, detail := range []any{
		nil,
		map[string]any{"b": 1, "a": []string{"x", "<y>"}, "n": 1.50},
		map[string]any{"text": "línea\nnueva \u2028 😀"},
		struct {
			Deep map[string]any `json:"deep"`
		}{map[string]any{"z": nil, "big": 1 << 60}},
		map[string]any{},
	} {
		about := &mine
		if i%2 == 0 {
			about = nil
		}
		if seq := write(t, owner, about, detail); seq != int64(i+1) {
			t.Fatalf("entry %d has the number %d", i+1, seq)
		}
	}
	return owner
}

// topic puts a draft into the workspace and answers its id.
func topic(t *testing.T, a tenant.Actor, private bool) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		return tx.Store().Exec(`insert into topic (workspace_id, id, slug, title, body, status, is_private, revision, content_hash, seq,
			author_id, editor_id, created_at, updated_at) values (?, ?, ?, 'A draft', '{}', 'draft', ?, 1, '', 0, ?, ?, now(), now())`,
			a.Workspace, id, "t"+id.String()[24:], private, a.Person, a.Person).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestAnUntouchedChainIsWhole(t *testing.T) {
	t.Parallel()
	owner := chain(t)
	r := verify(t, owner)
	if r.FirstBad != 0 || r.Entries != 5 || len(r.Head) != 64 {
		t.Errorf("report = %+v", r)
	}
	empty := verify(t, pgtest.Workspace(t))
	if diff := cmp.Diff(event.Report{}, empty); diff != "" {
		t.Errorf("an empty chain (-want +got):\n%s", diff)
	}
	before := r.Head
	write(t, owner, nil, nil)
	if after := verify(t, owner); after.FirstBad != 0 || after.Head == before || after.Entries != 6 {
		t.Errorf("one entry later %+v", after)
	}
}

// Only who owns the database can touch an entry, and then it shows.
func TestTamperingIsFoundAndTheFirstBadEntryNamed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		statement string
		bad       int64
		reason    string
	}{
		"a changed type":     {`update event set type = 'other.thing' where seq = 3`, 3, "its content was changed"},
		"a changed detail":   {`update event set detail = '{"b": 2}' where seq = 2`, 2, "its content was changed"},
		"a changed person":   {`update event set person_id = null where seq = 4`, 4, "its content was changed"},
		"a changed topic":    {`update event set topic_id = null where seq = 4`, 4, "its content was changed"},
		"a changed way":      {`update event set via = 'console' where seq = 1`, 1, "its content was changed"},
		"a changed client":   {`update event set client = '' where seq = 1`, 1, "its content was changed"},
		"a changed time":     {`update event set at = at - interval '1 microsecond' where seq = 5`, 5, "its content was changed"},
		"a changed id":       {`update event set id = gen_random_uuid() where seq = 2`, 2, "its content was changed"},
		"a changed hash":     {`update event set hash = sha256('x') where seq = 2`, 2, "its content was changed"},
		"a changed link":     {`update event set prev_hash = sha256('x') where seq = 2`, 2, "it does not continue the entry before it"},
		"the last changed":   {`update event set op = 'x' where seq = 5`, 5, "its content was changed"},
		"two changed":        {`update event set op = 'x' where seq in (4, 2)`, 2, "its content was changed"},
		"the first removed":  {`delete from event where seq = 1`, 2, "an entry before it is missing"},
		"one removed":        {`delete from event where seq = 3`, 4, "an entry before it is missing"},
		"removed and closed": {`delete from event where seq = 3; update event set seq = seq - 1 where seq > 3`, 3, "it does not continue the entry before it"},
		"a pair reordered":   {`update event set seq = 99 where seq = 2; update event set seq = 2 where seq = 3; update event set seq = 3 where seq = 99`, 2, "it does not continue the entry before it"},
		"the last cut off":   {`delete from event where seq = 5`, 5, "the last entries are missing"},
		"the tail cut off":   {`delete from event where seq >= 3`, 3, "the last entries are missing"},
		"all cut off":        {`delete from event`, 1, "the last entries are missing"},
		"the head moved":     {`update workspace_head set hash = sha256('x')`, 5, "the head does not fit the last entry"},
		"the head set back":  {`update workspace_head set seq = 3`, 4, "the head does not fit the last entry"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner := chain(t)
			tamper(t, owner.Workspace, tc.statement)
			r := verify(t, owner)
			if r.FirstBad != tc.bad || r.Reason != tc.reason {
				t.Errorf("found %d: %q; want %d: %q", r.FirstBad, r.Reason, tc.bad, tc.reason)
			}
		})
	}
}

// tamper acts as the owner of the database, in the workspace: row-level security is in force for the owner too.
func tamper(t *testing.T, workspace uuid.UUID, statements string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), pgtest.OwnerDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(context.WithoutCancel(t.Context())) }()
	// One simple query with several statements is one transaction, and a local setting lasts as long.
	sql := `select set_config('app.workspace_id', '` + workspace.String() + `', true), set_config('app.see_private', 'on', true); ` + statements
	results, err := c.PgConn().Exec(t.Context(), sql).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if n := results[len(results)-1].CommandTag.RowsAffected(); n == 0 {
		t.Fatal("nothing was tampered with")
	}
}

func TestTheApplicationItselfCannotTouchAnEntry(t *testing.T) {
	t.Parallel()
	owner := chain(t)
	for _, statement := range []string{`update event set type = 'x'`, `delete from event`, `truncate event`} {
		err := pgtest.DB(t).Workspace(t.Context(), tenant.System(owner.Workspace), pg.ReadWrite, func(tx *pg.Tx) error {
			return tx.Store().Exec(statement).Error
		})
		if err == nil {
			t.Errorf("%s was let through", statement)
		}
	}
	if r := verify(t, owner); r.FirstBad != 0 || r.Entries != 5 {
		t.Errorf("report = %+v", r)
	}
}

func TestManyWritersLeaveNoGap(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	const writers, each = 20, 5
	done := make(chan error, writers)
	got := make(chan int64, writers*each)
	for w := range writers {
		go func() {
			var err error
			for i := 0; i < each && err == nil; i++ {
				err = pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadWrite, func(tx *pg.Tx) error {
					seq, err := event.Append(tx, "tests.write", "thing.happened", nil, map[string]int{"writer": w, "entry": i})
					got <- seq
					return err
				})
			}
			done <- err
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	close(got)
	var numbers []int64
	for n := range got {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != int64(i+1) {
			t.Fatalf("the numbers are %v", numbers)
		}
	}
	if r := verify(t, owner); r.FirstBad != 0 || r.Entries != writers*each {
		t.Errorf("report = %+v", r)
	}
}

func TestSeveralEntriesOfOneTransactionAreChained(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	err := pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadWrite, func(tx *pg.Tx) error {
		if err := event.Lock(tx); err != nil {
			return err
		}
		for want := int64(1); want <= 3; want++ {
			if seq, err := event.Append(tx, "tests.write", "thing.happened", nil, nil); err != nil || seq != want {
				t.Errorf("entry %d has the number %d, %v", want, seq, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := verify(t, owner); r.FirstBad != 0 || r.Entries != 3 {
		t.Errorf("report = %+v", r)
	}
}

func TestAWriteThatFailsLeavesNoEntryAndNoGap(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	err := pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadWrite, func(tx *pg.Tx) error {
		if _, err := event.Append(tx, "tests.write", "thing.happened", nil, nil); err != nil {
			return err
		}
		return context.Canceled
	})
	if err == nil {
		t.Fatal("the failure is lost")
	}
	if seq := write(t, owner, nil, nil); seq != 1 {
		t.Errorf("the first entry that stayed has the number %d", seq)
	}
}

func TestEventsOfSomebodyElsesPrivateDraftAreInvisible(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	author := pgtest.Person(t, owner, tenant.Member)
	draft := topic(t, author, true)
	open := write(t, author, nil, nil)
	hidden := write(t, author, &draft, map[string]any{"title": "secret"})
	for name, tc := range map[string]struct {
		who  tenant.Actor
		want []int64
	}{
		"the author":  {author, []int64{hidden, open}},
		"the owner":   {owner, []int64{open}},
		"our own":     {tenant.System(owner.Workspace), []int64{hidden, open}},
		"elsewhere":   {pgtest.Workspace(t), []int64{}},
		"by its id":   {owner, []int64{open}},
		"just viewer": {pgtest.Person(t, owner, tenant.Viewer), []int64{open}},
	} {
		if diff := cmp.Diff(tc.want, seqs(list(t, tc.who, event.Filter{Limit: 10}))); diff != "" {
			t.Errorf("%s sees (-want +got):\n%s", name, diff)
		}
	}
	if rows := list(t, owner, event.Filter{Topic: &draft, Limit: 10}); len(rows) != 0 {
		t.Errorf("asked after the draft, the owner sees %d events", len(rows))
	}
	// Whole for us, though most people see it with holes.
	if r := verify(t, owner); r.FirstBad != 0 || r.Entries != 2 {
		t.Errorf("report = %+v", r)
	}
}

func TestAListIsNarrowedAndPaged(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	about := topic(t, owner, false)
	for i := range 6 {
		detail := map[string]int{"i": i}
		if i%2 == 0 {
			write(t, owner, &about, detail)
		} else {
			write(t, owner, nil, detail)
		}
	}
	for name, tc := range map[string]struct {
		filter event.Filter
		want   []int64
	}{
		"newest first":      {event.Filter{Limit: 4}, []int64{6, 5, 4, 3}},
		"the next page":     {event.Filter{Limit: 4, Before: 3}, []int64{2, 1}},
		"of a topic":        {event.Filter{Limit: 9, Topic: &about}, []int64{5, 3, 1}},
		"of a type":         {event.Filter{Limit: 9, Types: []string{"thing.happened"}, Before: 2}, []int64{1}},
		"of another type":   {event.Filter{Limit: 9, Types: []string{"other"}}, []int64{}},
		"from then on":      {event.Filter{Limit: 9, Since: time.Now().Add(time.Hour)}, []int64{}},
		"since an hour ago": {event.Filter{Limit: 1, Since: time.Now().Add(-time.Hour)}, []int64{6}},
	} {
		if diff := cmp.Diff(tc.want, seqs(list(t, owner, tc.filter))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	row := list(t, owner, event.Filter{Limit: 1, Topic: &about})[0]
	if row.TopicSlug == nil || row.PersonEmail == nil || *row.PersonEmail != owner.Email || row.Via != string(tenant.ViaConsole) || !json.Valid(row.Detail) {
		t.Errorf("an entry reads %+v", row)
	}
}
