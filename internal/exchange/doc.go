// Package exchange owns the server's side of import: which file stands for which topic, what the file said last time, and so
// what an import changes. Reading files is [driftless/internal/exchange/parse]; export is reading topics.
//
// It refuses to read files, to make Knowledge, and to lose a batch for one bad draft.
package exchange
