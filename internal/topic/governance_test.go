package topic

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"driftless/internal/pg/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// The same state machine stands in the code and in the database, so that neither can be wrong alone.
func TestTheTransitionTableOfTheDatabaseIsTheOneOfTheCode(t *testing.T) {
	t.Parallel()
	want := map[[2]string]bool{}
	for _, s := range steps {
		for _, from := range s.from {
			targets := []Status{s.to}
			if s.to == "" {
				switch s.verb {
				case Unarchive:
					targets = []Status{Draft, Proposed}
				case Recover:
					targets = []Status{Draft, Proposed, Archived}
				default:
					targets = nil
				}
			}
			for _, to := range targets {
				if from != to {
					want[[2]string{string(from), string(to)}] = true
				}
			}
		}
	}
	conn, err := pgx.Connect(t.Context(), pgtest.OwnerDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	rows, err := conn.Query(t.Context(), `select from_status, to_status from topic_transition`)
	if err != nil {
		t.Fatal(err)
	}
	got := map[[2]string]bool{}
	for rows.Next() {
		var from, to string
		if err := rows.Scan(&from, &to); err != nil {
			t.Fatal(err)
		}
		got[[2]string{from, to}] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("transitions (-code +database):\n%s", diff)
	}
}
