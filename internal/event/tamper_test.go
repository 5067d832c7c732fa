package event

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// The proof is short in a plain run of the tests; make prove runs it in full.
var proveChanges = flag.Int("prove.changes", 2000, "random changes of the log")

// Whatever somebody does to the rows of the log who owns the database, the check finds it and names the first entry that is not
// as it was written; where they computed hashes anew, the first one behind those, or the head.
func TestEachTamperingIsFoundAndTheFirstBadEntryNamed(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	log := logOf(t)
	foreign := logOf(t).rows
	random := rand.New(rand.NewPCG(seed, 1))
	kinds := map[string]int{}
	for i := range *proveChanges {
		x := tamperWith(random, log, foreign)
		kinds[x.kind]++
		x.check(t, fmt.Sprintf("seed %d, change %d", seed, i), walked(x))
	}
	t.Logf("prove: %d changes of the log in %d kinds found, seed %d", *proveChanges, len(kinds), seed)
}

// The same on the tables themselves, written by their owner and read by the application.
func TestTamperingInTheDatabaseIsFound(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 2))
	log := logOf(t)
	foreign := logOf(t).rows
	conn, err := pgx.Connect(t.Context(), pgtest.OwnerDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	for i := range min(*proveChanges/10, 300) {
		x := tamperWith(random, log, foreign)
		for j := range x.rows {
			x.rows[j].Workspace = log.workspace // a row that is elsewhere is not looked at from here
		}
		if x.kind == "workspace" || x.kind == "topic" {
			continue // the tables know their workspaces and topics
		}
		write(t, conn, x)
		x.check(t, fmt.Sprintf("seed %d, change %d", seed, i), verified(t, log.workspace, x.kept))
	}
}

// journal is a log as it was written, with its head.
type journal struct {
	workspace uuid.UUID
	rows      []Event
	seq       int64
	head      []byte
}

// logOf writes a log of entries of many shapes in a workspace of its own, and reads it back.
func logOf(t *testing.T) journal {
	t.Helper()
	owner := pgtest.Workspace(t)
	other := pgtest.Person(t, owner, tenant.Member)
	details := []any{
		nil,
		map[string]any{"revision": 7, "status": "draft"},
		map[string]any{"reason": "línea\nnueva 😀", "big": int64(1)<<60 + 1},
		map[string]any{"deep": map[string]any{"list": []any{1, "x", nil, 1.5, true}}},
	}
	for i := range 40 {
		a := owner
		if i%3 == 0 {
			a = other
			a.Client, a.Caller.Via = "editor", tenant.ViaMCP
		}
		err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
			_, err := Append(tx, "tests.write", fmt.Sprint("thing.", i%5), nil, details[i%len(details)])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	j := journal{workspace: owner.Workspace}
	err := pgtest.DB(t).Workspace(t.Context(), tenant.System(owner.Workspace), pg.ReadOnly, func(tx *pg.Tx) (err error) {
		if err = read(tx, func(e Event) { j.rows = append(j.rows, e) }); err == nil {
			j.seq, j.head, err = headOf(tx)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// tampering is a log after somebody was at it, and which entry is the first that shows it.
type tampering struct {
	journal
	kind  string
	kept  Kept
	first int64
}

func (x tampering) check(t *testing.T, when string, r Report) {
	t.Helper()
	if r.FirstBad != x.first {
		t.Fatalf("%s: %s: named %d (%s), want %d", when, x.kind, r.FirstBad, r.Reason, x.first)
	}
}

func walked(x tampering) Report {
	w := walk{kept: x.kept}
	for _, e := range x.rows {
		w.entry(e)
	}
	return w.end(x.seq, x.head)
}

// tamperWith does one random thing to a log.
func tamperWith(r *rand.Rand, log journal, foreign []Event) tampering {
	x := tampering{journal: log}
	x.rows = slices.Clone(log.rows)
	n := len(x.rows)
	at := r.IntN(n)
	forged := 0 // how many entries from the first difference on were given hashes that fit
	switch r.IntN(12) {
	case 0, 1, 2:
		x.kind = column(r, &x.rows[at], r.IntN(14))
	case 3:
		x.kind = "a content with its hash computed anew, " + column(r, &x.rows[at], 2+r.IntN(9))
		forged = x.rehash(at, at+1)
	case 4:
		x.kind = "a content with all hashes from there on computed anew, " + column(r, &x.rows[at], 2+r.IntN(9))
		forged = x.rehash(at, n)
	case 5:
		x.kind = "removed"
		x.rows = slices.Delete(x.rows, at, min(n, at+1+r.IntN(3)))
	case 6:
		x.kind = "removed and closed up"
		x.rows = slices.Delete(x.rows, at, at+1)
		x.renumber()
		if r.IntN(2) == 0 {
			x.kind += " with hashes computed anew"
			forged = x.rehash(at, n-1)
		}
	case 7:
		x.kind = "inserted"
		e := x.rows[r.IntN(n)]
		e.ID = uuid.New()
		x.rows = slices.Insert(x.rows, at, e)
		x.renumber()
		if r.IntN(2) == 0 {
			x.kind += " with a hash that fits"
			forged = x.rehash(at, at+1)
		}
	case 8:
		x.kind = "reordered"
		to := min(n, at+2+r.IntN(5))
		r.Shuffle(to-at, func(i, j int) { x.rows[at+i], x.rows[at+j] = x.rows[at+j], x.rows[at+i] })
		x.renumber()
	case 9:
		x.kind = "the end cut off"
		x.rows = x.rows[:at]
		if r.IntN(2) == 0 {
			x.kind += " together with its head"
			x.moveHead()
			x.kept = keptOf(log)
		}
	case 10:
		x.kind = "written anew with its head"
		column(r, &x.rows[at], 2+r.IntN(9))
		x.rehash(at, n)
		x.moveHead()
		x.kept = keptOf(log)
		x.first = int64(n)
		return x
	case 11:
		x.kind = "taken from another workspace"
		to := min(n, at+1+r.IntN(3))
		copy(x.rows[at:to], foreign[at:to])
		for i := at; i < to; i++ {
			x.rows[i].Workspace = log.workspace // otherwise it would not be looked at from here
		}
		if r.IntN(2) == 0 {
			x.kind = "the number of an entry"
			x.rows = slices.Clone(log.rows)
			x.rows[at].Seq += int64(n)
			x.rows = append(slices.Delete(slices.Clone(x.rows), at, at+1), x.rows[at])
		}
	}
	x.first = firstBad(log, x, forged)
	if x.first == 0 { // a shuffle into the same order
		return tamperWith(r, log, foreign)
	}
	return x
}

// firstBad is the number of the first entry that is not as it was written, behind those that were given hashes that fit.
func firstBad(log journal, x tampering, forged int) int64 {
	n, now := len(log.rows), len(x.rows)
	i := 0
	for i < n && i < now && same(log.rows[i], x.rows[i]) {
		i++
	}
	switch i += forged; {
	case i < now:
		return x.rows[i].Seq
	case now < n:
		return int64(now + 1)
	case forged > 0:
		return int64(n)
	}
	return 0
}

func same(a, b Event) bool {
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return string(left) == string(right)
}

func keptOf(log journal) Kept {
	return Kept{Entries: int64(len(log.rows)), Head: fmt.Sprintf("%x", log.head)}
}

// column changes one column of a row and answers its name.
func column(r *rand.Rand, e *Event, which int) string {
	at := func(list []byte) []byte {
		out := slices.Clone(list)
		if len(out) == 0 {
			return []byte{1}
		}
		out[r.IntN(len(out))] ^= byte(1 << r.IntN(8))
		return out
	}
	names := []string{"prev_hash", "hash", "id", "type", "detail", "person", "via", "client", "op", "request_id", "at", "topic", "workspace", "hash emptied"}
	switch names[which] {
	case "prev_hash":
		e.PrevHash = at(e.PrevHash)
	case "hash":
		e.Hash = at(e.Hash)
	case "hash emptied":
		e.Hash = []byte{}
	case "id":
		e.ID = uuid.New()
	case "type":
		e.Type += "x"
	case "detail":
		e.Detail = altered(r, e.Detail)
	case "person":
		e.Person = nil
	case "via":
		e.Via += "y"
	case "client":
		e.Client += "z"
	case "op":
		e.Op = e.Op[1:]
	case "request_id":
		e.RequestID = ""
	case "at":
		e.At = e.At.Add(time.Duration(1+r.IntN(1e6)) * time.Microsecond)
	case "topic":
		id := uuid.New()
		e.Topic = &id
	case "workspace":
		e.Workspace = uuid.New()
	}
	return names[which]
}

// altered is a detail that says something else, by as little as one.
func altered(r *rand.Rand, raw json.RawMessage) json.RawMessage {
	text := string(raw)
	for _, swap := range r.Perm(4) {
		from, to := []string{"1152921504606846977", "7", "draft", "1.5"}[swap], []string{"1152921504606846976", "8", "reviewed", "1.25"}[swap]
		if i := index(text, from); i >= 0 {
			return json.RawMessage(text[:i] + to + text[i+len(from):])
		}
	}
	return json.RawMessage(`{"said": "something else"}`)
}

func index(text, part string) int {
	for i := range len(text) - len(part) + 1 {
		if text[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}

// rehash computes links and hashes of some rows anew, as somebody would who knows how.
func (x *tampering) rehash(from, to int) int {
	for i := from; i < to; i++ {
		x.rows[i].PrevHash = nil
		if i > 0 {
			x.rows[i].PrevHash = x.rows[i-1].Hash
		}
		x.rows[i].Hash = x.rows[i].digest()
	}
	return to - from
}

func (x *tampering) renumber() {
	for i := range x.rows {
		x.rows[i].Seq = int64(i + 1)
	}
}

func (x *tampering) moveHead() {
	x.seq, x.head = int64(len(x.rows)), []byte{}
	if len(x.rows) > 0 {
		x.head = x.rows[len(x.rows)-1].Hash
	}
}

func verified(t *testing.T, workspace uuid.UUID, kept Kept) (r Report) {
	t.Helper()
	err := pgtest.DB(t).Workspace(t.Context(), tenant.System(workspace), pg.ReadOnly, func(tx *pg.Tx) (err error) {
		r, err = Verify(tx, kept)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// write puts a log into the tables in place of the one there, as their owner.
func write(t *testing.T, conn *pgx.Conn, x tampering) {
	t.Helper()
	err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
		var b pgx.Batch
		b.Queue(`select set_config('app.workspace_id', $1, true), set_config('app.see_private', 'on', true)`, x.workspace.String())
		b.Queue(`delete from event where workspace_id = $1`, x.workspace)
		for _, e := range x.rows {
			b.Queue(`insert into event (workspace_id, seq, id, type, detail, person_id, via, client, op, request_id, at, prev_hash, hash)
				values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`, e.Workspace, e.Seq, e.ID, e.Type, string(e.Detail), e.Person,
				e.Via, e.Client, e.Op, e.RequestID, e.At, notNil(e.PrevHash), notNil(e.Hash))
		}
		b.Queue(`update workspace_head set seq = $2, hash = $3 where workspace_id = $1`, x.workspace, x.seq, notNil(x.head))
		return tx.SendBatch(t.Context(), &b).Close()
	})
	if err != nil {
		t.Fatalf("%s: %v", x.kind, err)
	}
}

func notNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
