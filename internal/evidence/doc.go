// Package evidence owns solutions and what is known about whether they work: where a solution applies, what people and agents
// reported about it, and what was tried in vain where there is none.
//
// It refuses to change a text or its trust. A report counts once for a person, a revision of the solution and an environment;
// what follows from the reports is decided by a pure function ([Judge]) and never stored.
package evidence
