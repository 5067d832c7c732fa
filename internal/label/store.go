package label

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type tagRow struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	Name        string
	Description string
	// Registered says that somebody made the tag on purpose; others came with a topic and are as visible as it.
	Registered bool
	CreatedAt  time.Time
}

func (tagRow) TableName() string { return "tag" }

type areaRow struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	Name        string
	NameKey     string
	Description string
	Reviewers   pg.UUIDs
	CreatedAt   time.Time
}

func (areaRow) TableName() string { return "area" }

// EnsureTags registers the names that are new and answers the ids of all, by name.
func EnsureTags(tx *pg.Tx, names []string) (map[string]uuid.UUID, error) {
	ids := map[string]uuid.UUID{}
	if len(names) == 0 {
		return ids, nil
	}
	rows := make([]tagRow, 0, len(names))
	for _, name := range names {
		rows = append(rows, tagRow{WorkspaceID: tx.Actor().Workspace, ID: pg.NewID(), Name: name, CreatedAt: tx.Now()})
	}
	err := tx.Store().Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "workspace_id"}, {Name: "name"}}, DoNothing: true}).
		Create(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("register tags: %w", err)
	}
	var found []tagRow
	if err := tx.Store().Where("workspace_id = ? and name in ?", tx.Actor().Workspace, names).Find(&found).Error; err != nil {
		return nil, fmt.Errorf("find tags: %w", err)
	}
	for _, t := range found {
		ids[t.Name] = t.ID
	}
	return ids, nil
}

// FindArea answers the id of an area by its name; an unknown one lists those that exist.
func FindArea(tx *pg.Tx, text string) (uuid.UUID, error) {
	_, key, err := areaName(text)
	if err != nil {
		return uuid.Nil, err
	}
	a, err := areaByKey(tx, key)
	if err == nil {
		return a.ID, nil
	}
	if !pg.NoRow(err) {
		return uuid.Nil, fmt.Errorf("find an area: %w", err)
	}
	var names []string
	if err := tx.Store().Raw(`select name from area where workspace_id = ? order by name limit 100`, tx.Actor().Workspace).
		Scan(&names).Error; err != nil {
		return uuid.Nil, fmt.Errorf("list areas: %w", err)
	}
	e := fault.Choice("area", text, names)
	e.Hint = "use one of these areas, or make it first with driftless_areas"
	return uuid.Nil, e
}

func areaByKey(tx *pg.Tx, key string) (areaRow, error) {
	var a areaRow
	err := tx.Store().Where("workspace_id = ? and name_key = ?", tx.Actor().Workspace, key).Take(&a).Error
	return a, err
}

// visibleTag is the condition under which a tag g exists for a reader: it was registered, or a topic that they may see has it.
const visibleTag = `(g.registered or exists (select 1 from topic_tag v where v.workspace_id = g.workspace_id and v.tag_id = g.id))`

func tagByName(tx *pg.Tx, name string) (tagRow, error) {
	var t tagRow
	err := tx.Store().Table("tag g").Where("g.workspace_id = ? and g.name = ? and "+visibleTag, tx.Actor().Workspace, name).Take(&t).Error
	return t, err
}

type tagView struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Count       int    `json:"count"`
}

// listTags answers tags most used first. Topics in the archive or the trash do not count.
func listTags(tx *pg.Tx, skip, limit int) ([]tagView, error) {
	var rows []tagView
	err := tx.Store().Raw(`select g.name, g.description, count(t.id) as count
		from tag g
		left join topic_tag x on x.workspace_id = g.workspace_id and x.tag_id = g.id
		left join topic t on t.workspace_id = x.workspace_id and t.id = x.topic_id and t.status not in ('archived', 'trash')
		where g.workspace_id = ? and `+visibleTag+` group by g.id, g.name, g.description
		order by count(t.id) desc, g.name offset ? limit ?`, tx.Actor().Workspace, skip, limit).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list tags: %w", err)
	}
	return rows, nil
}

func describeTag(tx *pg.Tx, id uuid.UUID, description string) error {
	return tx.Store().Exec(`update tag set registered = true, description = ? where workspace_id = ? and id = ?`, description, tx.Actor().Workspace, id).Error
}

// everywhere runs fn with every topic of the workspace in sight, the private drafts of others too: what happens to an entry of
// a registry happens wherever it is used. Nothing that fn reads may reach the caller.
func everywhere(tx *pg.Tx, fn func() error) error {
	const see = `select set_config('app.see_private', ?, true)`
	var before string
	if err := tx.Store().Raw(`select current_setting('app.see_private')`).Scan(&before).Error; err != nil {
		return fmt.Errorf("ask who is seen: %w", err)
	}
	if err := tx.Store().Exec(see, "on").Error; err != nil {
		return fmt.Errorf("see every topic: %w", err)
	}
	// A failure needs no way back: the setting goes with the transaction.
	if err := fn(); err != nil {
		return err
	}
	if err := tx.Store().Exec(see, before).Error; err != nil {
		return fmt.Errorf("see no more than before: %w", err)
	}
	return nil
}

// renameTag gives a tag another name; where that name exists, though hidden from the actor, the uses move there and the old
// entry goes. What somebody made on purpose stays so.
func renameTag(tx *pg.Tx, from tagRow, name string) error {
	ws := tx.Actor().Workspace
	var into tagRow
	err := tx.Store().Where("workspace_id = ? and name = ?", ws, name).Take(&into).Error
	if pg.NoRow(err) {
		return tx.Store().Exec(`update tag set name = ? where workspace_id = ? and id = ?`, name, ws, from.ID).Error
	}
	if err != nil {
		return err
	}
	err = everywhere(tx, func() error {
		return tx.Store().Exec(`insert into topic_tag (workspace_id, topic_id, tag_id)
			select workspace_id, topic_id, ? from topic_tag where workspace_id = ? and tag_id = ? on conflict do nothing`,
			into.ID, ws, from.ID).Error
	})
	if err != nil {
		return err
	}
	if from.Registered && !into.Registered {
		if err := describeTag(tx, into.ID, from.Description); err != nil {
			return err
		}
	}
	return deleteTag(tx, from.ID)
}

func deleteTag(tx *pg.Tx, id uuid.UUID) error {
	return tx.Store().Exec(`delete from tag where workspace_id = ? and id = ?`, tx.Actor().Workspace, id).Error
}

// touchTagged moves the topics of a tag to the front of the workspace's sequence, so that derived indexes read them again.
func touchTagged(tx *pg.Tx, id uuid.UUID, seq int64) error {
	ws := tx.Actor().Workspace
	return everywhere(tx, func() error {
		return tx.Store().Exec(`update topic set seq = ? where workspace_id = ? and id in
			(select topic_id from topic_tag where workspace_id = ? and tag_id = ?)`, seq, ws, ws, id).Error
	})
}

func touchArea(tx *pg.Tx, id uuid.UUID, seq int64) error {
	return everywhere(tx, func() error {
		return tx.Store().Exec(`update topic set seq = ? where workspace_id = ? and area_id = ?`, seq, tx.Actor().Workspace, id).Error
	})
}

// refile moves every topic of one area to another.
func refile(tx *pg.Tx, from, into uuid.UUID, seq int64) error {
	return everywhere(tx, func() error {
		return tx.Store().Exec(`update topic set area_id = ?, seq = ? where workspace_id = ? and area_id = ?`, into, seq, tx.Actor().Workspace, from).Error
	})
}

type areaView struct {
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Reviewers   []string   `json:"reviewers"`
	Count       int        `json:"count"`
	CreatedAt   *time.Time `json:"created_at,omitempty"`
}

func listAreas(tx *pg.Tx, skip, limit int) ([]areaView, error) {
	var rows []struct {
		Name        string
		Description string
		Reviewers   pg.Strings
		Count       int
	}
	err := tx.Store().Raw(`select a.name, a.description,
			array(select p.email from person p where p.id = any(a.reviewers) order by p.email) as reviewers,
			(select count(*) from topic t where t.workspace_id = a.workspace_id and t.area_id = a.id and t.status not in ('archived', 'trash')) as count
		from area a where a.workspace_id = ? order by a.name_key offset ? limit ?`, tx.Actor().Workspace, skip, limit).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list areas: %w", err)
	}
	out := make([]areaView, 0, len(rows))
	for _, r := range rows {
		view := areaView{Name: r.Name, Description: r.Description, Reviewers: r.Reviewers, Count: r.Count}
		if view.Reviewers == nil {
			view.Reviewers = []string{}
		}
		out = append(out, view)
	}
	return out, nil
}

func saveArea(tx *pg.Tx, a areaRow) error {
	return tx.Store().Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "workspace_id"}, {Name: "id"}},
		DoUpdates: clause.AssignmentColumns([]string{"name", "name_key", "description", "reviewers"}),
	}).Create(&a).Error
}

func deleteArea(tx *pg.Tx, id uuid.UUID) error {
	return tx.Store().Exec(`delete from area where workspace_id = ? and id = ?`, tx.Actor().Workspace, id).Error
}

// memberIDs finds members of the workspace by e-mail.
func memberIDs(tx *pg.Tx, emails []string) (pg.UUIDs, error) {
	var out pg.UUIDs
	for _, email := range emails {
		var id uuid.UUID
		err := tx.Store().Raw(`select p.id from person p join membership m on m.person_id = p.id
			where m.workspace_id = ? and p.email = lower(?)`, tx.Actor().Workspace, email).Row().Scan(&id)
		if pg.NoRow(err) {
			return nil, fault.Fieldf("reviewers", "%q is not a member of this workspace", email)
		}
		if err != nil {
			return nil, fmt.Errorf("find a member: %w", err)
		}
		out = append(out, id)
	}
	return out, nil
}

// QueueAreaNames reads the names of the areas of the actor's workspace.
func QueueAreaNames(b *pg.Batch, a tenant.Actor, scan func(name string)) {
	b.Query(func(rows pg.Rows) error {
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			scan(name)
		}
		return rows.Err()
	}, `select name from area where workspace_id = ?`, a.Workspace)
}
