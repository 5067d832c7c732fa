package doctor_test

import (
	"testing"
	"time"

	"driftless/internal/drift/doctor"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestTheDoctorCountsOnceADayAndCountsNoPrivateDraft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if days := w.do(w.owner, "doctor.trend", nil)["days"].([]any); len(days) != 0 {
		t.Fatalf("before anything was counted: %v", days)
	}
	w.topic(map[string]any{"title": "Unfiled", "what": "One sentence."})
	w.do(pgtest.Person(t, w.owner, tenant.Member), "notes.add", map[string]any{"content": "Mine alone."})
	record := func() {
		if err := pgtest.DB(t).Workspace(t.Context(), tenant.System(w.owner.Workspace), pg.ReadWrite, doctor.Record); err != nil {
			t.Fatal(err)
		}
	}
	record()
	w.topic(map[string]any{"title": "Later", "what": "One sentence."})
	record()
	days := w.do(w.owner, "doctor.trend", map[string]any{"days": 7})["days"].([]any)
	if len(days) != 1 {
		t.Fatalf("days = %v", days)
	}
	day := days[0].(map[string]any)
	if got, since := day["day"].(string), time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly); got < since {
		t.Errorf("the day is %s", got)
	}
	if got := day["summary"].(map[string]any)["unassigned"]; got != 1.0 {
		t.Errorf("without an area are %v", got)
	}
}
