package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"driftless/internal/cli/report"
)

// topic is one that is anchored somewhere, with what happened there.
func topic(t *testing.T, slug, trust, anchor, status, path, old string, sentences ...string) report.Topic {
	t.Helper()
	var said []map[string]string
	for _, s := range sentences {
		said = append(said, map[string]string{"field": "invariants[0]", "text": s, "why": "names it"})
	}
	raw, err := json.Marshal(map[string]any{
		"slug": slug, "title": "About " + slug, "trust": trust, "may_be_wrong": said,
		"because": []any{map[string]any{"anchor": anchor, "changes": []any{map[string]any{"path": path, "status": status, "old_path": old}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out report.Topic
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAChangeIsJudgedByWhatItDoesToAnchors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		topic report.Topic
		want  report.Level
	}{
		"a pattern":               {topic(t, "a", "reviewed", "pay/**", "M", "pay/a.py", ""), report.Touched},
		"a pattern, spoken of":    {topic(t, "a", "reviewed", "pay/**", "M", "pay/a.py", "", "charge() retries"), report.Review},
		"a deletion in a pattern": {topic(t, "a", "reviewed", "pay/**", "D", "pay/a.py", ""), report.Touched},
		"the file itself":         {topic(t, "a", "reviewed", "pay/a.py", "M", "pay/a.py", ""), report.Review},
		"the file is gone":        {topic(t, "a", "reviewed", "pay/a.py", "D", "pay/a.py", ""), report.Broken},
		"the file is elsewhere":   {topic(t, "a", "reviewed", "pay/a.py#run", "R", "pay/b.py", "pay/a.py"), report.Broken},
		"moved within a folder":   {topic(t, "a", "reviewed", "pay/", "R", "pay/b.py", "pay/a.py"), report.Touched},
	} {
		if got := tc.topic.LevelOf(); got != tc.want {
			t.Errorf("%s is %s, want %s", name, got, tc.want)
		}
	}
}

func TestThePolicyStopsForKnowledgeAlone(t *testing.T) {
	t.Parallel()
	gone := func(trust string) report.Diff {
		return report.Diff{Topics: []report.Topic{topic(t, "a", trust, "pay/a.py", "D", "pay/a.py", "")}}
	}
	spoken := report.Diff{Topics: []report.Topic{topic(t, "a", "reviewed", "pay/**", "M", "pay/a.py", "", "x")}}
	for name, tc := range map[string]struct {
		diff   report.Diff
		policy string
		want   bool
	}{
		"none": {gone("reviewed"), "none", false}, "broken": {gone("reviewed"), "broken", true}, "review includes broken": {gone("reviewed"), "review", true},
		"a draft": {gone("draft"), "review", false}, "spoken of, review": {spoken, "review", true}, "spoken of, broken": {spoken, "broken", false},
		"nothing": {report.Diff{}, "review", false},
	} {
		if got := tc.diff.Fails(tc.policy); got != tc.want {
			t.Errorf("%s: fails %v", name, got)
		}
	}
}

func TestWordsOfATopicBecomeNoMarkupInAComment(t *testing.T) {
	t.Parallel()
	bad := topic(t, "a", "reviewed", "pay/a.py", "M", "pay/a.py", "", "<img src=x onerror=y> @team ![p](https://evil.test/p) [x](javascript:y) | **b** #12 https://evil.test `c`")
	bad.Title = "Red | [t](https://evil.test) @ada\n## head"
	d := report.Diff{
		Base: strings.Repeat("a", 40), Head: strings.Repeat("b", 40), Files: 1, Asked: 1, Topics: []report.Topic{bad},
		Link: func(slug string) string { return "https://context.test/w/acme/t/" + slug },
	}
	text := d.Markdown()
	if text != d.Markdown() || !strings.HasPrefix(text, report.Marker+"\n") {
		t.Error("the comment does not begin with its marker, or is another one each time")
	}
	if strings.Contains(text, "@ada") || strings.Contains(text, "@team") || strings.Contains(text, "https://evil") {
		t.Errorf("a mention or a link is left:\n%s", text)
	}
	var html strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(text), &html); err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"<img", "<h2", "<code", "evil.test\"", "<a href=\"java"} {
		if strings.Contains(html.String(), tag) {
			t.Errorf("%s is in it:\n%s", tag, html.String())
		}
	}
	if n := strings.Count(html.String(), "<a "); n != 1 {
		t.Errorf("%d links, want that of the topic", n)
	}
	if n := strings.Count(html.String(), "<td"); n != 4 {
		t.Errorf("%d cells, want 4:\n%s", n, html.String())
	}
}

func TestACommentIsBounded(t *testing.T) {
	t.Parallel()
	d := report.Diff{Base: "a", Head: "b", Files: 5000, Asked: 2000, More: true}
	for range 25 {
		long := topic(t, strings.Repeat("x", 80), "reviewed", "pay/a.py", "M", "pay/a.py", "", strings.Repeat("long ", 500), strings.Repeat("long ", 500))
		d.Topics = append(d.Topics, long)
	}
	text := d.Markdown()
	if len(text) > 60_000 {
		t.Errorf("%d characters", len(text))
	}
	for _, words := range []string{"5 more topics", "first 2000", "Further topics"} {
		if !strings.Contains(text, words) {
			t.Errorf("it does not say %q", words)
		}
	}
}

func TestSARIFHasARuleALevelAndAPlaceForEachResult(t *testing.T) {
	t.Parallel()
	d := report.Diff{Version: "1.2.3", Topics: []report.Topic{
		topic(t, "b", "draft", "pay/a.py", "D", "pay/a.py", ""), topic(t, "a", "reviewed", "pay/ü b.py", "D", "pay/ü b.py", ""),
		topic(t, "c", "reviewed", "pay/**", "M", "pay/c.py", "", "see [1](x)"),
	}}
	raw, err := d.SARIF()
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.SARIF()
	if err != nil || string(raw) != string(again) {
		t.Error("it is another one each time")
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID, Level string
				RuleIndex     int
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           struct{ StartLine int }
					}
				}
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal(raw, &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if log.Version != "2.1.0" || len(run.Results) != 3 {
		t.Fatalf("%s", raw)
	}
	for i, want := range []struct{ level, uri string }{{"error", "pay/%C3%BC%20b.py"}, {"warning", "pay/c.py"}, {"note", "pay/a.py"}} {
		r := run.Results[i]
		at := r.Locations[0].PhysicalLocation
		if r.Level != want.level || at.ArtifactLocation.URI != want.uri || at.Region.StartLine != 1 || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID ||
			len(r.PartialFingerprints) != 1 {
			t.Errorf("result %d: %+v", i, r)
		}
	}
	if strings.Contains(run.Results[1].Message.Text, " [1]") {
		t.Errorf("brackets of a text are left to be a link: %s", run.Results[1].Message.Text)
	}
}
