package exchange

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/topic"
)

// source is a file that was imported. Slug is empty where its topic is in the trash or hidden from the actor.
type source struct {
	Slug    string
	Content topic.Content
}

// remembered finds what was imported under these keys before.
func remembered(tx *pg.Tx, origin string, keys []string) (map[string]*source, error) {
	out := map[string]*source{}
	if len(keys) == 0 {
		return out, nil
	}
	rows, err := tx.Store().Raw(`select i.key, coalesce(t.slug, ''), i.content from import_source i
		left join topic t on t.workspace_id = i.workspace_id and t.id = i.topic_id and t.status <> 'trash'
		where i.workspace_id = ? and i.origin = ? and i.key = any(?::text[])`,
		tx.Actor().Workspace, origin, pg.Strings(keys)).Rows()
	if err != nil {
		return nil, fmt.Errorf("find earlier imports: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key string
		var raw []byte
		var s source
		if err := rows.Scan(&key, &s.Slug, &raw); err != nil {
			return nil, fmt.Errorf("read an earlier import: %w", err)
		}
		if err := json.Unmarshal(raw, &s.Content); err != nil {
			return nil, fmt.Errorf("decode an earlier import: %w", err)
		}
		out[key] = &s
	}
	return out, rows.Err()
}

// remember keeps what a file said and which topic it stands for.
func remember(tx *pg.Tx, origin, key string, id uuid.UUID, c topic.Content) error {
	raw, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode an import: %w", err)
	}
	err = tx.Store().Exec(`insert into import_source (workspace_id, origin, key, topic_id, content, imported_at)
		values (?, ?, ?, ?, ?, ?)
		on conflict (workspace_id, origin, key) do update
		set topic_id = excluded.topic_id, content = excluded.content, imported_at = excluded.imported_at`,
		tx.Actor().Workspace, origin, key, id, string(raw), tx.Now()).Error
	if err != nil {
		return fmt.Errorf("remember an import: %w", err)
	}
	return nil
}
