package drift

import (
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// claims reads the topics of the workspace that the actor sees and that claim something about code, Knowledge first.
func claims(tx *pg.Tx) ([]claim, error) {
	var rows []struct {
		ID     uuid.UUID
		Slug   string
		Title  string
		What   string
		Status string
		Body   []byte
	}
	err := tx.Store().Raw(`select t.id, t.slug, t.title, t.what, t.status, t.body from topic t
		where t.workspace_id = ? and t.status in ('draft', 'proposed', 'reviewed') and jsonb_typeof(t.body -> 'anchors') = 'array'
		order by case t.status when 'reviewed' then 0 when 'proposed' then 1 else 2 end, t.slug`, tx.Actor().Workspace).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what topics claim: %w", err)
	}
	out := make([]claim, 0, len(rows))
	for _, r := range rows {
		c := claim{ID: r.ID, Slug: r.Slug, Title: r.Title, What: r.What, Status: r.Status}
		if err := c.read(r.Body); err != nil {
			return nil, fmt.Errorf("read what a topic claims: %w", err)
		}
		out = append(out, c)
	}
	return out, nil
}

// statesOf reads the state that a topic is in and the one that its findings put it in, and locks the topic.
func statesOf(tx *pg.Tx, topic uuid.UUID) (before, after State, err error) {
	var row struct {
		Before State
		After  State
	}
	err = tx.Store().Raw(`select t.drift_state as before, coalesce((select f.severity from finding f
			where f.workspace_id = t.workspace_id and f.topic_id = t.id
			order by array_position(array['broken', 'review', 'touched'], f.severity) limit 1), 'fresh') as after
		from topic t where t.workspace_id = ? and t.id = ? for update of t`, tx.Actor().Workspace, topic).Scan(&row).Error
	if err != nil {
		return "", "", fmt.Errorf("read the state of a topic: %w", err)
	}
	return row.Before, row.After, nil
}

func setState(tx *pg.Tx, topic uuid.UUID, state State, seq int64) error {
	err := tx.Store().Exec(`update topic set drift_state = ?, seq = ? where workspace_id = ? and id = ?`,
		string(state), seq, tx.Actor().Workspace, topic).Error
	if err != nil {
		return fmt.Errorf("store the state of a topic: %w", err)
	}
	return nil
}

func insertFinding(tx *pg.Tx, topic uuid.UUID, f found) error {
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make an id: %w", err)
	}
	paths := f.paths[:min(len(f.paths), pathsMax)]
	err = tx.Store().Exec(`insert into finding (workspace_id, id, topic_id, source_id, branch, origin, anchor, kind, severity, score, commit,
			paths, path_count, fix, at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		tx.Actor().Workspace, id, topic, f.source, f.branch, f.origin, f.anchor, string(f.kind), string(f.state), f.score, f.commit,
		pg.Strings(paths), len(f.paths), f.fix, tx.Now()).Error
	if err != nil {
		return fmt.Errorf("store a finding: %w", err)
	}
	return nil
}

// dropMark takes back what was marked before about the same anchor of a topic.
func dropMark(tx *pg.Tx, topic uuid.UUID, anchor string) error {
	err := tx.Store().Exec(`delete from finding where workspace_id = ? and topic_id = ? and origin = 'mark' and anchor = ?`,
		tx.Actor().Workspace, topic, anchor).Error
	if err != nil {
		return fmt.Errorf("replace a finding: %w", err)
	}
	return nil
}
