// Package source owns repositories: their normalised names, tracked branches, file lists, and how news of them arrives.
//
// It refuses to keep source text. No repository can be connected yet; anchors are checked for their form alone.
package source
