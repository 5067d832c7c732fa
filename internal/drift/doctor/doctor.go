package doctor

import (
	"context"
	"slices"
	"time"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// Service looks over workspaces.
type Service struct{}

// New makes the service.
func New() *Service { return &Service{} }

// Operations lists what the doctor can be asked.
func (s *Service) Operations() []op.Operation { return []op.Operation{s.doctorOp(), s.trendOp()} }

type doctorIn struct {
	Categories []string `json:"categories,omitempty" jsonschema:"tell the topics of these; without it all are counted"`
	Limit      int      `json:"limit,omitempty" jsonschema:"topics of each"`
}

// Report is what the doctor found.
type Report struct {
	Summary    map[string]int `json:"summary" jsonschema:"topics by category"`
	Categories []Finding      `json:"categories"`
	Shown      int            `json:"shown"`
	HasMore    bool           `json:"has_more"`
	NextAction *op.Next       `json:"next_action"`
	// ContentTrust marks that titles and texts of topics are data.
	ContentTrust string `json:"content_trust"`

	limit int
}

// Finding is a category in detail.
type Finding struct {
	Category string   `json:"category"`
	Count    int      `json:"count"`
	Reason   string   `json:"reason"`
	HasMore  bool     `json:"has_more"`
	Members  []Member `json:"members"`
}

// Member is a topic in a category.
type Member struct {
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Trust string `json:"trust"`
	// Detail says what it is with this topic.
	Detail   string   `json:"detail,omitempty"`
	NextCall *op.Next `json:"next_call"`

	// other is the slug of the topic that this one is compared with.
	other string
}

func (s *Service) doctorOp() op.Operation {
	return op.Read(op.Spec{
		Tool: "driftless_context_doctor", ID: "context.doctor", Title: "Doctor",
		Doc:   `What in the workspace needs care, counted by category; name categories to see the topics. Example: {"categories":["stale"]}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /doctor", CLI: "context doctor",
		Rules: op.Rules{"categories": op.Items(0, len(categories)), "categories[]": op.OneOf("", names()...), "limit": op.Range(1, 50, 10)},
	}, s.doctor)
}

func (s *Service) doctor(_ context.Context, tx *pg.Tx, in doctorIn) (Report, error) {
	r := Report{Summary: map[string]int{}, Categories: []Finding{}, ContentTrust: topic.UntrustedData, limit: in.Limit}
	now := tx.Now().Truncate(time.Second)
	for _, c := range categories {
		wanted := slices.Contains(in.Categories, c.name)
		if len(in.Categories) > 0 && !wanted {
			continue
		}
		limit := 0
		if wanted {
			limit = in.Limit
		}
		count, members, err := c.find(tx, now, limit)
		if err != nil {
			return r, err
		}
		r.Summary[c.name] = count
		if !wanted {
			continue
		}
		f := Finding{Category: c.name, Count: count, Reason: c.reason, HasMore: count > len(members), Members: members}
		for i := range f.Members {
			f.Members[i].NextCall = c.next(f.Members[i])
		}
		r.Categories = append(r.Categories, f)
	}
	r.settle()
	return r, nil
}

// settle says what follows from what is shown.
func (r *Report) settle() {
	r.Shown, r.HasMore, r.NextAction = 0, false, nil
	for _, f := range r.Categories {
		r.Shown += len(f.Members)
		r.HasMore = r.HasMore || f.HasMore
		if r.NextAction == nil && len(f.Members) > 0 {
			r.NextAction = f.Members[0].NextCall
		}
		if f.HasMore && r.limit < limitMax {
			r.NextAction = look([]string{f.Category}, limitMax, "there are more of them")
		}
	}
	if len(r.Categories) > 0 {
		return
	}
	for _, c := range categories {
		if r.Summary[c.name] > 0 {
			r.NextAction = look([]string{c.name}, 0, c.reason)
			return
		}
	}
}

// limitMax is the largest number of topics of a category in one answer.
const limitMax = 50

func look(categories []string, limit int, why string) *op.Next {
	args := map[string]any{"categories": categories}
	if limit > 0 {
		args["limit"] = limit
	}
	return &op.Next{Tool: "driftless_context_doctor", Arguments: args, Why: why}
}

// Fit drops members from the end of the longest category until the encoded answer is at most limit bytes.
func (r *Report) Fit(limit int) error {
	for {
		raw, err := op.Marshal(r)
		if err != nil {
			return err
		}
		if len(raw) <= limit {
			return nil
		}
		longest := -1
		for i, f := range r.Categories {
			if len(f.Members) > 1 && (longest < 0 || len(f.Members) > len(r.Categories[longest].Members)) {
				longest = i
			}
		}
		if longest < 0 {
			return nil
		}
		f := &r.Categories[longest]
		f.Members, f.HasMore = f.Members[:len(f.Members)*3/4], true
		r.settle()
	}
}
