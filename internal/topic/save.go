package topic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"driftless/internal/anchor"
	"driftless/internal/drift"
	"driftless/internal/event"
	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/pg"
	"driftless/internal/source"
)

// SlugMax is the length of a slug in characters.
const SlugMax = 80

// Slugify derives a slug from a title: letters without accents, everything else as dashes, cut at a word.
func Slugify(title string) string {
	var b strings.Builder
	dash := false
	for _, r := range norm.NFKD.String(strings.ToLower(title)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r):
		default:
			dash = true
		}
	}
	slug := b.String()
	if len(slug) > SlugMax {
		slug = slug[:SlugMax]
		if i := strings.LastIndexByte(slug, '-'); i > SlugMax/2 {
			slug = slug[:i]
		}
	}
	if slug == "" {
		return "topic"
	}
	return slug
}

// act is how a write is named in the revision and in the event that goes with it.
type act struct {
	op      string
	event   string
	summary string
	detail  map[string]any
	// decides marks the human act: the revision it makes is the approved one.
	decides bool
}

// found stores a new topic together with its first revision and event. With a derived slug it moves on to -2, -3 … when the
// slug is taken, also by a topic the author cannot see.
func found(tx *pg.Tx, t *Topic, derived bool, w act) error {
	if err := event.Lock(tx); err != nil {
		return err
	}
	if err := t.Content.normalise(); err != nil {
		return err
	}
	if err := evidence.NoTwoAnswers(t.Content.Solutions); err != nil {
		return err
	}
	a := tx.Actor()
	t.WorkspaceID, t.ID, t.AuthorID, t.EditorID = a.Workspace, pg.NewID(), a.Person, a.Person
	t.CreatedAt, t.UpdatedAt, t.Revision = tx.Now(), tx.Now(), 1
	if t.Status == Proposed {
		t.ProposedAt = &t.CreatedAt
		t.submit()
	} else {
		t.ReviewState = "none"
	}
	if err := settle(tx, t); err != nil {
		return err
	}
	w.detail = with(w.detail, "status", t.Status)
	var err error
	if t.Seq, err = event.Append(tx, w.op, w.event, &t.ID, w.detail); err != nil {
		return err
	}
	if err := claim(tx, t, derived); err != nil {
		return err
	}
	return complete(tx, t, Content{}, w)
}

// claim stores the row under its slug.
func claim(tx *pg.Tx, t *Topic, derived bool) error {
	base, n := t.Slug, 1
	if derived {
		taken, err := visibleSlugs(tx, base)
		if err != nil {
			return err
		}
		for slices.Contains(taken, t.Slug) {
			n++
			t.Slug = numbered(base, n)
		}
	}
	for range 50 {
		err := tx.Savepoint(func(tx *pg.Tx) error { return insertTopic(tx, t) })
		if err == nil {
			return nil
		}
		if !pg.Violates(err, "topic_workspace_id_slug_key") {
			return fmt.Errorf("store a topic: %w", err)
		}
		if !derived {
			return fault.New(fault.Conflict, fault.CodeDuplicateTopic, fmt.Sprintf("there is a topic with the slug %q already, perhaps in the trash or private", t.Slug),
				"update that topic, restore it from the trash, or choose another slug")
		}
		n++
		t.Slug = numbered(base, n)
	}
	return fault.New(fault.Conflict, fault.CodeDuplicateTopic, fmt.Sprintf("%q is taken too often", base), "choose a slug yourself")
}

func numbered(base string, n int) string {
	suffix := "-" + strconv.Itoa(n)
	if len(base)+len(suffix) > SlugMax {
		base = strings.TrimRight(base[:SlugMax-len(suffix)], "-")
	}
	return base + suffix
}

// save stores a changed topic as its next revision, with the event that says so.
func save(tx *pg.Tx, t *Topic, before Content, w act) error {
	if err := t.Content.normalise(); err != nil {
		return err
	}
	was := t.ContentHash
	if err := settle(tx, t); err != nil {
		return err
	}
	if t.ContentHash != was {
		t.EditorID = tx.Actor().Person
	}
	t.Revision++
	t.UpdatedAt, t.ExpiryWarnedAt = tx.Now(), nil
	if t.Status == Reviewed && w.decides {
		// Knowledge that anything else changed keeps another hash than the approved one, and the database refuses it.
		t.ApprovedRevision, t.ApprovedHash = &t.Revision, &t.ContentHash
	}
	var err error
	w.detail = with(w.detail, "status", t.Status)
	if t.Seq, err = event.Append(tx, w.op, w.event, &t.ID, with(w.detail, "revision", t.Revision)); err != nil {
		return err
	}
	if err := updateTopic(tx, t); err != nil {
		return err
	}
	return complete(tx, t, before, w)
}

// settle derives what the row keeps from the content.
func settle(tx *pg.Tx, t *Topic) error {
	t.Title, t.What, t.Body, t.ContentHash = t.Content.Title, t.Content.What, bodyOf(t.Content), t.Content.Hash()
	tags, err := label.Tags(t.Content.Tags)
	if err != nil {
		return err
	}
	slices.Sort(tags)
	t.Content.Tags = tags
	t.AreaID = nil
	if t.Content.Area != "" {
		area, err := label.FindArea(tx, t.Content.Area)
		if err != nil {
			return err
		}
		t.AreaID = &area
	}
	return nil
}

func complete(tx *pg.Tx, t *Topic, before Content, w act) error {
	if err := file(tx, t, before); err != nil {
		return err
	}
	if err := evidence.Keep(tx, t.ID, before.Solutions, t.Content.Solutions); err != nil {
		return err
	}
	written := t.Seq
	if seq, err := drift.Follow(tx, t.ID); err != nil {
		return err
	} else if seq > 0 {
		t.Seq = seq
	}
	if t.submitted {
		if err := askReview(tx, t); err != nil {
			return err
		}
	}
	t.RevisionID = pg.NewID()
	a := tx.Actor()
	author := a.Person
	if author == uuid.Nil {
		// What the server does by itself says so with its via.
		author = t.AuthorID
	}
	return insertRevision(tx, revisionRow{
		WorkspaceID: t.WorkspaceID, TopicID: t.ID, Revision: t.Revision, ID: t.RevisionID, Status: t.Status, Snapshot: t.Content,
		Changes: Diff(before, t.Content), ContentHash: t.ContentHash, Summary: w.summary, AuthorID: author, Via: string(a.Via),
		Client: a.Client, Op: w.op, At: tx.Now(), IsPrivate: t.IsPrivate, Seq: written,
	})
}

// with adds a pair to a detail without changing the one it was given.
func with(detail map[string]any, key string, value any) map[string]any {
	out := map[string]any{key: value}
	for k, v := range detail {
		out[k] = v
	}
	return out
}

// AnchorCheck is what a write says about one anchor. It never blocks the write.
type AnchorCheck struct {
	Anchor  string   `json:"anchor"`
	Result  string   `json:"result"` // ok, overbroad, zero or skipped
	Count   int      `json:"count"`
	Samples []string `json:"samples,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// checkAnchors validates the anchors against the files of the connected repositories.
func checkAnchors(tx *pg.Tx, texts []string) ([]AnchorCheck, error) {
	out := []AnchorCheck{}
	set, err := anchor.ParseAll(texts)
	if err != nil {
		return out, nil //nolint:nilerr // kept from a time when another dialect was legal: it matches nothing
	}
	checked, err := source.Validate(tx, set)
	if err != nil {
		return nil, err
	}
	for _, v := range checked {
		out = append(out, AnchorCheck{Anchor: v.Anchor, Result: string(v.Result), Count: v.Count, Samples: v.Samples, Reason: v.Reason})
	}
	return out, nil
}
