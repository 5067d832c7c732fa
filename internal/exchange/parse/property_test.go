package parse_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"driftless/internal/exchange/parse"
)

// line is text as a topic may hold it: what a write strips is not in it.
func line() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[ -~]{1,40}`),
		rapid.StringMatching(`[a-zà-ÿ一-龥0-9:#&*!|>'"%@{}\[\],\n-]{1,30}`),
		rapid.SampledFrom([]string{"yes", "null", "~", "1.0", "0x1f", "2026-01-01", "- dash", "a: b", "# no comment", "---", "...", "{brace}", " lead", "trail ", "tab\there", "two\n\nparagraphs\n", "[[slug]]", "!tag", "&anchor", "*ref", "'", `"`}),
	)
}

func draft() *rapid.Generator[parse.Draft] {
	return rapid.Custom(func(t *rapid.T) parse.Draft {
		some := func(label string) []string {
			if list := rapid.SliceOfN(line(), 0, 3).Draw(t, label); len(list) > 0 {
				return list
			}
			return nil
		}
		d := parse.Draft{
			Slug:           rapid.StringMatching(`[a-z0-9][a-z0-9-]{0,20}`).Draw(t, "slug"),
			Title:          line().Draw(t, "title"),
			What:           line().Draw(t, "what"),
			How:            line().Draw(t, "how"),
			Area:           line().Draw(t, "area"),
			Content:        rapid.OneOf(rapid.Just(""), line(), rapid.SampledFrom([]string{"\n", "\n\nx", "---\n", "---\na: b\n---\n", "# H\n\n---\n\ntext"})).Draw(t, "content"),
			Tags:           some("tags"),
			Anchors:        some("anchors"),
			Decisions:      some("decisions"),
			Gotchas:        some("gotchas"),
			Invariants:     some("invariants"),
			RequiredChecks: some("required_checks"),
			Sources:        some("sources"),
			ReviewBy:       rapid.SampledFrom([]string{"", "2027-02-28"}).Draw(t, "review_by"),
			Exported:       true,
		}
		for range rapid.IntRange(0, 2).Draw(t, "relations") {
			d.Relations = append(d.Relations, parse.Relation{To: rapid.StringMatching(`[a-z][a-z-]{0,9}`).Draw(t, "to"), Type: "depends_on"})
		}
		for range rapid.IntRange(0, 2).Draw(t, "solutions") {
			d.Solutions = append(d.Solutions, map[string]any{"id": line().Draw(t, "id"), "env": map[string]any{"os": "linux", "labels": []any{"a"}}, "fix": []any{line().Draw(t, "fix")}, "revision": 3})
		}
		return d
	})
}

func TestReadingARenderedDraftIsTheIdentity(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := draft().Draw(t, "draft")
		data, err := parse.Render(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parse.File("any.md", data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff([]parse.Draft{want}, got, cmpopts.IgnoreFields(parse.Draft{}, "Key", "ContentHash")); diff != "" {
			t.Fatalf("%s\n%s", diff, data)
		}
	})
}

func FuzzFileLosesNoWords(f *testing.F) {
	for _, s := range []string{"# A\n\n## B\n\ntext\n", "---\na: b\n---\nx", "---\nglobs: **/*\n---\n", "A\n===\n\nB\n---\n```\n# no\n```\n", "- # a\n> # b\n", "# \n## ##\n", "\ufeff# A\r\n", "<!--\n# no\n-->\n# yes"} {
		f.Add("AGENTS.md", s)
		f.Add("a/b.md", s)
		f.Add(".cursor/rules/r.mdc", s)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		drafts, err := parse.File(name, []byte(text))
		if err != nil {
			return
		}
		var all strings.Builder
		for _, d := range drafts {
			all.WriteString(d.Content)
			if d.Exported {
				return
			}
			if n := utf8.RuneCountInString(d.Title); n < 1 || n > 120 || utf8.RuneCountInString(d.What) > 300 || d.Slug == "" || len(d.Slug) > 80 || d.Key == "" {
				t.Fatalf("draft %+v", d)
			}
		}
		if len(drafts) == 0 {
			return
		}
		words, body := strings.Fields(all.String()), strings.Fields(strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff"))
		if len(words) > len(body) || strings.Join(body[len(body)-len(words):], " ") != strings.Join(words, " ") {
			t.Fatalf("words changed: %q of %q", words, body)
		}
	})
}
