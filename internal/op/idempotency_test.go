package op

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

type made struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

// tagged makes a tag with each call that is not a repetition.
func tagged() Operation {
	type in struct {
		Title string `json:"title" jsonschema:"a name"`
	}
	return Write(Spec{
		ID: "tags.make", Title: "Make", Doc: "Makes a tag.", Scope: tenant.WorkWrite, Role: tenant.Member, REST: "POST /made",
	}, func(_ context.Context, tx *pg.Tx, in in) (made, error) {
		if in.Title == "refused" {
			return made{}, fault.Fieldf("title", "is refused")
		}
		out := made{ID: uuid.NewString(), Secret: "once-" + uuid.NewString()}
		return out, tx.Store().Exec(`insert into tag (workspace_id, id, name, created_at) values (?, ?, ?, ?)`,
			tx.Actor().Workspace, out.ID, in.Title+" "+out.ID, tx.Now()).Error
	})
}

func (l *line) keyed(t *testing.T, a tenant.Actor, key, text string) (Result, error) {
	t.Helper()
	return l.Call(t.Context(), a.Caller, Call{Operation: &l.ops[0], Workspace: a.Slug, Arguments: title(text), Key: key})
}

func tags(t *testing.T, a tenant.Actor) (n int) {
	t.Helper()
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadOnly, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select count(*) from tag where workspace_id = ?`, a.Workspace).Scan(&n).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAKeyMakesAWriteHappenOnce(t *testing.T) {
	t.Parallel()
	l, owner := pipeline(t, tagged()), pgtest.Workspace(t)
	first, err := l.keyed(t, owner, "k", "one")
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.keyed(t, owner, "k", "one")
	if err != nil || string(again.JSON) != string(first.JSON) {
		t.Errorf("sent again it answered %s, %v; first %s", again.JSON, err, first.JSON)
	}
	if _, is := again.Value.(*made); !is {
		t.Errorf("the value of a repeated answer is a %T", again.Value)
	}
	_, err = l.keyed(t, owner, "k", "two")
	wants(t, err, fault.CodeValidation)
	_, err = l.keyed(t, owner, strings.Repeat("k", KeyMax+1), "one")
	wants(t, err, fault.CodeValidation)
	if n := tags(t, owner); n != 1 {
		t.Errorf("%d effects of one key", n)
	}
	if _, err := l.keyed(t, pgtest.Person(t, owner, tenant.Member), "k", "two"); err != nil {
		t.Errorf("another person's key is the same to them: %v", err)
	}
	weaker := owner
	weaker.Credential = uuid.New()
	other, err := l.keyed(t, weaker, "k", "one")
	if err != nil || string(other.JSON) == string(first.JSON) {
		t.Errorf("another credential of the person was answered %s, %v", other.JSON, err)
	}
}

func TestCallsWithOneKeyAtTheSameMomentHaveOneEffect(t *testing.T) {
	t.Parallel()
	l, owner := pipeline(t, tagged()), pgtest.Workspace(t)
	answers := make([]string, 6)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			r, err := l.keyed(t, owner, "race", "one")
			if err != nil {
				t.Error(err)
			}
			answers[i] = string(r.JSON)
		})
	}
	all.Wait()
	for _, a := range answers {
		if a != answers[0] {
			t.Errorf("answers differ: %s and %s", a, answers[0])
		}
	}
	if n := tags(t, owner); n != 1 {
		t.Errorf("%d effects of one key", n)
	}
}

func TestARefusalIsNotRemembered(t *testing.T) {
	t.Parallel()
	l, owner := pipeline(t, tagged()), pgtest.Workspace(t)
	_, err := l.keyed(t, owner, "k", "refused")
	wants(t, err, fault.CodeValidation)
	if _, err := l.keyed(t, owner, "k", "mended"); err != nil {
		t.Errorf("after a refusal: %v", err)
	}
}

func TestAKeyIsForgottenAfterADay(t *testing.T) {
	t.Parallel()
	l, owner := pipeline(t, tagged()), pgtest.Workspace(t)
	for range 2 {
		if _, err := l.keyed(t, owner, "k", "one"); err != nil {
			t.Fatal(err)
		}
		err := pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadWrite, func(tx *pg.Tx) error {
			return tx.Store().Exec(`update idempotency set created_at = created_at - interval '25 hours' where workspace_id = ?`, owner.Workspace).Error
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := tags(t, owner); n != 2 {
		t.Errorf("%d effects of a key used on two days", n)
	}
}

// An answer may hold a token that is handed out once; who reads the database must not find it.
func TestAKeptAnswerCannotBeReadWithoutTheKey(t *testing.T) {
	t.Parallel()
	l, owner := pipeline(t, tagged()), pgtest.Workspace(t)
	r, err := l.keyed(t, owner, "a key with some entropy", "one")
	if err != nil {
		t.Fatal(err)
	}
	var kept []byte
	err = pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadOnly, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select answer || key_hash from idempotency where workspace_id = ?`, owner.Workspace).Row().Scan(&kept)
	})
	if err != nil {
		t.Fatal(err)
	}
	if secret := r.Value.(*made).Secret; len(kept) < len(secret) || strings.Contains(string(kept), secret) || strings.Contains(string(kept), "entropy") {
		t.Errorf("the database keeps %q", kept)
	}
	if _, err := opaque.Open(kept[:len(kept)-32], derive("seal", "another key")); err == nil {
		t.Error("another key opens the answer")
	}
}
