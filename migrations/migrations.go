// Package migrations owns the schema of the database as plain SQL, applied forward only and in order by the name of the
// file.
//
// It refuses to go back, and to let a released file be edited: a change of mind is a new file.
package migrations

import "embed"

// Files holds the migrations, named NNNN_subject.sql in goose's format.
//
//go:embed *.sql
var Files embed.FS
