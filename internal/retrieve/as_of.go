package retrieve

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/obs"
	"driftless/internal/op"
	"driftless/internal/source"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// Moment is an earlier state of the workspace that a question was asked about.
type Moment struct {
	// Sequence is the number of the last event of then, At its time.
	Sequence int64     `json:"sequence"`
	At       time.Time `json:"at"`
	// Commit is there when the question named one: the state is that in which the workspace first heard of it.
	Commit string `json:"commit,omitempty"`

	held int64 // the last revision of then, which is what tells states apart
}

// pastMost is how many earlier states of one workspace are kept, so that nobody can push all else out of memory by asking for many.
const pastMost = 2

var (
	number = regexp.MustCompile(`^[0-9]{1,18}$`)
	commit = regexp.MustCompile(`^[0-9a-fA-F]{4,64}$`)
)

// asOfRule bounds the input field; what it holds is for [Service.moment] to say.
func asOfRule() op.Rule { return op.Length(0, 64) }

// moment finds the state that a text asks for: a time, a number of the sequence, or a commit that a sync or push told of. Nothing
// asks for the present, and answers nil and no error, as does the number of the last event.
func (s *Service) moment(ctx context.Context, a tenant.Actor, text string) (*Moment, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil //nolint:nilnil // no moment means now
	}
	place, head, err := s.placeOf(ctx, a, text)
	if err != nil {
		return nil, err
	}
	if place.Sequence >= head && place.Commit == "" {
		return nil, nil //nolint:nilnil // nothing happened since: that is now
	}
	if place.held, err = s.lastRevision(ctx, a.Workspace, place.Sequence); err != nil {
		return nil, fmt.Errorf("find an earlier state: %w", err)
	}
	return &place, nil
}

func (s *Service) placeOf(ctx context.Context, a tenant.Actor, text string) (m Moment, head int64, err error) {
	moment, isTime := when(text)
	if isTime && moment.After(time.Now()) {
		return m, 0, fault.Fieldf("as_of", "%s is still to come; leave as_of out for what is known now", moment.Format(time.RFC3339))
	}
	if !isTime && !number.MatchString(text) && !commit.MatchString(text) {
		return m, 0, fault.Fieldf("as_of", "%q is not one of: a time such as 2026-11-30T09:00:00Z, the number of an event of the workspace, or a commit of a tracked branch", text)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if isTime || err != nil {
		n = -1
	}
	known, err := s.places(ctx, a, asked{moment: moment, isTime: isTime, number: n, commit: strings.ToLower(text)})
	switch {
	case err != nil:
		return m, 0, fmt.Errorf("find an earlier state: %w", err)
	case isTime && known.Sequence == 0:
		return Moment{At: moment.UTC()}, known.head, nil // before the workspace was founded
	case isTime || n >= 0 && n <= known.head:
		return known.Moment, known.head, nil
	case len(known.commits) > 1:
		return m, 0, fault.Fieldf("as_of", "%q begins more than one commit; write more of it", text)
	case len(known.commits) == 1:
		c := known.commits[0]
		return Moment{Sequence: c.Seq, At: c.At.UTC(), Commit: c.ID}, known.head, nil
	}
	return m, 0, known.refusal(text)
}

// refusal says that nothing is known of a number or commit, and what is.
func (k places) refusal(text string) error {
	e := fault.Fieldf("as_of", "%q is neither a number up to %d, the last event of the workspace, nor a commit that a sync or push of a tracked branch told of", text, k.head)
	for _, c := range k.latest {
		e.Allowed = append(e.Allowed, c.ID)
	}
	return e
}

// when reads a time, or a day as its beginning in UTC.
func when(text string) (time.Time, bool) {
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// asked is a state as it was asked for; places is what the workspace knows about it.
type asked struct {
	moment time.Time
	isTime bool
	number int64
	commit string
}

type places struct {
	Moment
	head            int64
	commits, latest []source.Commit
}

// orNow is the time that recency counts from.
func (m *Moment) orNow() time.Time {
	if m == nil {
		return time.Now()
	}
	return m.At
}

// at runs fn on the index of a moment, of now where it is nil.
func (s *Service) at(ctx context.Context, workspace uuid.UUID, m *Moment, fn func(*index)) error {
	if m == nil {
		return s.with(ctx, workspace, fn)
	}
	sp := s.enter(place{workspace, m.held})
	defer s.leave(sp)
	if ix, _ := sp.known(); ix == nil {
		if err := s.look(ctx, sp); err != nil {
			return err
		}
	}
	sp.mu.RLock()
	defer sp.mu.RUnlock()
	fn(sp.index)
	return nil
}

// look builds an earlier state, of a workspace one at a time.
func (s *Service) look(ctx context.Context, sp *space) error {
	now := s.enter(place{sp.workspace, present})
	defer s.leave(now)
	if err := hold(ctx, now.past); err != nil {
		return err
	}
	defer func() { <-now.past }()
	if ix, _ := sp.known(); ix != nil {
		return nil // somebody else built it meanwhile
	}
	err := s.make(sp, obs.FromHistory, func() (*index, error) { return s.buildAsOf(ctx, sp.place) })
	if err != nil {
		return fmt.Errorf("build the index of an earlier state: %w", err)
	}
	return nil
}

// makeRoom drops the earlier states of a workspace that were not used for the longest time, until one more may be kept.
func (s *Service) makeRoom(workspace uuid.UUID) {
	kept := 0
	for e := s.recent.Front(); e != nil; {
		sp, next := e.Value.(*space), e.Next()
		if sp.workspace == workspace && sp.earlier() {
			if kept++; kept >= pastMost && sp.users == 0 {
				s.drop(e)
			}
		}
		e = next
	}
}

// recall completes documents of an earlier moment by what the index of then knows beside them.
func recall(docs map[uuid.UUID]*topic.Document, over map[uuid.UUID][]string) {
	for id, by := range over {
		if d := docs[id]; d != nil {
			d.Superseded(by)
		}
	}
}

// replaced lists the slugs of the Knowledge that replaces each of the rows.
func (ix *index) replaced(rows []*candidate) map[uuid.UUID][]string {
	out := map[uuid.UUID][]string{}
	for _, c := range rows {
		for _, f := range ix.superseded(c.slug) {
			out[c.id] = append(out[c.id], f.slug)
		}
	}
	return out
}
