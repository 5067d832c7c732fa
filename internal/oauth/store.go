package oauth

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// The kinds of clients.
const (
	kindRegistered    = "registered"    // by itself
	kindDocument      = "document"      // described by the document that its id is the address of
	kindPreregistered = "preregistered" // by a workspace, for its own people
)

type clientRow struct {
	ID              string
	Kind            string
	Name            string
	URI             string
	RedirectURIs    pg.Strings `gorm:"column:redirect_uris"`
	GrantTypes      pg.Strings
	AuthMethod      string
	SecretHash      []byte
	Scopes          pg.Strings
	ApplicationType string
	CreatedAt       time.Time
	// FreshUntil, StaleUntil and ETag are of the copy of a document: until when it is used without asking, until when it
	// stands in for a document that cannot be read, and the tag to ask with.
	FreshUntil *time.Time
	StaleUntil *time.Time
	ETag       string `gorm:"column:etag"`
	// WorkspaceID and CreatedBy are of a preregistered client.
	WorkspaceID *uuid.UUID
	CreatedBy   *uuid.UUID
}

func (clientRow) TableName() string { return "oauth_client" }

func findClient(tx *pg.Tx, id string) (row clientRow, found bool, err error) {
	err = tx.Store().Where("id = ?", id).Take(&row).Error
	if pg.NoRow(err) {
		return row, false, nil
	}
	return row, err == nil, err
}

// saveClient keeps a client; the copy of a document replaces the one before it.
func saveClient(tx *pg.Tx, row clientRow) error {
	err := tx.Store().Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "id"}},
		DoUpdates: clause.AssignmentColumns([]string{
			"name", "uri", "redirect_uris", "grant_types", "scopes", "application_type", "fresh_until", "stale_until", "etag",
		}),
	}).Create(&row).Error
	if err != nil {
		return fmt.Errorf("store a client: %w", err)
	}
	return nil
}

// ownClient is a client of a workspace with what its list shows beside it.
type ownClient struct {
	Client     clientRow `gorm:"embedded"`
	Creator    string
	LastUsedAt *time.Time
}

// ownClients lists the clients of the workspace of this transaction, newest first.
func ownClients(tx *pg.Tx) ([]ownClient, error) {
	var rows []ownClient
	err := tx.Store().Raw(`select c.*, p.name as creator, (select max(g.used_at) from oauth_grant g where g.client_id = c.id) as last_used_at
		from oauth_client c join person p on p.id = c.created_by
		where c.kind = ? and c.workspace_id = ? order by c.created_at desc, c.id`, kindPreregistered, tx.Actor().Workspace).Scan(&rows).Error
	return rows, err
}

// deleteOwnClient removes a client of the workspace of this transaction, and with it all that people allowed it. It answers
// its name, and how many connections of it ended.
func deleteOwnClient(tx *pg.Tx, id string) (name string, ended int, found bool, err error) {
	var row struct {
		Name  string
		Ended int
	}
	done := tx.Store().Raw(`with gone as (delete from oauth_client where id = ? and kind = ? and workspace_id = ? returning id, name)
		select gone.name, (select count(*) from oauth_grant g where g.client_id = gone.id and g.revoked_at is null) as ended from gone`,
		id, kindPreregistered, tx.Actor().Workspace).Scan(&row)
	return row.Name, row.Ended, done.RowsAffected == 1, done.Error
}

type requestRow struct {
	ID          uuid.UUID
	ClientID    string
	PersonID    uuid.UUID
	RedirectURI string
	State       *string
	Scopes      pg.Strings
	Resource    string
	Challenge   string
	ExpiresAt   time.Time
	AnsweredAt  *time.Time
}

func (requestRow) TableName() string { return "oauth_request" }

func insertRequest(tx *pg.Tx, row requestRow) error {
	if err := tx.Store().Create(&row).Error; err != nil {
		return fmt.Errorf("store a consent request: %w", err)
	}
	return nil
}

// findRequest reads a request of this person.
func findRequest(tx *pg.Tx, id, person uuid.UUID) (row requestRow, found bool, err error) {
	err = tx.Store().Where("id = ? and person_id = ?", id, person).Take(&row).Error
	if pg.NoRow(err) {
		return row, false, nil
	}
	return row, err == nil, err
}

// answerRequest closes a request. Of several answers at once one is told true.
func answerRequest(tx *pg.Tx, id uuid.UUID, at time.Time) (bool, error) {
	done := tx.Store().Exec(`update oauth_request set answered_at = ? where id = ? and answered_at is null`, at, id)
	return done.RowsAffected == 1, done.Error
}

type grantRow struct {
	ID         uuid.UUID
	ClientID   string
	PersonID   uuid.UUID
	Scopes     pg.Strings
	Workspaces pg.UUIDs
	Resource   string
	CreatedAt  time.Time
	UsedAt     time.Time
	RevokedAt  *time.Time
}

func (grantRow) TableName() string { return "oauth_grant" }

func insertGrant(tx *pg.Tx, row grantRow) error {
	if err := tx.Store().Create(&row).Error; err != nil {
		return fmt.Errorf("store a grant: %w", err)
	}
	return nil
}

func findGrant(tx *pg.Tx, id uuid.UUID) (row grantRow, err error) {
	err = tx.Store().Where("id = ?", id).Take(&row).Error
	return row, err
}

// liveGrants lists what the person has allowed the client and not taken back, newest first.
func liveGrants(tx *pg.Tx, client string, person uuid.UUID, resource string) ([]grantRow, error) {
	var rows []grantRow
	err := tx.Store().Where("client_id = ? and person_id = ? and resource = ? and revoked_at is null", client, person, resource).
		Order("created_at desc").Limit(20).Find(&rows).Error
	return rows, err
}

// revokeGrant ends a grant and with it everything that was issued under it. It answers false when it had ended before.
func revokeGrant(tx *pg.Tx, id uuid.UUID, at time.Time) (bool, error) {
	done := tx.Store().Exec(`update oauth_grant set revoked_at = ? where id = ? and revoked_at is null`, at, id)
	return done.RowsAffected == 1, done.Error
}

func touchGrant(tx *pg.Tx, id uuid.UUID, at time.Time) error {
	return tx.Store().Exec(`update oauth_grant set used_at = ? where id = ?`, at, id).Error
}

type codeRow struct {
	Hash        []byte
	GrantID     uuid.UUID
	RedirectURI string
	Challenge   string
	ExpiresAt   time.Time
	UsedAt      *time.Time
}

func (codeRow) TableName() string { return "oauth_code" }

func insertCode(tx *pg.Tx, row codeRow) error {
	if err := tx.Store().Create(&row).Error; err != nil {
		return fmt.Errorf("store a code: %w", err)
	}
	return nil
}

// family is the grant that something was issued under, as far as its use depends on it.
type family struct {
	ClientID       string
	PersonID       uuid.UUID
	GrantScopes    pg.Strings
	Resource       string
	GrantRevokedAt *time.Time
	DisabledAt     *time.Time
}

// live reports whether the grant has not ended and its person may still act.
func (f family) live() bool { return f.GrantRevokedAt == nil && f.DisabledAt == nil }

const familyColumns = `g.client_id, g.person_id, g.scopes as grant_scopes, g.resource, g.revoked_at as grant_revoked_at, p.disabled_at`

type foundCode struct {
	Code   codeRow `gorm:"embedded"`
	Family family  `gorm:"embedded"`
}

func findCode(tx *pg.Tx, code string) (row foundCode, found bool, err error) {
	done := tx.Store().Raw(`select c.*, `+familyColumns+`
		from oauth_code c join oauth_grant g on g.id = c.grant_id join person p on p.id = g.person_id
		where c.hash = ?`, hash(code)).Scan(&row)
	return row, done.RowsAffected == 1, done.Error
}

// useCode uses a code up. Of several that try at once one is told true.
func useCode(tx *pg.Tx, code string, at time.Time) (bool, error) {
	done := tx.Store().Exec(`update oauth_code set used_at = ? where hash = ? and used_at is null`, at, hash(code))
	return done.RowsAffected == 1, done.Error
}

// The kinds of tokens.
const (
	kindAccess  = "access"
	kindRefresh = "refresh"
)

type tokenRow struct {
	Hash       []byte
	Kind       string
	GrantID    uuid.UUID
	Scopes     pg.Strings
	Parent     []byte
	CreatedAt  time.Time
	ExpiresAt  time.Time
	RotatedAt  *time.Time
	ReplacedBy []byte
	RevokedAt  *time.Time
}

func (tokenRow) TableName() string { return "oauth_token" }

func insertTokens(tx *pg.Tx, rows ...tokenRow) error {
	if err := tx.Store().Create(&rows).Error; err != nil {
		return fmt.Errorf("store tokens: %w", err)
	}
	return nil
}

type foundToken struct {
	Token  tokenRow `gorm:"embedded"`
	Family family   `gorm:"embedded"`
}

// findToken reads a token of any kind, live or not. Where lock says so, others who want to lock it wait.
func findToken(tx *pg.Tx, secret string, lock bool) (row foundToken, found bool, err error) {
	query := `select t.*, ` + familyColumns + `
		from oauth_token t join oauth_grant g on g.id = t.grant_id join person p on p.id = g.person_id
		where t.hash = ?`
	if lock {
		query += ` for update of t`
	}
	done := tx.Store().Raw(query, hash(secret)).Scan(&row)
	return row, done.RowsAffected == 1, done.Error
}

// rotateToken replaces a refresh token that has not been replaced. It answers false when somebody else did.
func rotateToken(tx *pg.Tx, old, successor []byte, at time.Time) (bool, error) {
	done := tx.Store().Exec(`update oauth_token set rotated_at = ?, replaced_by = ? where hash = ? and rotated_at is null`, at, successor, old)
	return done.RowsAffected == 1, done.Error
}

func revokeToken(tx *pg.Tx, hash []byte, at time.Time) error {
	return tx.Store().Exec(`update oauth_token set revoked_at = ? where hash = ? and revoked_at is null`, at, hash).Error
}

// queueToken finds a live access token for this resource with a live grant of a live person, and makes the person known to
// the queries behind it.
func queueToken(b *pg.Batch, secret, resource string, now time.Time, c *tenant.Caller, workspaces *[]uuid.UUID, used *time.Time) {
	b.Query(func(rows pg.Rows) error {
		for rows.Next() {
			var scopes []string
			var person string
			if err := rows.Scan(&c.Credential, &c.Client, &scopes, workspaces, used, &c.Person, &c.Name, &c.Email, &person); err != nil {
				return err
			}
			c.Scopes = scopesOf(scopes)
		}
		return rows.Err()
	}, `select g.id, c.name, t.scopes, g.workspaces, g.used_at, p.id, p.name, p.email, set_config('app.person_id', p.id::text, true)
		from oauth_token t join oauth_grant g on g.id = t.grant_id join oauth_client c on c.id = g.client_id
		join person p on p.id = g.person_id
		where t.hash = $1 and t.kind = 'access' and t.revoked_at is null and t.expires_at > $3
		and g.revoked_at is null and g.resource = $2 and p.disabled_at is null`, hash(secret), resource, now)
}

type deviceRow struct {
	Hash       []byte
	UserHash   []byte
	ClientID   string
	Scopes     pg.Strings
	Resource   string
	IntervalS  int
	CreatedAt  time.Time
	ExpiresAt  time.Time
	PolledAt   *time.Time
	AnsweredAt *time.Time
	GrantID    *uuid.UUID
	UsedAt     *time.Time
}

func (deviceRow) TableName() string { return "oauth_device" }

func insertDevice(tx *pg.Tx, row deviceRow) error {
	if err := tx.Store().Create(&row).Error; err != nil {
		return fmt.Errorf("store a device request: %w", err)
	}
	return nil
}

// deviceByCode finds what the device asked for and makes other polls of it wait.
func deviceByCode(tx *pg.Tx, code string) (row deviceRow, found bool, err error) {
	return oneDevice(tx, `select * from oauth_device where hash = ? for update`, code)
}

// deviceByUserCode finds what the person was given the code of, and makes other answers wait.
func deviceByUserCode(tx *pg.Tx, code string) (row deviceRow, found bool, err error) {
	return oneDevice(tx, `select * from oauth_device where user_hash = ? for update`, code)
}

func oneDevice(tx *pg.Tx, query, code string) (row deviceRow, found bool, err error) {
	done := tx.Store().Raw(query, hash(code)).Scan(&row)
	return row, done.RowsAffected == 1, done.Error
}

// answerDevice keeps the answer of a person; without a grant it is a refusal.
func answerDevice(tx *pg.Tx, row deviceRow, grant *uuid.UUID, at time.Time) error {
	return tx.Store().Exec(`update oauth_device set answered_at = ?, grant_id = ? where hash = ?`, at, grant, row.Hash).Error
}

// pollDevice notes when the device asked, and how long it has to wait now.
func pollDevice(tx *pg.Tx, row deviceRow, interval int, at time.Time) error {
	return tx.Store().Exec(`update oauth_device set polled_at = ?, interval_s = ? where hash = ?`, at, interval, row.Hash).Error
}

func useDevice(tx *pg.Tx, row deviceRow, at time.Time) error {
	return tx.Store().Exec(`update oauth_device set used_at = ? where hash = ?`, at, row.Hash).Error
}

type foundGrant struct {
	Grant  grantRow  `gorm:"embedded"`
	Client clientRow `gorm:"embedded;embeddedPrefix:client_"`
}

// connected lists the grants of a person that still give something, the one used last first.
func connected(tx *pg.Tx, person uuid.UUID, now time.Time) ([]foundGrant, error) {
	var rows []foundGrant
	err := tx.Store().Raw(`select g.*, c.kind as client_kind, c.name as client_name, c.uri as client_uri
		from oauth_grant g join oauth_client c on c.id = g.client_id
		where g.person_id = ? and g.revoked_at is null and exists (select 1 from oauth_token t
			where t.grant_id = g.id and t.revoked_at is null and t.rotated_at is null and t.expires_at > ?)
		order by g.used_at desc, g.id`, person, now).Scan(&rows).Error
	return rows, err
}

// revokeOwnGrant is [revokeGrant] for the person who gave it.
func revokeOwnGrant(tx *pg.Tx, id, person uuid.UUID, at time.Time) (bool, error) {
	done := tx.Store().Exec(`update oauth_grant set revoked_at = ? where id = ? and person_id = ? and revoked_at is null`, at, id, person)
	return done.RowsAffected == 1, done.Error
}

// sweep removes what can no longer matter: requests that were not answered in time, tokens that have expired, grants that
// have ended or have nothing left, and registrations that nobody has used since before unused.
func sweep(tx *pg.Tx, now, unused time.Time) error {
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`delete from oauth_request where expires_at < ?`, []any{now}},
		{`delete from oauth_device where expires_at < ?`, []any{now}},
		{`delete from oauth_token where expires_at < ?`, []any{now}},
		{`delete from oauth_grant g where not exists (select 1 from oauth_token t where t.grant_id = g.id)
			and not exists (select 1 from oauth_code c where c.grant_id = g.id and c.used_at is null and c.expires_at > ?)
			and not exists (select 1 from oauth_device d where d.grant_id = g.id and d.used_at is null)`, []any{now}},
		{`delete from oauth_client c where c.kind <> 'preregistered' and c.created_at < ?
			and not exists (select 1 from oauth_grant g where g.client_id = c.id)
			and not exists (select 1 from oauth_request r where r.client_id = c.id)
			and not exists (select 1 from oauth_device d where d.client_id = c.id)`, []any{unused}},
	} {
		if err := tx.Store().Exec(step.query, step.args...).Error; err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
	}
	return nil
}
