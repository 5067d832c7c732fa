package pg

import (
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// Strings is a text[] column for the mapper, which would spread a plain slice over several parameters.
type Strings []string

// Value writes the array literal.
func (s Strings) Value() (driver.Value, error) {
	quoted := make([]string, 0, len(s))
	for _, item := range s {
		item = strings.ReplaceAll(item, `\`, `\\`)
		quoted = append(quoted, `"`+strings.ReplaceAll(item, `"`, `\"`)+`"`)
	}
	return "{" + strings.Join(quoted, ",") + "}", nil
}

// Scan reads the array.
func (s *Strings) Scan(src any) error {
	var plain []string
	if err := pgtype.NewMap().SQLScanner(&plain).Scan(src); err != nil {
		return fmt.Errorf("read a text array: %w", err)
	}
	*s = plain
	return nil
}

// GormDataType names the column type to the mapper.
func (Strings) GormDataType() string { return "text[]" }

// UUIDs is a uuid[] column for the mapper.
type UUIDs []uuid.UUID

// Value writes the array literal.
func (u UUIDs) Value() (driver.Value, error) {
	plain := make([]string, 0, len(u))
	for _, id := range u {
		plain = append(plain, id.String())
	}
	return "{" + strings.Join(plain, ",") + "}", nil
}

// Scan reads the array.
func (u *UUIDs) Scan(src any) error {
	var plain []string
	if err := pgtype.NewMap().SQLScanner(&plain).Scan(src); err != nil {
		return fmt.Errorf("read a uuid array: %w", err)
	}
	out := make(UUIDs, 0, len(plain))
	for _, text := range plain {
		id, err := uuid.Parse(text)
		if err != nil {
			return fmt.Errorf("read a uuid array: %w", err)
		}
		out = append(out, id)
	}
	*u = out
	return nil
}

// GormDataType names the column type to the mapper.
func (UUIDs) GormDataType() string { return "uuid[]" }
