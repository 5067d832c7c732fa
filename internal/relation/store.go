package relation

import (
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// Find answers the visible topic with this slug that is not in the trash; ok is false when there is none.
func Find(tx *pg.Tx, slug string) (t Target, ok bool, err error) {
	err = tx.Store().Raw(`select id, slug, is_private from topic where workspace_id = ? and slug = ? and status <> 'trash'`,
		tx.Actor().Workspace, slug).Scan(&t).Error
	if err != nil {
		return t, false, fmt.Errorf("find the target of a relation: %w", err)
	}
	return t, t.ID != uuid.Nil, nil
}

// Out lists the relations out of a topic, by slug of the target.
func Out(tx *pg.Tx, from uuid.UUID) ([]Edge, error) {
	var out []Edge
	err := tx.Store().Raw(`select t.slug as "to", r.type from relation r
		join topic t on t.workspace_id = r.workspace_id and t.id = r.to_id
		where r.workspace_id = ? and r.from_id = ? order by r.type, t.slug`, tx.Actor().Workspace, from).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read relations: %w", err)
	}
	return out, nil
}

// Add stores a relation to a visible topic, also to one in the trash, where it waits for its return; one that is there already
// stays as it is.
func Add(tx *pg.Tx, from uuid.UUID, e Edge) error {
	ws := tx.Actor().Workspace
	err := tx.Store().Exec(`insert into relation (workspace_id, from_id, type, to_id, created_by, created_at)
		select ?, ?, ?, t.id, ?, ? from topic t where t.workspace_id = ? and t.slug = ? on conflict do nothing`,
		ws, from, e.Type, tx.Actor().Person, tx.Now(), ws, e.To).Error
	if err != nil {
		return fmt.Errorf("store a relation: %w", err)
	}
	return nil
}

// Remove deletes a relation, wherever its target is.
func Remove(tx *pg.Tx, from uuid.UUID, e Edge) error {
	ws := tx.Actor().Workspace
	err := tx.Store().Exec(`delete from relation where workspace_id = ? and from_id = ? and type = ?
		and to_id = (select t.id from topic t where t.workspace_id = ? and t.slug = ?)`, ws, from, e.Type, ws, e.To).Error
	if err != nil {
		return fmt.Errorf("remove a relation: %w", err)
	}
	return nil
}

// Private lists the targets of a topic's relations that only their author sees, by slug.
func Private(tx *pg.Tx, from uuid.UUID) ([]string, error) {
	var out []string
	err := tx.Store().Raw(`select distinct t.slug from relation r
		join topic t on t.workspace_id = r.workspace_id and t.id = r.to_id
		where r.workspace_id = ? and r.from_id = ? and t.is_private order by t.slug`, tx.Actor().Workspace, from).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("look for private targets: %w", err)
	}
	return out, nil
}

// SetMentions replaces the mentions of a topic.
func SetMentions(tx *pg.Tx, from uuid.UUID, slugs []string) error {
	ws := tx.Actor().Workspace
	if err := tx.Store().Exec(`delete from mention where workspace_id = ? and from_id = ?`, ws, from).Error; err != nil {
		return fmt.Errorf("clear mentions: %w", err)
	}
	if len(slugs) == 0 {
		return nil
	}
	err := tx.Store().Exec(`insert into mention (workspace_id, from_id, to_slug) select ?, ?, unnest(?::text[])`,
		ws, from, pg.Strings(slugs)).Error
	if err != nil {
		return fmt.Errorf("store mentions: %w", err)
	}
	return nil
}

// ThereAlready reports whether a symmetric relation exists from the other end: it is one edge, whoever wrote it.
func ThereAlready(tx *pg.Tx, from string, e Edge) (found bool, err error) {
	if Type(e.Type) != RelatesTo {
		return false, nil
	}
	err = tx.Store().Raw(`select exists (select 1 from relation r
		join topic f on f.workspace_id = r.workspace_id and f.id = r.from_id
		join topic t on t.workspace_id = r.workspace_id and t.id = r.to_id
		where r.workspace_id = ? and r.type = ? and f.slug = ? and t.slug = ?)`, tx.Actor().Workspace, RelatesTo, e.To, from).Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("look for the other end of a relation: %w", err)
	}
	return found, nil
}

// Pointing lists the topics whose relations lead to a topic, by slug, without those that are put away.
func Pointing(tx *pg.Tx, to uuid.UUID) ([]string, error) {
	var out []string
	err := tx.Store().Raw(`select distinct t.slug from relation r
		join topic t on t.workspace_id = r.workspace_id and t.id = r.from_id
		where r.workspace_id = ? and r.to_id = ? and t.status not in ('archived', 'trash') order by t.slug`,
		tx.Actor().Workspace, to).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read what points at a topic: %w", err)
	}
	return out, nil
}
