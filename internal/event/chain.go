package event

import (
	"bytes"
	"encoding/hex"
)

// Report is what checking a chain found.
type Report struct {
	Entries int64
	// Head is the hash of the last entry, hexadecimal; keep it, with the number of entries, to detect a truncation later.
	Head string
	// FirstBad is the sequence number of the first entry that does not fit or is missing at the end, 0 when all are there
	// and fit; Reason says why.
	FirstBad int64
	Reason   string
}

// Kept is what an earlier report said, kept outside of the database; nothing when Entries is 0. Whoever owns the database can
// cut off the end of a chain together with its head, or write it anew: only what was kept elsewhere shows that.
type Kept struct {
	Entries int64
	Head    string
}

// walk goes along a chain, entry by entry in the order of their numbers.
type walk struct {
	Report
	kept   Kept
	before []byte
}

func (w *walk) entry(e Event) {
	w.Entries++
	switch {
	case e.Seq != w.Entries:
		w.bad(e.Seq, "an entry before it is missing")
	case !bytes.Equal(e.PrevHash, w.before):
		w.bad(e.Seq, "it does not continue the entry before it")
	case !bytes.Equal(e.Hash, e.digest()):
		w.bad(e.Seq, "its content was changed")
	case e.Seq == w.kept.Entries && hex.EncodeToString(e.Hash) != w.kept.Head:
		w.bad(e.Seq, "it is not the entry whose hash was kept: it or one before it was written anew")
	}
	w.before = e.Hash
}

// end compares the last entry with the head of the workspace.
func (w *walk) end(seq int64, head []byte) Report {
	switch {
	case max(seq, w.kept.Entries) > w.Entries:
		w.bad(w.Entries+1, "the last entries are missing")
	case seq < w.Entries:
		w.bad(seq+1, "the head does not fit the last entry")
	case !bytes.Equal(head, w.before):
		w.bad(max(seq, 1), "the head does not fit the last entry")
	}
	w.Head = hex.EncodeToString(w.before)
	return w.Report
}

func (w *walk) bad(seq int64, reason string) {
	if w.FirstBad == 0 {
		w.FirstBad, w.Reason = seq, reason
	}
}
