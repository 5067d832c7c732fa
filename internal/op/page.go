package op

import (
	"bytes"
	"encoding/json"
)

// Page is the envelope of every list. Rows are whole or absent; what is left out is said and can be fetched.
type Page[T any] struct {
	Shown      int      `json:"shown"`
	HasMore    bool     `json:"has_more"`
	NextCursor string   `json:"next_cursor,omitempty"`
	NextAction *Next    `json:"next_action"`
	Results    []T      `json:"results"`
	Nearest    []string `json:"nearest,omitempty"`
	// ContentTrust marks answers that carry text of topics: it is data, not instructions.
	ContentTrust string `json:"content_trust,omitempty"`

	rest func(last T, shown int) (cursor string, next *Next)
	done *Next
}

// NewPage makes a page of rows. Where more rows exist, or rows are dropped later to keep a size, rest tells the cursor and
// the call for what follows the last row that stayed; done is the next step when nothing is left.
func NewPage[T any](rows []T, more bool, done *Next, rest func(last T, shown int) (string, *Next)) Page[T] {
	if rows == nil {
		rows = []T{}
	}
	p := Page[T]{Results: rows, HasMore: more, rest: rest, done: done}
	p.settle()
	return p
}

func (p *Page[T]) settle() {
	p.Shown = len(p.Results)
	p.NextCursor, p.NextAction = "", p.done
	if p.HasMore && p.Shown > 0 && p.rest != nil {
		p.NextCursor, p.NextAction = p.rest(p.Results[p.Shown-1], p.Shown)
	}
}

// Fit drops rows from the end until the encoded page is at most limit bytes. The first row always stays.
func (p *Page[T]) Fit(limit int) error {
	for {
		whole, err := Marshal(p)
		if err != nil {
			return err
		}
		over, keep := len(whole)-limit, len(p.Results)
		if over <= 0 || keep <= 1 {
			return nil
		}
		for over > 0 && keep > 1 {
			keep--
			row, err := Marshal(p.Results[keep])
			if err != nil {
				return err
			}
			over -= len(row) + 1
		}
		p.Results, p.HasMore = p.Results[:keep], true
		// The next step is named anew and may take more room than the one before, so the page is measured again.
		p.settle()
	}
}

// fitter is an answer that can make itself smaller.
type fitter interface{ Fit(limit int) error }

// Marshal encodes without escaping HTML: answers are JSON for programs, and a topic's text stays readable in them.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
