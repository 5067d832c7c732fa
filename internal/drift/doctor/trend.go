package doctor

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type trendIn struct {
	Days int `json:"days,omitempty" jsonschema:"how far back"`
}

// Day is what the doctor counted when a day (UTC) began.
type Day struct {
	Day     string         `json:"day" jsonschema:"YYYY-MM-DD"`
	Summary map[string]int `json:"summary" jsonschema:"topics by category, private drafts left out"`
}

// Trend is the days on which the doctor counted, the oldest first.
type Trend struct {
	Days []Day `json:"days"`
}

func (s *Service) trendOp() op.Operation {
	return op.Read(op.Spec{
		ID: "doctor.trend", Title: "Doctor's counts by day",
		Doc:   `How many topics of each category needed care when each day began; a day on which the server did not run is missing. Example: {"days":30}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /doctor/trend", CLI: "context trend",
		Rules: op.Rules{"days": op.Range(1, daysKept, 90)},
	}, s.trend)
}

func (s *Service) trend(_ context.Context, tx *pg.Tx, in trendIn) (Trend, error) {
	out := Trend{Days: []Day{}}
	rows, err := countsSince(tx, tx.Now().UTC().AddDate(0, 0, -in.Days))
	if err != nil {
		return out, err
	}
	for _, r := range rows {
		day := r.Day.Format("2006-01-02")
		if n := len(out.Days); n == 0 || out.Days[n-1].Day != day {
			out.Days = append(out.Days, Day{Day: day, Summary: map[string]int{}})
		}
		out.Days[len(out.Days)-1].Summary[r.Category] = r.Topics
	}
	return out, nil
}

// daysKept is for how many days counts are kept.
const daysKept = 366

// Record counts every category of the workspace once a day and forgets counts that are older than a year.
func Record(tx *pg.Tx) error {
	today := tx.Now().UTC()
	counted, err := countedOn(tx, today)
	if err != nil || counted {
		return err
	}
	// Everybody reads these counts, so what only its author sees does not count, although the server sees it.
	err = withoutPrivate(tx, func() error {
		for _, c := range categories {
			count, _, err := c.find(tx, today, 0)
			if err != nil {
				return err
			}
			if err := keepCount(tx, countRow{Day: today, Category: c.name, Topics: count}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return forgetCounts(tx, today.AddDate(0, 0, -daysKept))
}
