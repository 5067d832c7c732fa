package cli

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"

	"driftless/internal/anchor/ctags"
	"driftless/internal/anchor/fingerprint"
	"driftless/internal/source/git"
)

// A batch of fingerprints stays below the number and the size that the server takes.
const (
	batchPrints     = 2000
	batchPrintBytes = 4 << 20
)

// printed is a fingerprint as it is sent.
type printed struct {
	Blob      string `json:"blob"`
	Symbol    string `json:"symbol,omitempty"`
	Absent    bool   `json:"absent,omitempty"`
	Hash      string `json:"hash,omitempty"`
	Signature string `json:"signature,omitempty"`
	Units     string `json:"units,omitempty"`
	Method    string `json:"method,omitempty"`
}

// wire is a fingerprint of a blob as it is sent.
func wire(blob string, f fingerprint.Print) printed {
	return printed{
		Blob: blob, Symbol: f.Symbol, Absent: f.Absent, Hash: f.Hash, Signature: f.Signature, Method: f.Method,
		Units: base64.StdEncoding.EncodeToString(fingerprint.PackUnits(f.Units)),
	}
}

// printer sends fingerprints in batches.
type printer struct {
	c     *client
	tags  *ctags.Reader
	to    synced
	words []foundWord
	batch []printed
	size  int
}

// sendPrints takes the fingerprints that the server asked for, of contents that are here, and answers how many topics are in
// which state after it.
func (c *client) sendPrints(ctx context.Context, checkout git.Checkout, s synced, words []foundWord) (map[string]int, error) {
	if len(s.Want) > 0 {
		c.say("taking the fingerprints of %d contents", len(s.Want))
	}
	byBlob := map[string]want{}
	ids := make([]string, 0, len(s.Want))
	for _, w := range s.Want {
		byBlob[w.Blob] = w
		ids = append(ids, w.Blob)
	}
	p, seen := printer{c: c, to: s, words: words, tags: ctags.New(c.env("DRIFTLESS_CTAGS"))}, 0
	defer p.tags.Close()
	err := checkout.Blobs(ctx, ids, fingerprint.ContentMax, func(id string, content []byte) error {
		seen++
		p.take(ctx, byBlob[id], content)
		if !p.full() {
			return nil
		}
		c.say("fingerprints: %d of %d", seen, len(ids))
		_, err := p.send(ctx, true)
		return err
	})
	if err != nil {
		return nil, err
	}
	if missing := len(ids) - seen; missing > 0 {
		c.say("%d contents are not in this clone or too large to read; what relies on them is marked as touched", missing)
	}
	return p.send(ctx, false)
}

// foundWord is what was found of a word that a topic cites.
type foundWord struct {
	Word string `json:"word"`
	Path string `json:"path,omitempty"`
}

// findWords looks for words in the code that is checked out. Where contents are missing nothing is said of what was not found.
func (c *client) findWords(ctx context.Context, s snapshot, words []string) ([]foundWord, error) {
	if len(words) == 0 {
		return []foundWord{}, nil
	}
	c.say("looking for %d words that topics cite", len(words))
	tree, err := s.checkout.Tree(ctx, s.head)
	if err != nil {
		return nil, err
	}
	found, whole, err := s.checkout.Words(ctx, tree, words)
	if err != nil {
		return nil, err
	}
	out := []foundWord{}
	for _, w := range words {
		if path := found[w]; path != "" || whole {
			out = append(out, foundWord{w, path})
		}
	}
	return out, nil
}

func (p *printer) take(ctx context.Context, w want, content []byte) {
	for _, f := range p.tags.Prints(ctx, w.Path, content, w.Symbols) {
		p.add(wire(w.Blob, f))
	}
}

func (p *printer) add(f printed) {
	p.batch = append(p.batch, f)
	p.size += 300 + len(f.Units)
}

func (p *printer) full() bool { return len(p.batch) >= batchPrints || p.size >= batchPrintBytes }

func (p *printer) send(ctx context.Context, more bool) (map[string]int, error) {
	if p.batch == nil {
		p.batch = []printed{}
	}
	input := map[string]any{"source": p.to.ID, "branch": p.to.Branch, "head": p.to.Head, "prints": p.batch, "more": more}
	if !more {
		input["words"] = p.words
	}
	raw, err := p.c.call(ctx, http.MethodPost, sourcesPath+"/{source}/fingerprints", input)
	if err != nil {
		return nil, err
	}
	p.batch, p.size = nil, 0
	var answer struct {
		Drift map[string]int `json:"drift"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	return answer.Drift, nil
}
