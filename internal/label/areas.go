package label

import (
	"fmt"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
)

const areasDoc = "The areas, of which a topic has at most one as its home: list, create, update (rename, describe, reviewers), delete (un-files its topics). " +
	`Example: {"action":"create","name":"Payments","reviewers":["ada@example.com"]}`

type areaAnswer struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Reviewers   []string `json:"reviewers,omitempty"`
	Deleted     bool     `json:"deleted,omitempty"`
}

var areaRules = op.Rules{"name": op.Length(1, 200), "description": op.Length(0, DescriptionMax), "reviewers": op.Items(0, 20)}

// unusedArea refuses the name of an area that is there.
func unusedArea(tx *pg.Tx, name, key string) error {
	_, err := areaByKey(tx, key)
	if pg.NoRow(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find an area: %w", err)
	}
	return fault.New(fault.Conflict, fault.CodeStateConflict, fmt.Sprintf("there is an area %q already", name),
		"use it, or change it with the action update")
}

func (s *Service) area(tx *pg.Tx, text string) (areaRow, error) {
	name, key, err := areaName(text)
	if err != nil {
		return areaRow{}, err
	}
	row, err := areaByKey(tx, key)
	if pg.NoRow(err) {
		return row, fault.Missing("area", name)
	}
	if err != nil {
		return row, fmt.Errorf("find an area: %w", err)
	}
	return row, nil
}
