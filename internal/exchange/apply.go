package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"driftless/internal/anchor"
	"driftless/internal/event"
	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// BatchMax is how many drafts, and how many lists of relations, one call takes.
const BatchMax = 100

type applyIn struct {
	Origin string  `json:"origin,omitempty" jsonschema:"name of the tree that the keys are relative to, such as host/org/repository"`
	Drafts []draft `json:"drafts,omitempty" jsonschema:"what the files say; at most 100"`
	Links  []links `json:"links,omitempty" jsonschema:"relations of drafts that were imported before, by key; at most 100"`
	DryRun bool    `json:"dry_run,omitempty" jsonschema:"say what would happen, and write nothing"`
}

// draft is what a file, or a part of one, says. Its relations follow as [links] when both ends are there.
type draft struct {
	Key            string   `json:"key" jsonschema:"identity over time: the path, and # with the heading for a part"`
	Slug           string   `json:"slug,omitempty" jsonschema:"wished slug; the slug itself when exported"`
	Title          string   `json:"title" jsonschema:"short name"`
	What           string   `json:"what,omitempty" jsonschema:"one sentence"`
	How            string   `json:"how,omitempty" jsonschema:"mechanism"`
	Content        string   `json:"content,omitempty" jsonschema:"Markdown"`
	Decisions      []string `json:"decisions,omitempty" jsonschema:"decided"`
	Gotchas        []string `json:"gotchas,omitempty" jsonschema:"pitfalls"`
	Invariants     []string `json:"invariants,omitempty" jsonschema:"must hold"`
	RequiredChecks []string `json:"required_checks,omitempty" jsonschema:"commands"`
	Anchors        []string `json:"anchors,omitempty" jsonschema:"globs, files, path#Symbol"`
	Tags           []string `json:"tags,omitempty" jsonschema:"tags"`
	Area           string   `json:"area,omitempty" jsonschema:"area; made when there is none of the name"`
	Sources        []string `json:"sources,omitempty" jsonschema:"where it came from"`
	Solutions      []any    `json:"solutions,omitempty" jsonschema:"what to do, by environment"`
	Alternatives   []any    `json:"alternatives,omitempty" jsonschema:"as solutions"`
	ReviewBy       string   `json:"review_by,omitempty" jsonschema:"date"`
	Exported       bool     `json:"exported,omitempty" jsonschema:"the slug is that of the topic the file was exported from"`
}

type links struct {
	Key       string          `json:"key" jsonschema:"key of a draft"`
	Relations []relation.Edge `json:"relations" jsonschema:"all relations that the file names; to is a key or a slug"`
}

// Result is what happened to one draft.
type Result struct {
	Key    string   `json:"key"`
	Slug   string   `json:"slug,omitempty"`
	Action string   `json:"action"` // created, updated, suggested, unchanged or failed
	Error  string   `json:"error,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// Report is what happened to a batch, in its order.
type Report struct {
	Results []Result       `json:"results"`
	Counts  map[string]int `json:"counts"`
	DryRun  bool           `json:"dry_run,omitempty"`
}

const failed = "failed"

func (s *Service) applyOp() op.Operation {
	return op.Write(op.Spec{
		ID: "imports.apply", Title: "Import drafts",
		Doc: "Take what files say: new drafts, changes to drafts and notes at once, suggested edits to Knowledge. A draft that is refused " +
			`loses no other, and importing the same again changes nothing. Changing what is there needs the scope topics:write too. Example: {"origin":"acme/billing","drafts":[{"key":"docs/adr/1.md","title":"Use a queue"}]}`,
		ScreensItself: true,
		Scope:         tenant.TopicsCreate, Role: tenant.Member, Effect: op.Idempotent, REST: "POST /imports", CLI: "import",
		Rules: op.Rules{
			"origin": op.Length(0, 200), "drafts": op.Items(0, BatchMax), "links": op.Items(0, BatchMax),
			"drafts[].key": op.Length(1, 1000), "links[].key": op.Length(1, 1000),
		},
	}, s.apply)
}

// errDry ends a dry run: everything was done and is undone.
var errDry = errors.New("dry run")

func (s *Service) apply(_ context.Context, tx *pg.Tx, in applyIn) (Report, error) {
	// What was imported before is read behind those who import now, so that the same tree twice at once makes its topics once.
	if err := event.Lock(tx); err != nil {
		return Report{}, err
	}
	r := Report{Results: []Result{}, Counts: map[string]int{}, DryRun: in.DryRun}
	err := tx.Savepoint(func(tx *pg.Tx) error {
		if err := s.batch(tx, in, &r); err != nil {
			return err
		}
		if in.DryRun {
			return errDry
		}
		return nil
	})
	if err != nil && !errors.Is(err, errDry) {
		return Report{}, err
	}
	for _, action := range []string{string(topic.ImportCreated), string(topic.ImportUpdated), string(topic.ImportSuggested), string(topic.ImportUnchanged), failed} {
		r.Counts[action] = 0
	}
	for _, one := range r.Results {
		r.Counts[one.Action]++
	}
	return r, nil
}

func (s *Service) batch(tx *pg.Tx, in applyIn, r *Report) error {
	keys := make([]string, 0, len(in.Drafts))
	for _, d := range in.Drafts {
		keys = append(keys, d.Key)
	}
	known, err := remembered(tx, in.Origin, keys)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, d := range in.Drafts {
		err := r.one(tx, d.Key, func(tx *pg.Tx) (Result, error) {
			if seen[d.Key] {
				return Result{}, fault.Fieldf("drafts", "%s is there twice", d.Key)
			}
			seen[d.Key] = true
			return s.draft(tx, in.Origin, d, known[d.Key])
		})
		if err != nil {
			return err
		}
	}
	if known, err = remembered(tx, in.Origin, keysOf(in.Links)); err != nil {
		return err
	}
	for _, l := range in.Links {
		err := r.one(tx, l.Key, func(tx *pg.Tx) (Result, error) { return s.link(tx, in.Origin, l, known) })
		if err != nil {
			return err
		}
	}
	return nil
}

// keysOf are the keys that relations begin and end at.
func keysOf(list []links) []string {
	var out []string
	for _, l := range list {
		out = append(out, l.Key)
		for _, e := range l.Relations {
			if isKey(e.To) {
				out = append(out, e.To)
			}
		}
	}
	return out
}

// isKey tells a key from a slug: a slug holds neither a dot nor a slash.
func isKey(to string) bool { return strings.ContainsAny(to, "./") }

// one runs the import of one draft so that its refusal undoes its own writes alone. Errors that are not refusals end the
// batch: trying the next draft would not help.
func (r *Report) one(tx *pg.Tx, key string, do func(*pg.Tx) (Result, error)) error {
	var out Result
	err := tx.Savepoint(func(tx *pg.Tx) error {
		var err error
		out, err = do(tx)
		return err
	})
	var refusal *fault.Error
	switch {
	case err == nil:
	case errors.As(err, &refusal) && refusal.Kind != fault.Internal && refusal.Kind != fault.Unavailable && refusal.Kind != fault.Scope:
		out = Result{Action: failed, Error: refusal.Message}
	default:
		return fmt.Errorf("import %s: %w", key, err)
	}
	out.Key = key
	r.Results = append(r.Results, out)
	return nil
}

func (s *Service) draft(tx *pg.Tx, origin string, d draft, before *source) (Result, error) {
	c, notes, err := contentOf(tx, d)
	if err != nil {
		return Result{}, err
	}
	in := topic.Incoming{Slug: d.Slug, Fixed: d.Exported, Content: c}
	switch {
	case before != nil && before.Slug == "":
		return Result{Action: string(topic.ImportUnchanged), Notes: []string{"its topic is in the trash, or private to somebody; it stays as it is"}}, nil
	case before != nil:
		in.Topic, in.Base = before.Slug, &before.Content
		in.Content.Relations = before.Content.Relations
	case d.Exported:
		t, ok, err := relation.Find(tx, d.Slug)
		if err != nil {
			return Result{}, err
		}
		if ok {
			in.Topic = t.Slug
		}
	}
	return s.write(tx, origin, d.Key, in, notes)
}

// write imports and remembers what the file said.
func (s *Service) write(tx *pg.Tx, origin, key string, in topic.Incoming, notes []string) (Result, error) {
	done, err := s.topics.Import(tx, in)
	if err != nil {
		return Result{}, err
	}
	if in.Base == nil || len(topic.Diff(*in.Base, done.Content)) > 0 {
		if err := remember(tx, origin, key, done.ID, done.Content); err != nil {
			return Result{}, err
		}
	}
	return Result{Slug: done.Slug, Action: string(done.Action), Notes: slices.Concat(notes, done.Notes)}, nil
}

// link brings the relations of a draft into line with its file. Those that people made beside them stay.
func (s *Service) link(tx *pg.Tx, origin string, l links, known map[string]*source) (Result, error) {
	before := known[l.Key]
	if before == nil {
		return Result{}, fault.Fieldf("links", "%s was not imported", l.Key)
	}
	if before.Slug == "" || len(l.Relations) == 0 && len(before.Content.Relations) == 0 {
		return Result{Slug: before.Slug, Action: string(topic.ImportUnchanged)}, nil
	}
	c, notes := before.Content, []string(nil)
	c.Relations = nil
	for _, e := range l.Relations {
		if isKey(e.To) {
			target := known[e.To]
			if target == nil || target.Slug == "" {
				notes = append(notes, fmt.Sprintf("the relation %s %s is left out until that file is imported", e.Type, e.To))
				continue
			}
			e.To = target.Slug
		}
		c.Relations = append(c.Relations, e)
	}
	return s.write(tx, origin, l.Key, topic.Incoming{Topic: before.Slug, Base: &before.Content, Content: c}, notes)
}

// contentOf is a draft as the content of a topic. What would refuse the whole draft for a detail is left out and noted.
func contentOf(tx *pg.Tx, d draft) (c topic.Content, notes []string, err error) {
	c = topic.Content{
		Title: d.Title, What: d.What, How: d.How, Text: d.Content, Decisions: d.Decisions, Gotchas: d.Gotchas,
		Invariants: d.Invariants, RequiredChecks: d.RequiredChecks, Tags: d.Tags, Sources: d.Sources, ReviewBy: d.ReviewBy,
	}
	for _, text := range d.Anchors {
		if _, err := anchor.Parse(text); err != nil {
			notes = append(notes, fmt.Sprintf("the anchor %q is left out: %v", text, err))
			continue
		}
		c.Anchors = append(c.Anchors, text)
	}
	if d.Area != "" {
		switch c.Area, err = label.EnsureArea(tx, d.Area); {
		case fault.Is(err, fault.CodeValidation):
			notes = append(notes, fmt.Sprintf("the area is left out: %v", err))
		case err != nil:
			return c, nil, err
		}
	}
	if c.Solutions, err = solutions("solutions", d.Solutions); err != nil {
		return c, nil, err
	}
	c.Alternatives, err = solutions("alternatives", d.Alternatives)
	return c, notes, err
}

func solutions(field string, list []any) ([]evidence.Solution, error) {
	if len(list) == 0 {
		return []evidence.Solution(nil), nil
	}
	raw, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encode solutions: %w", err)
	}
	var out []evidence.Solution
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fault.Fieldf(field, "not of the shape {id, env, fix, verify, boundaries}")
	}
	return out, nil
}
