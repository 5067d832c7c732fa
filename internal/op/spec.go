package op

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Effect is what calling an operation does to the world.
type Effect uint8

// The effects combine: Writes|Idempotent, Writes|Destroys. Reads stands alone or with Idempotent implied.
const (
	Reads Effect = 1 << iota
	Writes
	Idempotent
	Destroys
)

// Has reports whether e includes f.
func (e Effect) Has(f Effect) bool { return e&f == f }

// Spec is an operation in words and rules.
type Spec struct {
	// Tool is the name of the MCP tool. Several operations may share one tool; then each has its own Action.
	// Empty where the operation has no tool of its own.
	Tool string
	// Action is the value of the required argument "action" that picks this operation within its tool.
	Action string
	// ID names the operation in OpenAPI, in events and in logs, e.g. "topics.propose".
	ID string
	// Title is a few words for people.
	Title string
	// Doc is what a model and a person read: what it does, when to use it, one worked example.
	Doc string
	// Scope is what the credential must carry, Role what the person must be at least, in this workspace, now.
	Scope tenant.Scope
	Role  tenant.Role
	// Public is for anybody: it needs no credential, and so neither scope nor role. [Public] sets it.
	Public bool
	// Human refuses service accounts: a person must stand behind the credential.
	Human bool
	// Effect says whether it reads or writes; the transaction follows it.
	Effect Effect
	// REST is method and path. A path that does not begin with /api/ lies below /api/v1/workspaces/{workspace}.
	REST string
	// Created makes the REST answer 201.
	Created bool
	// PatchForm is the id of the operation that takes a PATCH of this route in one of the standard forms, as steps.
	PatchForm string
	// CLI is the command with its positional arguments, e.g. "context propose <topic>".
	CLI string
	// Core puts the tool into the toolset "core".
	Core bool
	// Hidden are fields that a model is not shown: other names of a field, and what the console alone sends.
	Hidden []string
	// ScreensItself is for operations that take many texts and refuse each on its own; all others that write refuse an input
	// with a secret in it as a whole.
	ScreensItself bool
	// Body is the largest body over REST in bytes, where it is more than any operation may take.
	Body int64
	// Rules bound the input, by field name; "tags[]" means each element of tags.
	Rules Rules
}

// Method is the HTTP method of the route.
func (s Spec) Method() string { m, _, _ := strings.Cut(s.REST, " "); return m }

// Path is the whole path of the route, with {parameters}.
func (s Spec) Path() string {
	_, path, _ := strings.Cut(s.REST, " ")
	if path == "" || strings.HasPrefix(path, "/api/") {
		return path
	}
	return "/api/v1/workspaces/{workspace}" + path
}

// InWorkspace reports whether calls of this operation happen in one workspace.
func (o Operation) InWorkspace() bool { return o.global == nil }

// InBatches reports whether the operation was made by [Query]: what it answers comes out of batches.
func (o Operation) InBatches() bool { return o.query != nil }

// Operation is a Spec bound to its behaviour, with its types erased.
type Operation struct {
	Spec
	// Input and Output are JSON Schema 2020-12 objects. Input does not contain the workspace or the action.
	Input  *jsonschema.Schema
	Output *jsonschema.Schema

	write  func(context.Context, *pg.Tx, json.RawMessage) (any, error)
	query  func(context.Context, tenant.Actor, json.RawMessage) (any, error)
	global func(context.Context, tenant.Caller, json.RawMessage) (any, error)
	public func(context.Context, tenant.Actor, json.RawMessage) (any, error)
	// reread turns an encoded answer back into its value.
	reread func(json.RawMessage) (any, error)
	// after completes the answer of a write.
	after func(context.Context, tenant.Actor, any)
}

// After is the operation with an answer that is completed once its transaction is committed, with what a part above it knows:
// complete gets the address of the answer. The write is done by then, so it cannot fail, and no lock is held while it looks.
func (o Operation) After(complete func(ctx context.Context, a tenant.Actor, answer any)) Operation {
	o.after = complete
	return o
}

// Write makes an operation whose handler runs in one read-write transaction of the workspace.
func Write[In, Out any](spec Spec, handler func(context.Context, *pg.Tx, In) (Out, error)) Operation {
	o := define[In, Out](spec, Writes)
	o.write = erase(handler)
	o.reread = func(raw json.RawMessage) (any, error) {
		out, err := decode[Out](raw)
		return &out, err
	}
	return o
}

// Read makes an operation whose handler runs in one read-only transaction of the workspace: a write in it is refused by
// the database.
func Read[In, Out any](spec Spec, handler func(context.Context, *pg.Tx, In) (Out, error)) Operation {
	o := define[In, Out](spec, Reads)
	o.write = erase(handler)
	return o
}

// Query makes a reading operation that opens its own batches through [pg.DB.Read]: the form for hot reads.
func Query[In, Out any](spec Spec, handler func(context.Context, tenant.Actor, In) (Out, error)) Operation {
	o := define[In, Out](spec, Reads)
	o.query = erase(handler)
	return o
}

// Global makes a reading operation about the caller, outside any workspace.
func Global[In, Out any](spec Spec, handler func(context.Context, tenant.Caller, In) (Out, error)) Operation {
	o := define[In, Out](spec, Reads)
	o.global = erase(handler)
	return o
}

// Public makes a reading operation for anybody. Its actor has the workspace's slug and nothing else: no person, scope or role. Whether
// anything is open there is the handler's to find out, through [pg.DB.Public].
func Public[In, Out any](spec Spec, handler func(context.Context, tenant.Actor, In) (Out, error)) Operation {
	spec.Public = true
	o := define[In, Out](spec, Reads)
	o.public = erase(handler)
	return o
}

// erase takes the types of input and answer off a handler. With is what it works with: a transaction, or who calls.
func erase[With, In, Out any](handler func(context.Context, With, In) (Out, error)) func(context.Context, With, json.RawMessage) (any, error) {
	return func(ctx context.Context, with With, raw json.RawMessage) (any, error) {
		in, err := decode[In](raw)
		if err != nil {
			return nil, err
		}
		out, err := handler(ctx, with, in)
		return &out, err
	}
}

// define builds the schemas. A mistake in a Spec is a mistake of the programmer in a static list, so it panics, and the
// test of the catalogue runs into it.
func define[In, Out any](spec Spec, effect Effect) Operation {
	spec.Effect |= effect
	if err := spec.check(); err != nil {
		panic(fmt.Sprintf("operation %s: %v", spec.ID, err))
	}
	in, err := inputSchema[In](spec.Rules)
	if err != nil {
		panic(fmt.Sprintf("operation %s: input: %v", spec.ID, err))
	}
	out, err := outputSchema[Out]()
	if err != nil {
		panic(fmt.Sprintf("operation %s: output: %v", spec.ID, err))
	}
	return Operation{Spec: spec, Input: in, Output: out}
}

func (s Spec) check() error {
	switch {
	case s.ID == "" || s.Title == "" || s.Doc == "":
		return fmt.Errorf("an id, a title and a doc are required")
	case s.Public != (s.Scope == "") || s.Public != (s.Role == ""):
		return fmt.Errorf("a scope and a role are required, and none for anybody")
	case s.REST == "":
		return fmt.Errorf("a route is required")
	case s.Effect.Has(Reads) == s.Effect.Has(Writes):
		return fmt.Errorf("it must read or write, not both")
	}
	return nil
}

func decode[T any](raw json.RawMessage) (T, error) {
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		return v, fmt.Errorf("decode what was checked before: %w", err)
	}
	return v, nil
}
