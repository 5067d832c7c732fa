package retrieve

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// said is a new note, and the decision that says the same already, if one does.
type said struct{ title, text, want string }

func saidAgain(t *testing.T) []said {
	t.Helper()
	f, err := os.Open("testdata/likes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []said
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) != 4 {
			t.Fatalf("%q has %d cells, want 4", lines.Text(), len(cells))
		}
		all = append(all, said{cells[1], cells[2], strings.TrimPrefix(cells[3], "-")})
	}
	return all
}

// TestWhatIsSaidAgainIsNamedAndLittleElse holds the likeness to floors of precision and recall, on notes of which one half says
// again what a decision says and the other half something else about the same things, as a sentence and as content. The threshold
// was chosen with every other pair of them; the rest has the same floors. Every decision is a note too, and like no other.
func TestWhatIsSaidAgainIsNamedAndLittleElse(t *testing.T) {
	t.Parallel()
	ix := decisions(t)
	named := func(self uuid.UUID, what topic.Content) (slugs []string) {
		for _, l := range ix.alike(tenant.Actor{}, self, what) {
			if l.share >= likeMin {
				slugs = append(slugs, ix.topics[l.id].slug)
			}
		}
		return slugs[:min(len(slugs), similarMax)]
	}
	type tally struct{ again, named, right int }
	tallies := map[string]*tally{"tuned sentence": {}, "tuned content": {}, "other sentence": {}, "other content": {}}
	for i, n := range saidAgain(t) {
		for as, d := range map[string]*topic.Document{"sentence": {What: n.text}, "content": {}} {
			if as == "content" {
				d.Body.Text = n.text
			}
			d.ID, d.Slug, d.Title, d.Status, d.Seq = uuid.New(), "new", n.title, topic.Draft, ix.known+1
			ix.apply([]*topic.Document{d}, d.Seq)
			sum := tallies[[]string{"tuned ", "other "}[i/2%2]+as]
			if n.want != "" {
				sum.again++
			}
			for _, slug := range named(d.ID, d.Content()) {
				sum.named++
				if slug == n.want {
					sum.right++
				} else {
					t.Logf("as %s %q is said to be like %s", as, n.title, slug)
				}
			}
			ix.forget(d)
		}
	}
	for name, sum := range tallies {
		precision, recall := float64(sum.right)/float64(sum.named), float64(sum.right)/float64(sum.again)
		t.Logf("%s: %+v, precision %.2f, recall %.2f", name, *sum, precision, recall)
		if sum.again != 16 || precision < 0.9 || recall < 0.75 {
			t.Errorf("%s: of %d notes that say something again %d are found, among %d topics named", name, sum.again, sum.right, sum.named)
		}
	}
	all := &topic.Document{ID: uuid.New(), Slug: "handbook", Title: "Handbook", Status: topic.Reviewed, Seq: ix.known + 1}
	for _, d := range records(t) {
		if got := named(d.ID, d.Content()); len(got) > 0 {
			t.Errorf("%s is said to be like %v", d.Slug, got)
		}
		all.Body.Text += d.Title + "\n" + wordsOf(d.Content()) + "\n"
	}
	ix.apply([]*topic.Document{all}, all.Seq)
	for _, d := range records(t) {
		if slices.Contains(named(d.ID, d.Content()), "handbook") {
			t.Errorf("%s is said to be like a handbook that has every word", d.Slug)
		}
	}
}

// likes are the slugs that an answer says to be similar.
func likes(answer args) (slugs []string) {
	similar, _ := answer["similar"].([]any)
	for _, row := range similar {
		slugs = append(slugs, row.(args)["slug"].(string))
	}
	return slugs
}

func TestAWriteNamesWhatSaysTheSame(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	author := pgtest.Person(t, owner, tenant.Member)
	known := s.knowledge(owner, args{"title": "Billing retries", "what": "Invoices that the gateway declines are charged again three times, with a longer pause before each attempt."})
	s.create(owner, args{"title": "Kiln schedule", "what": "The kiln is fired on Mondays, and cools down until Wednesday morning."})
	again := "Declined invoices are charged again three times. The pause before each attempt at the gateway gets longer."
	note := s.ok(author, "notes.add", args{"content": again})
	want := []any{args{"slug": known, "title": "Billing retries", "trust": "reviewed", "likeness": note["similar"].([]any)[0].(args)["likeness"]}}
	if diff := cmp.Diff(want, note["similar"]); diff != "" {
		t.Error(diff)
	}
	if likeness := want[0].(args)["likeness"].(float64); likeness < likeMin || likeness > 1 {
		t.Errorf("likeness %v", likeness)
	}
	slug := note["slug"].(string)
	if got := likes(s.ok(author, "topics.propose", args{"topic": slug})); !slices.Equal(got, []string{known}) {
		t.Errorf("proposing names %v", got)
	}
	// Where title, sentence and content stay, there is nothing new to compare.
	if got := likes(s.ok(author, "topics.update", args{"topic": slug, "append_gotchas": []string{"Not on Sundays."}})); got != nil {
		t.Errorf("an appended line names %v", got)
	}
	other := s.ok(owner, "topics.update", args{"topic": slug, "base_revision": 3, "what": "Cards are kept in a vault.", "content": "The vault of the bank holds the numbers of all cards.", "title": "Vault of cards"})
	if got := likes(other); got != nil {
		t.Errorf("other words name %v", got)
	}
	back := s.ok(owner, "topics.update", args{"topic": slug, "base_revision": 4, "title": "Declined invoices", "content": again, "what": ""})
	if got := likes(back); !slices.Equal(got, []string{known}) {
		t.Errorf("the words again name %v", got)
	}
	// Who has said how the two belong together knows.
	s.ok(owner, "topics.update", args{"topic": slug, "rels": []args{{"to": known, "type": "relates_to"}}})
	if got := s.ok(owner, "topics.similar", args{"topic": slug})["similar"].([]any); len(got) != 0 {
		t.Errorf("a related topic is named: %v", got)
	}
}

func TestASuggestedEditIsComparedAndNeverWithItsTopic(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	what := "Uploads are resumed from the last chunk that the bucket has confirmed, up to a day later. Whoever lost the network sends the number of that chunk, and the server answers which ones are missing."
	s.create(owner, args{"title": "Resumed uploads", "what": what})
	s.knowledge(owner, args{"title": "Chunks", "slug": "uploads", "what": "How large pieces are."})
	edit := s.ok(owner, "topics.update", args{"topic": "uploads", "base_revision": 2, "content": what})
	if edit["applied"] != "suggested_edit" || !slices.Equal(likes(edit), []string{"resumed-uploads"}) {
		t.Errorf("the edit names %v", edit["similar"])
	}
	compared := s.ok(owner, "topics.similar", args{"topic": "uploads", "proposal": edit["proposal_id"]})
	if got := likes(compared); !slices.Equal(got, []string{"resumed-uploads"}) {
		t.Errorf("the reviewer sees %v", got)
	}
	if got := likes(s.ok(owner, "topics.similar", args{"topic": "uploads"})); got != nil {
		t.Errorf("the Knowledge as it is looks like %v", got)
	}
	s.fails(owner, "topics.similar", args{"topic": "uploads", "proposal": "0198"}, fault.CodeNotFound)
	s.fails(owner, "topics.similar", args{"topic": "resumed-uploads", "proposal": edit["proposal_id"]}, fault.CodeNotFound)
	s.fails(owner, "topics.similar", args{"topic": "nowhere"}, fault.CodeNotFound)
}

func TestAPrivateDraftOfSomebodyElseIsNeverNamed(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	author, other := pgtest.Person(t, owner, tenant.Member), pgtest.Person(t, owner, tenant.Member)
	text := "The staging queue drops every message above sixty four kilobytes without a word in the log."
	first := s.ok(author, "notes.add", args{"content": text})["slug"].(string)
	if got := likes(s.ok(other, "notes.add", args{"content": text})); got != nil {
		t.Errorf("somebody else is told of %v", got)
	}
	if got := likes(s.ok(author, "notes.add", args{"content": text})); !slices.Equal(got, []string{first}) {
		t.Errorf("the author is told of %v", got)
	}
	s.ok(author, "topics.archive", args{"topic": first})
	if got := likes(s.ok(author, "topics.propose", args{"topic": first + "-3"})); got != nil {
		t.Errorf("what is archived is named: %v", got)
	}
}

func TestAtMostThreeAreNamedWithTheSameTitleFirst(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	for range 4 {
		s.create(owner, args{"title": "Cache of the catalogue", "what": "The catalogue is cached for an hour, and a change of a price empties the cache of its shop."})
	}
	for _, title := range []string{"Short", "short  "} {
		s.create(owner, args{"title": title})
	}
	got := s.ok(owner, "topics.create", args{"title": "Cached catalogue", "what": "The catalogue is cached for an hour, and a change of a price empties the cache of its shop."})
	if slugs := likes(got); len(slugs) != similarMax {
		t.Errorf("%v are named", slugs)
	}
	if got := likes(s.ok(owner, "topics.create", args{"title": "SHORT"})); len(got) != 2 {
		t.Errorf("one title names %v", got)
	}
	if got := likes(s.ok(owner, "topics.create", args{"title": "Short circuit"})); got != nil {
		t.Errorf("a shared word names %v", got)
	}
}
