package question

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

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

var secret = []byte("a key for tests of thirty-two by")

func TestASessionIdSaysWhatWasPutIntoItToItsPersonAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sixteen := rapid.SliceOfN(rapid.Byte(), 16, 16)
		in := Session{Can: Can(rapid.Byte().Draw(t, "can")), id: [16]byte(sixteen.Draw(t, "id"))}
		person, other := uuid.UUID(sixteen.Draw(t, "person")), uuid.UUID(sixteen.Draw(t, "other"))
		ends := time.Unix(rapid.Int64Range(0, 1<<40).Draw(t, "ends"), 0)
		id := seal(secret, person, in, ends)
		if got, ok := unseal(secret, person, id, ends); !ok || got != in {
			t.Fatalf("%v became %v, %v", in, got, ok)
		}
		if _, ok := unseal(secret, person, id, ends.Add(time.Second)); ok {
			t.Fatal("it outlives its end")
		}
		if _, ok := unseal(secret, other, id, ends); ok && other != person {
			t.Fatal("somebody else reads it")
		}
		changed := []byte(id)
		at := rapid.IntRange(0, len(id)-1).Draw(t, "at")
		changed[at] = rapid.Byte().Draw(t, "to")
		if _, ok := unseal(secret, person, string(changed), ends); ok && string(changed) != id {
			t.Fatalf("changed at %d it is read", at)
		}
	})
}

func FuzzSessionId(f *testing.F) {
	person, now := uuid.New(), time.Unix(1<<31, 0)
	for _, can := range []Can{0, Form | URL, Form | URL | Sampling | Roots} {
		f.Add(seal(secret, person, Session{Can: can}, now))
	}
	f.Add(seal(secret, person, Session{}, now) + "\n")
	f.Add("mcp-session-" + uuid.NewString())
	f.Fuzz(func(t *testing.T, id string) {
		// What is read is what this key made, to the letter.
		if in, ok := unseal(secret, person, id, time.Unix(0, 0)); ok && seal(secret, person, in, now) != id {
			t.Errorf("%q is read", id)
		}
	})
}
