package evidence

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// found is what evidence looks at of a topic.
type found struct {
	ID        uuid.UUID
	Slug      string
	Solutions []Solution
}

func find(tx *pg.Tx, slug string) (found, error) {
	var row struct {
		ID        uuid.UUID
		Slug      string
		Solutions []byte
	}
	done := tx.Store().Raw(`select id, slug, coalesce(body -> 'solutions', '[]') as solutions from topic
		where workspace_id = ? and slug = ? and status not in ('trash', 'archived')`, tx.Actor().Workspace, slug).Scan(&row)
	if done.Error != nil {
		return found{}, fmt.Errorf("find a topic: %w", done.Error)
	}
	if done.RowsAffected == 0 {
		return found{}, fault.Missing("topic", slug)
	}
	t := found{ID: row.ID, Slug: row.Slug}
	if err := json.Unmarshal(row.Solutions, &t.Solutions); err != nil {
		return t, fmt.Errorf("read the solutions of a topic: %w", err)
	}
	return t, nil
}

// Keep counts which solutions of a topic changed. It is called in the transaction that writes the topic.
func Keep(tx *pg.Tx, topic uuid.UUID, before, after []Solution) error {
	was := map[string]Solution{}
	for _, s := range before {
		was[s.ID] = s
	}
	for _, s := range after {
		if old, there := was[s.ID]; there && same(old, s) {
			continue
		}
		err := tx.Store().Exec(`insert into solution (workspace_id, topic_id, id, revision) values (?, ?, ?, 1)
			on conflict (workspace_id, topic_id, id) do update set revision = solution.revision + 1`, tx.Actor().Workspace, topic, s.ID).Error
		if err != nil {
			return fmt.Errorf("count a solution: %w", err)
		}
	}
	return nil
}

// behindSQL is who stands behind a report f: of a service account, whoever made it. However many keys somebody makes, they saw with one
// pair of eyes.
const behindSQL = `coalesce((select k.created_by from api_key k join person p on p.id = k.person_id and p.kind = 'service'
	where k.person_id = f.person_id order by k.created_at limit 1), f.person_id)`

// knownSQL reads [Known] for the topic t; of the attempts the latest 50.
const knownSQL = `select json_build_object('topic', t.id,
	'revisions', (select json_object_agg(s.id, s.revision) from solution s where s.workspace_id = t.workspace_id and s.topic_id = t.id),
	'feedback', (select json_agg(json_build_object('solution', f.solution, 'person', ` + behindSQL + `, 'outcome', f.outcome, 'at', f.at,
			'env', json_build_object('os', f.os, 'runtime', f.runtime, 'pkg_manager', f.pkg_manager)))
		from feedback f join solution s on s.workspace_id = f.workspace_id and s.topic_id = f.topic_id and s.id = f.solution and s.revision = f.revision
		where f.workspace_id = t.workspace_id and f.topic_id = t.id),
	'clearings', (select json_agg(json_build_object('solution', c.solution, 'reason', c.reason, 'at', c.at))
		from clearing c join solution s on s.workspace_id = c.workspace_id and s.topic_id = c.topic_id and s.id = c.solution and s.revision = c.revision
		where c.workspace_id = t.workspace_id and c.topic_id = t.id),
	'attempts', (select json_agg(json_build_object('id', a.id, 'environment', json_build_object('os', a.os, 'runtime', a.runtime, 'pkg_manager', a.pkg_manager, 'labels', a.labels),
			'summary', a.summary, 'steps', a.steps, 'reason', a.reason, 'by', p.name, 'at', a.at) order by a.id desc)
		from (select * from attempt where workspace_id = t.workspace_id and topic_id = t.id order by id desc limit 50) a join person p on p.id = a.person_id)
) from topic t where t.workspace_id = ? and `

// QueueKnown reads what is known about the solutions of a topic, with the topic.
func QueueKnown(b *pg.Batch, a tenant.Actor, slug string, into *Known) {
	b.JSON(func(raw []byte) error { return json.Unmarshal(raw, into) }, knownSQL+`t.slug = ?`, a.Workspace, slug)
}

// QueueKnownOf reads what is known about the solutions of several topics.
func QueueKnownOf(b *pg.Batch, a tenant.Actor, ids []uuid.UUID, scan func(Known)) {
	b.JSON(func(raw []byte) error {
		var k Known
		if err := json.Unmarshal(raw, &k); err != nil {
			return err
		}
		scan(k)
		return nil
	}, knownSQL+`t.id = any(?)`, a.Workspace, ids)
}

func known(tx *pg.Tx, topic uuid.UUID) (k Known, err error) {
	err = tx.JSON(func(raw []byte) error { return json.Unmarshal(raw, &k) }, knownSQL+`t.id = ?`, tx.Actor().Workspace, topic)
	if err != nil {
		return k, fmt.Errorf("read what is known about solutions: %w", err)
	}
	return k, nil
}

// record keeps a report; a second one of the same person about the same in the same environment replaces the first.
func record(tx *pg.Tx, topic uuid.UUID, in reportIn) error {
	a, env := tx.Actor(), in.Env.canonical()
	err := tx.Store().Exec(`insert into feedback (workspace_id, topic_id, solution, revision, person_id, os, runtime, pkg_manager, labels, outcome,
			verify, exit_code, reason, agent_model, via, client, at)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		on conflict (workspace_id, topic_id, solution, revision, person_id, os, runtime, pkg_manager) do update set
			labels = excluded.labels, outcome = excluded.outcome, verify = excluded.verify, exit_code = excluded.exit_code, reason = excluded.reason,
			agent_model = excluded.agent_model, via = excluded.via, client = excluded.client, at = excluded.at`,
		a.Workspace, topic, in.Solution, in.Revision, a.Person, env.OS, env.Runtime, env.PkgManager, pg.Strings(env.Labels), in.Outcome,
		in.Evidence.Verify, in.Evidence.ExitCode, in.Reason, in.AgentModel, string(a.Via), a.Client, tx.Now()).Error
	if err != nil {
		return fmt.Errorf("keep a report: %w", err)
	}
	return nil
}

// retract removes a report of the actor's own; false when there is none.
func retract(tx *pg.Tx, topic uuid.UUID, in reportIn) (bool, error) {
	env := in.Env.canonical()
	done := tx.Store().Exec(`delete from feedback where workspace_id = ? and topic_id = ? and solution = ? and revision = ? and person_id = ?
		and os = ? and runtime = ? and pkg_manager = ?`,
		tx.Actor().Workspace, topic, in.Solution, in.Revision, tx.Actor().Person, env.OS, env.Runtime, env.PkgManager)
	if done.Error != nil {
		return false, fmt.Errorf("retract a report: %w", done.Error)
	}
	return done.RowsAffected > 0, nil
}

func clearFailures(tx *pg.Tx, topic uuid.UUID, s Solution, reason string) error {
	err := tx.Store().Exec(`insert into clearing (workspace_id, topic_id, solution, revision, person_id, reason, at) values (?, ?, ?, ?, ?, ?, ?)
		on conflict (workspace_id, topic_id, solution, revision) do update set person_id = excluded.person_id, reason = excluded.reason, at = excluded.at`,
		tx.Actor().Workspace, topic, s.ID, s.Revision, tx.Actor().Person, reason, tx.Now()).Error
	if err != nil {
		return fmt.Errorf("clear a solution: %w", err)
	}
	return nil
}

func insertAttempt(tx *pg.Tx, topic, id uuid.UUID, in attemptIn) error {
	a, env := tx.Actor(), in.Environment.canonical()
	err := tx.Store().Exec(`insert into attempt (workspace_id, id, topic_id, person_id, os, runtime, pkg_manager, labels, summary, steps, reason, via, at)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		a.Workspace, id, topic, a.Person, env.OS, env.Runtime, env.PkgManager, pg.Strings(env.Labels), in.Summary, pg.Strings(in.Steps), in.Reason,
		string(a.Via), tx.Now()).Error
	if err != nil {
		return fmt.Errorf("keep an attempt: %w", err)
	}
	return nil
}

// suspect is a current solution that failed for two people or more; whether it is known to fail is decided elsewhere.
type suspect struct {
	ID                           uuid.UUID
	Slug, Title, Trust, Solution string
}

func suspects(tx *pg.Tx) (out []suspect, err error) {
	err = tx.Store().Raw(`select t.id, t.slug, t.title, case when t.status in ('reviewed', 'proposed') then t.status else 'draft' end as trust, f.solution
		from feedback f
		join solution s on s.workspace_id = f.workspace_id and s.topic_id = f.topic_id and s.id = f.solution and s.revision = f.revision
		join topic t on t.workspace_id = f.workspace_id and t.id = f.topic_id
		where f.workspace_id = ? and f.outcome = 'failed' and t.status in ('draft', 'proposed', 'reviewed')
			and t.body -> 'solutions' @> jsonb_build_array(jsonb_build_object('id', f.solution))
		group by t.id, t.slug, t.title, t.status, f.solution having count(distinct `+behindSQL+`) >= 2 order by t.id, f.solution`,
		tx.Actor().Workspace).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("look for failing solutions: %w", err)
	}
	return out, nil
}
