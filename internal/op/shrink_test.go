package op

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAnAnswerWithOneLargeRowFitsAndSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	raw, err := Marshal(map[string]any{
		"slug": "fat", "gotchas": []string{strings.Repeat("a", 30_000)}, "what": "Small.",
		"changes": []any{map[string]any{"path": "/content", "before": strings.Repeat("b", 40_000)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := Shrink(raw, 50<<10)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Slug, What string
		Omitted    []Omission
		Gotchas    []string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if got.Slug != "fat" || got.What != "Small." || len(got.Gotchas) != 1 {
		t.Errorf("the small fields, and what fits, are there: %.200s", out)
	}
	if len(got.Omitted) != 1 || got.Omitted[0].Path != "/changes/0/before" {
		t.Errorf("omitted = %+v", got.Omitted)
	}
}

func TestAShrunkAnswerNeverExceedsItsLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.IntRange(0, 5000), 0, 60).Draw(t, "sizes")
		doc := map[string]any{}
		for i, n := range list {
			doc[strings.Repeat("k", 1+i)] = strings.Repeat("x", n)
		}
		raw, err := Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		limit := rapid.IntRange(8192, 65_536).Draw(t, "limit")
		out, err := Shrink(raw, limit)
		if err != nil {
			t.Fatal(err)
		}
		if len(out) > limit || !json.Valid(out) {
			t.Fatalf("%d bytes of %d allowed", len(out), limit)
		}
	})
}

// Many small values are as large as a big one: the smallest part that makes room goes, and what says what happened stays.
func TestAnAnswerOfManySmallValuesKeepsWhatIsAroundThem(t *testing.T) {
	t.Parallel()
	changes := []any{}
	for range 1000 {
		changes = append(changes, map[string]any{"path": "/gotchas/x", "after": strings.Repeat("g", 200)})
	}
	for name, doc := range map[string]map[string]any{
		"an error": {"code": "STALE_BASE", "message": "It changed.", "current": map[string]any{"revision": 3}, "changes_since_base": changes},
		"a page":   {"results": []any{map[string]any{"code": "STALE_BASE", "changes": changes}}, "shown": 1},
	} {
		raw, err := Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Shrink(raw, 50<<10)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(out); len(out) > 50<<10 || !strings.Contains(text, "STALE_BASE") || !strings.Contains(text, "omitted") {
			t.Errorf("%s became %.300s", name, text)
		}
	}
}
