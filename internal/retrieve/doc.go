// Package retrieve owns finding topics: by what they say, by the files they are about, and by what they are related to. It
// keeps one index per workspace in memory, ranks with named terms that [Parts] lists, and bounds every answer.
//
// The index is derived and never the truth. Each read first asks the database what was written since the index was last
// brought up to date and applies it, so that a reader finds what was committed before the read began, on every process.
// Each read ends by reading the rows it shows as the actor: what that read does not return is not shown, so a mistake of
// the index can lose a row but never leak one. A private draft stands in an index of its author's own, which only they are
// answered from: what others ask depends on it in nothing, not even in how common a word is or what a typing error is
// corrected to.
//
// It refuses to write, to analyse text itself (package lexical), to know the dialect of anchors (package anchor), and to
// call a model.
package retrieve
