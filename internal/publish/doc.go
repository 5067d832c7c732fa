// Package publish owns what leaves the circle of those who could read a topic anyway: pages on the web by an address that
// nobody can guess, Knowledge that an owner opened to everybody, and private drafts that their author lets others read.
//
// It refuses to show anything on the web that is not Knowledge, and to say there who wrote it, where it came from, or what
// else the workspace holds.
package publish
