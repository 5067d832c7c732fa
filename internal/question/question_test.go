package question_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/question"
	"driftless/internal/tenant"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// client is one client of a person: its credential and its session.
type client struct {
	tenant.Caller
	in question.Session
}

func begin(t *testing.T, s *question.Service, person uuid.UUID, can question.Can) (client, string) {
	t.Helper()
	id, err := s.Begin(t.Context(), person, can)
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Resume(t.Context(), person, id)
	if err != nil {
		t.Fatal(err)
	}
	return client{tenant.Caller{Person: person, Credential: uuid.New()}, in}, id
}

// asked is a question that waits.
type asked struct {
	id     string
	answer chan string
	err    chan error
}

// ask asks and returns once the question was delivered.
func ask(ctx context.Context, t *testing.T, s *question.Service, c client) asked {
	t.Helper()
	q := asked{answer: make(chan string, 1), err: make(chan error, 1)}
	sent := make(chan string, 1)
	go func() {
		raw, err := s.Ask(ctx, c.Caller, c.in, func(id string) error { sent <- id; return nil })
		q.answer <- string(raw)
		q.err <- err
	}()
	select {
	case q.id = <-sent:
	case err := <-q.err:
		t.Fatalf("the question was not delivered: %v", err)
	}
	return q
}

func (q asked) wantNoAnswer(t *testing.T, s *question.Service, c client, by string) {
	t.Helper()
	if err := s.Answer(t.Context(), c.Caller, c.in, q.id, []byte("mine")); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("%s: answering gave %v", by, err)
	}
}

func TestAnAnswerArrivesAtTheProcessThatAsked(t *testing.T) {
	t.Parallel()
	db := pgtest.DB(t)
	one, other := question.New(db), question.New(db)
	c, _ := begin(t, one, uuid.New(), question.Form)
	q := ask(t.Context(), t, one, c)
	if err := other.Answer(t.Context(), c.Caller, c.in, q.id, []byte("blue")); err != nil {
		t.Fatal(err)
	}
	if got, err := <-q.answer, <-q.err; got != "blue" || err != nil {
		t.Errorf("the answer is %q, %v", got, err)
	}
	q.wantNoAnswer(t, other, c, "a second time")
}

func TestNobodyElseAnswersAQuestion(t *testing.T) {
	t.Parallel()
	s := question.New(pgtest.DB(t))
	c, _ := begin(t, s, uuid.New(), question.Form)
	stranger, _ := begin(t, s, uuid.New(), question.Form)
	sibling, _ := begin(t, s, c.Person, question.Form)
	q := ask(t.Context(), t, s, c)
	q.wantNoAnswer(t, s, stranger, "another person")
	q.wantNoAnswer(t, s, client{stranger.Caller, c.in}, "another person in this session")
	q.wantNoAnswer(t, s, sibling, "another session of the person")
	q.wantNoAnswer(t, s, client{c.Caller, question.Session{}}, "no session")
	if err := s.Answer(t.Context(), c.Caller, c.in, q.id, []byte("blue")); err != nil {
		t.Fatal(err)
	}
	if got, err := <-q.answer, <-q.err; got != "blue" || err != nil {
		t.Errorf("the answer is %q, %v", got, err)
	}
}

func TestAQuestionEndsWithItsClientAndWithItsServer(t *testing.T) {
	t.Parallel()
	s := question.New(pgtest.DB(t))
	c, _ := begin(t, s, uuid.New(), question.Form)
	ctx, hangUp := context.WithCancel(t.Context())
	gone, left := ask(ctx, t, s, c), ask(t.Context(), t, s, c)
	hangUp()
	if err := <-gone.err; !fault.Is(err, fault.CodeUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("after the client hung up: %v", err)
	}
	gone.wantNoAnswer(t, s, c, "after the client hung up")
	s.Stop()
	if err := <-left.err; !fault.Is(err, fault.CodeUnavailable) {
		t.Errorf("after the server stopped: %v", err)
	}
	left.wantNoAnswer(t, s, c, "after the server stopped")
}

func TestAQuestionThatCannotBeDeliveredFailsAtOnce(t *testing.T) {
	t.Parallel()
	s := question.New(pgtest.DB(t))
	c, _ := begin(t, s, uuid.New(), question.Form)
	broken := errors.New("broken pipe")
	if _, err := s.Ask(t.Context(), c.Caller, c.in, func(string) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("asking gave %v", err)
	}
}

func TestOneCredentialHasFewQuestionsOpen(t *testing.T) {
	t.Parallel()
	s := question.New(pgtest.DB(t))
	c, _ := begin(t, s, uuid.New(), question.Form)
	other, _ := begin(t, s, uuid.New(), question.Form)
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	var open []asked
	for range question.Open {
		open = append(open, ask(ctx, t, s, c))
	}
	send := func(string) error { t.Error("one too many was delivered"); return nil }
	if _, err := s.Ask(ctx, c.Caller, c.in, send); !fault.Is(err, fault.CodeRateLimited) {
		t.Errorf("one too many: %v", err)
	}
	open = append(open, ask(ctx, t, s, other))
	if err := s.Answer(ctx, c.Caller, c.in, open[0].id, []byte("done")); err != nil {
		t.Fatal(err)
	}
	open = append(open, ask(ctx, t, s, c))
	hangUp()
	for _, q := range open {
		<-q.err
	}
}

func TestASessionIsOfItsPersonAndHoldsAcrossProcesses(t *testing.T) {
	t.Parallel()
	db := pgtest.DB(t)
	s, person := question.New(db), uuid.New()
	_, id := begin(t, s, person, question.URL|question.Sampling)
	if in, err := question.New(db).Resume(t.Context(), person, id); err != nil || in.Can != question.URL|question.Sampling {
		t.Errorf("another process reads %v, %v", in, err)
	}
	forged := []byte(id)
	forged[22] ^= 1 // where it says what the client can be asked
	for name, try := range map[string]struct {
		person uuid.UUID
		id     string
	}{
		"of another person": {uuid.New(), id},
		"changed":           {person, string(forged)},
		"cut short":         {person, id[:len(id)-1]},
		"empty":             {person, ""},
		"invented":          {person, "mcp-session-" + uuid.NewString()},
	} {
		if in, err := s.Resume(t.Context(), try.person, try.id); !fault.Is(err, fault.CodeNotFound) || in != (question.Session{}) {
			t.Errorf("%s: %v, %v", name, in, err)
		}
	}
}

func TestQuestionsOfAProcessThatEndedAreSwept(t *testing.T) {
	t.Parallel()
	s := question.New(pgtest.DB(t))
	c, _ := begin(t, s, uuid.New(), question.Form)
	old, young := ask(t.Context(), t, s, c), ask(t.Context(), t, s, c)
	left := func() (ids []string) {
		err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
			return tx.Store().Raw(`select id from client_question where credential = ?`, c.Credential).Scan(&ids).Error
		})
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update client_question set expires_at = now() - interval '1 second' where id = ?`, old.id).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	old.wantNoAnswer(t, s, c, "after its time")
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ids := left(); !slices.Equal(ids, []string{young.id}) {
		t.Errorf("left are %v", ids)
	}
	s.Stop()
	<-old.err
	<-young.err
	if ids := left(); len(ids) != 0 {
		t.Errorf("nobody waits, and left are %v", ids)
	}
}
