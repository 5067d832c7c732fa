package notice

import (
	"time"

	"driftless/internal/pg"
)

// How long a notice is kept after it was read, and after it was over.
const (
	readKept = 90 * 24 * time.Hour
	overKept = 24 * time.Hour
)

// Sweep removes the notices of the workspace of this transaction that were read more than 90 days ago or are over; those of people who
// leave go with them. It is for the server's own work.
func Sweep(tx *pg.Tx) error { return sweepItems(tx, tx.Now().Add(-readKept), tx.Now().Add(-overKept)) }
