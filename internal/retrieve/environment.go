package retrieve

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// surroundings are where the one who asks works, and what is known there about the solutions of topics. The zero value is anywhere.
type surroundings struct {
	env       *evidence.Environment
	ecosystem string
	known     map[uuid.UUID]evidence.Known // of topics that have solutions and may answer
}

// The weights of the environment. All are small beside a match of words or files: where something works does not make it an answer
// to another question.
const (
	worksHere      = 0.20 // reports say so
	appliesHere    = 0.10 // nobody reported
	doubtedHere    = 0.05 // one failure, or both
	failsHere      = -0.20
	elsewhere      = -0.05 // it has solutions, none of them for here
	labelHere      = 0.02
	labelsHereMost = 3
	ecosystemHere  = 0.05
)

// judgedMost is how many topics with solutions are asked about what is known of them, the best first.
const judgedMost = 100

// surroundingsOf checks what a call says about where it comes from.
func surroundingsOf(env *evidence.Environment, ecosystem, asOf string) (surroundings, error) {
	if env == nil {
		return surroundings{ecosystem: ecosystem}, nil
	}
	if asOf != "" {
		return surroundings{}, fault.Fieldf("env", "reports are about solutions as they are now; leave out env or as_of")
	}
	return surroundings{env: env, ecosystem: ecosystem}, env.Check("env")
}

// part is the term of the score.
func (p surroundings) part(f *facts) (sum float64) {
	if p.ecosystem != "" && (slices.Contains(f.tags, topic.Slugify(p.ecosystem)) ||
		slices.ContainsFunc(f.solutions, func(s evidence.Solution) bool { return s.Env.Names(p.ecosystem) })) {
		sum += ecosystemHere
	}
	if p.env == nil || len(f.solutions) == 0 {
		return sum
	}
	applicable := evidence.Applicable(f.solutions, *p.env)
	if len(applicable) == 0 {
		return sum + elsewhere
	}
	sum += labelHere * float64(min(labelsHereMost, applicable[0].Env.Shared(*p.env)))
	a, _ := p.known[f.id].Answer(f.solutions, evidence.Question{Env: *p.env})
	switch a.State {
	case evidence.Verified, evidence.Cleared:
		return sum + worksHere
	case evidence.KnownFailed:
		return sum + failsHere
	case evidence.Unconfirmed, evidence.Disputed:
		return sum + doubtedHere
	case evidence.Unverified:
	}
	return sum + appliesHere
}

// survey reads what is known about the solutions of the topics that may answer, so that the ranking can weigh it.
func (s *Service) survey(ctx context.Context, a tenant.Actor, q *question) error {
	if q.place.env == nil {
		return nil
	}
	var asked []uuid.UUID
	err := s.with(ctx, a.Workspace, func(ix *index) {
		for _, c := range ix.rank(*q).rows {
			if len(c.solutions) > 0 && len(asked) < judgedMost {
				asked = append(asked, c.id)
			}
		}
	})
	if err != nil || len(asked) == 0 {
		return err
	}
	q.place.known, err = s.known(ctx, a, asked)
	return err
}

// answered is what a row says about the solutions of its topic, for the environment that was asked about.
type answered struct {
	HasAnswer *bool          `json:"has_answer,omitempty" jsonschema:"a solution applies here"`
	NoneWorks bool           `json:"no_known_working_solution,omitempty"`
	State     evidence.State `json:"answer_state,omitempty" jsonschema:"of the best solution that applies"`
	Withheld  string         `json:"withheld,omitempty" jsonschema:"why steps are left out"`
}

// judge narrows the documents of an answer to the environment, and tells for the rows what is known of then.
func (s *Service) judge(ctx context.Context, a tenant.Actor, p surroundings, docs map[uuid.UUID]*topic.Document) (map[uuid.UUID]answered, error) {
	if p.env == nil {
		return nil, nil //nolint:nilnil // nobody asked
	}
	var asked []uuid.UUID
	for id, d := range docs {
		if len(d.Body.Solutions) > 0 {
			asked = append(asked, id)
		}
	}
	known, err := s.known(ctx, a, asked)
	if err != nil {
		return nil, err
	}
	out := map[uuid.UUID]answered{}
	for _, id := range asked {
		a := docs[id].For(known[id], *p.env)
		row := answered{HasAnswer: &a.HasAnswer, NoneWorks: a.NoneWorks, State: a.State}
		for _, j := range a.Judged {
			if row.Withheld == "" {
				row.Withheld = j.Withheld
			}
		}
		out[id] = row
	}
	return out, nil
}
