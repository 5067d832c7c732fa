// Package word owns the names, flags and keys that texts cite without a path: which of them somebody who has the code is to look for,
// and what came of it. A word that stood in the code when it was first looked for, and stands nowhere any more, is a dead reference.
//
// It refuses to read code: a word is looked for by who has it, and of the answer no more than a path is kept. It judges nothing.
package word

import (
	"github.com/google/uuid"

	"driftless/internal/drift/cite"
	"driftless/internal/source/repo"
)

// Max is how many words are asked for at once. What lies beyond is asked for by the next sync.
const Max = 2000

// Place is a branch of a repository with its files.
type Place struct {
	Source uuid.UUID
	Branch string
	Files  repo.Tree
}

// Answer is what was found of a word: the path of a file in which it stands, or none.
type Answer struct {
	Word string `json:"word"`
	Path string `json:"path,omitempty" jsonschema:"of a file that has it; empty where none does"`
}

// cited is a word of a topic, with the file that it was found in last.
type cited struct {
	topic      uuid.UUID
	text       string
	known      bool   // it was looked for in this branch
	path, blob string // where it stood; empty where it never did
	gone       bool
}

func (c cited) sought() string { return cite.Ref{Kind: cite.Word, Text: c.text}.Sought() }

// open reports whether somebody has to look for a word: it never was looked for, the file that had it is another, or it is gone and may
// have come back. What was not there when somebody vouched for the topic is left alone.
func (c cited) open(files repo.Tree) bool {
	if !c.known || c.gone {
		return true
	}
	if c.blob == "" {
		return false
	}
	f, is := files.Find(c.path)
	return !is || f.Blob != c.blob
}
