package evidence

import (
	"driftless/internal/pg"
)

// Failing is a solution that is known to fail in an environment that somebody reported from.
type Failing struct {
	Slug     string
	Title    string
	Trust    string
	Solution string
	Env      Environment
}

// KnownToFail finds the current solutions of the workspace that are [KnownFailed] somewhere, each once, in the order of their
// topics.
func KnownToFail(tx *pg.Tx) ([]Failing, error) {
	suspects, err := suspects(tx)
	if err != nil {
		return nil, err
	}
	var out []Failing
	for _, s := range suspects {
		known, err := known(tx, s.ID)
		if err != nil {
			return nil, err
		}
		for _, f := range known.Feedback {
			if f.Solution == s.Solution && known.judge(Solution{ID: s.Solution}, f.Env).State == KnownFailed {
				out = append(out, Failing{s.Slug, s.Title, s.Trust, s.Solution, f.Env})
				break
			}
		}
	}
	return out, nil
}
