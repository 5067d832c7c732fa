package question

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
)

func TestASessionIsTakenUntilItEnds(t *testing.T) {
	t.Parallel()
	s, now := New(pgtest.DB(t)), time.Now()
	s.now = func() time.Time { return now }
	person := uuid.New()
	id, err := s.Begin(t.Context(), person, Form)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(Kept - time.Minute)
	if in, err := s.Resume(t.Context(), person, id); err != nil || in.Can != Form {
		t.Errorf("before its end: %v, %v", in, err)
	}
	now = now.Add(2 * time.Minute)
	if in, err := s.Resume(t.Context(), person, id); !fault.Is(err, fault.CodeNotFound) || in != (Session{}) {
		t.Errorf("after its end: %v, %v", in, err)
	}
}
