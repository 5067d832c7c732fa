package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"

	"driftless/docs"
	"driftless/internal/exchange/parse"
	"driftless/internal/op"
	"driftless/internal/tenant"
)

// fillDemo brings this product's own decisions into the demo workspace, through the operations that anybody uses, and leaves
// them in every state: most as Knowledge, some waiting in the queue, drafts, one sent back, one archived, one in the trash, one
// private, and an edit to Knowledge. A workspace that has topics already is left alone.
func fillDemo(ctx context.Context, a *App, people map[tenant.Role]tenant.Caller) error {
	d := demo{ctx: ctx, registry: a.Registry, people: people}
	var page struct {
		Shown int `json:"shown"`
	}
	d.read(&page, tenant.Owner, "topics.list", map[string]any{"limit": 1})
	if d.err != nil || page.Shown > 0 {
		return d.err
	}
	for _, area := range []struct{ name, about string }{
		{"Kernel", "How an operation becomes a tool, a route and a command."},
		{"Database", "The doors, the policies and what surprised us in them."},
		{"Governance", "How a note becomes Knowledge, and who decides."},
		{"Retrieval", "Finding the right topic in few tokens."},
		{"Access", "Sign-in, tokens and the endpoint for clients."},
		{"Console", "Where people decide."},
		{"Operations", "Running, importing, measuring."},
	} {
		d.do(tenant.Owner, "areas.create", map[string]any{"name": area.name, "description": area.about})
	}
	slugs, err := d.importDecisions()
	if err != nil {
		return err
	}
	d.spread(slugs)
	d.leaveTraces(slugs)
	return d.err
}

// demo runs operations as the people of the demo workspace and stops at the first that fails.
type demo struct {
	ctx      context.Context
	registry *op.Registry
	people   map[tenant.Role]tenant.Caller
	err      error
}

func (d *demo) do(role tenant.Role, id string, args map[string]any) { d.read(nil, role, id, args) }

func (d *demo) read(into any, role tenant.Role, id string, args map[string]any) {
	if d.err != nil {
		return
	}
	raw, err := json.Marshal(args)
	if err == nil {
		args, err = op.Arguments(raw)
	}
	var result op.Result
	if err == nil {
		result, err = d.registry.Call(d.ctx, d.people[role], op.Call{Operation: d.registry.Operation(id), Arguments: args})
	}
	if err == nil && into != nil {
		err = json.Unmarshal(result.JSON, into)
	}
	if err != nil {
		d.err = fmt.Errorf("%s: %w", id, err)
	}
}

// importDecisions imports the records of docs/decisions under the keys they have in the repository, so that importing the
// repository itself later finds them again. It answers their slugs in the order of their numbers.
func (d *demo) importDecisions() ([]string, error) {
	entries, err := fs.ReadDir(docs.Files, "decisions")
	if err != nil {
		return nil, fmt.Errorf("read the decisions: %w", err)
	}
	var drafts, links []map[string]any
	for _, entry := range entries {
		if path.Ext(entry.Name()) != ".md" {
			continue
		}
		raw, err := fs.ReadFile(docs.Files, "decisions/"+entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read a decision: %w", err)
		}
		found, err := parse.File("docs/decisions/"+entry.Name(), raw)
		if err != nil {
			return nil, fmt.Errorf("parse %s: %w", entry.Name(), err)
		}
		for _, draft := range found {
			drafts = append(drafts, draft.Wire())
			if len(draft.Relations) > 0 {
				links = append(links, draft.WireRelations())
			}
		}
	}
	var report struct {
		Results []struct {
			Key, Slug, Action, Error string
		} `json:"results"`
	}
	d.read(&report, tenant.Member, "imports.apply", map[string]any{"drafts": drafts})
	d.do(tenant.Member, "imports.apply", map[string]any{"links": links})
	var slugs []string
	for _, r := range report.Results {
		if r.Action == "failed" {
			return nil, fmt.Errorf("import %s: %s", r.Key, r.Error)
		}
		slugs = append(slugs, r.Slug)
	}
	return slugs, d.err
}

// spread puts the topics into the states of the machine.
func (d *demo) spread(slugs []string) {
	for i, slug := range slugs {
		topic := map[string]any{"topic": slug}
		switch {
		case i%12 == 11: // stays a draft
		case i%6 == 5:
			d.do(tenant.Member, "topics.propose", map[string]any{"topic": slug, "message": "Written down while building it; please check the wording."})
		default:
			d.do(tenant.Member, "topics.propose", topic)
			d.do(tenant.Owner, "topics.approve", topic)
		}
	}
}

// leaveTraces adds what a team leaves behind: a note sent back, one that needs changes, something archived, something thrown
// away, a private finding, and an edit that waits.
func (d *demo) leaveTraces(slugs []string) {
	d.do(tenant.Member, "topics.create", map[string]any{
		"title": "Cache every answer for a minute", "what": "Answers could be cached per workspace to save database time.",
		"area": "Retrieval", "tags": []string{"performance", "idea"},
		"decisions": []string{"Keep answers of retrieve in memory for sixty seconds."},
	})
	d.do(tenant.Owner, "topics.reject", map[string]any{
		"topic":  "cache-every-answer-for-a-minute",
		"reason": "An author must find a note the moment it is written, on every process. See [[a-sequence-tells-what-is-new]].",
	})
	d.do(tenant.Member, "topics.create", map[string]any{
		"title": "Run the checks before a release", "what": "A release is cut only from a tree on which every check passes.",
		"area": "Operations", "tags": []string{"release"}, "required_checks": []string{"make test"}, "anchors": []string{"Makefile", ".ci/run"},
	})
	d.do(tenant.Admin, "topics.reject", map[string]any{
		"topic": "run-the-checks-before-a-release", "request_changes": true,
		"reason": "Say who cuts the release and where the tag goes.",
	})
	for _, old := range []string{"Poll for new events every second", "Notes about the first sketch"} {
		d.do(tenant.Admin, "topics.create", map[string]any{"title": old, "what": "Kept for the record of how it began.", "tags": []string{"history"}})
	}
	d.do(tenant.Admin, "topics.archive", map[string]any{"topic": "poll-for-new-events-every-second"})
	d.do(tenant.Admin, "topics.delete", map[string]any{"topic": "notes-about-the-first-sketch"})
	d.do(tenant.Member, "notes.add", map[string]any{
		"content": "The private database logs `stopping` twice when the terminal sends the interrupt to both processes.\n\nHarmless, but it looks like a crash.",
		"anchors": []string{"internal/pg/local/**"},
	})
	if len(slugs) > 0 {
		d.do(tenant.Member, "topics.update", map[string]any{
			"topic": slugs[0], "append_gotchas": []string{"A spec without a scope does not start: the list panics, and the test of the catalogue runs into it."},
			"summary": "Name what happens when the scope is forgotten",
		})
	}
}
