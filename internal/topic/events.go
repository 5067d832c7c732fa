package topic

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type eventsIn struct {
	Topic  string     `json:"topic,omitempty" jsonschema:"slug"`
	Types  []string   `json:"types,omitempty" jsonschema:"e.g. topic.approved"`
	Since  *time.Time `json:"since,omitempty" jsonschema:"RFC 3339"`
	Limit  int        `json:"limit,omitempty" jsonschema:"rows"`
	Cursor string     `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
	After  *int64     `json:"after,omitempty" jsonschema:"seq of an event: what came later, oldest first"`
}

// eventsAt is where a page of events begins: before an event, or after it.
type eventsAt struct {
	Seq   int64 `json:"s"`
	Later bool  `json:"l,omitempty"`
}

// EventRow is one entry of the log.
type EventRow struct {
	ID     uuid.UUID      `json:"id"`
	Seq    int64          `json:"seq"`
	Type   string         `json:"type"`
	Topic  string         `json:"topic,omitempty"`
	At     time.Time      `json:"at"`
	By     *PersonRef     `json:"by,omitempty"`
	Via    string         `json:"via"`
	Client string         `json:"client,omitempty"`
	Detail map[string]any `json:"detail"`
}

func (s *Service) eventsOp() op.Operation {
	return op.Read(op.Spec{
		Tool: "driftless_context_events", ID: "events.list", Title: "Events",
		Doc:   `What happened in the workspace or to one topic, newest first: who, how, when. Example: {"topic":"billing-retries"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /events", CLI: "context events",
		Rules: op.Rules{"limit": op.Range(1, 100, 20), "types": op.Items(0, 50)}, Hidden: []string{"after"},
	}, s.events)
}

func (s *Service) events(_ context.Context, tx *pg.Tx, in eventsIn) (op.Page[EventRow], error) {
	var at eventsAt
	if given, err := op.ParseCursor(in.Cursor, &at); err != nil {
		return op.Page[EventRow]{}, err
	} else if !given && in.After != nil {
		at = eventsAt{Seq: *in.After, Later: true}
	}
	filter := event.Filter{Types: in.Types, Limit: in.Limit + 1}
	if at.Later {
		filter.After = &at.Seq
	} else {
		filter.Before = at.Seq
	}
	if in.Since != nil {
		filter.Since = *in.Since
	}
	if in.Topic != "" {
		d, err := s.document(tx, in.Topic)
		if err != nil {
			return op.Page[EventRow]{}, err
		}
		filter.Topic = &d.ID
	}
	found, err := event.List(tx, filter)
	if err != nil {
		return op.Page[EventRow]{}, err
	}
	rows := make([]EventRow, 0, len(found))
	for _, e := range found {
		rows = append(rows, eventRow(e))
	}
	more := len(rows) > in.Limit
	if more {
		rows = rows[:in.Limit]
	}
	done := &op.Next{Tool: "driftless_context_proposals", Arguments: map[string]any{}, Why: "see what waits for a reviewer"}
	why := "there are older events"
	if at.Later {
		why = "there are later events"
	}
	return op.NewPage(rows, more, done, func(last EventRow, _ int) (string, *op.Next) {
		cursor := op.Cursor(eventsAt{Seq: last.Seq, Later: at.Later})
		args := map[string]any{"cursor": cursor, "limit": in.Limit}
		if in.Topic != "" {
			args["topic"] = in.Topic
		}
		if len(in.Types) > 0 {
			args["types"] = in.Types
		}
		if in.Since != nil {
			args["since"] = in.Since.Format(time.RFC3339Nano)
		}
		return cursor, &op.Next{Tool: "driftless_context_events", Arguments: args, Why: why}
	}), nil
}

func eventRow(e event.Row) EventRow {
	row := EventRow{ID: e.ID, Seq: e.Seq, Type: e.Type, At: e.At.UTC(), Via: e.Via, Client: e.Client, Detail: map[string]any{}}
	if e.TopicSlug != nil {
		row.Topic = *e.TopicSlug
	}
	if e.PersonName != nil {
		row.By = &PersonRef{Name: *e.PersonName, Email: *e.PersonEmail}
	}
	if json.Unmarshal(e.Detail, &row.Detail) != nil {
		row.Detail = map[string]any{}
	}
	return row
}
