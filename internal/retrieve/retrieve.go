package retrieve

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

type retrieveIn struct {
	Task      string                `json:"task,omitempty" jsonschema:"what you will do"`
	Files     []string              `json:"files,omitempty" jsonschema:"paths"`
	View      string                `json:"view,omitempty" jsonschema:"how much"`
	Limit     int                   `json:"limit,omitempty" jsonschema:"rows"`
	Tags      []string              `json:"tags,omitempty" jsonschema:"any of"`
	Area      string                `json:"area,omitempty" jsonschema:"area"`
	Env       *evidence.Environment `json:"env,omitempty" jsonschema:"{os,runtime}"`
	AsOf      string                `json:"as_of,omitempty" jsonschema:"time or commit"`
	MaxTokens int                   `json:"max_tokens,omitempty" jsonschema:"at most"`
	Explain   bool                  `json:"explain,omitempty" jsonschema:"add the scores"`
	Topic     string                `json:"topic,omitempty" jsonschema:"explain this slug"`
}

// The bounds of an answer in tokens.
const (
	tokensLeast    = 200
	tokensMost     = 12_000
	tokensStandard = 4000
	// envelopeTokens is kept free for what stands around the rows.
	envelopeTokens = 80
)

const (
	// retrieveDepth is how many topics the words of a task may bring in before they are ordered.
	retrieveDepth = 40
	// retrieveLimit is how many rows are shown unless the caller says otherwise.
	retrieveLimit = 10
)

func (s *Service) retrieveOp() op.Operation {
	return op.Query(op.Spec{
		Tool: "driftless_context_retrieve", ID: "context.retrieve", Title: "Retrieve context",
		Doc: "What the team knows about a task and its files; call it before any change. " +
			`Example: {"task":"retry failed invoices","files":["billing/charge.py"]}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, Core: true, Hidden: []string{"topic"}, REST: "POST /retrieve", CLI: "context retrieve <task>",
		Rules: op.Rules{
			"task": op.Length(0, 4000), "files": op.Items(0, 50), "view": topic.ViewRule(topic.Brief), "limit": op.Range(1, 25, retrieveLimit),
			"tags": op.Items(0, label.TagsMax), "max_tokens": op.Range(tokensLeast, tokensMost, tokensStandard), "topic": op.Length(0, 200), "as_of": asOfRule(),
		},
	}, s.retrieve)
}

func (s *Service) retrieve(ctx context.Context, a tenant.Actor, in retrieveIn) (Answer, error) {
	if strings.TrimSpace(in.Task) == "" && len(in.Files) == 0 {
		const problem = "say what you will do in task, name paths in files, or both"
		return Answer{}, fault.Fields([]fault.Field{{Path: "task", Problem: problem}, {Path: "files", Problem: problem}})
	}
	tags, err := label.Tags(in.Tags)
	if err != nil {
		return Answer{}, err
	}
	here, err := surroundingsOf(in.Env, "", in.AsOf)
	if err != nil {
		return Answer{}, err
	}
	then, err := s.moment(ctx, a, in.AsOf)
	if err != nil {
		return Answer{}, err
	}
	paths, ignored := usable(in.Files)
	q := question{
		actor: a, text: lexical.FreeText(in.Task), floor: lexical.DefaultFloor(), files: paths, depth: retrieveDepth,
		keep: filter{area: areaKey(in.Area), tags: tags}, now: then.orNow(), related: true, drifted: true, place: here,
	}
	semantic := ""
	if then == nil {
		q.meaning, semantic = s.sense(ctx, a.Workspace, in.Task)
	}
	if err := s.survey(ctx, a, &q); err != nil {
		return Answer{}, err
	}
	var rows []*candidate
	var near []*facts
	var about *inquest
	var over map[uuid.UUID][]string
	err = s.at(ctx, a.Workspace, then, func(ix *index) {
		r := ix.rank(q)
		rows = r.rows
		if then != nil {
			over = ix.replaced(rows[:min(len(rows), in.Limit)])
		}
		if len(rows) == 0 {
			near = ix.nearest(q)
		}
		if in.Explain && in.Topic != "" {
			about = ix.inquire(q, r, in.Topic)
		}
	})
	if err != nil {
		return Answer{}, err
	}
	if len(rows) == 0 && then == nil && q.keep.area != "" { // where something is filed there, the area exists
		if err := s.knownArea(ctx, a, in.Area); err != nil {
			return Answer{}, err
		}
	}
	asked := near
	if about != nil && about.facts != nil {
		asked = append(asked[:len(asked):len(asked)], about.facts)
	}
	docs, err := s.readAt(ctx, a, then, ids(rows[:min(len(rows), in.Limit+1)], asked...))
	if err != nil {
		return Answer{}, err
	}
	recall(docs, over)
	answers, err := s.judge(ctx, a, here, docs)
	if err != nil {
		return Answer{}, err
	}
	none := nothing(a, paths)
	if then != nil {
		none = in.now()
	}
	page, err := fill(a, rows, docs, layout{view: in.View, limit: in.Limit, tokens: in.MaxTokens, explain: in.Explain, past: then != nil, env: in.Env, answers: answers}, none)
	if err != nil {
		return Answer{}, err
	}
	page.Nearest = slugs(near, docs)
	out := Answer{Page: page, AsOf: then, IgnoredFiles: ignored[:min(len(ignored), ignoredShown)]}
	if in.Explain {
		out.Semantic = semantic
	}
	if about != nil {
		out.Explanation = about.explain(in.Topic, rows, page, docs)
	}
	return out, nil
}

// now is the same call about the present, for where nothing was known then.
func (in retrieveIn) now() *op.Next {
	args := map[string]any{}
	if in.Task != "" {
		args["task"] = in.Task
	}
	if len(in.Files) > 0 {
		args["files"] = in.Files
	}
	return &op.Next{Tool: "driftless_context_retrieve", Arguments: args, Why: "nothing was written about this then; see what is now"}
}

// layout is how much of an answer to show.
type layout struct {
	past    bool // the topics are those of an earlier moment
	env     *evidence.Environment
	answers map[uuid.UUID]answered // for env, by topic
	view    string
	limit   int
	tokens  int // 0 for no bound
	explain bool
}

// fill makes the page of an ordered list: whole rows from the top, as many as limit and tokens allow, the first in any case.
// docs hold one topic more than the limit, to name what comes next.
func fill(a tenant.Actor, ranked []*candidate, docs map[uuid.UUID]*topic.Document, l layout, none *op.Next) (*op.Page[Row], error) {
	var rows []Row
	var readable []*topic.Document // in order, one more than rows may hold
	left := l.tokens - envelopeTokens
	full := false
	for _, c := range ranked[:min(len(ranked), l.limit+1)] {
		d := docs[c.id]
		if d == nil {
			continue // hidden or gone since it was ranked
		}
		readable = append(readable, d)
		if full || len(rows) == l.limit {
			continue
		}
		r, err := row(c, d, l, a)
		if err != nil {
			return nil, err
		}
		fits := func(r Row, size int) bool {
			return (a.Via != tenant.ViaMCP || size <= rowMax) && (l.tokens == 0 || len(rows) > 0 || r.Tokens <= left)
		}
		if err := r.shrink(d, l, a, fits); err != nil {
			return nil, err
		}
		if l.tokens > 0 && len(rows) > 0 && r.Tokens > left {
			full = true
			continue
		}
		left -= r.Tokens
		rows = append(rows, r)
	}
	done := none
	if len(rows) > 0 {
		done = l.readFirst(rows)
	}
	total := len(ranked)
	page := op.NewPage(rows, len(rows) < len(readable) || total > l.limit, done, func(_ Row, shown int) (string, *op.Next) {
		if shown < len(readable) {
			return "", l.theRest(readable[shown], total-shown)
		}
		return "", done
	})
	page.ContentTrust = topic.UntrustedData
	return &page, nil
}
