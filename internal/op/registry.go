package op

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Tool is one or more operations under one MCP tool name.
type Tool struct {
	Name       string
	Operations []*Operation
}

// Registry is the complete list of operations and the pipeline that runs them.
type Registry struct {
	db      *pg.DB
	ops     []Operation
	byID    map[string]*Operation
	tools   map[string]*Tool
	observe func(Observation)
	budget  func(tenant.Actor) error
}

// Option changes how a [Registry] runs operations.
type Option func(*Registry)

// WithBudget sets what is asked before a call happens in a workspace: with an error it does not. The default allows every one.
func WithBudget(budget func(tenant.Actor) error) Option {
	return func(r *Registry) { r.budget = budget }
}

// Observation is what the pipeline tells about one finished call. It carries ids and no text.
type Observation struct {
	Operation string
	Via       tenant.Via
	Code      fault.Code // empty for success
	Took      time.Duration
	// Person and Credential are who called and with which key or grant, Workspace where. A console session has no credential;
	// a call outside of any workspace, or refused before one was chosen, has no workspace.
	Person     uuid.UUID
	Credential uuid.UUID
	Workspace  uuid.UUID
	RequestID  string
}

// NewRegistry puts operations behind one pipeline. observe may be nil. Without a database the registry still describes
// its operations, and the catalogue is generated from such a one.
func NewRegistry(db *pg.DB, ops []Operation, observe func(Observation), options ...Option) (*Registry, error) {
	r := &Registry{
		db: db, ops: ops, byID: map[string]*Operation{}, tools: map[string]*Tool{}, observe: observe,
		budget: func(tenant.Actor) error { return nil },
	}
	for _, option := range options {
		option(r)
	}
	for i := range r.ops {
		o := &r.ops[i]
		if r.byID[o.ID] != nil {
			return nil, fmt.Errorf("two operations are called %s", o.ID)
		}
		r.byID[o.ID] = o
		if o.Tool == "" {
			continue
		}
		if r.tools[o.Tool] == nil {
			r.tools[o.Tool] = &Tool{Name: o.Tool}
		}
		r.tools[o.Tool].Operations = append(r.tools[o.Tool].Operations, o)
	}
	for _, o := range r.ops {
		if o.PatchForm != "" && r.byID[o.PatchForm] == nil {
			return nil, fmt.Errorf("the patch behind %s is %s, which is not there", o.ID, o.PatchForm)
		}
	}
	for _, t := range r.tools {
		for _, o := range t.Operations {
			if (o.Action == "") != (len(t.Operations) == 1) {
				return nil, fmt.Errorf("tool %s: each of several operations needs an action", t.Name)
			}
		}
	}
	return r, nil
}

// Operations lists all operations in their order.
func (r *Registry) Operations() []Operation { return r.ops }

// Operation finds one by its id, or answers nil.
func (r *Registry) Operation(id string) *Operation { return r.byID[id] }

// Tools lists the tools by name.
func (r *Registry) Tools() []*Tool {
	out := make([]*Tool, 0, len(r.tools))
	for _, name := range slices.Sorted(maps.Keys(r.tools)) {
		out = append(out, r.tools[name])
	}
	return out
}

// Tool finds a tool by name, or answers nil.
func (r *Registry) Tool(name string) *Tool { return r.tools[name] }

// Pick takes the action out of the arguments of a tool and finds the operation it names.
func (t *Tool) Pick(args map[string]any) (*Operation, error) {
	if len(t.Operations) == 1 {
		return t.Operations[0], nil
	}
	words := make([]string, 0, len(t.Operations))
	action, given := args["action"].(string)
	for _, o := range t.Operations {
		if given && o.Action == action {
			delete(args, "action")
			return o, nil
		}
		words = append(words, o.Action)
	}
	if !given {
		return nil, fault.Fields([]fault.Field{{Path: "action", Problem: "required", Allowed: words}})
	}
	return nil, fault.Choice("action", action, words)
}

// Allows reports whether the caller's scopes and best role could let any operation of the tool run.
func (t *Tool) Allows(c tenant.Caller) bool {
	return slices.ContainsFunc(t.Operations, func(o *Operation) bool {
		return c.HasScope(o.Scope) && c.HighestRole().AtLeast(o.Role)
	})
}

// InputSchema is the schema of the tool as a model reads it: that of its one operation, or the fields of all with the action
// that picks one.
func (t *Tool) InputSchema() *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	if len(t.Operations) == 1 {
		in := t.Operations[0].Input
		maps.Copy(out.Properties, in.Properties)
		out.Required = in.Required
	} else {
		action := &jsonschema.Schema{Type: "string", Description: "what to do"}
		for _, o := range t.Operations {
			action.Enum = append(action.Enum, o.Action)
			maps.Copy(out.Properties, o.Input.Properties)
		}
		out.Properties["action"] = action
		out.Required = []string{"action"}
	}
	out.Properties["workspace"] = &jsonschema.Schema{Type: "string", Description: "slug"}
	return Shown(out, t.Operations[0].Hidden...)
}

// OutputSchema describes the answer: that of the one operation, or all fields that any of them may answer.
func (t *Tool) OutputSchema() *jsonschema.Schema {
	if len(t.Operations) == 1 {
		return t.Operations[0].Output
	}
	out := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, o := range t.Operations {
		maps.Copy(out.Properties, o.Output.Properties)
	}
	return out
}

// Call is one call of an operation by a caller.
type Call struct {
	Operation *Operation
	// Workspace is the slug the caller named; empty means the only one within the grant.
	Workspace string
	Arguments map[string]any
	// Key is the client's name for this one write; sent again, it answers and does nothing. Empty means none.
	Key string
	// Limit is the largest encoded answer in bytes; 0 means no limit.
	Limit int
}

// named is the workspace that a next step has to name as this call did: none where the caller reaches only one, or outside any.
func (c Call) named(caller tenant.Caller) string {
	if !c.Operation.InWorkspace() || len(caller.Memberships) < 2 {
		return ""
	}
	return c.Workspace
}

// Result is an encoded answer together with the address of the value it was encoded from.
type Result struct {
	JSON  json.RawMessage
	Value any
}

// Call runs the pipeline. Every error is a *fault.Error.
func (r *Registry) Call(ctx context.Context, caller tenant.Caller, call Call) (Result, error) {
	begin := time.Now()
	actor, value, notes, err := r.run(ctx, caller, call)
	var out Result
	if err == nil {
		out, err = encode(value, notes, call.Limit, call.named(caller))
	}
	var known *fault.Error
	if err != nil && !errors.As(err, &known) {
		known = fault.From(err)
	}
	if r.observe != nil {
		o := Observation{
			Operation: call.Operation.ID, Via: caller.Via, Took: time.Since(begin),
			Person: caller.Person, Credential: caller.Credential, Workspace: actor.Workspace, RequestID: caller.RequestID,
		}
		if known != nil {
			o.Code = known.Code
		}
		r.observe(o)
	}
	if known != nil {
		return Result{}, known
	}
	return out, nil
}

// run answers where the call happened too, as far as it got.
func (r *Registry) run(ctx context.Context, caller tenant.Caller, call Call) (actor tenant.Actor, value any, notes []string, err error) {
	o := call.Operation
	if o.Public {
		// Whatever came with the request is nobody's credential here.
		caller = tenant.Caller{Via: caller.Via, RequestID: caller.RequestID}
		actor = tenant.Actor{Caller: caller, Slug: call.Workspace}
		value, notes, err = r.perform(ctx, caller, actor, call)
		return actor, value, notes, err
	}
	if !caller.HasScope(o.Scope) {
		return actor, nil, nil, MissingScope(o.Scope)
	}
	if o.InWorkspace() {
		m, err := choose(caller, call.Workspace)
		if err != nil {
			return actor, nil, nil, err
		}
		actor = caller.In(m)
		if err := r.budget(actor); err != nil {
			return actor, nil, nil, err
		}
		if err := o.admit(actor); err != nil {
			return actor, nil, nil, err
		}
	}
	value, notes, err = r.perform(ctx, caller, actor, call)
	return actor, value, notes, err
}

// perform runs an operation that the caller may call: checks the input, and hands it to the handler behind its door.
func (r *Registry) perform(ctx context.Context, caller tenant.Caller, actor tenant.Actor, call Call) (any, []string, error) {
	o := call.Operation
	if err := checkKey(call.Key); err != nil {
		return nil, nil, err
	}
	notes, err := validate(o.Input, call.Arguments)
	if err != nil {
		return nil, nil, err
	}
	if o.Effect.Has(Writes) && !o.ScreensItself && call.Arguments["allow_secrets"] != true {
		if err := refuseSecrets(call.Arguments, ""); err != nil {
			return nil, nil, err
		}
	}
	raw, err := Marshal(call.Arguments)
	if err != nil {
		return nil, nil, err
	}
	var value any
	switch {
	case o.global != nil:
		value, err = o.global(ctx, caller, raw)
	case o.query != nil:
		value, err = o.query(ctx, actor, raw)
	case o.public != nil:
		value, err = o.public(ctx, actor, raw)
	default:
		mode := pg.ReadWrite
		if o.Effect.Has(Reads) {
			mode = pg.ReadOnly
		}
		err = r.db.Workspace(ctx, actor, mode, func(tx *pg.Tx) error {
			// The role may have changed since the credential was read; inside the transaction it cannot.
			if err := o.admit(tx.Actor()); err != nil {
				return err
			}
			var err error
			if call.Key != "" && mode == pg.ReadWrite {
				value, err = o.once(ctx, tx, call.Key, raw)
			} else {
				value, err = o.write(ctx, tx, raw)
			}
			return err
		})
	}
	if err == nil && o.after != nil {
		o.after(ctx, actor, value)
	}
	return value, notes, err
}

// admit checks that a person stands behind the call where one must, and that the role is enough.
func (o Operation) admit(a tenant.Actor) error {
	if o.Human && a.Service {
		return MissingHuman()
	}
	if !a.Role.AtLeast(o.Role) {
		return InsufficientRole(a.Role, o.Role)
	}
	return nil
}

// MissingHuman is the refusal of a service account where a person must decide.
func MissingHuman() *fault.Error {
	return fault.New(fault.Forbidden, fault.CodeMissingHumanIdentity, "a service account cannot do this: a person must decide",
		"sign in as an owner or admin and repeat it")
}

// InsufficientRole is the refusal of a role, with the one that is needed.
func InsufficientRole(has, needs tenant.Role) *fault.Error {
	e := fault.New(fault.Forbidden, fault.CodeInsufficientRole, fmt.Sprintf("this needs the role %s; you are %s here", needs, has),
		"ask an owner or admin of the workspace")
	for _, r := range tenant.Roles() {
		if r.AtLeast(needs) {
			e.Allowed = append(e.Allowed, string(r))
		}
	}
	return e
}

// ConsoleOnly is the refusal of what only a person in the console may do.
func ConsoleOnly(what string) *fault.Error {
	return fault.New(fault.Forbidden, fault.CodePolicyForbids, what+" is done by a person in the console, not with a token or key",
		"sign in to the console and repeat it there")
}

// NoApplication refuses the access token of an application what decides who, or which application, gets into a workspace: text that
// an agent reads must not be able to let anybody in.
func NoApplication(a tenant.Actor, what string) error {
	if !a.OAuth {
		return nil
	}
	return fault.New(fault.Forbidden, fault.CodePolicyForbids, what+" is not done with the access token of an application",
		"do it in the console, or with an API key of your own")
}

// MissingScope is the refusal of a credential, with the scope it lacks.
func MissingScope(s tenant.Scope) *fault.Error {
	e := fault.New(fault.Scope, fault.CodeInsufficientScope, fmt.Sprintf("this credential lacks the scope %s", s),
		"authorize again with this scope, or use a key that has it")
	e.Allowed = []string{string(s)}
	return e
}

// choose resolves the workspace: by name within the grant, or the only one there is. A foreign and a missing workspace
// get the same answer.
func choose(c tenant.Caller, slug string) (tenant.Membership, error) {
	if slug != "" {
		m, ok := c.Membership(slug)
		if !ok {
			return m, fault.Missing("workspace", slug)
		}
		return m, nil
	}
	if len(c.Memberships) == 1 {
		return c.Memberships[0], nil
	}
	words := make([]string, 0, len(c.Memberships))
	for _, m := range c.Memberships {
		words = append(words, m.Slug)
	}
	return tenant.Membership{}, fault.Fields([]fault.Field{{
		Path:    "workspace",
		Problem: fmt.Sprintf("this credential reaches %d workspaces; name one", len(words)), Allowed: words,
	}})
}

// encode is the answer as JSON of at most limit bytes. Where a workspace is given, the next steps in it name that one.
func encode(value any, notes []string, limit int, workspace string) (Result, error) {
	if f, ok := value.(fitter); ok && limit > 0 {
		if err := f.Fit(limit - roomFor(workspace)); err != nil {
			return Result{}, err
		}
	}
	// What encodes itself is not encoded again, which would read and copy all of it.
	encode := func() ([]byte, error) { return Marshal(value) }
	if self, does := value.(json.Marshaler); does {
		encode = self.MarshalJSON
	}
	raw, err := encode()
	if err != nil {
		return Result{}, fmt.Errorf("encode the answer: %w", err)
	}
	if workspace != "" {
		if raw, err = address(raw, workspace); err != nil {
			return Result{}, fmt.Errorf("address the next step: %w", err)
		}
	}
	if len(notes) > 0 && len(raw) > 2 {
		extra, err := Marshal(notes)
		if err != nil {
			return Result{}, err
		}
		raw = append(append(append([]byte(`{"notes":`), extra...), ','), raw[1:]...)
	}
	raw, err = Shrink(raw, limit)
	return Result{JSON: raw, Value: value}, err
}
