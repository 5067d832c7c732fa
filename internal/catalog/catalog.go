package catalog

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"driftless/internal/account"
	"driftless/internal/ask"
	"driftless/internal/drift"
	"driftless/internal/drift/doctor"
	"driftless/internal/evidence"
	"driftless/internal/exchange"
	"driftless/internal/label"
	"driftless/internal/notice"
	"driftless/internal/oauth"
	"driftless/internal/op"
	"driftless/internal/publish"
	"driftless/internal/retrieve"
	"driftless/internal/source"
	"driftless/internal/topic"
)

// Services are the nouns whose operations make the catalogue. Nil ones can be listed, not called.
type Services struct {
	Account  *account.Service
	Label    *label.Service
	Topic    *topic.Service
	Evidence *evidence.Service
	Doctor   *doctor.Service
	Retrieve *retrieve.Service
	Exchange *exchange.Service
	OAuth    *oauth.Server
	Publish  *publish.Service
	Ask      *ask.Service
	Source   *source.Service
	Drift    *drift.Service
}

// Operations is the complete list, in the order of the manual.
func Operations(s Services) []op.Operation {
	return slices.Concat(
		s.Retrieve.Operations(),
		s.Retrieve.Compare(s.Topic.Operations()),
		s.Evidence.Operations(),
		s.Doctor.Operations(),
		s.Drift.Operations(),
		s.Source.Operations(),
		s.Publish.Operations(),
		notice.Operations(),
		s.Ask.Operations(),
		s.Label.Operations(),
		s.Exchange.Operations(),
		s.Account.Operations(),
		s.OAuth.Operations(),
	)
}

// PublicOperations is the complete list of what anybody may do, without a credential. Their tools stand at an endpoint of their own.
func PublicOperations(s Services) []op.Operation { return s.Publish.PublicOperations() }

// Entry is an operation in catalog.json: all that a client without the code needs to offer it.
type Entry struct {
	ID          string             `json:"id"`
	Tool        string             `json:"tool,omitempty"`
	Action      string             `json:"action,omitempty"`
	Title       string             `json:"title"`
	Doc         string             `json:"doc"`
	Scope       string             `json:"scope,omitempty"`
	Role        string             `json:"role,omitempty"`
	Public      bool               `json:"public,omitempty"`
	Human       bool               `json:"human,omitempty"`
	ReadOnly    bool               `json:"read_only"`
	Idempotent  bool               `json:"idempotent"`
	Destructive bool               `json:"destructive"`
	Core        bool               `json:"core,omitempty"`
	Method      string             `json:"method"`
	Path        string             `json:"path"`
	CLI         string             `json:"cli,omitempty"`
	Input       *jsonschema.Schema `json:"input"`
}

// Entries describes all operations.
func Entries() []Entry {
	var out []Entry
	for _, o := range slices.Concat(Operations(Services{}), PublicOperations(Services{})) {
		out = append(out, Entry{
			ID: o.ID, Tool: o.Tool, Action: o.Action, Title: o.Title, Doc: o.Doc, Scope: string(o.Scope), Role: string(o.Role),
			Public: o.Public, Human: o.Human, ReadOnly: o.Effect.Has(op.Reads), Idempotent: o.Effect.Has(op.Reads) || o.Effect.Has(op.Idempotent),
			Destructive: o.Effect.Has(op.Destroys), Core: o.Core, Method: o.Method(), Path: o.Path(), CLI: o.CLI, Input: o.Input,
		})
	}
	return out
}

// JSON is catalog.json.
func JSON() ([]byte, error) { return indented(map[string]any{"operations": Entries()}) }

func indented(v any) ([]byte, error) {
	raw, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encode a generated file: %w", err)
	}
	return append(raw, '\n'), nil
}
