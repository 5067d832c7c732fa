// Package topic owns the one unit of context: its fields and limits, its revisions, the state machine that lets it become
// Knowledge by a person's decision alone, suggested edits to Knowledge, and the queue a reviewer works through.
//
// Decisions are pure functions over a loaded topic and an actor (governance.go, change.go); operations load, decide and
// save, in that order, in one transaction with the revision and the event.
//
// It refuses to rank (package retrieve), to match files (package anchor), and to let any caller write a status directly.
package topic
