package topic

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/pg"
	"driftless/internal/relation"
)

// load reads a topic for a decision and locks it. The trash holds nothing for anybody but [Recover].
func load(tx *pg.Tx, slug string, trashed bool) (*Topic, error) {
	if err := event.Lock(tx); err != nil {
		return nil, err
	}
	var t Topic
	err := tx.Store().Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("workspace_id = ? and slug = ? and (status = 'trash') = ?", tx.Actor().Workspace, slug, trashed).Take(&t).Error
	if pg.NoRow(err) {
		return nil, fault.Missing("topic", slug)
	}
	if err != nil {
		return nil, fmt.Errorf("load a topic: %w", err)
	}
	return &t, fill(tx, &t)
}

// fill completes the content from the tables beside the row.
func fill(tx *pg.Tx, t *Topic) error {
	t.Content = Content{Title: t.Title, What: t.What}
	t.Body.into(&t.Content)
	err := tx.Store().Raw(`select g.name from topic_tag x join tag g on g.workspace_id = x.workspace_id and g.id = x.tag_id
		where x.workspace_id = ? and x.topic_id = ? order by g.name`, t.WorkspaceID, t.ID).Scan(&t.Content.Tags).Error
	if err != nil {
		return fmt.Errorf("load the tags of a topic: %w", err)
	}
	if t.AreaID != nil {
		err := tx.Store().Raw(`select name from area where workspace_id = ? and id = ?`, t.WorkspaceID, *t.AreaID).Scan(&t.Content.Area).Error
		if err != nil {
			return fmt.Errorf("load the area of a topic: %w", err)
		}
	}
	edges, err := relation.Out(tx, t.ID)
	t.Content.Relations = distinctEdges(edges)
	return err
}

// insertTopic stores a new topic; a taken slug, visible or not, is a violation that [claim] reads.
func insertTopic(tx *pg.Tx, t *Topic) error { return tx.Store().Create(t).Error }

func updateTopic(tx *pg.Tx, t *Topic) error {
	err := tx.Store().Model(&Topic{}).Where("workspace_id = ? and id = ?", t.WorkspaceID, t.ID).Select("*").
		Omit("workspace_id", "id", "slug", "author_id", "created_at").Updates(t).Error
	if err != nil {
		return fmt.Errorf("store a topic: %w", err)
	}
	return nil
}

// visibleSlugs lists the slugs that begin like this one, to start numbering behind them.
func visibleSlugs(tx *pg.Tx, base string) ([]string, error) {
	var out []string
	err := tx.Store().Raw(`select slug from topic where workspace_id = ? and (slug = ? or starts_with(slug, ?))`,
		tx.Actor().Workspace, base, base+"-").Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("look for taken slugs: %w", err)
	}
	return out, nil
}

// file brings tags, area, relations and mentions of the tables into line with the content.
func file(tx *pg.Tx, t *Topic, before Content) error {
	if !slices.Equal(t.Content.Tags, before.Tags) {
		ids, err := label.EnsureTags(tx, t.Content.Tags)
		if err != nil {
			return err
		}
		err = tx.Store().Exec(`delete from topic_tag where workspace_id = ? and topic_id = ?`, t.WorkspaceID, t.ID).Error
		if err != nil {
			return fmt.Errorf("clear the tags of a topic: %w", err)
		}
		for _, id := range ids {
			err := tx.Store().Exec(`insert into topic_tag (workspace_id, topic_id, tag_id) values (?, ?, ?)`, t.WorkspaceID, t.ID, id).Error
			if err != nil {
				return fmt.Errorf("tag a topic: %w", err)
			}
		}
	}
	for _, e := range before.Relations {
		if !slices.Contains(t.Content.Relations, e) {
			if err := relation.Remove(tx, t.ID, e); err != nil {
				return err
			}
		}
	}
	for _, e := range t.Content.Relations {
		if slices.Contains(before.Relations, e) {
			continue
		}
		if err := relation.Add(tx, t.ID, e); err != nil {
			return err
		}
	}
	return relation.SetMentions(tx, t.ID, relation.Mentions(t.Slug, t.Content.texts()...))
}

type revisionRow struct {
	WorkspaceID uuid.UUID
	TopicID     uuid.UUID
	Revision    int
	ID          uuid.UUID
	Status      Status
	Snapshot    Content  `gorm:"serializer:json"`
	Changes     []Change `gorm:"serializer:json"`
	ContentHash string
	Summary     string
	AuthorID    uuid.UUID
	Via         string
	Client      string
	Op          string
	At          time.Time
	IsPrivate   bool
	Seq         int64
}

func (revisionRow) TableName() string { return "revision" }

func insertRevision(tx *pg.Tx, r revisionRow) error {
	if err := tx.Store().Create(&r).Error; err != nil {
		return fmt.Errorf("store a revision: %w", err)
	}
	return nil
}

// one reads a single row of the workspace; ok is false when there is none. What names it in an error.
func one[T any](tx *pg.Tx, what, where string, args ...any) (row T, ok bool, err error) {
	err = tx.Store().Where("workspace_id = ?", tx.Actor().Workspace).Where(where, args...).Take(&row).Error
	if pg.NoRow(err) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("read %s: %w", what, err)
	}
	return row, true, nil
}

// revisionOf reads one revision of a topic; ok is false when there is none of that number.
func revisionOf(tx *pg.Tx, topic uuid.UUID, number int) (revisionRow, bool, error) {
	return one[revisionRow](tx, "a revision", "topic_id = ? and revision = ?", topic, number)
}

func revisionByID(tx *pg.Tx, id uuid.UUID) (revisionRow, bool, error) {
	return one[revisionRow](tx, "a revision", "id = ?", id)
}

// markVerified notes on a topic that it was verified, for whoever ranks it.
func markVerified(tx *pg.Tx, topic uuid.UUID, seq int64) error {
	err := tx.Store().Exec(`update topic set verified_at = ?, seq = ? where workspace_id = ? and id = ?`, tx.Now(), seq, tx.Actor().Workspace, topic).Error
	if err != nil {
		return fmt.Errorf("note a verification: %w", err)
	}
	return nil
}

// lastReviewed is the content of the newest revision that was Knowledge; ok is false when none ever was.
func lastReviewed(tx *pg.Tx, topic uuid.UUID) (Content, bool, error) {
	r, ok, err := one[revisionRow](tx, "the last reviewed revision", `topic_id = ? and revision =
		(select max(o.revision) from revision o where o.workspace_id = revision.workspace_id and o.topic_id = ? and o.status = 'reviewed')`, topic, topic)
	return r.Snapshot, ok, err
}

// changesSince lists the leaf changes of every revision after base, for a writer whose base is stale.
func changesSince(tx *pg.Tx, topic uuid.UUID, base int) ([]revisionChanges, error) {
	var rows []revisionRow
	err := tx.Store().Where("workspace_id = ? and topic_id = ? and revision > ?", tx.Actor().Workspace, topic, base).
		Order("revision").Limit(100).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what changed since: %w", err)
	}
	out := make([]revisionChanges, 0, len(rows))
	for _, r := range rows {
		out = append(out, revisionChanges{Revision: r.Revision, Status: r.Status, Changes: r.Changes})
	}
	return out, nil
}

type revisionChanges struct {
	Revision int      `json:"revision"`
	Status   Status   `json:"status"`
	Changes  []Change `json:"changes"`
}

type editRow struct {
	WorkspaceID  uuid.UUID
	ID           uuid.UUID
	TopicID      uuid.UUID
	BaseRevision int
	AuthorID     uuid.UUID
	Via          string
	Client       string
	Summary      string
	Snapshot     Content  `gorm:"serializer:json"`
	Changes      []Change `gorm:"serializer:json"`
	ContentHash  string
	Status       string
	Reason       string
	DecidedBy    *uuid.UUID
	DecidedAt    *time.Time
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Absorbs      pg.UUIDs
}

func (editRow) TableName() string { return "suggested_edit" }

// ownOpenEdit finds the actor's open edit of a topic, to extend it. Where it can be carried over to what the topic says now, it
// is: a change back to an older text would be none otherwise.
func ownOpenEdit(tx *pg.Tx, t *Topic) (editRow, bool, error) {
	e, ok, err := one[editRow](tx, "an open edit", "topic_id = ? and author_id = ? and status = 'open'", t.ID, tx.Actor().Person)
	if err != nil || !ok || e.BaseRevision == t.Revision {
		return e, ok, err
	}
	base, found, err := revisionOf(tx, t.ID, e.BaseRevision)
	if err != nil || !found {
		return e, ok, err
	}
	if now, conflicts, err := rebase(base.Snapshot, e.Snapshot, t.Content, nil); err == nil && len(conflicts) == 0 {
		e.Snapshot, e.BaseRevision = now, t.Revision
	}
	return e, ok, nil
}

// loadEdit reads an edit and its topic for a decision, both locked.
func loadEdit(tx *pg.Tx, id string) (editRow, *Topic, error) {
	var e editRow
	key, err := uuid.Parse(id)
	if err != nil {
		return e, nil, fault.Missing("suggested edit", id)
	}
	if err := event.Lock(tx); err != nil {
		return e, nil, err
	}
	err = tx.Store().Where("workspace_id = ? and id = ?", tx.Actor().Workspace, key).Take(&e).Error
	if pg.NoRow(err) {
		return e, nil, fault.Missing("suggested edit", id)
	}
	if err != nil {
		return e, nil, fmt.Errorf("load a suggested edit: %w", err)
	}
	var slug string
	if err := tx.Store().Raw(`select slug from topic where workspace_id = ? and id = ?`, e.WorkspaceID, e.TopicID).Scan(&slug).Error; err != nil {
		return e, nil, fmt.Errorf("find the topic of an edit: %w", err)
	}
	t, err := load(tx, slug, false)
	if fault.Is(err, fault.CodeNotFound) {
		return e, nil, fault.Missing("suggested edit", id)
	}
	if err != nil {
		return e, nil, err
	}
	return e, t, nil
}

func saveEdit(tx *pg.Tx, e editRow) error {
	err := tx.Store().Model(&editRow{}).Where("workspace_id = ? and id = ?", e.WorkspaceID, e.ID).Select("*").
		Omit("workspace_id", "id", "topic_id", "author_id", "created_at").Updates(&e).Error
	if err != nil {
		return fmt.Errorf("store a suggested edit: %w", err)
	}
	return nil
}

// openEdits are the edits of a topic that wait for a reviewer.
func openEdits(tx *pg.Tx, topic uuid.UUID) (rows []editRow, err error) {
	err = tx.Store().Where("workspace_id = ? and topic_id = ? and status = 'open'", tx.Actor().Workspace, topic).Order("id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list open edits: %w", err)
	}
	return rows, nil
}

func topicByID(tx *pg.Tx, id uuid.UUID) (Topic, bool, error) {
	return one[Topic](tx, "a topic", "id = ?", id)
}

func insertEdit(tx *pg.Tx, e editRow) error {
	if err := tx.Store().Create(&e).Error; err != nil {
		return fmt.Errorf("store a suggested edit: %w", err)
	}
	return nil
}

func jsonInto(out any) func([]byte) error {
	return func(raw []byte) error { return json.Unmarshal(raw, out) }
}

func (confirmationRow) TableName() string { return "confirmation" }

func insertConfirmation(tx *pg.Tx, c confirmationRow) error {
	if err := tx.Store().Create(&c).Error; err != nil {
		return fmt.Errorf("store a confirmation: %w", err)
	}
	return nil
}

func confirmationByID(tx *pg.Tx, id string) (c confirmationRow, err error) {
	err = tx.Store().Where("id = ?", id).Take(&c).Error
	if pg.NoRow(err) {
		return c, fault.Missing("confirmation", id)
	}
	if err != nil {
		return c, fmt.Errorf("read a confirmation: %w", err)
	}
	return c, nil
}

func closeConfirmation(tx *pg.Tx, id, status string) error {
	err := tx.Store().Exec(`update confirmation set status = ?, decided_at = ? where workspace_id = ? and id = ? and status = 'pending'`,
		status, tx.Now(), tx.Actor().Workspace, id).Error
	if err != nil {
		return fmt.Errorf("close a confirmation: %w", err)
	}
	return nil
}

func slugOf(tx *pg.Tx, id uuid.UUID) (string, error) {
	var slug string
	err := tx.Store().Raw(`select slug from topic where workspace_id = ? and id = ?`, tx.Actor().Workspace, id).Scan(&slug).Error
	if err != nil {
		return "", fmt.Errorf("find the slug of a topic: %w", err)
	}
	return slug, nil
}

func editByID(tx *pg.Tx, id uuid.UUID) (editRow, bool, error) {
	return one[editRow](tx, "a suggested edit", "id = ?", id)
}

// pointAt lets what was merged into one topic lead to another, which that topic is merged into now.
func pointAt(tx *pg.Tx, from, to uuid.UUID) error {
	err := tx.Store().Exec(`update topic set merged_into = ? where workspace_id = ? and merged_into = ?`, to, tx.Actor().Workspace, from).Error
	if err != nil {
		return fmt.Errorf("move the pointers of merged topics: %w", err)
	}
	return nil
}

// queueRef is a place in the review queue.
type queueRef struct {
	Kind string
	Slug string
	ID   uuid.UUID
	Rank int
	At   time.Time
}

// queue reads the review queue behind a place in it.
func queue(tx *pg.Tx, kind string, after *queued, limit int) ([]queueRef, error) {
	ws := tx.Actor().Workspace
	query := `select * from (
		select 'note' as kind, t.slug, t.id, case when t.review_state = 'changes_requested' then 1 else 0 end as rank, t.proposed_at as at
		from topic t where t.workspace_id = ? and t.status = 'proposed' and ? in ('notes', 'all')
		union all
		select 'edit', t.slug, e.id, 0, e.created_at
		from suggested_edit e join topic t on t.workspace_id = e.workspace_id and t.id = e.topic_id
		where e.workspace_id = ? and e.status = 'open' and t.status = 'reviewed' and ? in ('edits', 'all')
	) q`
	args := []any{ws, kind, ws, kind}
	if after != nil {
		query += ` where (q.rank, q.at, q.id) > (?, ?, ?::uuid)`
		args = append(args, after.Rank, after.At, after.ID)
	}
	var out []queueRef
	err := tx.Store().Raw(query+` order by q.rank, q.at, q.id limit ?`, append(args, limit)...).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read the review queue: %w", err)
	}
	return out, nil
}

func personRef(tx *pg.Tx, id uuid.UUID) (*PersonRef, error) {
	var p PersonRef
	if err := tx.Store().Raw(`select name, email from person where id = ?`, id).Scan(&p).Error; err != nil {
		return nil, fmt.Errorf("read a person: %w", err)
	}
	return &p, nil
}

// revisions reads the history of a topic, newest first, before a revision where one is given.
func revisions(tx *pg.Tx, topic uuid.UUID, before, limit int) ([]HistoryRow, error) {
	query := `select r.revision, r.id, r.status, r.changes, r.summary, r.via, r.client, r.op, r.at, p.name, p.email
		from revision r join person p on p.id = r.author_id where r.workspace_id = ? and r.topic_id = ?`
	args := []any{tx.Actor().Workspace, topic}
	if before > 0 {
		query, args = query+` and r.revision < ?`, append(args, before)
	}
	rows, err := tx.Store().Raw(query+` order by r.revision desc limit ?`, append(args, limit)...).Rows()
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var out []HistoryRow
	for rows.Next() {
		var r HistoryRow
		var changes []byte
		var by PersonRef
		if err := rows.Scan(&r.Revision, &r.RevisionID, &r.Status, &changes, &r.Summary, &r.Via, &r.Client, &r.Operation, &r.At,
			&by.Name, &by.Email); err != nil {
			return nil, fmt.Errorf("read a revision: %w", err)
		}
		if err := json.Unmarshal(changes, &r.Changes); err != nil {
			return nil, fmt.Errorf("read the changes of a revision: %w", err)
		}
		r.At, r.Author = r.At.UTC(), &by
		out = append(out, r)
	}
	return out, rows.Err()
}

// TableName is the table of the row.
func (commentRow) TableName() string { return "comment" }

func insertComment(tx *pg.Tx, c commentRow) error {
	if err := tx.Store().Create(&c).Error; err != nil {
		return fmt.Errorf("store a comment: %w", err)
	}
	return nil
}

func commentByID(tx *pg.Tx, id uuid.UUID) (commentRow, bool, error) {
	return one[commentRow](tx, "a comment", "id = ?", id)
}

func setCommentStatus(tx *pg.Tx, id uuid.UUID, status string) error {
	var by, at any
	if status != "open" {
		by, at = tx.Actor().Person, tx.Now()
	}
	err := tx.Store().Exec(`update comment set status = ?, closed_by = ?, closed_at = ? where workspace_id = ? and id = ?`,
		status, by, at, tx.Actor().Workspace, id).Error
	if err != nil {
		return fmt.Errorf("close a comment: %w", err)
	}
	return nil
}

const commentSQL = `select json_build_object('id', c.id, 'topic', t.slug, 'proposal', coalesce(c.edit_id::text, ''), 'field', c.field, 'body', c.body,
		'revision', c.revision, 'status', c.status, 'author', json_build_object('name', p.name, 'email', p.email), 'via', c.via, 'at', c.created_at,
		'closed_by', case when q.id is not null then json_build_object('name', q.name, 'email', q.email) end, 'closed_at', c.closed_at)
	from comment c join topic t on t.workspace_id = c.workspace_id and t.id = c.topic_id
	join person p on p.id = c.author_id left join person q on q.id = c.closed_by where c.workspace_id = ?`

func readComment(tx *pg.Tx, id uuid.UUID) (c Comment, err error) {
	err = tx.JSON(jsonInto(&c), commentSQL+` and c.id = ?`, tx.Actor().Workspace, id)
	return c, err
}

// comments reads those of a topic, or of one suggested edit, oldest first, behind an id.
func comments(tx *pg.Tx, topic uuid.UUID, edit *uuid.UUID, after uuid.UUID, limit int) ([]Comment, error) {
	query, args := commentSQL+` and c.topic_id = ? and c.id > ?`, []any{tx.Actor().Workspace, topic, after}
	if edit != nil {
		query, args = query+` and c.edit_id = ?`, append(args, *edit)
	}
	var out []Comment
	err := tx.JSON(func(raw []byte) error {
		var c Comment
		out = append(out, c)
		return jsonInto(&out[len(out)-1])(raw)
	}, query+` order by c.id limit ?`, append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("list comments: %w", err)
	}
	return out, nil
}

func sweepConfirmations(tx *pg.Tx, then time.Time) error {
	err := tx.Store().Exec(`delete from confirmation where workspace_id = ? and expires_at < ?`, tx.Actor().Workspace, then).Error
	if err != nil {
		return fmt.Errorf("sweep confirmations: %w", err)
	}
	return nil
}
