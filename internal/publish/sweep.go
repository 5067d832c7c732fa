package publish

import (
	"time"

	"driftless/internal/pg"
)

// endedKept is how long the address of a page is kept after it ended, for whoever wonders who had opened it.
const endedKept = 30 * 24 * time.Hour

// Sweep removes the addresses of the workspace of this transaction that were revoked, or came to their end, more than 30 days ago. It is
// for the server's own work.
func Sweep(tx *pg.Tx) error { return sweepShares(tx, tx.Now().Add(-endedKept)) }
