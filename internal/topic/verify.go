package topic

import (
	"context"
	"time"

	"driftless/internal/drift"
	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type verifyIn struct {
	Topic  string `json:"topic" jsonschema:"slug"`
	Commit string `json:"commit,omitempty" jsonschema:"as of this commit"`
	Note   string `json:"note,omitempty" jsonschema:"what you looked at"`
}

// Verified is the answer to a verification.
type Verified struct {
	Slug       string    `json:"slug"`
	Revision   int       `json:"revision"`
	VerifiedAt time.Time `json:"verified_at"`
	Commit     string    `json:"commit,omitempty"`
}

func (s *Service) verifyOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_verify", ID: "topics.verify", Title: "Verify a topic",
		Doc:   `Say that a topic still holds, as of a commit, which closes its drift; text and trust stay. Example: {"topic":"billing-retries","commit":"4f1c2ab"}`,
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Idempotent,
		REST: "POST /topics/{topic}/verify", CLI: "context verify <topic>",
		Rules: op.Rules{"commit": commitRule(), "note": op.Length(0, ItemMax)},
	}, s.verify)
}

func (s *Service) verify(_ context.Context, tx *pg.Tx, in verifyIn) (Verified, error) {
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Verified{}, err
	}
	if _, err := decide(t, tx.Actor(), Verify); err != nil {
		return Verified{}, err
	}
	err = verified(tx, t, "topics.verify", in.Commit, in.Note)
	return Verified{Slug: t.Slug, Revision: t.Revision, VerifiedAt: tx.Now(), Commit: in.Commit}, err
}

// verified records that somebody says a topic holds as of a commit, and closes its drift.
func verified(tx *pg.Tx, t *Topic, operation, commit, note string) error {
	seq, err := event.Append(tx, operation, "topic.verified", &t.ID, map[string]any{"revision": t.Revision, "commit": commit, "note": note})
	if err != nil {
		return err
	}
	if err := markVerified(tx, t.ID, seq); err != nil {
		return err
	}
	_, err = drift.Verify(tx, t.ID)
	return err
}

// commitRule bounds the name of a commit, whole or shortened.
func commitRule() op.Rule { return op.Rule{Max: 64, Pattern: `^([0-9a-fA-F]{4,64})?$`} }
