// Package doctor owns the look over a whole workspace: what waits, what went stale, what leads nowhere, what says the same
// twice or the opposite. It counts first and tells details on request, a bounded number of them, each with the call that helps.
//
// It refuses to change anything, and to call a hint a fault: whether two texts contradict one another is for a person to say.
package doctor
