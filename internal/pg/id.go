package pg

import "github.com/google/uuid"

// NewID makes the id of a row: in the order of time (RFC 9562 version 7), so that rows that are made together lie together.
// It cannot fail, because the randomness it takes does not.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
