package oauth_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"driftless/internal/pg/pgtest"
)

// failing makes the database lose a serialization race at each of the first n tokens that are stored under the one grant of
// the person. A sequence counts, because it is the one thing that no rollback takes back.
func (w *world) failing(n int) {
	w.t.Helper()
	conn, err := pgx.Connect(w.t.Context(), pgtest.OwnerDSN(w.t))
	if err != nil {
		w.t.Fatal(err)
	}
	name := "lost_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	w.t.Cleanup(func() {
		ctx := context.WithoutCancel(w.t.Context())
		if _, err := conn.Exec(ctx, fmt.Sprintf(`drop function %s cascade; drop sequence %s`, name, name)); err != nil {
			w.t.Error(err)
		}
		_ = conn.Close(ctx)
	})
	_, err = conn.Exec(w.t.Context(), fmt.Sprintf(`create sequence %[1]s;
		create function %[1]s() returns trigger language plpgsql security definer as $$
		begin
			if exists (select from public.oauth_grant where id = new.grant_id and person_id = '%[2]s') and nextval('public.%[1]s') <= %[3]d then
				raise exception 'lost a race' using errcode = '40001';
			end if;
			return new;
		end $$;
		create trigger %[1]s before insert on oauth_token for each row execute function %[1]s()`, name, w.actor.Person, n))
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestM16ARefreshThatLosesARaceInTheDatabaseIsDoneAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	p := w.connect(client)
	w.failing(2)
	next := w.pair(w.refresh(client, p.refresh))
	if !w.works(next.access) {
		t.Error("the pair is dead")
	}
	w.pair(w.refresh(client, next.refresh))
}

func TestM16ARefreshThatFailsForGoodLeavesTheTokenAsItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	p := w.connect(client)
	w.failing(4)
	a := w.refresh(client, p.refresh)
	w.refused(a, http.StatusServiceUnavailable, "temporarily_unavailable")
	if a.header.Get("Retry-After") == "" {
		t.Error("nothing says when to come back")
	}
	// It was not replaced, so its use after the grace is a first use and no theft.
	w.pass(2 * grace)
	w.pair(w.refresh(client, p.refresh))
	if w.events("grant.revoked") != 0 {
		t.Error("the family ended")
	}
}
