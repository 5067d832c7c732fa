package claim

import (
	"fmt"
	"strconv"

	"github.com/google/uuid"

	"driftless/internal/drift/cite"
	"driftless/internal/pg"
)

// reader is the number of the rules by which references are read. Whoever changes what is read raises it; topics that were read by
// an earlier one are read again when code arrives.
const reader = 2

// Visible reads the topics of the workspace that the actor sees and that have anchors, whole, Knowledge first.
func Visible(tx *pg.Tx) ([]Claim, error) {
	return readClaims(tx, `t.body`, `jsonb_typeof(t.body -> 'anchors') = 'array'`)
}

// Public reads the anchors and references of all topics that are no private drafts: what those are about is known to their authors
// alone.
func Public(tx *pg.Tx) ([]Claim, error) {
	out, err := readClaims(tx, `jsonb_build_object('anchors', t.body -> 'anchors', 'sources', t.body -> 'sources') as body`, `not t.is_private`)
	if err != nil {
		return nil, err
	}
	return out, fillRefs(tx, out)
}

// Of reads what one topic claims, with its words; a private, archived or deleted one claims nothing.
func Of(tx *pg.Tx, topic uuid.UUID) (Claim, error) {
	rows, err := readClaims(tx, `t.body`, `not t.is_private and t.id = ?`, topic)
	if err != nil || len(rows) == 0 {
		return Claim{ID: topic}, err
	}
	rows[0].readRefs()
	return rows[0], nil
}

// Unread reads the topics, with their words, whose references were never kept, or by rules that are no longer those.
func Unread(tx *pg.Tx) ([]Claim, error) {
	rows, err := readClaims(tx, `t.body`, `not t.is_private and t.reader <> `+strconv.Itoa(reader))
	for i := range rows {
		rows[i].readRefs()
	}
	return rows, err
}

func readClaims(tx *pg.Tx, body, condition string, args ...any) ([]Claim, error) {
	var rows []struct {
		ID     uuid.UUID
		Slug   string
		Title  string
		What   string
		Status string
		Body   []byte
	}
	err := tx.Store().Raw(`select t.id, t.slug, t.title, t.what, t.status, `+body+` from topic t
		where t.workspace_id = ? and t.status in ('draft', 'proposed', 'reviewed') and `+condition+`
		order by case t.status when 'reviewed' then 0 when 'proposed' then 1 else 2 end, t.slug`,
		append([]any{tx.Actor().Workspace}, args...)...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what topics claim: %w", err)
	}
	out := make([]Claim, 0, len(rows))
	for _, r := range rows {
		c := Claim{ID: r.ID, Slug: r.Slug, Title: r.Title, What: r.What, Status: r.Status}
		if err := c.read(r.Body); err != nil {
			return nil, fmt.Errorf("read what a topic claims: %w", err)
		}
		out = append(out, c)
	}
	return out, nil
}

// fillRefs reads the references that are kept of these topics.
func fillRefs(tx *pg.Tx, claims []Claim) error {
	rows, err := tx.Store().Raw(`select topic_id, kind, text from citation where workspace_id = ? order by id`, tx.Actor().Workspace).Rows()
	if err != nil {
		return fmt.Errorf("read references: %w", err)
	}
	defer func() { _ = rows.Close() }()
	of := map[uuid.UUID][]cite.Ref{}
	for rows.Next() {
		var topic uuid.UUID
		var r cite.Ref
		if err := rows.Scan(&topic, &r.Kind, &r.Text); err != nil {
			return fmt.Errorf("read references: %w", err)
		}
		of[topic] = append(of[topic], r)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read references: %w", err)
	}
	for i := range claims {
		claims[i].Refs = of[claims[i].ID]
	}
	return nil
}

// Keep stores the references of a topic in the place of those there were. Resolved has the ones that mean something in a repository
// that is known; with again, as when somebody verifies, it also takes back what was resolved before.
func Keep(tx *pg.Tx, c Claim, resolved map[cite.Ref]bool, again bool) error {
	var ids pg.UUIDs
	var kinds, texts, certain, found pg.Strings
	for _, r := range c.Refs {
		ids, kinds, texts = append(ids, pg.NewID()), append(kinds, string(r.Kind)), append(texts, r.Text)
		certain, found = append(certain, strconv.FormatBool(r.Certain())), append(found, strconv.FormatBool(resolved[r]))
	}
	ws := tx.Actor().Workspace
	err := tx.Store().Exec(`delete from citation c where c.workspace_id = ? and c.topic_id = ? and not exists (
		select 1 from unnest(?::text[], ?::text[]) n(kind, text) where n.kind = c.kind and n.text = c.text)`, ws, c.ID, kinds, texts).Error
	if err != nil {
		return fmt.Errorf("forget references: %w", err)
	}
	err = tx.Store().Exec(`insert into citation (workspace_id, id, topic_id, kind, text, certain, resolved, at)
		select ?, n.id, ?, n.kind, n.text, n.certain::boolean, n.resolved::boolean, ?
		from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[]) n(id, kind, text, certain, resolved)
		on conflict (workspace_id, topic_id, kind, text) do update set resolved = excluded.resolved or citation.resolved and not ?, at = excluded.at
		where citation.resolved is distinct from (excluded.resolved or citation.resolved and not ?)`,
		ws, c.ID, tx.Now(), ids, kinds, texts, certain, found, again, again).Error
	if err != nil {
		return fmt.Errorf("keep references: %w", err)
	}
	err = tx.Store().Exec(`update topic set reader = ? where workspace_id = ? and id = ? and reader <> ?`, reader, ws, c.ID, reader).Error
	if err != nil {
		return fmt.Errorf("keep references: %w", err)
	}
	return nil
}

// unresolvedMax is how many references that lead nowhere are told of one topic.
const unresolvedMax = 20

// Unresolved are the references of a topic that can hardly mean anything but a file, and mean none of a known repository.
func Unresolved(tx *pg.Tx, topic uuid.UUID) ([]string, error) {
	var out []string
	err := tx.Store().Raw(`select c.text from citation c where c.workspace_id = ? and c.topic_id = ? and c.certain and not c.resolved
		order by c.text limit ?`, tx.Actor().Workspace, topic, unresolvedMax).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read references that lead nowhere: %w", err)
	}
	return out, nil
}

// Resolve remembers that references of a topic mean something in a repository that is new.
func Resolve(tx *pg.Tx, c Claim, meant map[cite.Ref]cite.Target) error {
	var kinds, texts pg.Strings
	for r := range meant {
		kinds, texts = append(kinds, string(r.Kind)), append(texts, r.Text)
	}
	err := tx.Store().Exec(`update citation c set resolved = true from unnest(?::text[], ?::text[]) n(kind, text)
		where c.workspace_id = ? and c.topic_id = ? and c.kind = n.kind and c.text = n.text and not c.resolved`,
		kinds, texts, tx.Actor().Workspace, c.ID).Error
	if err != nil {
		return fmt.Errorf("remember what references mean: %w", err)
	}
	return nil
}
