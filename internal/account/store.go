package account

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type personRow struct {
	ID           uuid.UUID
	Email        string
	Name         string
	Kind         string
	PasswordHash *string
	CreatedAt    time.Time
	DisabledAt   *time.Time
}

func (personRow) TableName() string { return "person" }

func personByEmail(tx *pg.Tx, email string) (personRow, error) {
	var p personRow
	err := tx.Store().Where("email = ?", email).Take(&p).Error
	return p, err
}

func personByID(tx *pg.Tx, id uuid.UUID) (personRow, error) {
	var p personRow
	err := tx.Store().Where("id = ?", id).Take(&p).Error
	return p, err
}

func insertPerson(tx *pg.Tx, p personRow) error {
	if err := tx.Store().Create(&p).Error; err != nil {
		return fmt.Errorf("store a person: %w", err)
	}
	return nil
}

func setPassword(tx *pg.Tx, id uuid.UUID, hash string) error {
	if err := tx.Store().Exec(`update person set password_hash = ? where id = ?`, hash, id).Error; err != nil {
		return fmt.Errorf("store a password: %w", err)
	}
	return nil
}

// removePasskeys takes all passkeys from a person. They belong to the package above; they are removed here because taking an
// account back is one transaction.
func removePasskeys(tx *pg.Tx, id uuid.UUID) error {
	if err := tx.Store().Exec(`delete from passkey where person_id = ?`, id).Error; err != nil {
		return fmt.Errorf("remove passkeys: %w", err)
	}
	return nil
}

// changePassword replaces one hash by another, or nil by the first, and reports whether it was there to be replaced.
func changePassword(tx *pg.Tx, id uuid.UUID, was *string, hash string) (bool, error) {
	done := tx.Store().Exec(`update person set password_hash = ? where id = ? and password_hash is not distinct from ?`, hash, id, was)
	if done.Error != nil {
		return false, fmt.Errorf("store a password: %w", done.Error)
	}
	return done.RowsAffected == 1, nil
}

func hasPassword(tx *pg.Tx, id uuid.UUID) (has bool, err error) {
	err = tx.Store().Raw(`select password_hash is not null from person where id = ?`, id).Scan(&has).Error
	return has, err
}

func anybody(tx *pg.Tx) (bool, error) {
	var found bool
	err := tx.Store().Raw(`select exists (select 1 from person where kind = 'person')`).Scan(&found).Error
	return found, err
}

type workspaceRow struct {
	ID        uuid.UUID
	Slug      string
	Name      string
	CreatedAt time.Time
}

func (workspaceRow) TableName() string { return "workspace" }

func workspaceBySlug(tx *pg.Tx, slug string) (workspaceRow, error) {
	var w workspaceRow
	err := tx.Store().Where("slug = ?", slug).Take(&w).Error
	return w, err
}

func insertWorkspace(tx *pg.Tx, w workspaceRow) error {
	if err := tx.Store().Create(&w).Error; err != nil {
		return fmt.Errorf("store a workspace: %w", err)
	}
	return nil
}

func renamePerson(tx *pg.Tx, id uuid.UUID, name string) error {
	return tx.Store().Exec(`update person set name = ? where id = ?`, name, id).Error
}

// thisWorkspace reads the workspace of this transaction.
func thisWorkspace(tx *pg.Tx) (w workspaceRow, err error) {
	err = tx.Store().Where("id = ?", tx.Actor().Workspace).Take(&w).Error
	return w, err
}

func nameWorkspace(tx *pg.Tx, name string) error {
	return tx.Store().Exec(`update workspace set name = ? where id = ?`, name, tx.Actor().Workspace).Error
}

// deleteThisWorkspace ends the workspace of this transaction with all its rows. The database refuses it to all but its owners.
func deleteThisWorkspace(tx *pg.Tx) error { return tx.Store().Exec(`select delete_workspace()`).Error }

// furnish gives a new workspace the rows that every workspace has. The transaction must have entered it.
func furnish(tx *pg.Tx) error {
	for _, statement := range []string{
		`insert into workspace_head (workspace_id) values (?)`,
		`insert into workspace_setting (workspace_id) values (?)`,
	} {
		if err := tx.Store().Exec(statement, tx.Actor().Workspace).Error; err != nil {
			return fmt.Errorf("furnish a workspace: %w", err)
		}
	}
	return nil
}

type membershipRow struct {
	WorkspaceID uuid.UUID
	PersonID    uuid.UUID
	Role        string
	JoinedAt    time.Time
}

func (membershipRow) TableName() string { return "membership" }

func roleOf(tx *pg.Tx, person uuid.UUID) (tenant.Role, error) {
	var role string
	err := tx.Store().Raw(`select role from membership where workspace_id = ? and person_id = ?`, tx.Actor().Workspace, person).
		Scan(&role).Error
	return tenant.Role(role), err
}

func saveMembership(tx *pg.Tx, m membershipRow) error {
	return tx.Store().Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "workspace_id"}, {Name: "person_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"role"}),
	}).Create(&m).Error
}

// otherOwners locks the owners of the workspace and counts those beside this person.
func otherOwners(tx *pg.Tx, person uuid.UUID) (n int, err error) {
	err = tx.Store().Raw(`select count(*) from (select 1 from membership where workspace_id = ? and role = 'owner' and person_id <> ? for update) o`,
		tx.Actor().Workspace, person).Scan(&n).Error
	return n, err
}

type memberRow struct {
	ID       uuid.UUID
	Name     string
	Email    string
	Kind     string
	Role     string
	JoinedAt time.Time
}

const memberColumns = `p.id, p.name, p.email, p.kind, m.role, m.joined_at from membership m join person p on p.id = m.person_id`

func members(tx *pg.Tx) ([]memberRow, error) {
	var rows []memberRow
	err := tx.Store().Raw(`select `+memberColumns+` where m.workspace_id = ? order by m.joined_at, p.id`, tx.Actor().Workspace).
		Scan(&rows).Error
	return rows, err
}

// memberNamed finds a member by id or by address, and locks the membership: what is decided about the role has to stay true.
func memberNamed(tx *pg.Tx, name string) (row memberRow, found bool, err error) {
	done := tx.Store().Raw(`select `+memberColumns+` where m.workspace_id = ? and (p.id::text = ? or p.email = ?) for update of m`,
		tx.Actor().Workspace, name, strings.ToLower(name)).Scan(&row)
	return row, done.RowsAffected == 1, done.Error
}

func deleteMembership(tx *pg.Tx, person uuid.UUID) error {
	return tx.Store().Exec(`delete from membership where workspace_id = ? and person_id = ?`, tx.Actor().Workspace, person).Error
}

// closeWorkspace takes the workspace of this transaction out of everything by which the person could come back in: out of keys
// and grants, which end when they reach nothing else, and invitations of theirs that are still open. Grants belong to the
// authorization server; they are changed here because leaving is one transaction and this package is below that one.
func closeWorkspace(tx *pg.Tx, person uuid.UUID) error {
	if err := closeFor(tx, "person_id = ?", person); err != nil {
		return err
	}
	return revokeInvitationsBy(tx, person)
}

// closeToAll takes the workspace of this transaction out of every key and grant, which end when they reach nothing else.
func closeToAll(tx *pg.Tx) error { return closeFor(tx, "true") }

func closeFor(tx *pg.Tx, whose string, args ...any) error {
	at := tx.Actor().Workspace
	args = append([]any{tx.Now(), at, at}, args...)
	for _, table := range []string{"api_key", "oauth_grant"} {
		err := tx.Store().Exec(`update `+table+` set
			revoked_at = case when cardinality(workspaces) = 1 then cast(? as timestamptz) end,
			workspaces = case when cardinality(workspaces) = 1 then workspaces else array_remove(workspaces, cast(? as uuid)) end
			where cast(? as uuid) = any(workspaces) and revoked_at is null and `+whose, args...).Error
		if err != nil {
			return fmt.Errorf("close a workspace in %s: %w", table, err)
		}
	}
	return nil
}

type invitationRow struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	Hash        []byte
	Role        string
	Email       string
	InvitedBy   uuid.UUID
	CreatedAt   time.Time
	ExpiresAt   time.Time
	AcceptedAt  *time.Time
	AcceptedBy  *uuid.UUID
	RevokedAt   *time.Time
}

func (invitationRow) TableName() string { return "invitation" }

// foundInvitation is an invitation with the names that a person is shown.
type foundInvitation struct {
	Invitation    invitationRow `gorm:"embedded"`
	WorkspaceSlug string
	WorkspaceName string
	InviterName   string
}

const invitationQuery = `select i.*, w.slug as workspace_slug, w.name as workspace_name, p.name as inviter_name
	from invitation i join workspace w on w.id = i.workspace_id join person p on p.id = i.invited_by `

func insertInvitation(tx *pg.Tx, row invitationRow) error {
	if err := tx.Store().Create(&row).Error; err != nil {
		return fmt.Errorf("store an invitation: %w", err)
	}
	return nil
}

// invitationByLink finds an invitation by the hash of its secret. No workspace is known to whoever opens a link, so a policy
// shows the row of this hash, and no other.
func invitationByLink(tx *pg.Tx, hash []byte) (row foundInvitation, found bool, err error) {
	if err := tx.Store().Exec(`select set_config('app.invitation', ?, true)`, hex.EncodeToString(hash)).Error; err != nil {
		return row, false, err
	}
	done := tx.Store().Raw(invitationQuery+`where ? in (i.hash, i.mail_hash)`, hash).Scan(&row)
	return row, done.RowsAffected == 1, done.Error
}

// mailedInvitation gives an invitation that can still be accepted the link of its mail; found is false for any other.
func mailedInvitation(tx *pg.Tx, id uuid.UUID, hash []byte) (row foundInvitation, found bool, err error) {
	done := tx.Store().Exec(`update invitation set mail_hash = ?`+invitationStillOpen+` and id = ? and expires_at > ?`, hash, tx.Actor().Workspace, id, tx.Now())
	if done.Error != nil || done.RowsAffected == 0 {
		return row, false, done.Error
	}
	done = tx.Store().Raw(invitationQuery+`where i.workspace_id = ? and i.id = ?`, tx.Actor().Workspace, id).Scan(&row)
	return row, done.RowsAffected == 1, done.Error
}

// openInvitations lists those of the workspace that can still be accepted, newest first.
func openInvitations(tx *pg.Tx) ([]foundInvitation, error) {
	var rows []foundInvitation
	err := tx.Store().Raw(invitationQuery+`where i.workspace_id = ? and i.accepted_at is null and i.revoked_at is null and i.expires_at > ?
		order by i.created_at desc, i.id`, tx.Actor().Workspace, tx.Now()).Scan(&rows).Error
	return rows, err
}

const invitationStillOpen = ` where workspace_id = ? and accepted_at is null and revoked_at is null`

// useInvitation uses an invitation up. Of several that try at once one is told true.
func useInvitation(tx *pg.Tx, id, person uuid.UUID) (bool, error) {
	done := tx.Store().Exec(`update invitation set accepted_at = ?, accepted_by = ?`+invitationStillOpen+` and id = ? and expires_at > ?`,
		tx.Now(), person, tx.Actor().Workspace, id, tx.Now())
	return done.RowsAffected == 1, done.Error
}

func revokeInvitation(tx *pg.Tx, id string) (bool, error) {
	done := tx.Store().Exec(`update invitation set revoked_at = ?`+invitationStillOpen+` and id::text = ?`, tx.Now(), tx.Actor().Workspace, id)
	return done.RowsAffected == 1, done.Error
}

// revokeInvitationsBy takes back what the person has offered and nobody accepted.
func revokeInvitationsBy(tx *pg.Tx, person uuid.UUID) error {
	err := tx.Store().Exec(`update invitation set revoked_at = ?`+invitationStillOpen+` and invited_by = ?`,
		tx.Now(), tx.Actor().Workspace, person).Error
	if err != nil {
		return fmt.Errorf("take invitations back: %w", err)
	}
	return nil
}

// Settings are the policies of a workspace.
type Settings struct {
	AgentApproval string
	FourEyes      bool
	// NoteLifetimeDays is after how many days without a change a draft is archived; 0 is never.
	NoteLifetimeDays int
	// Public is what the owner saved; see [PublicKnowledge.Or] where nothing is.
	Public PublicKnowledge
}

// LoadSettings reads the policies of the workspace of this transaction.
func LoadSettings(tx *pg.Tx) (Settings, error) {
	var row struct {
		AgentApproval     string
		FourEyes          bool
		NoteLifetimeDays  int
		PublicEnabled     *bool
		PublicAllReviewed bool
		PublicTags        pg.Strings
	}
	err := tx.Store().Raw(`select agent_approval, four_eyes, coalesce(note_lifetime_days, 0) as note_lifetime_days, public_enabled, public_all_reviewed, public_tags
		from workspace_setting where workspace_id = ?`, tx.Actor().Workspace).Scan(&row).Error
	if err != nil {
		return Settings{}, fmt.Errorf("read the settings: %w", err)
	}
	s := Settings{AgentApproval: row.AgentApproval, FourEyes: row.FourEyes, NoteLifetimeDays: row.NoteLifetimeDays}
	if row.PublicEnabled != nil {
		s.Public = PublicKnowledge{Enabled: *row.PublicEnabled, AllReviewed: row.PublicAllReviewed, Tags: row.PublicTags, Saved: true}
	}
	return s, nil
}

func saveSettings(tx *pg.Tx, s Settings) error {
	err := tx.Store().Exec(`update workspace_setting set agent_approval = ?, four_eyes = ?, note_lifetime_days = nullif(?, 0) where workspace_id = ?`,
		s.AgentApproval, s.FourEyes, s.NoteLifetimeDays, tx.Actor().Workspace).Error
	if err == nil && s.Public.Saved {
		err = tx.Store().Exec(`update workspace_setting set public_enabled = ?, public_all_reviewed = ?, public_tags = ? where workspace_id = ?`,
			s.Public.Enabled, s.Public.AllReviewed, pg.Strings(s.Public.Tags), tx.Actor().Workspace).Error
	}
	if err != nil {
		return fmt.Errorf("save the settings: %w", err)
	}
	return nil
}

type keyRow struct {
	ID         uuid.UUID
	PersonID   uuid.UUID
	Name       string
	Hash       []byte
	Prefix     string
	Scopes     pg.Strings
	Workspaces pg.UUIDs
	CreatedBy  uuid.UUID
	CreatedAt  time.Time
	ExpiresAt  *time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time
	Kind       string `gorm:"-"`
}

func (keyRow) TableName() string { return "api_key" }

func insertKey(tx *pg.Tx, k keyRow) error {
	if err := tx.Store().Create(&k).Error; err != nil {
		return fmt.Errorf("store an API key: %w", err)
	}
	return nil
}

func touchKey(tx *pg.Tx, id uuid.UUID) error {
	return tx.Store().Exec(`update api_key set last_used_at = ? where id = ?`, tx.Now(), id).Error
}

// queueKey finds a live key of a live person and makes the person known to the queries behind it.
func queueKey(b *pg.Batch, hash []byte, k *keyRow, c *tenant.Caller) {
	b.Query(func(rows pg.Rows) error {
		for rows.Next() {
			var scopes []string
			var workspaces []uuid.UUID
			var kind, person string
			if err := rows.Scan(&k.ID, &k.Name, &scopes, &workspaces, &k.LastUsedAt, &c.Person, &c.Name, &c.Email, &kind, &person); err != nil {
				return err
			}
			k.Scopes, k.Workspaces, c.Service = scopes, workspaces, kind == "service"
		}
		return rows.Err()
	}, `select k.id, k.name, k.scopes, k.workspaces, k.last_used_at, p.id, p.name, p.email, p.kind,
			set_config('app.person_id', p.id::text, true)
		from api_key k join person p on p.id = k.person_id
		where k.hash = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and p.disabled_at is null`, hash)
}

// QueueMemberships reads the memberships of the person that app.person_id names, as the queries of a credential before it
// have set it.
func QueueMemberships(b *pg.Batch, into *[]tenant.Membership) {
	b.Query(func(rows pg.Rows) error {
		for rows.Next() {
			var m tenant.Membership
			if err := rows.Scan(&m.Workspace, &m.Slug, &m.Name, &m.Role); err != nil {
				return err
			}
			*into = append(*into, m)
		}
		return rows.Err()
	}, `select m.workspace_id, w.slug, w.name, m.role from membership m join workspace w on w.id = m.workspace_id
		where m.person_id = nullif(current_setting('app.person_id', true), '')::uuid order by m.joined_at, w.slug`)
}

// queuePerson reads a live person and makes them known to the queries behind it.
func queuePerson(b *pg.Batch, id uuid.UUID, c *tenant.Caller) {
	b.Query(func(rows pg.Rows) error {
		for rows.Next() {
			var person string
			if err := rows.Scan(&c.Person, &c.Name, &c.Email, &person); err != nil {
				return err
			}
		}
		return rows.Err()
	}, `select id, name, email, set_config('app.person_id', id::text, true) from person
		where id = ? and kind = 'person' and disabled_at is null`, id)
}

// keysIn lists the live keys that reach the workspace of this transaction: one's own, and those of service accounts where
// services says so.
func keysIn(tx *pg.Tx, services bool) ([]keyRow, error) {
	// The mapper skips embedded structs that are not exported, unless they have a name.
	var rows []struct {
		Key        keyRow `gorm:"embedded"`
		PersonKind string
	}
	err := tx.Store().Raw(`select k.*, p.kind as person_kind from api_key k join person p on p.id = k.person_id
		where k.revoked_at is null and ? = any(k.workspaces) and (k.person_id = ? or (? and p.kind = 'service'))
		order by k.created_at desc, k.id`, tx.Actor().Workspace, tx.Actor().Person, services).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list API keys: %w", err)
	}
	out := make([]keyRow, 0, len(rows))
	for _, r := range rows {
		r.Key.Kind = "personal"
		if r.PersonKind == "service" {
			r.Key.Kind = "service"
		}
		out = append(out, r.Key)
	}
	return out, nil
}

func revokeKey(tx *pg.Tx, id uuid.UUID) error {
	return tx.Store().Exec(`update api_key set revoked_at = ? where id = ?`, tx.Now(), id).Error
}

func sweepSetupLinks(tx *pg.Tx, then time.Time) error {
	if err := tx.Store().Exec(`delete from setup_link where used_at < ?`, then).Error; err != nil {
		return fmt.Errorf("sweep set-up links: %w", err)
	}
	return nil
}

func sweepInvitations(tx *pg.Tx, then time.Time) error {
	err := tx.Store().Exec(`delete from invitation where workspace_id = ? and coalesce(accepted_at, revoked_at, expires_at) < ?`,
		tx.Actor().Workspace, then).Error
	if err != nil {
		return fmt.Errorf("sweep invitations: %w", err)
	}
	return nil
}

func workspaceIDs(tx *pg.Tx) ([]uuid.UUID, error) {
	var ids []uuid.UUID
	if err := tx.Store().Raw(`select id from workspace order by id`).Scan(&ids).Error; err != nil {
		return nil, fmt.Errorf("list the workspaces: %w", err)
	}
	return ids, nil
}

func saveSetupLink(tx *pg.Tx, hash []byte) error {
	return tx.Store().Exec(`insert into setup_link (created_at, hash) values (?, ?)`, tx.Now(), hash).Error
}

func setupLinkOpen(tx *pg.Tx, hash []byte, lock bool) (bool, error) {
	var found bool
	query := `select true from setup_link where hash = ? and used_at is null`
	if lock {
		query += ` for update`
	}
	err := tx.Store().Raw(query, hash).Scan(&found).Error
	return found, err
}

func closeSetupLinks(tx *pg.Tx) error {
	return tx.Store().Exec(`update setup_link set used_at = ? where used_at is null`, tx.Now()).Error
}
