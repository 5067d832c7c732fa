package word

import (
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/drift/cite"
	"driftless/internal/pg"
)

// Open are the words that have to be looked for in a branch, at most [Max].
func Open(tx *pg.Tx, p Place) ([]string, error) {
	all, err := read(tx, p)
	if err != nil {
		return nil, err
	}
	var out []string
	seen := map[string]bool{}
	for _, c := range all {
		if w := c.sought(); c.open(p.Files) && !seen[w] && len(out) < Max {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out, nil
}

// Take keeps what was found of the words that are open; answers about others are dropped. A word of which nothing is said stays as it was.
func Take(tx *pg.Tx, p Place, answers []Answer) error {
	if len(answers) == 0 {
		return nil
	}
	found := map[string]string{}
	for _, a := range answers {
		found[a.Word] = a.Path
	}
	all, err := read(tx, p)
	if err != nil {
		return err
	}
	var topics pg.UUIDs
	var texts, words, paths, blobs pg.Strings
	for _, c := range all {
		path, said := found[c.sought()]
		f, there := p.Files.Find(path)
		if !said || path != "" && !there || !c.open(p.Files) {
			continue
		}
		topics, texts, words = append(topics, c.topic), append(texts, c.text), append(words, c.sought())
		paths, blobs = append(paths, f.Path), append(blobs, f.Blob)
	}
	if len(topics) == 0 {
		return nil
	}
	return keep(tx, p, topics, texts, words, paths, blobs)
}

// keep stores answers. A word that is gone keeps the place where it stood, so that it is known to have been there.
func keep(tx *pg.Tx, p Place, topics pg.UUIDs, texts, words, paths, blobs pg.Strings) error {
	ws := tx.Actor().Workspace
	const rows = `unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[]) n(topic, text, word, path, blob)`
	err := tx.Store().Exec(`update drift_target t set now_blob = n.blob, now_path = case when n.path = '' then t.now_path else n.path end,
			blob = case when n.blob = '' then t.blob else n.blob end, path = case when n.path = '' then t.path else n.path end
		from `+rows+` where t.workspace_id = ? and t.topic_id = n.topic and t.source_id = ? and t.branch = ? and t.role = 'cited'
			and t.kind = 'word' and t.anchor = n.text`,
		topics, texts, words, paths, blobs, ws, p.Source, p.Branch).Error
	if err != nil {
		return fmt.Errorf("keep where words stand: %w", err)
	}
	err = tx.Store().Exec(`insert into drift_target (workspace_id, topic_id, source_id, branch, role, kind, path, symbol, anchor, blob, size,
			now_path, now_blob, now_size, at)
		select ?, n.topic, ?, ?, 'cited', 'word', n.path, 'word ' || n.text, n.text, n.blob, 0, n.path, n.blob, 0, ? from `+rows+`
		where not exists (select 1 from drift_target o where o.workspace_id = ? and o.topic_id = n.topic and o.source_id = ? and o.branch = ?
			and o.role = 'cited' and o.kind = 'word' and o.anchor = n.text) on conflict do nothing`,
		ws, p.Source, p.Branch, tx.Now(), topics, texts, words, paths, blobs, ws, p.Source, p.Branch).Error
	if err != nil {
		return fmt.Errorf("keep where words stand: %w", err)
	}
	err = tx.Store().Exec(`update citation c set resolved = true from `+rows+`
		where c.workspace_id = ? and c.topic_id = n.topic and c.kind = 'word' and c.text = n.text and n.path <> '' and not c.resolved`,
		topics, texts, words, paths, blobs, ws).Error
	if err != nil {
		return fmt.Errorf("remember that words stand in code: %w", err)
	}
	return nil
}

// read lists the words that the topics of the workspace cite, with what is known of them in a branch.
func read(tx *pg.Tx, p Place) ([]cited, error) {
	rows, err := tx.Store().Raw(`select c.topic_id, c.text, t.topic_id is not null, coalesce(t.path, ''), coalesce(t.blob, ''), coalesce(t.now_blob, '')
		from citation c join topic x on x.workspace_id = c.workspace_id and x.id = c.topic_id and x.status in ('draft', 'proposed', 'reviewed')
			and not x.is_private
		left join drift_target t on t.workspace_id = c.workspace_id and t.topic_id = c.topic_id and t.source_id = ? and t.branch = ?
			and t.role = 'cited' and t.kind = 'word' and t.anchor = c.text
		where c.workspace_id = ? and c.kind = ? order by c.text, c.topic_id`, p.Source, p.Branch, tx.Actor().Workspace, string(cite.Word)).Rows()
	if err != nil {
		return nil, fmt.Errorf("read the words that topics cite: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var out []cited
	for rows.Next() {
		var c cited
		var id uuid.UUID
		var now string
		if err := rows.Scan(&id, &c.text, &c.known, &c.path, &c.blob, &now); err != nil {
			return nil, fmt.Errorf("read the words that topics cite: %w", err)
		}
		c.topic, c.gone = id, c.blob != "" && now == ""
		out = append(out, c)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the words that topics cite: %w", err)
	}
	return out, nil
}
