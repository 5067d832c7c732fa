package event

import (
	"testing"

	"driftless/internal/pg/pgtest"
)

// What a workspace in which somebody follows the events costs while nothing happens there: two of these a second.
func BenchmarkAskingWhetherSomethingHappened(b *testing.B) {
	owner := pgtest.Workspace(b)
	for b.Loop() {
		if _, err := head(b.Context(), pgtest.DB(b), owner.Workspace); err != nil {
			b.Fatal(err)
		}
	}
}
