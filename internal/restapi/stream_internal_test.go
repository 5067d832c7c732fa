package restapi

import (
	"bufio"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/obs"
	"driftless/internal/op"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

type eventsAsked struct {
	Limit int    `json:"limit,omitempty" jsonschema:"rows"`
	After *int64 `json:"after,omitempty" jsonschema:"seq"`
}

// A proxy ends a connection on which nothing moves, and a database that is away for a moment is no reason to end one.
func TestAQuietStreamBeatsAndAFailureOfAMomentIsOvercome(t *testing.T) {
	t.Parallel()
	member := tenant.Membership{Workspace: uuid.New(), Slug: "w", Role: tenant.Viewer}
	asked := 0
	list := op.Query(op.Spec{ID: "events.list", Title: "x", Doc: "x", Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /events"},
		func(_ context.Context, _ tenant.Actor, in eventsAsked) (op.Page[topic.EventRow], error) {
			var rows []topic.EventRow
			if in.After != nil {
				switch asked++; asked {
				case 2:
					return op.Page[topic.EventRow]{}, fault.New(fault.Unavailable, fault.CodeUnavailable, "away", "wait")
				case 3:
					rows = append(rows, topic.EventRow{Seq: 7})
				}
			}
			return op.NewPage(rows, false, nil, nil), nil
		})
	registry, err := op.NewRegistry(nil, []op.Operation{list}, nil)
	if err != nil {
		t.Fatal(err)
	}
	nobody, err := op.NewRegistry(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{
		Registry: registry, Public: nobody, Metrics: obs.NewMetrics(), Log: slog.New(slog.DiscardHandler),
		Bearer: func(context.Context, string) (tenant.Caller, bool, error) {
			return tenant.Caller{Person: uuid.New(), Scopes: tenant.Scopes(), Memberships: []tenant.Membership{member}}, true, nil
		},
		Watch: func(uuid.UUID) (<-chan struct{}, func()) {
			news := make(chan struct{}, 1)
			news <- struct{}{}
			return news, func() {}
		},
	})
	s.limits.perMinute["calls"] = 1000
	s.beat = 10 * time.Millisecond
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, web.URL+"/api/v1/workspaces/w/events/stream", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-API-Key", "k")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var got []string
	for lines := bufio.NewScanner(answer.Body); lines.Scan() && len(got) < 4; {
		if lines.Text() != "" {
			got = append(got, strings.SplitN(lines.Text(), `"seq"`, 2)[0])
		}
	}
	want := []string{"retry: 1000", "id: 0", "id: 7", `data: {"id":"` + uuid.Nil.String() + `",`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the stream says %q", got)
	}
	line := bufio.NewScanner(answer.Body)
	for line.Scan() && line.Text() != ": nothing new" {
	}
	if line.Err() != nil {
		t.Errorf("a quiet stream says nothing: %v", line.Err())
	}
	s.Stop()
	for line.Scan() {
	}
	if line.Err() != nil {
		t.Errorf("a stream that was stopped ended with %v", line.Err())
	}
}
