package notice

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// insert writes one notice. Without a target, the conflict asks for no right to read the other person's inbox.
func insert(tx *pg.Tx, n Notice, to uuid.UUID) error {
	var from *uuid.UUID
	if a := tx.Actor(); a.Person != uuid.Nil {
		from = &a.Person
	}
	var until *time.Time
	if !n.Until.IsZero() {
		until = &n.Until
	}
	err := tx.Store().Exec(`insert into inbox_item (workspace_id, id, person_id, kind, topic_id, from_id, at, about, expires_at)
		select m.workspace_id, ?::uuid, m.person_id, ?, ?::uuid, ?::uuid, ?::timestamptz, ?, ?::timestamptz
		from membership m join person p on p.id = m.person_id
		where m.workspace_id = ? and m.person_id = ? and p.kind = 'person' and p.disabled_at is null
		on conflict do nothing`,
		pg.NewID(), string(n.Kind), n.Topic, from, tx.Now(), n.About, until, tx.Actor().Workspace, to).Error
	if err != nil {
		return fmt.Errorf("fill an inbox: %w", err)
	}
	return nil
}

const people = ` join person p on p.id = m.person_id and p.kind = 'person' and p.disabled_at is null
	where m.workspace_id = ? and not m.person_id = any(?)`

func reviewers(tx *pg.Tx, area *uuid.UUID, leftOut []uuid.UUID) (out []uuid.UUID, err error) {
	workspace, without := tx.Actor().Workspace, pg.UUIDs(leftOut)
	if area != nil {
		err = tx.Store().Raw(`select m.person_id from membership m join area a on a.workspace_id = m.workspace_id and a.id = ? and m.person_id = any(a.reviewers)`+
			people, *area, workspace, without).Scan(&out).Error
	}
	if err == nil && len(out) == 0 {
		err = tx.Store().Raw(`select m.person_id from membership m`+people+` and m.role in ('owner', 'admin')`, workspace, without).Scan(&out).Error
	}
	if err != nil {
		return nil, fmt.Errorf("find the reviewers: %w", err)
	}
	return out, nil
}

// items lists the inbox of the actor. The join leaves out what they may not, or no longer, see; a review that nothing waits for
// any more is left out too, and so is what is over, and the warning of a topic that was touched since.
func items(tx *pg.Tx, unread bool, before uuid.UUID, limit int) ([]Item, error) {
	var rows []struct {
		ID                              uuid.UUID
		Slug, Title, Trust, Kind, About string
		Trashed                         bool
		Name, Email                     *string
		At                              time.Time
		ReadAt                          *time.Time
	}
	err := tx.Store().Raw(`select i.id, i.kind, i.about, i.at, i.read_at, t.slug, t.title, p.name, p.email,
			case when t.status in ('reviewed', 'proposed') then t.status else 'draft' end as trust, t.status = 'trash' as trashed
		from inbox_item i join topic t on t.workspace_id = i.workspace_id and t.id = i.topic_id left join person p on p.id = i.from_id
		where i.workspace_id = ? and i.person_id = ? and (t.status <> 'trash' or i.kind = 'outdated') and (i.read_at is null or not ?)
			and (i.expires_at is null or i.expires_at > ?)
			and (i.kind <> 'expiring' or t.expiry_warned_at is not null)
			and (i.kind <> 'review' or i.about = '' and t.status = 'proposed' or exists (select from suggested_edit e
				where e.workspace_id = i.workspace_id and e.topic_id = i.topic_id and e.id::text = i.about and e.status = 'open'))
			and (? or i.id < ?)
		order by i.id desc limit ?`,
		tx.Actor().Workspace, tx.Actor().Person, unread, tx.Now(), before == uuid.Nil, before, limit).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list an inbox: %w", err)
	}
	out := make([]Item, 0, len(rows))
	for _, r := range rows {
		item := Item{
			ID: r.ID, Kind: Kind(r.Kind), Topic: ItemTopic{Slug: r.Slug, Title: r.Title, Trust: r.Trust, Trashed: r.Trashed}, About: r.About, At: r.At.UTC(),
		}
		if r.Name != nil && r.Email != nil {
			item.From = &Sender{Name: *r.Name, Email: *r.Email}
		}
		if r.ReadAt != nil {
			at := r.ReadAt.UTC()
			item.ReadAt = &at
		}
		out = append(out, item)
	}
	return out, nil
}

// mark answers false for an item that is not the actor's. An item stays read where a younger one says the same.
func mark(tx *pg.Tx, id uuid.UUID, read bool) (bool, error) {
	done := tx.Store().Exec(`update inbox_item i set read_at = case when ? or exists (select from inbox_item o
			where o.workspace_id = i.workspace_id and o.person_id = i.person_id and o.kind = i.kind and o.topic_id = i.topic_id and o.about = i.about
				and o.kind <> 'shared' and o.id > i.id and o.read_at is null) then coalesce(i.read_at, ?) end
		where i.workspace_id = ? and i.id = ? and i.person_id = ?`,
		read, tx.Now(), tx.Actor().Workspace, id, tx.Actor().Person)
	if done.Error != nil {
		return false, fmt.Errorf("mark an item: %w", done.Error)
	}
	return done.RowsAffected == 1, nil
}

// markRead marks what a person was told of this kind about a topic.
func markRead(tx *pg.Tx, person uuid.UUID, kind Kind, topic uuid.UUID) error {
	err := tx.Store().Exec(`update inbox_item set read_at = ? where workspace_id = ? and person_id = ? and kind = ? and topic_id = ? and read_at is null`,
		tx.Now(), tx.Actor().Workspace, person, string(kind), topic).Error
	if err != nil {
		return fmt.Errorf("mark items: %w", err)
	}
	return nil
}

// markAll marks what the actor was told up to an item, and answers how many were unread.
func markAll(tx *pg.Tx, newest uuid.UUID) (int64, error) {
	done := tx.Store().Exec(`update inbox_item set read_at = ? where workspace_id = ? and person_id = ? and id <= ? and read_at is null`,
		tx.Now(), tx.Actor().Workspace, tx.Actor().Person, newest)
	if done.Error != nil {
		return 0, fmt.Errorf("mark an inbox: %w", done.Error)
	}
	return done.RowsAffected, nil
}

func sweepItems(tx *pg.Tx, readBefore, overBefore time.Time) error {
	err := tx.Store().Exec(`delete from inbox_item where workspace_id = ? and (read_at < ? or expires_at < ?)`, tx.Actor().Workspace, readBefore, overBefore).Error
	if err != nil {
		return fmt.Errorf("sweep inboxes: %w", err)
	}
	return nil
}
