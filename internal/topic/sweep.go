package topic

import (
	"errors"
	"time"

	"driftless/internal/pg"
	"driftless/internal/topic/undo"
)

// expiredKept is how long a confirmation or an undo token is kept after it expired: who comes late is told that they are.
const expiredKept = 24 * time.Hour

// Sweep removes the confirmations and undo tokens of the workspace of this transaction that expired more than a day ago, purges what
// was in the trash for [TrashTTL], and archives the notes that have outlived what the workspace has set. It is for the server's own
// work.
func Sweep(tx *pg.Tx) error {
	then := tx.Now().Add(-expiredKept)
	return errors.Join(sweepConfirmations(tx, then), undo.Sweep(tx, then), emptyTrash(tx), expire(tx))
}
