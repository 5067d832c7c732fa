// Package source owns repositories: under which name each is known, which of its branches are tracked, and what is known of
// those: the commit and the list of files.
//
// It stands below topics, which ask it what an anchor matches. It refuses to keep source text, and to judge what a change
// means for a topic; that is package drift.
package source
