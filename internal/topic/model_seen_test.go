package topic

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// seen is the workspace as it stands in the database, in the form in which it is compared with the model.
type seen struct {
	Approval string            `json:"approval"`
	FourEyes bool              `json:"four_eyes"`
	Roles    map[string]string `json:"roles"`
	Topics   []seenTopic       `json:"topics"`
	Edits    []seenEdit        `json:"edits"`
	Asks     []seenAsk         `json:"asks"`
	Undos    []seenUndo        `json:"undos"`
}

type seenTopic struct {
	Slug       string  `json:"slug"`
	Status     Status  `json:"status"`
	Back       Status  `json:"back"`
	Private    bool    `json:"private"`
	Author     string  `json:"author"`
	Editor     string  `json:"editor"`
	Hash       string  `json:"hash"`
	Revision   int     `json:"revision"`
	Revisions  int     `json:"revisions"`
	Review     string  `json:"review"`
	By         string  `json:"by"`
	Via        string  `json:"via"`
	Approved   int     `json:"approved"`
	MergedInto string  `json:"merged_into"`
	Says       Content `json:"says"`
}

type seenEdit struct {
	ID      string  `json:"id"`
	Topic   string  `json:"topic"`
	Author  string  `json:"author"`
	Status  string  `json:"status"`
	Base    int     `json:"base"`
	Content Content `json:"content"`
}

type seenAsk struct {
	ID     string `json:"id"`
	Person string `json:"person"`
	Status string `json:"status"`
	Hash   string `json:"hash"`
}

type seenUndo struct {
	ID       string `json:"id"`
	Holder   string `json:"holder"`
	Topic    string `json:"topic"`
	Revision int    `json:"revision"`
	Used     bool   `json:"used"`
}

const seenSQL = `select json_build_object(
	'approval', s.agent_approval, 'four_eyes', s.four_eyes,
	'roles', (select json_object_agg(m.person_id, m.role) from membership m where m.workspace_id = s.workspace_id),
	'topics', (select json_agg(json_build_object('slug', t.slug, 'status', t.status, 'back', coalesce(t.returns_to, ''),
		'private', t.is_private, 'author', t.author_id, 'editor', t.editor_id, 'hash', t.content_hash, 'revision', t.revision,
		'revisions', (select count(*) from revision r where r.workspace_id = t.workspace_id and r.topic_id = t.id),
		'review', t.review_state, 'by', coalesce(t.approved_by::text, ''), 'via', coalesce(t.approved_via, ''),
		'approved', coalesce(t.approved_revision, 0),
		'merged_into', coalesce((select o.slug from topic o where o.workspace_id = t.workspace_id and o.id = t.merged_into), ''),
		'says', (select r.snapshot from revision r where r.workspace_id = t.workspace_id and r.topic_id = t.id and r.revision = t.revision)))
		from topic t where t.workspace_id = s.workspace_id),
	'edits', (select json_agg(json_build_object('id', e.id, 'topic', t.slug, 'author', e.author_id, 'status', e.status,
		'base', e.base_revision, 'content', e.snapshot)) from suggested_edit e join topic t on t.workspace_id = e.workspace_id and t.id = e.topic_id
		where e.workspace_id = s.workspace_id),
	'asks', (select json_agg(json_build_object('id', c.id, 'person', c.person_id, 'status', c.status, 'hash', c.content_hash)) from confirmation c
		where c.workspace_id = s.workspace_id),
	'undos', (select json_agg(json_build_object('id', u.revision_id, 'holder', u.person_id, 'topic', t.slug, 'revision', r.revision,
		'used', u.used_at is not null)) from undo_token u join revision r on r.workspace_id = u.workspace_id and r.id = u.revision_id
		join topic t on t.workspace_id = r.workspace_id and t.id = r.topic_id where u.workspace_id = s.workspace_id))
	from workspace_setting s where s.workspace_id = ?`

// look reads the workspace as the database has it.
func (w *world) look() (seen, error) {
	var out seen
	ws := w.cast["owner"].Workspace
	err := w.db.Read(w.ctx, tenant.System(ws), func(b *pg.Batch) {
		b.JSON(func(raw []byte) error {
			text := string(raw)
			for id, name := range w.named {
				text = strings.ReplaceAll(text, id.String(), name)
			}
			return json.Unmarshal([]byte(text), &out)
		}, seenSQL, ws)
	})
	if err != nil {
		return out, fmt.Errorf("look at the workspace: %w", err)
	}
	return out.sorted(), nil
}

func (s seen) sorted() seen {
	slices.SortFunc(s.Topics, func(a, b seenTopic) int { return strings.Compare(a.Slug, b.Slug) })
	slices.SortFunc(s.Edits, func(a, b seenEdit) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(s.Asks, func(a, b seenAsk) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(s.Undos, func(a, b seenUndo) int { return strings.Compare(a.ID, b.ID) })
	return s
}

// seen is what the database ought to hold.
func (m *model) seen() seen {
	out := seen{Approval: m.approval, FourEyes: m.fourEyes, Roles: map[string]string{}}
	for name, role := range m.roles {
		out.Roles[name] = string(role)
	}
	for _, slug := range slices.Sorted(maps.Keys(m.topics)) {
		t := m.topics[slug]
		out.Topics = append(out.Topics, seenTopic{
			Slug: slug, Status: t.status, Back: t.back, Private: t.private, Author: t.author, Editor: t.editor, Hash: t.content.Hash(),
			Revision: t.revision(), Revisions: t.revision(), Review: t.review, By: t.by, Via: t.via, Approved: t.approved,
			MergedInto: t.mergedInto, Says: stored(t.content),
		})
	}
	for _, e := range m.edits {
		out.Edits = append(out.Edits, seenEdit{ID: e.id, Topic: e.topic, Author: e.author, Status: e.status, Base: e.base, Content: stored(e.content)})
	}
	for _, a := range m.asks {
		out.Asks = append(out.Asks, seenAsk{ID: a.id, Person: a.person, Status: a.status, Hash: a.hash})
	}
	for _, u := range m.undos {
		out.Undos = append(out.Undos, seenUndo{ID: u.revisionID, Holder: u.holder, Topic: u.topic, Revision: u.revision, Used: u.used})
	}
	return out.sorted()
}

// stored is a content as it comes back from the database: a list without elements is none.
func stored(c Content) Content {
	back, err := plant(tree(c))
	if err != nil {
		panic(err)
	}
	return back
}
