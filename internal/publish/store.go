package publish

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/topic"
)

// found is what sharing looks at of a topic.
type found struct {
	ID        uuid.UUID
	Slug      string
	Status    topic.Status
	IsPrivate bool
	AuthorID  uuid.UUID
}

// find reads a topic that the actor may see.
func find(tx *pg.Tx, slug string) (t found, err error) {
	done := tx.Store().Raw(`select id, slug, status, is_private, author_id from topic where workspace_id = ? and slug = ? and status <> 'trash'`,
		tx.Actor().Workspace, slug).Scan(&t)
	if done.Error != nil {
		return t, fmt.Errorf("find a topic: %w", done.Error)
	}
	if done.RowsAffected == 0 {
		return t, fault.Missing("topic", slug)
	}
	return t, nil
}

type person struct {
	ID    uuid.UUID
	Email string
}

// memberByEmail finds a person of the workspace; a service account has no inbox.
func memberByEmail(tx *pg.Tx, email string) (p person, exists bool, err error) {
	done := tx.Store().Raw(`select p.id, p.email from person p join membership m on m.person_id = p.id
		where m.workspace_id = ? and p.email = ? and p.kind = 'person'`, tx.Actor().Workspace, email).Scan(&p)
	if done.Error != nil {
		return p, false, fmt.Errorf("find a member: %w", done.Error)
	}
	return p, done.RowsAffected == 1, nil
}

type shareRow struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	TopicID     uuid.UUID
	Token       string
	CreatedBy   uuid.UUID
	CreatedAt   time.Time
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
}

// TableName is the table of shares.
func (shareRow) TableName() string { return "share" }

func insertShare(tx *pg.Tx, row shareRow) error {
	if err := tx.Store().Create(&row).Error; err != nil {
		return fmt.Errorf("store a share: %w", err)
	}
	return nil
}

// openShare is the one that was not revoked; it may be over.
func openShare(tx *pg.Tx, id uuid.UUID) (row shareRow, exists bool, err error) {
	done := tx.Store().Raw(`select * from share where workspace_id = ? and topic_id = ? and revoked_at is null`, tx.Actor().Workspace, id).Scan(&row)
	if done.Error != nil {
		return row, false, fmt.Errorf("find a share: %w", done.Error)
	}
	return row, done.RowsAffected == 1, nil
}

// shareByToken finds a page for somebody who has nothing but its address: a policy shows the row of this token, and no other.
func shareByToken(tx *pg.Tx, token string) (row shareRow, exists bool, err error) {
	if err := tx.Store().Exec(`select set_config('app.share', ?, true)`, token).Error; err != nil {
		return row, false, err
	}
	done := tx.Store().Raw(`select * from share where token = ?`, token).Scan(&row)
	return row, done.RowsAffected == 1, done.Error
}

func prolong(tx *pg.Tx, id uuid.UUID, expires *time.Time) error {
	err := tx.Store().Exec(`update share set expires_at = ? where workspace_id = ? and topic_id = ? and revoked_at is null`,
		expires, tx.Actor().Workspace, id).Error
	if err != nil {
		return fmt.Errorf("prolong a share: %w", err)
	}
	return nil
}

func revokeShare(tx *pg.Tx, id uuid.UUID) error {
	err := tx.Store().Exec(`update share set revoked_at = ? where workspace_id = ? and topic_id = ? and revoked_at is null`,
		tx.Now(), tx.Actor().Workspace, id).Error
	if err != nil {
		return fmt.Errorf("revoke a share: %w", err)
	}
	return nil
}

func sweepShares(tx *pg.Tx, before time.Time) error {
	err := tx.Store().Exec(`delete from share where workspace_id = ? and (revoked_at < ? or expires_at < ?)`, tx.Actor().Workspace, before, before).Error
	if err != nil {
		return fmt.Errorf("sweep shares: %w", err)
	}
	return nil
}

func addReader(tx *pg.Tx, id, reader uuid.UUID) error {
	err := tx.Store().Exec(`insert into topic_reader (workspace_id, topic_id, person_id, shared_by, shared_at) values (?, ?, ?, ?, ?)
		on conflict do nothing`, tx.Actor().Workspace, id, reader, tx.Actor().Person, tx.Now()).Error
	if err != nil {
		return fmt.Errorf("let somebody read a draft: %w", err)
	}
	return nil
}

func removeReaders(tx *pg.Tx, id uuid.UUID, people []uuid.UUID, everybody bool) error {
	err := tx.Store().Exec(`delete from topic_reader where workspace_id = ? and topic_id = ? and (person_id = any(?) or ?)`,
		tx.Actor().Workspace, id, pg.UUIDs(people), everybody).Error
	if err != nil {
		return fmt.Errorf("take a draft back: %w", err)
	}
	return nil
}

// readers names whom the actor lets read a topic.
func readers(tx *pg.Tx, id uuid.UUID) ([]string, error) {
	out := []string{}
	err := tx.Store().Raw(`select p.email from topic_reader r join person p on p.id = r.person_id
		where r.workspace_id = ? and r.topic_id = ? and r.shared_by = ? order by p.email`, tx.Actor().Workspace, id, tx.Actor().Person).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("list the readers of a draft: %w", err)
	}
	return out, nil
}

// openNow is what is open to everybody.
type openNow struct {
	Topics int
	// Digest is another one whenever anything is that anybody may read.
	Digest string
}

func openVersion(tx *pg.Tx) (now openNow, err error) {
	if err := tx.Store().Raw(`select topics, digest from public_version()`).Scan(&now).Error; err != nil {
		return now, fmt.Errorf("read what is open: %w", err)
	}
	return now, nil
}

// openQuery says which open topics are read: all, or those that are named or have these ids, behind a slug.
type openQuery struct {
	named  []string
	ids    []uuid.UUID
	behind string
	most   int // 0 for all
	whole  bool
}

// openTopics reads open topics in the order of their slugs. The database knows what is open and hands out nothing else.
func openTopics(tx *pg.Tx, q openQuery, scan func(*topic.Document) error) error {
	var named, ids, most any
	if q.named != nil {
		named = pg.Strings(q.named)
	}
	if q.ids != nil {
		ids = pg.UUIDs(q.ids)
	}
	if q.most > 0 {
		most = q.most
	}
	err := tx.JSON(func(raw []byte) error {
		d := new(topic.Document)
		if err := json.Unmarshal(raw, d); err != nil {
			return err
		}
		return scan(d)
	}, `select document from public_topics(?, ?, ?, ?, ?) as document`, named, ids, q.behind, most, q.whole)
	if err != nil {
		return fmt.Errorf("read open topics: %w", err)
	}
	return nil
}

// openSlugs are those of the slugs whose topics are open.
func openSlugs(tx *pg.Tx, slugs []string) (map[string]bool, error) {
	open := map[string]bool{}
	if len(slugs) == 0 {
		return open, nil
	}
	err := openTopics(tx, openQuery{named: slugs}, func(d *topic.Document) error {
		open[d.Slug] = true
		return nil
	})
	return open, err
}
