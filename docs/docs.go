// Package docs owns the manual as Markdown files, embedded so that every server answers it at /docs.
//
// It refuses to describe the surface by hand: the pages under reference are generated from the operations.
package docs

import "embed"

// Files is the manual.
//
//go:embed *.md *.css all:reference all:decisions
var Files embed.FS
