package retrieve

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/relation"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// Collection answers like a workspace that has exactly these topics, without a database. Index, analysis, ranking, floor
// and budgets are the ones that [Service] answers with, so what is measured here holds there. It is for measuring, and may
// be asked from many goroutines.
type Collection struct {
	index *index
	docs  map[uuid.UUID]*topic.Document
	keys  map[string]string // by slug
	actor tenant.Actor
}

// Topic is a topic of a [Collection]. Only Key, which no other one may have, and Title are needed.
type Topic struct {
	Key            string
	Title, What    string
	How, Content   string
	Decisions      []string
	Gotchas        []string
	Invariants     []string
	RequiredChecks []string
	Tags           []string
	Area           string
	Anchors        []string
	Status         topic.Status // reviewed where it is empty
	Updated        time.Time
	// Relations lead to the keys of other topics; those that are not there are passed over.
	Relations []relation.Edge
}

// NewCollection makes a collection. Slugs are made from titles, as they are for topics that are written.
func NewCollection(topics []Topic) (*Collection, error) {
	c := &Collection{
		index: newIndex(), docs: map[uuid.UUID]*topic.Document{}, keys: map[string]string{}, actor: tenant.Actor{Role: tenant.Viewer},
	}
	slugs, byKey := map[string]string{}, map[string]Topic{}
	for _, t := range topics {
		if slugs[t.Key] != "" {
			return nil, fmt.Errorf("two topics have the key %q", t.Key)
		}
		slug := topic.Slugify(t.Title)
		for n := 2; c.keys[slug] != ""; n++ {
			slug = fmt.Sprintf("%s-%d", topic.Slugify(t.Title), n)
		}
		slugs[t.Key], c.keys[slug], byKey[t.Key] = slug, t.Key, t
	}
	outgoing, incoming := map[string][]record{}, map[string][]record{}
	for _, t := range topics {
		for _, r := range t.Relations {
			if to, ok := byKey[r.To]; ok {
				outgoing[t.Key] = append(outgoing[t.Key], record{"type": r.Type, "slug": slugs[r.To], "title": to.Title, "status": to.status()})
				incoming[r.To] = append(incoming[r.To], record{"type": r.Type, "slug": slugs[t.Key], "title": t.Title, "status": t.status()})
			}
		}
	}
	for i, t := range topics {
		d, err := t.document(slugs[t.Key], outgoing[t.Key], incoming[t.Key])
		if err != nil {
			return nil, fmt.Errorf("topic %q: %w", t.Key, err)
		}
		d.Seq = int64(i + 1)
		c.docs[d.ID] = d
		c.index.apply([]*topic.Document{d}, d.Seq)
	}
	return c, nil
}

// Key is the key of the topic with a slug.
func (c *Collection) Key(slug string) string { return c.keys[slug] }

func (t Topic) status() topic.Status {
	if t.Status == "" {
		return topic.Reviewed
	}
	return t.Status
}

// record is a row of the database as JSON, which is how it arrives.
type record map[string]any

// document is the topic as the database would answer it.
func (t Topic) document(slug string, outgoing, incoming []record) (*topic.Document, error) {
	raw, err := json.Marshal(record{
		"id": uuid.NewSHA1(uuid.Nil, []byte(t.Key)), "slug": slug, "title": t.Title, "what": t.What, "area": t.Area, "tags": t.Tags,
		"status": t.status(), "revision": 1, "updated_at": t.Updated, "outgoing": outgoing, "incoming": incoming,
		"body": record{
			"how": t.How, "content": t.Content, "decisions": t.Decisions, "gotchas": t.Gotchas, "invariants": t.Invariants,
			"required_checks": t.RequiredChecks, "anchors": t.Anchors,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("write it as a row: %w", err)
	}
	d := new(topic.Document)
	if err := json.Unmarshal(raw, d); err != nil {
		return nil, fmt.Errorf("read it as a row: %w", err)
	}
	return d, nil
}

// Asked is a question to a [Collection]. Area narrows it; Now is the time that recency is counted from.
type Asked struct {
	Task  string
	Files []string
	Area  string
	Now   time.Time
}

// Retrieve answers as the tool does when nothing else is asked for: the brief view, ten rows, 4,000 tokens.
func (c *Collection) Retrieve(in Asked) (Answer, error) {
	paths, ignored := usable(in.Files)
	q := question{
		actor: c.actor, text: lexical.FreeText(in.Task), floor: lexical.DefaultFloor(), files: paths, depth: retrieveDepth,
		keep: filter{area: areaKey(in.Area)}, now: in.Now, related: true, drifted: true,
	}
	r := c.index.rank(q)
	page, err := fill(c.actor, r.rows, c.docs, layout{view: topic.Brief, limit: retrieveLimit, tokens: tokensStandard}, nothing(c.actor, paths))
	if err != nil {
		return Answer{}, err
	}
	if len(r.rows) == 0 {
		page.Nearest = slugs(c.index.nearest(q), c.docs)
	}
	return Answer{Page: page, IgnoredFiles: ignored[:min(len(ignored), ignoredShown)]}, nil
}
