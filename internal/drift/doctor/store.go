package doctor

import (
	"fmt"
	"time"

	"driftless/internal/pg"
)

// head is what names a topic.
type head struct {
	Slug  string
	Title string
	Trust string
}

func (h head) member(detail string) Member {
	return Member{Slug: h.Slug, Title: h.Title, Trust: h.Trust, Detail: detail}
}

// Each query finds topics that are neither archived nor in the trash, the oldest first, with what it is about them. The
// workspace is its first argument, further ones follow.
const (
	headSQL = `select t.slug, t.title, case when t.status in ('reviewed', 'proposed') then t.status else 'draft' end as trust, `
	liveSQL = ` t.workspace_id = ? and t.status in ('draft', 'proposed', 'reviewed')`

	staleSQL = headSQL + `t.drift_state as detail from topic t where` + liveSQL + ` and t.drift_state in ('review', 'broken') order by t.id`

	draftSQL = headSQL + `'not touched since ' || to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD') as detail
		from topic t where` + liveSQL + ` and t.status = 'draft' and t.updated_at < ? order by t.updated_at`

	waitingSQL = headSQL + `'proposed on ' || to_char(t.proposed_at at time zone 'UTC', 'YYYY-MM-DD') as detail
		from topic t where` + liveSQL + ` and t.status = 'proposed' and t.proposed_at < ? order by t.proposed_at`

	deadLinkSQL = headSQL + `'mentions ' || string_agg(m.to_slug, ', ' order by m.to_slug) as detail
		from topic t join mention m on m.workspace_id = t.workspace_id and m.from_id = t.id where` + liveSQL + `
		and not exists (select 1 from topic o where o.workspace_id = m.workspace_id and o.slug = m.to_slug and o.status <> 'trash')
		group by t.id, t.slug, t.title, t.status order by t.id`

	unresolvedSQL = headSQL + `'cites ' || string_agg(c.text, ', ' order by c.text) as detail
		from topic t join citation c on c.workspace_id = t.workspace_id and c.topic_id = t.id and c.certain and not c.resolved where` + liveSQL + `
		group by t.id, t.slug, t.title, t.status order by t.id`

	overdueSQL = headSQL + `'was to be reviewed by ' || (t.body ->> 'review_by') as detail
		from topic t where` + liveSQL + ` and t.body ->> 'review_by' < ? order by t.body ->> 'review_by', t.id`

	supersededSQL = headSQL + `'replaced by ' || string_agg(o.slug, ', ' order by o.slug) as detail
		from topic t join relation r on r.workspace_id = t.workspace_id and r.to_id = t.id and r.type = 'supersedes'
		join topic o on o.workspace_id = r.workspace_id and o.id = r.from_id and o.status = 'reviewed'
		where` + liveSQL + ` and t.status = 'reviewed' group by t.id, t.slug, t.title, t.status order by t.id`

	misShapedSQL = headSQL + `case when length(t.body ->> 'how') > 1500 then 'how has ' || length(t.body ->> 'how') || ' characters'
			else 'what is empty' end as detail
		from topic t where` + liveSQL + ` and (t.what = '' and not t.is_private or length(t.body ->> 'how') > 1500) order by t.id`

	unassignedSQL = headSQL + `'' as detail from topic t where` + liveSQL + ` and t.area_id is null order by t.id`
)

// members counts what a query finds and reads the first of it.
func members(tx *pg.Tx, query string, limit int, args ...any) (int, []Member, error) {
	args = append([]any{tx.Actor().Workspace}, args...)
	var rows []struct {
		Slug, Title, Trust, Detail string
		Total                      int
	}
	whole := `with found as materialized (` + query + `) select f.*, (select count(*) from found) as total from found f limit ?`
	if err := tx.Store().Raw(whole, append(args, max(limit, 1))...).Scan(&rows).Error; err != nil {
		return 0, nil, fmt.Errorf("look over a workspace: %w", err)
	}
	count, out := 0, []Member{}
	for i, r := range rows {
		count = r.Total
		if i < limit {
			out = append(out, Member{Slug: r.Slug, Title: r.Title, Trust: r.Trust, Detail: r.Detail})
		}
	}
	return count, out, nil
}

type said struct {
	head
	Text string
}

// statements reads the invariants and decisions of Knowledge, topic by topic.
func statements(tx *pg.Tx) ([]said, error) {
	var rows []struct{ Slug, Title, Trust, Text string }
	err := tx.Store().Raw(headSQL+`s.text from topic t, lateral (
			select jsonb_array_elements_text(coalesce(t.body -> 'invariants', '[]')) as text
			union all select jsonb_array_elements_text(coalesce(t.body -> 'decisions', '[]'))) s
		where t.workspace_id = ? and t.status = 'reviewed' order by t.id`, tx.Actor().Workspace).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what Knowledge says: %w", err)
	}
	out := make([]said, 0, len(rows))
	for _, r := range rows {
		out = append(out, said{head{r.Slug, r.Title, r.Trust}, r.Text})
	}
	return out, nil
}

// anchored is a topic with its anchors.
type anchored struct {
	head
	Anchors []string
}

// anchoredTopics reads the topics that have anchors, the oldest first.
func anchoredTopics(tx *pg.Tx) ([]anchored, error) {
	var rows []struct {
		Slug, Title, Trust string
		Anchors            pg.Strings
	}
	err := tx.Store().Raw(headSQL+`array(select jsonb_array_elements_text(t.body -> 'anchors')) as anchors
		from topic t where`+liveSQL+` and jsonb_typeof(t.body -> 'anchors') = 'array' order by t.id`, tx.Actor().Workspace).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the anchors of topics: %w", err)
	}
	out := make([]anchored, 0, len(rows))
	for _, r := range rows {
		out = append(out, anchored{head{r.Slug, r.Title, r.Trust}, r.Anchors})
	}
	return out, nil
}

// likeness is what two topics are compared by.
type likeness struct {
	head
	Anchors string
	Text    string
}

// likenesses reads the heads of all topics, the older ones first. The first characters of a text are enough to tell whether
// two are the same.
func likenesses(tx *pg.Tx) ([]likeness, error) {
	var rows []struct{ Slug, Title, Trust, Anchors, Text string }
	err := tx.Store().Raw(headSQL+`coalesce(nullif(t.body ->> 'anchors', '[]'), '') as anchors,
			left(concat_ws(' ', t.what, t.body ->> 'how', t.body ->> 'content'), 1200) as text
		from topic t where`+liveSQL+` order by t.id`, tx.Actor().Workspace).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("compare topics: %w", err)
	}
	out := make([]likeness, 0, len(rows))
	for _, r := range rows {
		out = append(out, likeness{head{r.Slug, r.Title, r.Trust}, r.Anchors, r.Text})
	}
	return out, nil
}

// countRow is how many topics a category had when a day began.
type countRow struct {
	Day      time.Time
	Category string
	Topics   int
}

func countedOn(tx *pg.Tx, day time.Time) (found bool, err error) {
	err = tx.Store().Raw(`select exists (select 1 from doctor_day where workspace_id = ? and day = ?::date)`, tx.Actor().Workspace, day.Format(time.DateOnly)).
		Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("look for today's counts: %w", err)
	}
	return found, nil
}

func keepCount(tx *pg.Tx, r countRow) error {
	err := tx.Store().Exec(`insert into doctor_day (workspace_id, day, category, topics) values (?, ?::date, ?, ?) on conflict do nothing`,
		tx.Actor().Workspace, r.Day.Format(time.DateOnly), r.Category, r.Topics).Error
	if err != nil {
		return fmt.Errorf("keep a count: %w", err)
	}
	return nil
}

func countsSince(tx *pg.Tx, day time.Time) ([]countRow, error) {
	var out []countRow
	err := tx.Store().Raw(`select day, category, topics from doctor_day where workspace_id = ? and day >= ?::date order by day, category`,
		tx.Actor().Workspace, day.Format(time.DateOnly)).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read the counts of days: %w", err)
	}
	return out, nil
}

func forgetCounts(tx *pg.Tx, before time.Time) error {
	err := tx.Store().Exec(`delete from doctor_day where workspace_id = ? and day < ?::date`, tx.Actor().Workspace, before.Format(time.DateOnly)).Error
	if err != nil {
		return fmt.Errorf("forget old counts: %w", err)
	}
	return nil
}

// withoutPrivate runs fn with no private draft in sight.
func withoutPrivate(tx *pg.Tx, fn func() error) error {
	const see = `select set_config('app.see_private', ?, true)`
	var before string
	if err := tx.Store().Raw(`select current_setting('app.see_private')`).Scan(&before).Error; err != nil {
		return fmt.Errorf("ask who is seen: %w", err)
	}
	if err := tx.Store().Exec(see, "").Error; err != nil {
		return fmt.Errorf("see no private draft: %w", err)
	}
	// A failure needs no way back: the setting goes with the transaction.
	if err := fn(); err != nil {
		return err
	}
	if err := tx.Store().Exec(see, before).Error; err != nil {
		return fmt.Errorf("see what was seen before: %w", err)
	}
	return nil
}
