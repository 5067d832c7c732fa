// Package drift owns the evidence that something a topic relies on has changed, and the act of verifying that it still holds.
//
// It refuses to judge: drift is graded evidence for a person. Until repositories can be connected every topic is fresh.
package drift
