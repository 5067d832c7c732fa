package lexical

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestQuestionsFindTheRightTopic(t *testing.T) {
	t.Parallel()
	ix := build(
		Doc{Title: "Kiln schedule", What: "The kiln fires on Mondays."},
		Doc{Title: "Unrelated", What: "Something about boats."},
		Doc{Title: "Billing retries", What: "Invoices are retried three times with backoff.", Lists: []string{"The gateway answers 200 on failure."}, Anchors: []string{"billing/**/*.py"}},
		Doc{Title: "Login pages", What: "Sessions live twelve hours.", Anchors: []string{"web/login/*.ts"}, Code: []string{"openSession"}},
		Doc{Title: "Copias de seguridad", What: "Las migraciones de la base se ejecutan antes de copiar los datos."},
		Doc{Title: "Deploys", What: "The rollout waits for the health check of each node.", Content: "A failed rollout goes back by itself."},
	)
	for _, c := range []struct {
		task string
		want []int
	}{
		{"kiln schedule on Mondays", []int{1}},
		{"how are invoice payments retried in billing", []int{3}},
		{"openSession", []int{4}},
		{"where is open_session called", []int{4}},
		{"¿Cuándo se ejecuta una migración?", []int{5}},
		{"migracion", []int{5}},
		{"how long does a sesion live?", []int{4}},
		{"rollouts failing", []int{6}},
		{"change web/login/form.ts", []int{4}},
		{"invoises", []int{3}},
		{"zzzz qqqq unknown", nil},
		{"which mail server sends the newsletter?", nil},
		{"what is the", nil},
		{"", nil},
	} {
		got := found(ix, FreeText(c.task), Options{Floor: DefaultFloor()})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.task, diff)
		}
	}
}

func TestTitleOutranksContentAndMoreWordsOutrankFewer(t *testing.T) {
	t.Parallel()
	ix := build(
		Doc{Title: "Notes", Content: "A queue, among other things."},
		Doc{Title: "Queue", Content: "Notes, among other things."},
		Doc{Title: "Bus", Content: "A dead letter queue, among other things."},
	)
	if diff := cmp.Diff([]int{2, 1, 3}, found(ix, Parse("queue"), Options{})[:3]); diff != "" {
		t.Errorf("one word (-want +got):\n%s", diff)
	}
	if got := found(ix, Parse("dead letter queue"), Options{}); got[0] != 3 {
		t.Errorf("three words found %v, want 3 first", got)
	}
}

func TestWordsThatAreEverywhereAreNoEvidence(t *testing.T) {
	t.Parallel()
	var docs []Doc
	for range 60 {
		docs = append(docs, Doc{Title: "Service page", What: "This service does its work."})
	}
	docs = append(docs, Doc{Title: "Service certificates", What: "Renewed each spring."})
	ix := build(docs...)
	if got := found(ix, FreeText("service escalation roster"), Options{Floor: DefaultFloor()}); got != nil {
		t.Errorf("found %v by a word that every document has", got)
	}
	if got := found(ix, FreeText("service certificates"), Options{Floor: DefaultFloor()}); len(got) == 0 || got[0] != 61 {
		t.Errorf("found %v, want the rare word first", got)
	}
	near := ix.Nearest(FreeText("certificates escalation roster"), Options{Floor: Floor{Answer: 0.9}}, 3)
	if len(near) != 1 || near[0].ID != id(61) {
		t.Errorf("nearest misses are %v", near)
	}
}

func TestTypingErrorsFindTheWordOnlyWhereNobodyWroteThem(t *testing.T) {
	t.Parallel()
	ix := build(
		Doc{Title: "Kettle descaling"}, Doc{Title: "Certificate rotation"}, Doc{Title: "Port list"}, Doc{Title: "Scheduler"}, Doc{Title: "Version 4310"},
		Doc{Title: "Kettel, a surname"},
	)
	for query, want := range map[string][]int{
		"kettel":                {6}, // somebody wrote it
		"kettlle":               {1, 6},
		"kettke descaling":      {1},
		"certifcate":            {2},
		"cretificates":          {2},
		"xertificate":           nil, // first letter
		"prt":                   nil, // too short
		"4311":                  nil, // numbers are not words
		`"certifcate"`:          nil, // quoted words are meant
		"xylophone-nowhere":     nil,
		"certifcate -scheduler": {2},
	} {
		got := found(ix, Parse(query), Options{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
	exact, typo := ix.Search(Parse("certificate"), Options{})[0], ix.Search(Parse("certifcate"), Options{})[0]
	if typo.Score >= exact.Score || typo.Coverage >= exact.Coverage {
		t.Errorf("a correction (%v) is worth as much as the word (%v)", typo.Score, exact.Score)
	}
}

func TestSeveralSlipsInOneQuestionAreMended(t *testing.T) {
	t.Parallel()
	ix := build(
		Doc{Title: "Refresh tokens rotate with a grace"}, Doc{Title: "Certification of kilns"}, Doc{Title: "Memory of the index"},
		Doc{Title: "Trail maps"}, Doc{Title: "Ready means fired"},
	)
	for query, want := range map[string][]int{
		"refrsh tokn rotaton":         {1},
		"certificatoin":               {2}, // the slip keeps the word from its stem
		"certificaton of the kilms":   {2},
		"memroy idnex":                {3},
		"train a redis newsletter":    nil, // other words, not slips of trail and ready
		"tokn newsletters kubernetes": nil,
	} {
		if diff := cmp.Diff(want, found(ix, FreeText(query), Options{Floor: DefaultFloor()})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
}

func TestWordsOfTheTradeAloneAreNoAnswerUnlessATitleIsMadeOfThem(t *testing.T) {
	t.Parallel()
	ix := build(
		Doc{Title: "Kettles", What: "We fix each bug in the code after an update."}, Doc{Title: "Deploys", What: "On Mondays."},
		Doc{Title: "Changing kilns", What: "Kilns work at night."},
	)
	for query, want := range map[string][]int{
		"fix the bug": nil, "update the code": nil, "how do we deploy": {2}, "change how it works": nil, "change the kiln": {3},
		"fix the bug in the kettle": {1},
	} {
		if diff := cmp.Diff(want, found(ix, FreeText(query), Options{Floor: DefaultFloor()})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
	if got := found(ix, Parse("fix the bug"), Options{}); len(got) != 1 {
		t.Errorf("without a floor found %v", got)
	}
}

func TestPrefixCompletesOnlyTheLastWord(t *testing.T) {
	t.Parallel()
	ix := build(Doc{Title: "Kettle descaling"}, Doc{Title: "Ketchup"}, Doc{Title: "Anchor"})
	for query, want := range map[string][]int{"ket": {1, 2}, "harbour ket": {1, 2}, "kettl": {1}, "ketx": nil} {
		got := found(ix, Parse(query), Options{Prefix: true})
		if len(got) == 2 && got[0] > got[1] {
			got[0], got[1] = got[1], got[0]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
	if got := found(ix, Parse("ket"), Options{}); got != nil {
		t.Errorf("without prefix, ket found %v", got)
	}
}

func TestHitsTellWhyTheyMatched(t *testing.T) {
	t.Parallel()
	ix := build(Doc{Title: "Kettle", What: "It boils.", Code: []string{"boilWater"}}, Doc{What: "A boiling sea."})
	hits := ix.Search(FreeText("Why do kettles boil over?"), Options{Explain: true})
	if len(hits) != 2 {
		t.Fatalf("%d hits, want 2", len(hits))
	}
	if diff := cmp.Diff([]string{"kettles", "boil"}, hits[0].Terms); diff != "" {
		t.Errorf("terms (-want +got):\n%s", diff)
	}
	if !hits[0].TitleMatch || hits[1].TitleMatch {
		t.Errorf("title matches are %v and %v, want the first only", hits[0].TitleMatch, hits[1].TitleMatch)
	}
	for _, f := range []Field{Title, What, Code} {
		if hits[0].Parts[f] <= 0 {
			t.Errorf("no part for the %v in %v", f, hits[0].Parts)
		}
	}
	sum := 0.0
	for _, p := range hits[0].Parts {
		sum += p
	}
	if sum < hits[0].Score*0.999 {
		t.Errorf("the parts sum up to %v, below the score %v", sum, hits[0].Score)
	}
	if ix.Search(FreeText("kettles"), Options{})[0].Parts != nil {
		t.Error("parts without being asked for")
	}
}

func TestAbbreviationsFindTheFullWordButNotWhenExcluded(t *testing.T) {
	t.Parallel()
	ix := build(Doc{Title: "Configuration of the proxy"}, Doc{Title: "Config of the cache"})
	if diff := cmp.Diff([]int{2, 1}, found(ix, Parse("config"), Options{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{1}, found(ix, Parse("proxy -config"), Options{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{2}, found(ix, Parse(`"config"`), Options{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCoordinationPrefersTheDocumentWithMoreOfTheQuestion(t *testing.T) {
	t.Parallel()
	w := DefaultWeights()
	ranks := func(coordination float64) []int {
		w.Coordination = coordination
		ix := New(w)
		ix.Put(id(1), Doc{Title: "Relay", Content: "Relay"})
		ix.Put(id(2), Doc{Content: "Relay, socket, lamp."})
		for n := range 4 {
			ix.Put(id(3+n), Doc{Title: "Socket"})
		}
		return found(ix, FreeText("relay socket"), Options{Limit: 2})
	}
	if got := ranks(0); got[0] != 1 {
		t.Errorf("without coordination %v, want 1 first", got)
	}
	if got := ranks(1); got[0] != 2 {
		t.Errorf("with coordination %v, want 2 first", got)
	}
}

func TestOddQuestionsAreEmptyOrWords(t *testing.T) {
	t.Parallel()
	ix := build(Doc{Title: "Keeper", What: "A plain keeper."})
	for _, odd := range []string{
		"' OR 1=1 --", "%", "_", "\\", `"; DROP TABLE topics; --`, "%s%n%x", "${jndi:ldap://x}", "{{7*7}}", "a:b & !c | (d", "''", "((((",
		"NOT", "OR OR", "-", "--", `"`, `"unclosed`, "\xff", strings.Repeat("(", 5000),
	} {
		if got := found(ix, Parse(odd), Options{}); got != nil {
			t.Errorf("%q found %v", odd, got)
		}
	}
	for _, blank := range []string{"", " ", "((((", "NOT", "the", `"of the"`, "-keeper", "%"} {
		if !Parse(blank).Empty() {
			t.Errorf("%q is not empty", blank)
		}
	}
}

func TestMemoryIsGivenBackAfterRemoval(t *testing.T) {
	t.Parallel()
	c := newCorpus()
	ix := c.index(500)
	full := ix.Bytes()
	for n := range 500 {
		ix.Delete(DocID{1, byte(n >> 16), byte(n >> 8), byte(n)})
	}
	if ix.Len() != 0 || ix.Bytes() > full/10 {
		t.Errorf("%d documents and %d of %d bytes are left", ix.Len(), ix.Bytes(), full)
	}
	if l, ok := ix.Language(id(1)); ok {
		t.Errorf("a removed document still has a language: %v", l)
	}
}

func TestLanguageIsKeptWithTheDocument(t *testing.T) {
	t.Parallel()
	ix := build(Doc{Title: "Las facturas se envían los lunes"}, Doc{Title: "Invoices are sent on Mondays"})
	for n, want := range []Language{Spanish, English} {
		if got, ok := ix.Language(id(n + 1)); !ok || got != want {
			t.Errorf("document %d is %v, want %v", n+1, got, want)
		}
	}
}
