package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"driftless/internal/op"
	"driftless/internal/retrieve"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// Limits of a question: characters, topics that are named, topics that are read.
const (
	QueryMax  = 4000
	NamedMax  = 20
	TopicsMax = 20
)

// Service answers questions.
type Service struct {
	topics *topic.Service
	found  *retrieve.Service
}

// New makes the service over what reads and finds topics.
func New(topics *topic.Service, found *retrieve.Service) *Service { return &Service{topics, found} }

// Operations lists what can be asked.
func (s *Service) Operations() []op.Operation { return []op.Operation{s.askOp()} }

type askIn struct {
	Query     string   `json:"query" jsonschema:"the question"`
	Topics    []string `json:"topics,omitempty" jsonschema:"slugs to answer from"`
	Scope     Scope    `json:"scope,omitzero" jsonschema:"{areas,tags}"`
	MinTrust  string   `json:"min_trust,omitempty" jsonschema:"least trust"`
	Model     string   `json:"model,omitempty" jsonschema:"model"`
	MaxTopics int      `json:"max_topics,omitempty" jsonschema:"read at most"`
}

// Scope narrows what a question is answered from.
type Scope struct {
	Areas []string `json:"areas,omitempty" jsonschema:"any of them"`
	Tags  []string `json:"tags,omitempty" jsonschema:"any of them"`
}

// Answer is an answer with what it rests on. [n] in the text is the n-th source.
type Answer struct {
	Answer      string    `json:"answer"`
	Sources     []Source  `json:"sources"`
	Grounded    bool      `json:"grounded" jsonschema:"it rests on the sources; false when nothing is relevant"`
	SourcesKind string    `json:"sources_kind" jsonschema:"extractive: passages word for word"`
	Skipped     []Skipped `json:"skipped"`
	Warnings    []string  `json:"warnings"`
	Cost        float64   `json:"cost_usd"`
	Complete    bool      `json:"cost_complete" jsonschema:"the cost is all of it"`
	NextAction  *op.Next  `json:"next_action"`
	// ContentTrust marks that the passages are data.
	ContentTrust string `json:"content_trust"`
}

// Source is a topic that was used.
type Source struct {
	Title    string `json:"title"`
	Slug     string `json:"slug"`
	Revision int    `json:"revision"`
	Trust    string `json:"trust"`
	Stale    bool   `json:"stale"`
}

// Skipped is a topic that was named and could not be used.
type Skipped struct {
	Topic  string `json:"topic"`
	Reason string `json:"reason"`
}

func (s *Service) askOp() op.Operation {
	return op.Query(op.Spec{
		Tool: "driftless_ask", ID: "ask.ask", Title: "Ask",
		Doc:   `A cited answer from whole topics. Example: {"query":"How long does a session live?"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "POST /ask", CLI: "ask <query>",
		Rules: op.Rules{
			"query": op.Length(1, QueryMax), "topics": op.Items(0, NamedMax), "max_topics": op.Range(1, TopicsMax, 6),
			"min_trust": op.OneOf(string(topic.Reviewed), string(topic.Reviewed), string(topic.Proposed), string(topic.Draft)),
		},
	}, s.ask)
}

// among are the states that a least trust admits, the best first.
func among(least string) []topic.Status {
	all := []topic.Status{topic.Reviewed, topic.Proposed, topic.Draft}
	return all[:slices.Index(all, topic.Status(least))+1]
}

func (s *Service) ask(ctx context.Context, a tenant.Actor, in askIn) (Answer, error) {
	out := Answer{
		Sources: []Source{}, Skipped: []Skipped{}, Warnings: []string{}, SourcesKind: "extractive", Complete: true, ContentTrust: topic.UntrustedData,
	}
	if in.Model != "" {
		out.Warnings = append(out.Warnings, "no model is configured on this server: the answer is extractive")
	}
	docs, err := s.shortlist(ctx, a, in, &out)
	if err != nil {
		return out, err
	}
	var all []passage
	views := make([]topic.View, len(docs))
	for i, d := range docs {
		views[i] = d.View(topic.Full, a)
		all = append(all, passages(i, views[i])...)
	}
	out.write(best(in.Query, all), views)
	if !out.Grounded {
		out.Answer = "Nothing here answers that."
		out.NextAction = &op.Next{
			Tool: "driftless_context_search", Arguments: map[string]any{"query": cut(in.Query)}, Why: "shows what comes nearest, notes among it",
		}
	}
	return out, nil
}

// shortlist reads the topics to answer from: those named, whole, or those that retrieval finds.
func (s *Service) shortlist(ctx context.Context, a tenant.Actor, in askIn, out *Answer) ([]*topic.Document, error) {
	if len(in.Topics) == 0 {
		return s.found.Relevant(ctx, a, retrieve.Wanted{
			Text: in.Query, Areas: in.Scope.Areas, Tags: in.Scope.Tags, Among: among(in.MinTrust), Limit: in.MaxTopics,
		})
	}
	named, err := s.topics.Named(ctx, a, in.Topics)
	if err != nil {
		return nil, err
	}
	var docs []*topic.Document
	for _, slug := range in.Topics {
		d := named[slug]
		switch {
		case d == nil:
			out.Skipped = append(out.Skipped, Skipped{slug, "there is no such topic that you may read"})
		case !slices.Contains(among(in.MinTrust), d.Status):
			out.Skipped = append(out.Skipped, Skipped{slug, fmt.Sprintf("it is %s, and min_trust asks for %s", d.Status, in.MinTrust)})
		case slices.Contains(docs, d): // named twice
		case len(docs) == in.MaxTopics:
			out.Skipped = append(out.Skipped, Skipped{slug, "max_topics were read already"})
		default:
			docs = append(docs, d)
		}
	}
	return docs, nil
}

// write puts the passages together, each with the number of its source.
func (out *Answer) write(found []passage, views []topic.View) {
	number := map[int]int{}
	var parts []string
	for _, p := range found {
		if number[p.source] == 0 {
			v := views[p.source]
			out.Sources = append(out.Sources, Source{Title: v.Title, Slug: v.Slug, Revision: v.Revision, Trust: v.Trust, Stale: v.Stale})
			number[p.source] = len(out.Sources)
			if v.Stale {
				out.Warnings = append(out.Warnings, v.Slug+" is stale: the code it is about has changed since it was verified")
			}
		}
		parts = append(parts, fmt.Sprintf("%s [%d]", cut(p.text), number[p.source]))
	}
	out.Answer, out.Grounded = strings.Join(parts, "\n\n"), len(parts) > 0
	if out.Grounded {
		out.NextAction = &op.Next{
			Tool: "driftless_context_get", Arguments: map[string]any{"topic": out.Sources[0].Slug}, Why: "the whole of the first source",
		}
	}
}
