// Package event owns the append-only log of each workspace: what happened, who did it and how they arrived, in one
// transaction with what it describes. Each entry carries the hash of the one before it, so that a change, a removal or a
// reordering shows.
//
// It refuses to be a bus: nobody is called. What reacts to events reads them from a cursor.
package event

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// Event is one entry. Detail is a small JSON object; it never carries the text of a topic.
type Event struct {
	Workspace uuid.UUID
	Seq       int64
	ID        uuid.UUID
	Type      string
	Topic     *uuid.UUID
	Detail    json.RawMessage
	Person    *uuid.UUID
	Via       string
	Client    string
	Op        string
	RequestID string
	At        time.Time
	PrevHash  []byte
	Hash      []byte
}

// Append writes what happened as the next entry of the actor's workspace, and answers its sequence number. The first call
// in a transaction locks the head of the workspace: from there on the writes of a workspace happen one after another,
// so numbers commit in order and a cursor over them loses nothing.
func Append(tx *pg.Tx, op, kind string, topic *uuid.UUID, detail any) (int64, error) {
	raw, err := json.Marshal(detail)
	if err != nil {
		return 0, fmt.Errorf("encode the detail of an event: %w", err)
	}
	if detail == nil {
		raw = []byte("{}")
	}
	a := tx.Actor()
	e := Event{
		Workspace: a.Workspace, ID: pg.NewID(), Type: kind, Topic: topic, Detail: raw, Via: string(a.Via), Client: a.Client,
		Op: op, RequestID: a.RequestID, At: tx.Now(),
	}
	if a.Person != uuid.Nil {
		e.Person = &a.Person
	}
	e.Seq, e.PrevHash, err = lockHead(tx)
	if err != nil {
		return 0, err
	}
	e.Seq++
	e.Seal()
	return e.Seq, insert(tx, e)
}

// Seal gives the entry its hash, after everything else of it stands, with the hash of the entry before it.
func (e *Event) Seal() { e.Hash = e.digest() }

// digest is SHA-256 over the previous hash and the fields in a fixed order, each with its length before it, so that no two
// different entries encode alike. The detail is hashed in canonical form, for the database keeps the value, not the bytes.
func (e Event) digest() []byte {
	h := sha256.New()
	part := func(b []byte) { _, _ = fmt.Fprintf(h, "%d:%s", len(b), b) }
	part(e.PrevHash)
	part(e.Workspace[:])
	part(fmt.Appendf(nil, "%d", e.Seq))
	part(e.ID[:])
	part([]byte(e.Type))
	if e.Topic != nil {
		part(e.Topic[:])
	} else {
		part(nil)
	}
	part(canonical(e.Detail))
	if e.Person != nil {
		part(e.Person[:])
	} else {
		part(nil)
	}
	part([]byte(e.Via))
	part([]byte(e.Client))
	part([]byte(e.Op))
	part([]byte(e.RequestID))
	part([]byte(e.At.UTC().Format(time.RFC3339Nano)))
	return h.Sum(nil)
}

// canonical is the JSON with its keys sorted and no spaces. A whole number keeps all its digits; any other has those of a float,
// for the database writes an exponent out.
func canonical(raw json.RawMessage) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return raw
	}
	out, err := json.Marshal(plain(v))
	if err != nil {
		return raw
	}
	return out
}

// plain is a decoded JSON value whose numbers with a fraction or an exponent are floats.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = plain(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = plain(inner)
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return f
		}
	}
	return v
}
