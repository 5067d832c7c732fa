// Package parse reads foreign files into drafts of topics, and writes topics as
// Markdown files. It owns the formats: context files of AI clients (AGENTS.md
// and its relatives), Cursor rules, Copilot instructions, decision records in
// the manner of MADR and Nygard, KEP folders, plain Markdown, and the files that
// an export of this product holds.
//
// It refuses the rest: it knows no database, network or workspace, follows no
// link out of the tree, looks for no secrets, and takes no claim about status,
// trust or approval from a file. What it returns is a draft and nothing more.
package parse

// Limits of reading.
const (
	MaxFile    = 1 << 20   // bytes of one file
	MaxFiles   = 5000      // documents in one tree
	MaxContent = 256 << 10 // bytes of the content of one draft
)

// Limits of a topic that drafts keep to.
const (
	maxTitle     = 120 // characters
	maxWhat      = 300
	maxItem      = 2000
	maxSlug      = 80
	maxTags      = 50
	maxTag       = 64
	maxAnchors   = 200
	maxRelations = 200
	maxCited     = 20 // anchors taken from paths that a text cites
)

// Draft is what a file, or a part of one, says about a topic. Limits on fields
// read from front matter of an exported file are left to the write.
type Draft struct {
	// Key is the identity of the draft over time: the path of its file, and for
	// a part "#" and the slug of its heading. It does not depend on content.
	Key  string
	Slug string // a suggestion, unless the file is an export; unique in one answer

	Title          string
	What           string
	How            string
	Content        string // the words of the file, line endings apart
	Decisions      []string
	Gotchas        []string
	Invariants     []string
	RequiredChecks []string

	Tags      []string
	Area      string
	Anchors   []string
	Relations []Relation
	Sources   []string // the key, or what an exported file names
	ReviewBy  string   // YYYY-MM-DD

	Solutions    []any // as decoded from YAML
	Alternatives []any

	// ContentHash is SHA-256 in hexadecimal of the text that the draft was read
	// from, byte order mark and line endings apart.
	ContentHash string
	// Exported says that the file carries a slug of its own, as exports do.
	Exported bool
}

// Relation is a typed edge to the draft with that key, or, where no key is
// meant, to the topic with that slug. Keys hold a dot or a slash; slugs never do.
type Relation struct {
	To   string `yaml:"to"`
	Type string `yaml:"type"`
}

// The types of relation that files express.
const (
	relatesTo  = "relates_to"
	supersedes = "supersedes"
)

// Problem is a file that was left out, in whole, and why.
type Problem struct {
	Path   string
	Reason string
}
