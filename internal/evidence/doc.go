// Package evidence owns what is known about whether a solution works: feedback by environment and failed attempts.
//
// It refuses to change a text or its trust. The solutions themselves are part of a topic and are kept there; nothing
// collects evidence about them yet.
package evidence
