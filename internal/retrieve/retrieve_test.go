package retrieve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestRetrieveAnswersATaskAndFilesWithReasons(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	billing := s.create(owner, args{
		"title": "Billing retries", "what": "Invoices are retried three times with backoff.", "gotchas": []string{"The gateway answers 200 on failure."},
		"content": "# Billing retries\n\nLong body about dunning zanzibar.", "anchors": []string{"billing/**/*.py"},
	})
	s.create(owner, args{"title": "Login pages", "what": "Sessions live twelve hours.", "anchors": []string{"web/login/*.ts"}})
	page := s.ok(owner, "context.retrieve", args{"task": "how are invoice payments retried in billing", "files": []string{"billing/charge/run.py"}})
	if diff := cmp.Diff([]string{billing}, found(page)); diff != "" {
		t.Fatal(diff)
	}
	row := results(page)[0]
	want := []string{"anchor:billing/**/*.py ~ billing/charge/run.py", "title", "text:invoice,retried,billing"}
	if diff := cmp.Diff(want, texts(row["why_matched"])); diff != "" {
		t.Error(diff)
	}
	if row["match_type"] != "anchor" || row["trust"] != "proposed" || row["stale"] != false || row["content"] != nil {
		t.Errorf("row = %v", row)
	}
	if c := row["confidence"].(float64); c <= 0.5 || c > 1 {
		t.Errorf("confidence = %v", c)
	}
	if n := row["tokens"].(float64); n < 50 || n > 400 {
		t.Errorf("tokens = %v", n)
	}
	if page["content_trust"] != "untrusted-data" || page["has_more"] != false || page["shown"] != 1.0 {
		t.Errorf("envelope = %v", page)
	}
	next := page["next_action"].(args)
	if next["tool"] != "driftless_context_get" || next["arguments"].(args)["topic"] != billing {
		t.Errorf("next_action = %v", next)
	}
}

func TestRetrieveNeedsATaskOrFilesAndNamesBoth(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	for _, in := range []args{{}, {"task": "  "}, {"files": []string{}}} {
		e := s.fails(owner, "context.retrieve", in, fault.CodeValidation)
		if len(e.Fields) != 2 || e.Fields[0].Path != "task" || e.Fields[1].Path != "files" {
			t.Errorf("fields for %v = %v", in, e.Fields)
		}
	}
	s.fails(owner, "context.retrieve", args{"task": strings.Repeat("x", 4001)}, fault.CodeValidation)
	s.fails(owner, "context.retrieve", args{"files": make([]string, 51)}, fault.CodeValidation)
	s.fails(owner, "context.retrieve", args{"task": "x", "view": "everything"}, fault.CodeValidation)
}

func TestRetrieveAbstainsAndSaysWhatToDo(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	viewer := pgtest.Person(t, owner, tenant.Viewer)
	s.create(owner, args{"title": "Kiln schedule", "what": "The kiln fires on Mondays."})
	s.create(owner, args{"title": "Glaze recipes", "what": "The blue glaze holds cobalt."})
	page := s.ok(owner, "context.retrieve", args{"task": "migrate postgres replication slots after the kiln failover procedure changed", "files": []string{"db/slots.go"}})
	if len(found(page)) != 0 {
		t.Fatalf("found %v", found(page))
	}
	if diff := cmp.Diff([]string{"kiln-schedule"}, texts(page["nearest"])); diff != "" {
		t.Error(diff)
	}
	next := page["next_action"].(args)
	if next["tool"] != "driftless_note_add" || next["why"] == "" {
		t.Errorf("next_action = %v", next)
	}
	if diff := cmp.Diff([]string{"db/slots.go"}, texts(next["arguments"].(args)["anchors"])); diff != "" {
		t.Error(diff)
	}
	page = s.ok(viewer, "context.retrieve", args{"task": "zzzz qqqq unknown"})
	if next := page["next_action"].(args); next["tool"] != "driftless_context_list" {
		t.Errorf("next_action of a viewer = %v", next)
	}
}

func TestRetrieveUnderstandsEnglishAndSpanish(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	es := s.create(owner, args{"title": "Cobros fallidos", "what": "Las facturas impagadas se reintentan tres veces antes de avisar al cliente."})
	en := s.create(owner, args{"title": "Failed uploads", "what": "Uploads are resumed from the last chunk after the network drops."})
	for task, want := range map[string]string{
		"cómo se reintenta el cobro de una factura": es,
		"resuming an upload when the network fails": en,
		"reintentar facturas":                       es,
	} {
		if got := found(s.ok(owner, "context.retrieve", args{"task": task})); len(got) == 0 || got[0] != want {
			t.Errorf("%q found %v, want %s first", task, got, want)
		}
	}
}

func TestRetrieveKeepsItsTokens(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	const line = "The settlement worker books each transfer twice and reconciles the ledger every night. "
	for i := range 12 {
		s.create(owner, args{"title": fmt.Sprintf("Ledger %d", i), "what": line, "gotchas": []string{line, fmt.Sprintf("Number %d.", i)}})
	}
	last := 0
	for _, budget := range []int{200, 400, 1000, 4000} {
		raw, err := s.raw(owner, "context.retrieve", args{"task": "settlement worker ledger", "max_tokens": budget, "limit": 25})
		if err != nil {
			t.Fatal(err)
		}
		var page args
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		rows, sum := results(page), 0.0
		for _, r := range rows {
			sum += r["tokens"].(float64)
		}
		if len(rows) == 0 || len(rows) < last || sum > float64(budget) || len(raw)/4 > budget+20 && len(rows) > 1 {
			t.Errorf("%d tokens gave %d rows of %.0f in an answer of %d", budget, len(rows), sum, len(raw)/4)
		}
		if more := page["has_more"].(bool); more != (len(rows) < 12) {
			t.Errorf("%d rows, has_more %v", len(rows), more)
		}
		if next := page["next_action"].(args)["arguments"].(args)["topic"]; len(rows) < 12 && slices.Contains(found(page), next.(string)) {
			t.Errorf("the next step is %v, which is shown", next)
		}
		last = len(rows)
	}
	if last < 10 {
		t.Errorf("4000 tokens gave %d rows", last)
	}
}

func TestARowTooLongForTheAnswerShrinksAndSaysSo(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	agent := owner
	agent.Via = tenant.ViaMCP
	long := strings.Repeat("The walrus sleeps under the pier until the tide turns. ", 2000)
	lists := make([]string, 60)
	for i := range lists {
		lists[i] = fmt.Sprintf("%d %s", i, long[:1500])
	}
	s.create(owner, args{"title": "Walrus", "what": "Sleeps.", "content": long, "anchors": []string{"sea/*.go"}})
	s.create(owner, args{"title": "Heron", "what": "Waits.", "gotchas": lists, "anchors": []string{"air/*.go"}})
	for file, want := range map[string]string{"sea/a.go": "how", "air/a.go": "gotchas"} {
		raw, err := s.raw(agent, "context.get_for_files", args{"files": []string{file}, "view": "full"})
		if err != nil {
			t.Fatal(err)
		}
		var page args
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		row := results(page)[0]
		if len(raw) > 50<<10 || row["content"] != nil || row[want] != nil || row["next_action"] == nil {
			t.Errorf("%s: %d bytes, fields %v", file, len(raw), row["next_action"])
		}
	}
	page := s.ok(owner, "context.retrieve", args{"task": "walrus", "view": "full", "max_tokens": 300})
	if row := results(page)[0]; row["tokens"].(float64) > 300 || row["next_action"] == nil {
		t.Errorf("a small budget shows a row of %v tokens", row["tokens"])
	}
}

func TestAnswersStayBelowFiftyKilobytesInWholeRows(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	agent := owner
	agent.Via = tenant.ViaMCP
	body := strings.Repeat("The ledger is settled at night. ", 280)
	for i := range 12 {
		s.create(owner, args{"title": fmt.Sprintf("Part %d", i), "what": "Ledger.", "content": body, "anchors": []string{"ledger/*.go"}})
	}
	for id, in := range map[string]args{
		"context.get_for_files": {"files": []string{"ledger/a.go"}, "limit": 25, "view": "full"},
		"context.retrieve":      {"task": "ledger", "limit": 25, "view": "full", "max_tokens": 12_000},
	} {
		raw, err := s.raw(agent, id, in)
		if err != nil {
			t.Fatal(err)
		}
		var page args
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		if len(raw) > 50<<10 || page["has_more"] != true || page["shown"].(float64) < 3 || page["shown"].(float64) > 6 {
			t.Errorf("%s: %d bytes, has_more %v, shown %v", id, len(raw), page["has_more"], page["shown"])
		}
		for _, r := range results(page) {
			if strings.TrimSpace(r["content"].(string)) != strings.TrimSpace(body) {
				t.Errorf("%s cut the content of %v", id, r["slug"])
			}
		}
		next := page["next_action"].(args)["arguments"].(args)["topic"].(string)
		if slices.Contains(found(page), next) {
			t.Errorf("%s: the next step is shown already", id)
		}
	}
}

func TestExplainShowsPartsThatSumUpAndWhyATopicIsAbsent(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	other := pgtest.Person(t, owner, tenant.Member)
	kiln := s.create(owner, args{"title": "Kiln schedule", "what": "The kiln fires on Mondays.", "tags": []string{"fire"}})
	s.create(owner, args{"title": "Boats", "what": "Something about boats."})
	s.create(owner, args{"title": "Mondays", "what": "Meetings, lunches, reports, calls, letters and errands of all sorts."})
	note := s.ok(other, "notes.add", args{"content": "Kiln secrets of mine."})["slug"].(string)
	ask := func(extra args) args {
		in := args{"task": "kiln schedule for firing the glazed stoneware on Mondays", "explain": true}
		for k, v := range extra {
			in[k] = v
		}
		return s.ok(owner, "context.retrieve", in)
	}
	page := ask(nil)
	if diff := cmp.Diff(kiln, found(page)[0]); diff != "" {
		t.Fatal(diff)
	}
	row := results(page)[0]
	sum := 0.0
	for _, v := range row["score_parts"].(args) {
		sum += v.(float64)
	}
	if score := row["score"].(float64); score-sum > 0.001 || sum-score > 0.001 || score <= 0 {
		t.Errorf("score %v, parts %v", score, row["score_parts"])
	}
	for slug, want := range map[string]string{
		kiln: "it is number 1", "boats": "shares no word", note: "there is no topic", "never-written": "there is no topic",
	} {
		e := ask(args{"topic": slug})["explanation"].(args)
		if !strings.Contains(e["reason"].(string), want) || e["returned"] != (slug == kiln) || e["topic"] != slug {
			t.Errorf("explanation of %s = %v", slug, e)
		}
	}
	hidden, missing := ask(args{"topic": note})["explanation"].(args), ask(args{"topic": "never-written"})["explanation"].(args)
	if hidden["reason"] != missing["reason"] || len(hidden) != len(missing) {
		t.Errorf("hidden %v, missing %v", hidden, missing)
	}
	if e := ask(args{"topic": kiln, "tags": []string{"water"}})["explanation"].(args); !strings.Contains(e["reason"].(string), "tags") {
		t.Errorf("explanation of a filtered topic = %v", e)
	}
	if page := s.ok(owner, "context.retrieve", args{"task": "kiln"}); results(page)[0]["score_parts"] != nil {
		t.Error("scores without explain")
	}
}

func TestDriftedTopicsComeFirstWithinWhatIsRelevant(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Cache keys", "what": "The cache key holds the tenant.", "anchors": []string{"cache/key.go"}})
	s.create(owner, args{"title": "Old cache", "what": "How the cache is emptied.", "anchors": []string{"cache/**"}})
	s.create(owner, args{"title": "Boats", "what": "Something else."})
	drift(t, owner, "old-cache", "review")
	drift(t, owner, "boats", "broken")
	page := s.ok(owner, "context.retrieve", args{"task": "cache key of the tenant"})
	if diff := cmp.Diff([]string{"old-cache", "cache-keys"}, found(page)); diff != "" {
		t.Error(diff)
	}
	if row := results(page)[0]; row["stale"] != true || row["drift_state"] != "review" {
		t.Errorf("row = %v", row)
	}
	page = s.ok(owner, "context.get_for_files", args{"files": []string{"cache/key.go"}})
	if diff := cmp.Diff([]string{"old-cache", "cache-keys"}, found(page)); diff != "" {
		t.Error(diff)
	}
	drift(t, owner, "old-cache", "fresh")
	page = s.ok(owner, "context.get_for_files", args{"files": []string{"cache/key.go"}})
	if diff := cmp.Diff([]string{"cache-keys", "old-cache"}, found(page)); diff != "" {
		t.Error("after the drift is gone:", diff)
	}
}

func TestWhatIsSupersededRanksBelowWhatReplacesIt(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.knowledge(owner, args{"title": "Session cookies", "what": "Session cookies live twelve hours and are renewed.", "anchors": []string{"web/session.go"}})
	s.create(owner, args{"title": "Tokens", "what": "A signed token took their place.", "rels": []args{{"to": "session-cookies", "type": "supersedes"}}})
	task := args{"task": "how long do session cookies live", "files": []string{"web/session.go"}}
	first := func(id string, in args) []string { return found(s.ok(owner, id, in)) }
	if got := first("context.retrieve", task); got[0] != "session-cookies" {
		t.Errorf("before the approval: %v", got)
	}
	s.ok(owner, "topics.approve", args{"topic": "tokens"})
	drift(t, owner, "session-cookies", "broken")
	if diff := cmp.Diff([]string{"tokens", "session-cookies"}, first("context.retrieve", task)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"tokens", "session-cookies"}, first("context.search", args{"query": "session cookies OR token"})); diff != "" {
		t.Error(diff)
	}
	row := results(s.ok(owner, "context.retrieve", task))[0]
	if diff := cmp.Diff([]string{"relation:supersedes session-cookies"}, texts(row["why_matched"])); diff != "" {
		t.Error(diff)
	}
	// In the trash it replaces nothing; out of it, and approved again, it does.
	s.ok(owner, "topics.delete", args{"topic": "tokens"})
	if got := first("context.retrieve", task); !slices.Equal(got, []string{"session-cookies"}) {
		t.Errorf("after the deletion: %v", got)
	}
	s.ok(owner, "topics.recover", args{"topic": "tokens"})
	s.ok(owner, "topics.approve", args{"topic": "tokens"})
	if diff := cmp.Diff([]string{"tokens", "session-cookies"}, first("context.retrieve", task)); diff != "" {
		t.Error(diff)
	}
}

func TestKnowledgeThatReplacesTheBestMatchRanksAboveADraft(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.knowledge(owner, args{"title": "Ranking by vectors", "what": "Ranking with BM25 or embeddings was compared: embeddings rank by meaning."})
	s.create(owner, args{"title": "Words", "what": "BM25 weighs the fields for ranking.", "status": "draft"})
	s.knowledge(owner, args{
		"title": "Rank in the process", "what": "One index for each workspace.", "rels": []args{{"to": "ranking-by-vectors", "type": "supersedes"}},
	})
	page := s.ok(owner, "context.retrieve", args{"task": "how is ranking done, BM25 or embeddings"})
	if diff := cmp.Diff([]string{"rank-in-the-process", "words", "ranking-by-vectors"}, found(page)); diff != "" {
		t.Fatal(diff)
	}
	row := results(page)[0]
	want := []string{"title", "text:ranking", "relation:supersedes ranking-by-vectors"}
	if diff := cmp.Diff(want, texts(row["why_matched"])); diff != "" || row["match_type"] != "title" {
		t.Errorf("match type %v, reasons %s", row["match_type"], diff)
	}
}

func TestRelatedTopicsFollowBelowEveryMatch(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Ledger format", "what": "Rows of fixed width."})
	s.create(owner, args{"title": "Settlement", "what": "Transfers are settled at night.", "rels": []args{{"to": "ledger-format", "type": "depends_on"}}})
	s.create(owner, args{"title": "Transfers by hand", "what": "Settled later, by hand, which is rare and needs two people."})
	page := s.ok(owner, "context.retrieve", args{"task": "how are transfers settled at night"})
	rows := results(page)
	if diff := cmp.Diff([]string{"settlement", "transfers-by-hand", "ledger-format"}, found(page)); diff != "" {
		t.Fatal(diff)
	}
	last := rows[2]
	if last["match_type"] != "relation" || !slices.Equal(texts(last["why_matched"]), []string{"relation:dependency_of settlement"}) {
		t.Errorf("the related row = %v", last)
	}
	if last["confidence"].(float64) >= rows[1]["confidence"].(float64) {
		t.Errorf("confidence %v, then %v", rows[1]["confidence"], last["confidence"])
	}
}

func TestEvenAWeakMatchRanksAboveWhatIsOnlyRelated(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Ledger format", "what": "Rows of fixed width."})
	s.create(owner, args{
		"title": "Settlement", "what": "Transfers are settled at night.", "anchors": []string{"pay/settle.go"},
		"rels": []args{{"to": "ledger-format", "type": "depends_on"}},
	})
	s.create(owner, args{"title": "House style", "what": "Comments say why.", "anchors": []string{"**"}})
	got := found(s.ok(owner, "context.retrieve", args{"task": "settle transfers at night", "files": []string{"pay/settle.go"}}))
	if diff := cmp.Diff([]string{"settlement", "house-style", "ledger-format"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAWeakMatchStillRanksAboveTheStrongOneItReplaces(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.knowledge(owner, args{"title": "Session cookies live twelve hours", "what": "Cookies of a session live twelve hours and are renewed."})
	s.create(owner, args{"title": "Middle", "what": "Nothing of the sort.", "rels": []args{{"to": "session-cookies-live-twelve-hours", "type": "supersedes"}}})
	s.ok(owner, "topics.approve", args{"topic": "middle"})
	s.knowledge(owner, args{
		"title": "Signed tokens", "content": strings.Repeat("Keys rotate, clocks drift, audiences are checked. ", 40) + "Valid for hours.",
		"rels": []args{{"to": "session-cookies-live-twelve-hours", "type": "supersedes"}, {"to": "middle", "type": "supersedes"}},
	})
	query := "session cookies live twelve hours renewed"
	got := found(s.ok(owner, "context.search", args{"query": query}))
	if diff := cmp.Diff([]string{"signed-tokens", "session-cookies-live-twelve-hours"}, got); diff != "" {
		t.Error(diff)
	}
	got = found(s.ok(owner, "context.retrieve", args{"task": query}))
	at := func(slug string) int { return slices.Index(got, slug) }
	if at("signed-tokens") != 0 || at("middle") < 1 || at("session-cookies-live-twelve-hours") < at("middle") {
		t.Errorf("retrieved %v", got)
	}
}

func TestTrustDecidesBetweenEquals(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Kettle one", "what": "The kettle boils.", "status": "draft"})
	s.create(owner, args{"title": "Kettle two", "what": "The kettle boils."})
	s.knowledge(owner, args{"title": "Kettle three", "what": "The kettle boils."})
	got := found(s.ok(owner, "context.retrieve", args{"task": "the kettle boils"}))
	if diff := cmp.Diff([]string{"kettle-three", "kettle-two", "kettle-one"}, got); diff != "" {
		t.Error(diff)
	}
}
