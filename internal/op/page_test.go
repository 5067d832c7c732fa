package op

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"driftless/internal/fault"
)

type spot struct {
	At   int    `json:"at"`
	Slug string `json:"slug"`
}

func TestACursorComesBackAsItWentOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := spot{rapid.Int().Draw(t, "at"), rapid.String().Draw(t, "slug")}
		// Text that is no UTF-8 cannot be kept; positions are slugs, numbers and times.
		want.Slug = strings.ToValidUTF8(want.Slug, "")
		var got spot
		cursor := Cursor(want)
		given, err := ParseCursor(cursor, &got)
		if err != nil || !given || got != want {
			t.Fatalf("%q gives %v, %v, %v; want %v", cursor, got, given, err, want)
		}
		if strings.ContainsAny(cursor, "+/= ") {
			t.Fatalf("%q does not fit into an address", cursor)
		}
	})
}

func TestACursorThatNobodyGaveOutIsRefused(t *testing.T) {
	t.Parallel()
	good := Cursor(spot{7, "queue"})
	for _, cursor := range []string{"x", good[1:], good + "!", "!" + good, "e30=", Cursor([]int{1}), Cursor("text"), strings.Repeat("A", 5000)} {
		_, err := ParseCursor(cursor, &spot{})
		if !fault.Is(err, fault.CodeValidation) || fault.From(err).Fields[0].Path != "cursor" {
			t.Errorf("%.20q gives %v", cursor, err)
		}
	}
	at := spot{1, "kept"}
	if given, err := ParseCursor("", &at); given || err != nil || at.Slug != "kept" {
		t.Errorf("no cursor gives %v, %v, %v", given, err, at)
	}
}

type row struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

func pageOf(sizes []int, more bool, why string) Page[row] {
	rows := make([]row, 0, len(sizes))
	for i, n := range sizes {
		rows = append(rows, row{i, strings.Repeat("é\n", n/2)})
	}
	return NewPage(rows, more, nil, func(last row, shown int) (string, *Next) {
		return Cursor(last.N), &Next{Tool: "list", Arguments: map[string]any{"cursor": Cursor(last.N)}, Why: fmt.Sprintf("%d shown; %s", shown, why)}
	})
}

func TestAPageFitsByWholeRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 200), 0, 80).Draw(t, "sizes")
		limit := rapid.IntRange(600, 8000).Draw(t, "limit")
		more := rapid.Bool().Draw(t, "more")
		why := strings.Repeat("w", rapid.IntRange(0, 2000).Draw(t, "why"))
		p := pageOf(sizes, more, why)
		whole, err := Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		all := p.Results
		if err := p.Fit(limit); err != nil {
			t.Fatal(err)
		}
		raw, err := Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case len(whole) <= limit && string(raw) != string(whole):
			t.Fatal("a page that fits was changed")
		case len(raw) > limit && len(p.Results) > 1:
			t.Fatalf("%d bytes in %d rows, more than %d", len(raw), len(p.Results), limit)
		case len(all) > 0 && len(p.Results) == 0:
			t.Fatal("the first row is gone")
		case p.Shown != len(p.Results):
			t.Fatalf("shown %d of %d rows", p.Shown, len(p.Results))
		}
		if diff := cmp.Diff(all[:len(p.Results)], p.Results); diff != "" {
			t.Fatalf("rows (-want +got):\n%s", diff)
		}
		if len(p.Results) < len(all) {
			var at int
			if given, err := ParseCursor(p.NextCursor, &at); err != nil || !given || at != p.Results[p.Shown-1].N || !p.HasMore || p.NextAction == nil {
				t.Fatalf("what was left out cannot be fetched: cursor at %d, %v, more %v", at, err, p.HasMore)
			}
		}
	})
}

func TestAnEmptyPageIsAListAndHasNoNextPage(t *testing.T) {
	t.Parallel()
	done := &Next{Tool: "widen", Why: "nothing was found"}
	p := NewPage[row](nil, true, done, func(row, int) (string, *Next) { t.Error("asked what follows no row"); return "", nil })
	raw, err := Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	if list, ok := out["results"].([]any); !ok || len(list) != 0 || p.NextAction != done {
		t.Errorf("an empty page is %s", raw)
	}
}
