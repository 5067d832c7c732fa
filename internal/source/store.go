package source

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/source/repo"
)

// List reads the repositories of the actor's workspace by name, disconnected ones too.
func List(tx *pg.Tx) ([]Source, error) {
	var out []Source
	err := tx.Store().Raw(`select * from source where workspace_id = ? order by name`, tx.Actor().Workspace).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read the repositories: %w", err)
	}
	return out, nil
}

// ByName finds a repository by its reduced name; ok is false when it was never connected.
func ByName(tx *pg.Tx, name string) (s Source, ok bool, err error) {
	done := tx.Store().Raw(`select * from source where workspace_id = ? and name = ?`, tx.Actor().Workspace, name).Scan(&s)
	if done.Error != nil {
		return s, false, fmt.Errorf("find a repository: %w", done.Error)
	}
	return s, done.RowsAffected > 0, nil
}

// save stores a repository; one of the same name keeps its id.
func save(tx *pg.Tx, s Source) (Source, error) {
	err := tx.Store().Exec(`insert into source (workspace_id, id, name, provider, default_branch, branches, connected_by, connected_at)
		values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (workspace_id, name) do update set
			provider = excluded.provider, default_branch = excluded.default_branch, branches = excluded.branches, disconnected_at = null`,
		s.WorkspaceID, s.ID, s.Name, s.Provider, s.DefaultBranch, s.Branches, s.ConnectedBy, s.ConnectedAt).Error
	if err != nil {
		return s, fmt.Errorf("store a repository: %w", err)
	}
	s, _, err = ByName(tx, s.Name)
	return s, err
}

// Disconnect takes a repository out of use. Its last files stay: by them a topic is known to be orphaned.
func Disconnect(tx *pg.Tx, s Source) (Source, error) {
	now := tx.Now()
	s.DisconnectedAt = &now
	err := tx.Store().Exec(`update source set disconnected_at = ? where workspace_id = ? and id = ?`, now, s.WorkspaceID, s.ID).Error
	if err != nil {
		return s, fmt.Errorf("disconnect a repository: %w", err)
	}
	_, err = dropMirror(tx, s.ID)
	return s, err
}

const headColumns = `h.source_id, h.branch, h.head, h.committed_at, h.synced_at, h.file_count`

// Heads reads what is known of all tracked branches of the workspace, without their files.
func Heads(tx *pg.Tx) ([]Head, error) {
	var out []Head
	err := tx.Store().Raw(`select `+headColumns+` from source_head h where h.workspace_id = ? order by h.source_id, h.branch`,
		tx.Actor().Workspace).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read the tracked branches: %w", err)
	}
	return out, nil
}

// HeadOf reads what is known of one branch; ok is false when it was never synced.
func HeadOf(tx *pg.Tx, source uuid.UUID, branch string) (h Head, ok bool, err error) {
	done := tx.Store().Raw(`select `+headColumns+` from source_head h where h.workspace_id = ? and h.source_id = ? and h.branch = ?`,
		tx.Actor().Workspace, source, branch).Scan(&h)
	if done.Error != nil {
		return h, false, fmt.Errorf("read a tracked branch: %w", done.Error)
	}
	return h, done.RowsAffected > 0, nil
}

// Files reads the files of a branch at the commit that it was last heard of; none when it was never synced.
func Files(tx *pg.Tx, source uuid.UUID, branch string) (repo.Tree, error) {
	var row struct{ Files []byte }
	err := tx.Store().Raw(`select files from source_head where workspace_id = ? and source_id = ? and branch = ?`,
		tx.Actor().Workspace, source, branch).Scan(&row).Error
	if err != nil {
		return nil, fmt.Errorf("read the files of a branch: %w", err)
	}
	tree, err := repo.ParseTree(row.Files)
	if err != nil {
		return nil, fmt.Errorf("read the files of a branch: %w", err)
	}
	return tree, nil
}

// KeepHead stores what was heard of a branch.
func KeepHead(tx *pg.Tx, source uuid.UUID, branch, head string, committed time.Time, files repo.Tree) error {
	packed, err := files.Pack()
	if err != nil {
		return err
	}
	err = tx.Store().Exec(`insert into source_head (workspace_id, source_id, branch, head, committed_at, synced_at, files, file_count)
		values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (workspace_id, source_id, branch) do update set
			head = excluded.head, committed_at = excluded.committed_at, synced_at = excluded.synced_at, files = excluded.files, file_count = excluded.file_count`,
		tx.Actor().Workspace, source, branch, head, committed, tx.Now(), packed, len(files)).Error
	if err != nil {
		return fmt.Errorf("store a branch: %w", err)
	}
	return nil
}

// Heard notes that the workspace heard of a commit of a tracked branch, with the event of this number. The first time counts.
func Heard(tx *pg.Tx, source uuid.UUID, branch, commit string, seq int64) error {
	err := tx.Store().Exec(`insert into source_commit (workspace_id, commit, source_id, branch, seq, at) values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
		tx.Actor().Workspace, commit, source, branch, seq, tx.Now()).Error
	if err != nil {
		return fmt.Errorf("note a commit: %w", err)
	}
	return nil
}

// hookKey is the key that the secrets of hooks are derived from.
func hookKey(tx *pg.Tx) ([]byte, error) {
	var row struct{ Secret []byte }
	done := tx.Store().Raw(`select secret from server_secret where purpose = 'hook'`).Scan(&row)
	if done.Error != nil {
		return nil, fmt.Errorf("read the key of hooks: %w", done.Error)
	}
	if len(row.Secret) == 0 {
		return nil, fmt.Errorf("the key of hooks is missing")
	}
	return row.Secret, nil
}

// sourceByHook finds a repository for whoever delivers to its hook: a policy shows the row of this id, and no other.
func sourceByHook(tx *pg.Tx, id uuid.UUID) (s Source, ok bool, err error) {
	if err := tx.Store().Exec(`select set_config('app.hook', ?, true)`, id.String()).Error; err != nil {
		return s, false, fmt.Errorf("find a repository by its hook: %w", err)
	}
	done := tx.Store().Raw(`select * from source where id = ?`, id).Scan(&s)
	if done.Error != nil {
		return s, false, fmt.Errorf("find a repository by its hook: %w", done.Error)
	}
	return s, done.RowsAffected == 1, nil
}

// renumber makes the secret of a hook another one.
func renumber(tx *pg.Tx, s Source) (Source, error) {
	s.HookNumber++
	err := tx.Store().Exec(`update source set hook_number = ? where workspace_id = ? and id = ?`, s.HookNumber, s.WorkspaceID, s.ID).Error
	if err != nil {
		return s, fmt.Errorf("make a new secret of a hook: %w", err)
	}
	return s, nil
}

// mirrors reads the mirrors of the workspace.
func mirrors(tx *pg.Tx) ([]Mirror, error) {
	var out []Mirror
	err := tx.Store().Raw(`select * from source_mirror where workspace_id = ?`, tx.Actor().Workspace).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read the mirrors: %w", err)
	}
	return out, nil
}

// MirrorOf reads the mirror of a repository; ok is false where it has none.
func MirrorOf(tx *pg.Tx, source uuid.UUID) (m Mirror, ok bool, err error) {
	done := tx.Store().Raw(`select * from source_mirror where workspace_id = ? and source_id = ?`, tx.Actor().Workspace, source).Scan(&m)
	if done.Error != nil {
		return m, false, fmt.Errorf("read a mirror: %w", done.Error)
	}
	return m, done.RowsAffected > 0, nil
}

// saveMirror stores where a repository is fetched from, and forgets what came of earlier attempts.
func saveMirror(tx *pg.Tx, m Mirror) error {
	err := tx.Store().Exec(`insert into source_mirror (workspace_id, source_id, url, username, token, private_key, public_key, host_keys, created_at, asked_at)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (workspace_id, source_id) do update set
			url = excluded.url, username = excluded.username, token = excluded.token, private_key = excluded.private_key,
			public_key = excluded.public_key, host_keys = excluded.host_keys, asked_at = excluded.asked_at, tried_at = null, error = ''`,
		tx.Actor().Workspace, m.SourceID, m.URL, m.Username, m.Token, m.PrivateKey, m.PublicKey, m.HostKeys, tx.Now(), tx.Now()).Error
	if err != nil {
		return fmt.Errorf("store a mirror: %w", err)
	}
	return nil
}

func dropMirror(tx *pg.Tx, source uuid.UUID) (gone bool, err error) {
	done := tx.Store().Exec(`delete from source_mirror where workspace_id = ? and source_id = ?`, tx.Actor().Workspace, source)
	if done.Error != nil {
		return false, fmt.Errorf("forget a mirror: %w", done.Error)
	}
	return done.RowsAffected > 0, nil
}

func askFetch(tx *pg.Tx, source uuid.UUID) (mirrored bool, err error) {
	done := tx.Store().Exec(`update source_mirror set asked_at = ? where workspace_id = ? and source_id = ?`, tx.Now(), tx.Actor().Workspace, source)
	if done.Error != nil {
		return false, fmt.Errorf("ask for a fetch: %w", done.Error)
	}
	return done.RowsAffected > 0, nil
}

func mirrorsBefore(tx *pg.Tx, at time.Time) ([]uuid.UUID, error) {
	var out []uuid.UUID
	err := tx.Store().Raw(`select source_id from source_mirror where workspace_id = ? and coalesce(tried_at, created_at) < ? order by source_id`,
		tx.Actor().Workspace, at).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("read which mirrors are due: %w", err)
	}
	return out, nil
}

// Tried keeps what came of a fetch that began at a time: the keys that the host showed, or why it failed.
func Tried(tx *pg.Tx, source uuid.UUID, began time.Time, hostKeys, problem string) error {
	err := tx.Store().Exec(`update source_mirror set tried_at = ?, error = ?, fetched_at = case when ? = '' then ?::timestamptz else fetched_at end,
			host_keys = case when ? = '' then host_keys else ? end
		where workspace_id = ? and source_id = ?`, began, problem, problem, began, hostKeys, hostKeys, tx.Actor().Workspace, source).Error
	if err != nil {
		return fmt.Errorf("keep what came of a fetch: %w", err)
	}
	return nil
}
