package drift

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"driftless/internal/anchor/fingerprint"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/source/hook"
	"driftless/internal/source/repo"
)

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

// concerns reports whether drift has anything to do with a topic: some branch is known, or something was found.
func concerns(tx *pg.Tx, topic uuid.UUID) (bool, error) {
	var row struct{ Concerned bool }
	ws := tx.Actor().Workspace
	err := tx.Store().Raw(`select exists (select 1 from source_head where workspace_id = ?)
		or exists (select 1 from finding where workspace_id = ? and topic_id = ?) as concerned`, ws, ws, topic).Scan(&row).Error
	if err != nil {
		return false, fmt.Errorf("ask whether a topic can drift: %w", err)
	}
	return row.Concerned, nil
}

// dropFindings forgets the findings of a topic about anything but these anchors and citations.
func dropFindings(tx *pg.Tx, topic uuid.UUID, keep []string) error {
	err := tx.Store().Exec(`delete from finding where workspace_id = ? and topic_id = ? and anchor <> all(?)`,
		tx.Actor().Workspace, topic, pg.Strings(keep)).Error
	if err != nil {
		return fmt.Errorf("forget findings: %w", err)
	}
	return nil
}

// dropOf forgets what was found about a topic in a branch; marks stay.
func dropOf(tx *pg.Tx, p branch, topic uuid.UUID) error {
	err := tx.Store().Exec(`delete from finding where workspace_id = ? and topic_id = ? and source_id = ? and branch = ? and origin <> 'mark'`,
		tx.Actor().Workspace, topic, p.source.ID, p.head.Branch).Error
	if err != nil {
		return fmt.Errorf("replace findings: %w", err)
	}
	return nil
}

// openFindings reads what was found in a branch, by topic, without marks.
func openFindings(tx *pg.Tx, p branch) (map[uuid.UUID][]found, error) {
	var rows []struct {
		TopicID  uuid.UUID
		Anchor   string
		Kind     Kind
		Severity State
		Score    *float64
		Paths    pg.Strings
		Fix      string
	}
	err := tx.Store().Raw(`select topic_id, anchor, kind, severity, score, paths, fix from finding
		where workspace_id = ? and source_id = ? and branch = ? and origin <> 'mark' order by topic_id, anchor collate "C"`,
		tx.Actor().Workspace, p.source.ID, p.head.Branch).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read findings: %w", err)
	}
	out := map[uuid.UUID][]found{}
	for _, r := range rows {
		out[r.TopicID] = append(out[r.TopicID], found{anchor: r.Anchor, kind: r.Kind, state: r.Severity, score: r.Score, paths: r.Paths, fix: r.Fix})
	}
	return out, nil
}

// insertTargets begins to follow targets. One whose file a topic follows already, from where it was before, is the same.
func insertTargets(tx *pg.Tx, p branch, targets []target) error {
	if len(targets) == 0 {
		return nil
	}
	var topics pg.UUIDs
	var roles, kinds, paths, symbols, anchors, blobs, sizes, nowBlobs, nowSizes pg.Strings
	for _, t := range targets {
		topics, roles, paths, symbols = append(topics, t.topic), append(roles, t.role), append(paths, t.path), append(symbols, t.symbol)
		anchors, blobs, sizes = append(anchors, t.anchor), append(blobs, t.blob), append(sizes, strconv.FormatInt(t.size, 10))
		kinds, nowBlobs, nowSizes = append(kinds, string(t.kind)), append(nowBlobs, t.nowBlob), append(nowSizes, strconv.FormatInt(t.nowSize, 10))
	}
	err := tx.Store().Exec(`insert into drift_target (workspace_id, topic_id, source_id, branch, role, kind, path, symbol, anchor, blob, size,
			now_path, now_blob, now_size, at)
		select ?, n.topic, ?, ?, n.role, n.kind, n.path, n.symbol, n.anchor, n.blob, n.size::bigint, n.path, n.now_blob, n.now_size::bigint, ?
		from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
			n(topic, role, kind, path, symbol, anchor, blob, size, now_blob, now_size)
		where not exists (select 1 from drift_target o where o.workspace_id = ? and o.source_id = ? and o.branch = ? and o.now_path = n.path
			and o.topic_id = n.topic and o.role = n.role and o.symbol = n.symbol)
		and (n.role = 'anchor' or not exists (select 1 from drift_target o where o.workspace_id = ? and o.topic_id = n.topic and o.source_id = ?
			and o.branch = ? and o.role = 'cited' and o.kind = n.kind and o.anchor = n.anchor))
		on conflict do nothing`,
		tx.Actor().Workspace, p.source.ID, p.head.Branch, tx.Now(), topics, roles, kinds, paths, symbols, anchors, blobs, sizes, nowBlobs, nowSizes,
		tx.Actor().Workspace, p.source.ID, p.head.Branch, tx.Actor().Workspace, p.source.ID, p.head.Branch).Error
	if err != nil {
		return fmt.Errorf("store what a topic relies on: %w", err)
	}
	return nil
}

// moveTargets tells targets what their files are now.
func moveTargets(tx *pg.Tx, p branch, changes []repo.Change) error {
	var from, to, blobs, sizes pg.Strings
	for _, c := range changes {
		old := c.OldPath
		if old == "" {
			old = c.Path
		}
		f, _ := p.files.Files.Find(c.Path)
		from, to = append(from, old), append(to, c.Path)
		blobs, sizes = append(blobs, f.Blob), append(sizes, strconv.FormatInt(f.Size, 10))
	}
	if len(from) == 0 {
		return nil
	}
	err := tx.Store().Exec(`update drift_target t set now_path = c.now_path, now_blob = c.blob, now_size = c.size::bigint
		from unnest(?::text[], ?::text[], ?::text[], ?::text[]) c(path, now_path, blob, size)
		where t.workspace_id = ? and t.source_id = ? and t.branch = ? and t.now_path = c.path and (t.role = 'anchor' or t.kind = 'symbol')`,
		from, to, blobs, sizes, tx.Actor().Workspace, p.source.ID, p.head.Branch).Error
	if err != nil {
		return fmt.Errorf("follow what changed: %w", err)
	}
	return nil
}

// dropTargets forgets the targets of a topic that are under none of these anchors and no citation of it; with all, every one.
func dropTargets(tx *pg.Tx, p branch, topic uuid.UUID, anchors, cites []string, all bool) error {
	err := tx.Store().Exec(`delete from drift_target where workspace_id = ? and topic_id = ? and source_id = ? and branch = ?
		and (? or role = 'anchor' and anchor <> all(?) or role = 'cited' and anchor <> all(?))`,
		tx.Actor().Workspace, topic, p.source.ID, p.head.Branch, all, pg.Strings(anchors), pg.Strings(cites)).Error
	if err != nil {
		return fmt.Errorf("forget what a topic relied on: %w", err)
	}
	return nil
}

// citedTargetsAt reads the cited targets in a branch that files leaving or coming to these paths can be about.
func citedTargetsAt(tx *pg.Tx, p branch, left, came []string) ([]target, error) {
	rows, err := tx.Store().Raw(`select topic_id, kind, path, anchor, blob, now_path, now_blob from drift_target
		where workspace_id = ? and source_id = ? and branch = ? and role = 'cited' and symbol = ''
			and (blob = 'many' or now_blob = '' or now_path = any(?) or path = any(?))`,
		tx.Actor().Workspace, p.source.ID, p.head.Branch, pg.Strings(left), pg.Strings(came)).Rows()
	if err != nil {
		return nil, fmt.Errorf("read what topics cite: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var out []target
	for rows.Next() {
		t := target{role: cited}
		if err := rows.Scan(&t.topic, &t.kind, &t.path, &t.anchor, &t.blob, &t.nowPath, &t.nowBlob); err != nil {
			return nil, fmt.Errorf("read what topics cite: %w", err)
		}
		out = append(out, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read what topics cite: %w", err)
	}
	return out, nil
}

// keepTargets stores where cited targets are now.
func keepTargets(tx *pg.Tx, p branch, targets []target) error {
	if len(targets) == 0 {
		return nil
	}
	var topics pg.UUIDs
	var paths, nowPaths, nowBlobs pg.Strings
	for _, t := range targets {
		topics, paths = append(topics, t.topic), append(paths, t.path)
		nowPaths, nowBlobs = append(nowPaths, t.nowPath), append(nowBlobs, t.nowBlob)
	}
	err := tx.Store().Exec(`update drift_target t set now_path = n.now_path, now_blob = n.now_blob
		from unnest(?::uuid[], ?::text[], ?::text[], ?::text[]) n(topic, path, now_path, now_blob)
		where t.workspace_id = ? and t.topic_id = n.topic and t.source_id = ? and t.branch = ? and t.role = 'cited' and t.path = n.path and t.symbol = ''`,
		topics, paths, nowPaths, nowBlobs, tx.Actor().Workspace, p.source.ID, p.head.Branch).Error
	if err != nil {
		return fmt.Errorf("follow what topics cite: %w", err)
	}
	return nil
}

// targetPaths are where the files under the globs of a topic are now.
func targetPaths(tx *pg.Tx, p branch, topic uuid.UUID) ([]string, error) {
	var out []string
	err := tx.Store().Raw(`select now_path from drift_target where workspace_id = ? and topic_id = ? and source_id = ? and branch = ?
		and role = 'anchor' and symbol = ''`, tx.Actor().Workspace, topic, p.source.ID, p.head.Branch).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read what a topic relies on: %w", err)
	}
	return out, nil
}

func dropPaths(tx *pg.Tx, p branch, topic uuid.UUID, paths []string) error {
	err := tx.Store().Exec(`delete from drift_target where workspace_id = ? and topic_id = ? and source_id = ? and branch = ?
		and role = 'anchor' and symbol = '' and now_path = any(?)`, tx.Actor().Workspace, topic, p.source.ID, p.head.Branch, pg.Strings(paths)).Error
	if err != nil {
		return fmt.Errorf("forget what a topic excludes: %w", err)
	}
	return nil
}

// driftingTargets reads all targets of each topic that has a changed one in a branch, with what fingerprints tell.
func driftingTargets(tx *pg.Tx, p branch) ([]target, error) {
	return readTargets(tx, p, `(c.blob <> c.now_blob or c.path <> c.now_path)`)
}

// targetsAt reads all targets of each topic that relies on one of these paths, or cites a glob, which may be about any.
func targetsAt(tx *pg.Tx, p branch, paths []string) ([]target, error) {
	return readTargets(tx, p, `(c.now_path = any(?) or c.blob = 'many' and c.kind = 'glob')`, pg.Strings(paths))
}

func readTargets(tx *pg.Tx, p branch, condition string, args ...any) ([]target, error) {
	prints, err := printsOf(tx, p)
	if err != nil {
		return nil, err
	}
	rows, err := tx.Store().Raw(`select t.topic_id, t.role, t.kind, t.path, t.symbol, t.anchor, t.blob, t.size, t.now_path, t.now_blob, t.now_size
		from drift_target t
		join topic x on x.workspace_id = t.workspace_id and x.id = t.topic_id and x.status in ('draft', 'proposed', 'reviewed') and not x.is_private
		where t.workspace_id = ? and t.source_id = ? and t.branch = ? and t.topic_id in (select c.topic_id from drift_target c
			where c.workspace_id = ? and c.source_id = ? and c.branch = ? and `+condition+`)`,
		append([]any{tx.Actor().Workspace, p.source.ID, p.head.Branch, tx.Actor().Workspace, p.source.ID, p.head.Branch}, args...)...).Rows()
	if err != nil {
		return nil, fmt.Errorf("read what changed under topics: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var out []target
	for rows.Next() {
		var t target
		if err := rows.Scan(&t.topic, &t.role, &t.kind, &t.path, &t.symbol, &t.anchor, &t.blob, &t.size, &t.nowPath, &t.nowBlob, &t.nowSize); err != nil {
			return nil, fmt.Errorf("read what changed under topics: %w", err)
		}
		if t.blob != t.nowBlob {
			before, is := prints[[2]string{t.blob, t.symbol}]
			after, too := prints[[2]string{t.nowBlob, t.symbol}]
			if is && too {
				t.compare(before, after)
			}
		}
		out = append(out, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read what changed under topics: %w", err)
	}
	return out, nil
}

// printsOf reads the fingerprints of a repository, by content and symbol: no more than its changed targets need are kept. They are
// joined here, because the planner of the database knows nothing of tables that were filled a moment ago.
func printsOf(tx *pg.Tx, p branch) (map[[2]string]fingerprint.Print, error) {
	rows, err := tx.Store().Raw(`select blob, symbol, absent, hash, signature, units, method from fingerprint where workspace_id = ? and source_id = ?`,
		tx.Actor().Workspace, p.source.ID).Rows()
	if err != nil {
		return nil, fmt.Errorf("read fingerprints: %w", err)
	}
	defer func() { _ = rows.Close() }()
	out := map[[2]string]fingerprint.Print{}
	for rows.Next() {
		var blob string
		var f fingerprint.Print
		var units []byte
		if err := rows.Scan(&blob, &f.Symbol, &f.Absent, &f.Hash, &f.Signature, &units, &f.Method); err != nil {
			return nil, fmt.Errorf("read fingerprints: %w", err)
		}
		f.Units = fingerprint.UnpackUnits(units)
		out[[2]string{blob, f.Symbol}] = f
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read fingerprints: %w", err)
	}
	return out, nil
}

// wanted reads which fingerprints are missing to say how much changed in a branch. Two that were taken by different methods say
// nothing, so both are wanted again.
func wanted(tx *pg.Tx, p branch, limit int) ([]Want, error) {
	var rows []struct{ Blob, Path, Symbol string }
	ws := tx.Actor().Workspace
	err := tx.Store().Raw(`select distinct on (w.blob, w.symbol) w.blob, w.path, w.symbol from (
			select t.blob, t.now_blob, t.path, t.now_path, t.symbol, b.method as before, n.method as after from drift_target t
			left join fingerprint b on b.workspace_id = ? and b.source_id = ? and b.blob = t.blob and b.symbol = t.symbol
			left join fingerprint n on n.workspace_id = ? and n.source_id = ? and n.blob = t.now_blob and n.symbol = t.symbol
			where t.workspace_id = ? and t.source_id = ? and t.branch = ?
				and (t.role = 'anchor' or t.kind = 'symbol') and t.blob <> t.now_blob and t.blob <> '' and t.now_blob <> '') p
		cross join lateral (values (p.blob, p.path, p.symbol, p.before), (p.now_blob, p.now_path, p.symbol, p.after)) w(blob, path, symbol, method)
		where w.method is null or p.before is not null and p.after is not null and p.before <> p.after
		order by w.blob, w.symbol, w.path limit ?`,
		ws, p.source.ID, ws, p.source.ID, ws, p.source.ID, p.head.Branch, limit).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read which fingerprints are missing: %w", err)
	}
	var out []Want
	for _, r := range rows {
		if last := len(out) - 1; last >= 0 && out[last].Blob == r.Blob {
			out[last].Symbols = append(out[last].Symbols, r.Symbol)
			continue
		}
		out = append(out, Want{Blob: r.Blob, Path: r.Path, Symbols: []string{r.Symbol}})
	}
	return out, nil
}

// insertPrints keeps fingerprints, and of each method the first.
func insertPrints(tx *pg.Tx, p branch, prints []PrintIn) error {
	if len(prints) == 0 {
		return nil
	}
	var blobs, symbols, absent, hashes, signatures, units, methods pg.Strings
	for _, f := range prints {
		blobs, symbols, absent = append(blobs, f.Blob), append(symbols, f.Symbol), append(absent, strconv.FormatBool(f.Absent))
		hashes, signatures, units = append(hashes, f.Hash), append(signatures, f.Signature), append(units, f.Units)
		methods = append(methods, f.Method)
	}
	err := tx.Store().Exec(`insert into fingerprint (workspace_id, source_id, blob, symbol, absent, hash, signature, units, method, at)
		select distinct on (n.blob, n.symbol) ?::uuid, ?::uuid, n.blob, n.symbol, n.absent::boolean, n.hash, n.signature, decode(n.units, 'base64'), n.method, ?::timestamptz
		from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[]) n(blob, symbol, absent, hash, signature, units, method)
		on conflict (workspace_id, source_id, blob, symbol) do update set absent = excluded.absent, hash = excluded.hash, signature = excluded.signature,
			units = excluded.units, method = excluded.method, at = excluded.at
		where fingerprint.method <> excluded.method`,
		tx.Actor().Workspace, p.source.ID, tx.Now(), blobs, symbols, absent, hashes, signatures, units, methods).Error
	if err != nil {
		return fmt.Errorf("store fingerprints: %w", err)
	}
	return nil
}

// sweepPrints forgets the fingerprints of a repository that no target needs any more.
func sweepPrints(tx *pg.Tx, p branch) error {
	// Two plain lists hash well whatever the planner knows of tables that were just filled.
	ws := tx.Actor().Workspace
	err := tx.Store().Exec(`delete from fingerprint f where f.workspace_id = ? and f.source_id = ? and (f.blob, f.symbol) not in (
			select t.blob, t.symbol from drift_target t where t.workspace_id = ? and t.source_id = ? and t.blob <> t.now_blob
			union all select t.now_blob, t.symbol from drift_target t where t.workspace_id = ? and t.source_id = ? and t.blob <> t.now_blob)`,
		ws, p.source.ID, ws, p.source.ID, ws, p.source.ID).Error
	if err != nil {
		return fmt.Errorf("forget fingerprints: %w", err)
	}
	return nil
}

// forgetSource drops what was found in a repository and answers the topics it was found about. Targets stay: they tell which
// topics relied on it alone.
func forgetSource(tx *pg.Tx, source uuid.UUID) ([]uuid.UUID, error) {
	var topics []uuid.UUID
	err := tx.Store().Raw(`with gone as (delete from finding where workspace_id = ? and source_id = ? returning topic_id)
		select distinct topic_id from gone`, tx.Actor().Workspace, source).Scan(&topics).Error
	if err != nil {
		return nil, fmt.Errorf("forget what was found in a repository: %w", err)
	}
	err = tx.Store().Exec(`delete from fingerprint where workspace_id = ? and source_id = ?`, tx.Actor().Workspace, source).Error
	if err != nil {
		return nil, fmt.Errorf("forget fingerprints: %w", err)
	}
	return topics, nil
}

// dropBranch forgets what topics relied on in a branch.
func dropBranch(tx *pg.Tx, p branch) error {
	err := tx.Store().Exec(`delete from drift_target where workspace_id = ? and source_id = ? and branch = ?`,
		tx.Actor().Workspace, p.source.ID, p.head.Branch).Error
	if err != nil {
		return fmt.Errorf("forget what topics relied on: %w", err)
	}
	return nil
}

// insertDelivery keeps a push; false when it was delivered before.
func insertDelivery(tx *pg.Tx, src uuid.UUID, delivery string, push hook.Push) (bool, error) {
	changes, err := json.Marshal(push.Changes)
	if err != nil {
		return false, fmt.Errorf("encode a push: %w", err)
	}
	done := tx.Store().Exec(`insert into hook_delivery (workspace_id, source_id, delivery, branch, after, changes, partial, received_at)
		values (?, ?, ?, ?, ?, ?::jsonb, ?, ?) on conflict do nothing`,
		tx.Actor().Workspace, src, delivery, push.Branch, push.After, string(changes), push.Partial, tx.Now())
	if done.Error != nil {
		return false, fmt.Errorf("keep a push: %w", done.Error)
	}
	return done.RowsAffected == 1, nil
}

// deliveriesSince reads the pushes to a branch since it was synced, in their order.
func deliveriesSince(tx *pg.Tx, head source.Head) ([]delivered, error) {
	var rows []struct {
		After   string
		Changes []byte
	}
	err := tx.Store().Raw(`select after, changes from hook_delivery where workspace_id = ? and source_id = ? and branch = ? and received_at > ?
		order by received_at, delivery`, tx.Actor().Workspace, head.SourceID, head.Branch, head.SyncedAt).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read pushes: %w", err)
	}
	out := make([]delivered, 0, len(rows))
	for _, r := range rows {
		d := delivered{After: r.After}
		if err := json.Unmarshal(r.Changes, &d.Changes); err != nil {
			return nil, fmt.Errorf("read a push: %w", err)
		}
		out = append(out, d)
	}
	return out, nil
}

func sweepDeliveries(tx *pg.Tx, before time.Time) error {
	return tx.Store().Exec(`delete from hook_delivery where workspace_id = ? and received_at < ?`, tx.Actor().Workspace, before).Error
}
