package drift

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/anchor"
	"driftless/internal/anchor/fingerprint"
	"driftless/internal/drift/cite"
	"driftless/internal/drift/word"
	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

const (
	// wantsMax is how many fingerprints one sync asks for. What lies beyond is touched, until the next sync asks again.
	wantsMax = 20_000
	// printsMax is how many fingerprints one call may bring.
	printsMax = 5_000
	// unitsText bounds the statements of one, in base64.
	unitsText = 60_000
)

// Want is a content whose fingerprints the server needs, to say how much of what a topic relies on changed.
type Want struct {
	Blob    string   `json:"blob"`
	Path    string   `json:"path" jsonschema:"tells the language"`
	Symbols []string `json:"symbols" jsonschema:"empty is the whole file"`
}

// PrintIn is a fingerprint as it is sent.
type PrintIn struct {
	Blob      string `json:"blob" jsonschema:"id of the content"`
	Symbol    string `json:"symbol,omitempty" jsonschema:"Name or Type.method; empty for the whole file"`
	Absent    bool   `json:"absent,omitempty" jsonschema:"there is no such symbol"`
	Hash      string `json:"hash,omitempty" jsonschema:"over all that is neither comment nor layout"`
	Signature string `json:"signature,omitempty" jsonschema:"over what callers of a symbol see"`
	Units     string `json:"units,omitempty" jsonschema:"short hashes of the statements, two bytes for each, base64"`
	Method    string `json:"method,omitempty" jsonschema:"how the code was read"`
}

type printsIn struct {
	Source string    `json:"source" jsonschema:"id of the repository"`
	Branch string    `json:"branch" jsonschema:"the branch that was synced"`
	Head   string    `json:"head" jsonschema:"the commit that was synced"`
	Prints []PrintIn `json:"prints" jsonschema:"fingerprints that the sync asked for"`
	// A word of which nothing is said was not looked for everywhere.
	Words []word.Answer `json:"words,omitempty" jsonschema:"what was found of the words that the sync asked for"`
	More  bool          `json:"more,omitempty" jsonschema:"others follow in another call"`
}

// Printed is what fingerprints led to.
type Printed struct {
	ID    uuid.UUID     `json:"id" jsonschema:"of the repository"`
	Taken int           `json:"taken"`
	Drift map[State]int `json:"drift" jsonschema:"how many topics are in which state now, of those of which something changed"`
	Next  *op.Next      `json:"next_action"`
}

func (s *Service) printsOp() op.Operation {
	return op.Write(op.Spec{
		ID: "sources.fingerprints", Title: "Bring fingerprints",
		Doc:   "Answer the fingerprints that a sync asked for; no text. 'driftless sync' does it. With the last of them the topics are judged.",
		Scope: tenant.TopicsWrite, Role: tenant.Member, Effect: op.Idempotent, REST: "POST /sources/{source}/fingerprints", CLI: "source fingerprints <source>",
		ScreensItself: true, Body: 8 << 20,
		Rules: op.Rules{
			"source": op.Length(1, 1000), "branch": op.Length(1, repo.BranchMax), "head": op.Length(40, 64), "prints": op.Items(0, printsMax),
			"prints[].blob": op.Length(40, 64), "prints[].symbol": op.Length(0, 500), "prints[].hash": op.Length(0, 64),
			"words": op.Items(0, word.Max), "words[].word": op.Length(1, cite.TextMax), "words[].path": op.Length(0, anchor.MaxPath),
			"prints[].signature": op.Length(0, 64), "prints[].units": op.Length(0, unitsText),
			"prints[].method": op.OneOf("", fingerprint.MethodGo, fingerprint.MethodTags, fingerprint.MethodLexer, fingerprint.MethodLines),
		},
	}, s.prints)
}

func (s *Service) prints(_ context.Context, tx *pg.Tx, in printsIn) (Printed, error) {
	for i, p := range in.Prints {
		if _, err := base64.StdEncoding.DecodeString(p.Units); err != nil || !repo.IsObject(p.Blob) {
			return Printed{}, fault.Fieldf(fmt.Sprintf("prints[%d]", i), "needs the whole id of a blob, and units in base64")
		}
	}
	if err := event.Lock(tx); err != nil {
		return Printed{}, err
	}
	src, err := source.Pick(tx, in.Source)
	if err != nil {
		return Printed{}, err
	}
	return Bring(tx, src, Commit{Branch: in.Branch, Head: in.Head}, in.Prints, in.Words, in.More)
}

// Bring takes the fingerprints that [Arrive] wanted for a commit, and where the words that topics cite stand; with more, others follow in another call, and the topics are judged after
// the last. Call it with the workspace locked.
func Bring(tx *pg.Tx, src source.Source, c Commit, prints []PrintIn, words []word.Answer, more bool) (Printed, error) {
	p, known, err := branchOf(tx, src, c.Branch)
	if err != nil {
		return Printed{}, err
	}
	if !known || p.head.Head != c.Head {
		return Printed{}, fault.New(fault.State, fault.CodeStateConflict, "another commit of "+c.Branch+" was synced in between", "run 'driftless sync' again")
	}
	asked, err := wanted(tx, p, wantsMax)
	if err != nil {
		return Printed{}, err
	}
	out := Printed{ID: src.ID, Drift: map[State]int{}}
	asksFor := map[[2]string]bool{}
	for _, w := range asked {
		for _, symbol := range w.Symbols {
			asksFor[[2]string{w.Blob, symbol}] = true
		}
	}
	useful := slices.DeleteFunc(prints, func(f PrintIn) bool { return !asksFor[[2]string{f.Blob, f.Symbol}] })
	out.Taken = len(useful)
	if err := word.Take(tx, p.place(), words); err != nil {
		return out, err
	}
	if err := insertPrints(tx, p, useful); err != nil || more {
		return out, err
	}
	if out.Drift, err = scan(tx, "sources.sync", "sync", p); err != nil {
		return out, err
	}
	out.Next = nextAfterScan(out.Drift)
	return out, sweepPrints(tx, p)
}

func nextAfterScan(states map[State]int) *op.Next {
	if states[Review]+states[Broken] == 0 {
		return nil
	}
	return &op.Next{Tool: "driftless_context_list", Arguments: map[string]any{"stale": true}, Why: "read what drifted"}
}

// compare says how the two contents of a target differ, by their fingerprints.
func (t *target) compare(before, after fingerprint.Print) {
	if before.Method != after.Method {
		return
	}
	t.whole = after.Method == fingerprint.MethodLexer || after.Method == fingerprint.MethodLines || after.Method == "" && !fingerprint.Symbols(t.path)
	t.known, t.wasAbsent, t.absent = true, before.Absent, after.Absent
	t.identical = before.Hash == after.Hash && t.wasAbsent == t.absent
	t.resigned = before.Signature != after.Signature
	t.share = fingerprint.Share(before, after)
}
