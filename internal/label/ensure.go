package label

import (
	"fmt"

	"driftless/internal/event"
	"driftless/internal/pg"
)

// EnsureArea makes the area of this name where there is none, and answers its name as it is kept.
func EnsureArea(tx *pg.Tx, text string) (string, error) {
	name, key, err := areaName(text)
	if err != nil {
		return "", err
	}
	if err := event.Lock(tx); err != nil {
		return "", err
	}
	switch row, err := areaByKey(tx, key); {
	case err == nil:
		return row.Name, nil
	case !pg.NoRow(err):
		return "", fmt.Errorf("find an area: %w", err)
	}
	row := areaRow{WorkspaceID: tx.Actor().Workspace, ID: pg.NewID(), Name: name, NameKey: key, CreatedAt: tx.Now()}
	if err := saveArea(tx, row); err != nil {
		return "", fmt.Errorf("store an area: %w", err)
	}
	_, err = event.Append(tx, "areas.create", "area.created", nil, map[string]any{"name": name})
	return name, err
}
