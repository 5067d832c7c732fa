package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"driftless/internal/relation"
	"driftless/internal/topic"
)

// corpus writes topics like those of a team that runs many services in one repository: about 900 characters each, words by
// Zipf's law with identifiers among them, and anchors in the mix of forms that teams write. The same seed writes the same.
type corpus struct {
	rng  *rand.Rand
	name *rand.Zipf // of identifiers
	word *rand.Zipf // of nouns
}

// vocabulary is how many words there are.
const vocabulary = 200_000

func newCorpus(seed uint64) *corpus {
	rng := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // repeatable on purpose
	return &corpus{
		rng: rng, name: rand.NewZipf(rng, 1.07, 8, uint64(len(nouns)*len(nouns)-1)),
		word: rand.NewZipf(rng, 1.07, 8, vocabulary-1),
	}
}

var (
	nouns = strings.Fields(`service queue worker request token ledger cache invoice session tenant database index job event payment account
		gateway customer schema migration endpoint webhook retry timeout replica shard partition order shipment cart price discount
		currency refund settlement report export import scheduler lease lock transaction cursor snapshot backup bucket object archive
		policy role permission audit login passkey certificate secret vault proxy router balancer cluster node container image registry
		deployment rollout canary flag experiment metric trace span alert dashboard incident runbook budget quota limit throttle burst
		stream topic consumer producer offset broker message envelope payload header signature digest checksum nonce cookie locale
		template email notification inbox thread comment attachment upload thumbnail preview document page search ranking embedding
		vocabulary synonym filter facet catalog product variant stock warehouse carrier route driver vehicle sensor reading sample
		window aggregate histogram percentile baseline forecast model feature label dataset pipeline stage artifact build runner
		workspace branch commit merge release changelog version dependency license package module library binding interface protocol
		handshake socket connection pool buffer channel goroutine thread mutex barrier semaphore clock timer deadline heartbeat probe
		subscription plan trial coupon tax receipt statement balance transfer reconciliation fraud dispute chargeback mandate`)
	verbs = strings.Fields(`reads writes retries drops rejects accepts merges splits closes opens refreshes rotates expires invalidates
		publishes consumes acknowledges orders sorts filters validates signs encrypts compresses truncates deduplicates reconciles
		replays skips blocks releases acquires renews schedules cancels restarts drains evicts warms rebuilds migrates archives`)
	adjectives = strings.Fields(`slow nightly idempotent stale partial signed internal public legacy regional primary secondary shared
		private eager lazy durable volatile ordered duplicate expired pending settled failed empty large nested remote local optional`)
	reasons = []string{
		"because the %s %s the %s first", "so that no %s is lost when the %s restarts", "unless the %s belongs to another %s",
		"after the %s of the %s has ended", "while the %s still %s the %s", "as long as one %s holds the %s",
	}
	suffixes = []string{"go", "ts", "py", "sql", "yaml", "md"}
)

// noun is a word of a vocabulary as large as that of a language: the frequent ones are those of the trade, the others are made up.
func (c *corpus) noun() string {
	n := c.word.Uint64()
	if n < uint64(len(nouns)) {
		return nouns[n]
	}
	const consonants, vowels = "bcdfghjklmnprstvz", "aeiou"
	var b strings.Builder
	for ; n > 0; n /= uint64(len(consonants) * len(vowels)) {
		b.WriteByte(consonants[n%uint64(len(consonants))])
		b.WriteByte(vowels[n/uint64(len(consonants))%uint64(len(vowels))])
	}
	return b.String()
}

func (c *corpus) verb() string      { return verbs[c.rng.IntN(len(verbs))] }
func (c *corpus) adjective() string { return adjectives[c.rng.IntN(len(adjectives))] }

// identifier is the name of something in code.
func (c *corpus) identifier() string {
	n := int(c.name.Uint64())
	a, b := nouns[n%len(nouns)], nouns[n/len(nouns)]
	if n%3 == 0 {
		return a + "_" + b
	}
	return a + strings.ToUpper(b[:1]) + b[1:]
}

func (c *corpus) sentence() string {
	reason := reasons[c.rng.IntN(len(reasons))]
	words := []any{c.noun(), c.noun()}
	if strings.Count(reason, "%s") == 3 {
		words = []any{c.noun(), c.verb(), c.noun()}
	}
	return fmt.Sprintf("The %s %s %s the %s of %s ", c.adjective(), c.noun(), c.verb(), c.noun(), c.identifier()) + fmt.Sprintf(reason, words...) + "."
}

func (c *corpus) sentences(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = c.sentence()
	}
	return out
}

// The tree of files that anchors are about: services with packages with files.
const (
	services     = 120
	packagesEach = 20
	filesEach    = 20
)

func (c *corpus) service() string { return fmt.Sprintf("services/svc%03d", c.rng.IntN(services)) }
func (c *corpus) folder() string {
	return fmt.Sprintf("%s/pkg%02d", c.service(), c.rng.IntN(packagesEach))
}

func (c *corpus) file() string {
	n := c.rng.IntN(filesEach)
	return fmt.Sprintf("%s/%s%02d.%s", c.folder(), nouns[n], n, suffixes[n%len(suffixes)])
}

func (c *corpus) files(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = c.file()
	}
	return out
}

// anchor claims code: a folder, one file, the files of a kind below a folder, several folders at once, a name at any depth in a
// service or anywhere.
func (c *corpus) anchor() string {
	switch n := c.rng.IntN(100); {
	case n < 30:
		return c.folder() + "/**"
	case n < 55:
		return c.file()
	case n < 70:
		return c.folder() + "/**/*." + suffixes[c.rng.IntN(len(suffixes))]
	case n < 82:
		return c.folder() + "/*." + suffixes[c.rng.IntN(len(suffixes))]
	case n < 88:
		return fmt.Sprintf("%s/pkg{%02d,%02d}/**", c.service(), c.rng.IntN(packagesEach), c.rng.IntN(packagesEach))
	case n < 94:
		return c.service() + "/*/" + c.noun() + "/**"
	}
	return "**/" + c.identifier() + ".go"
}

// written is a topic as the corpus says it: its words, and how far it came.
type written struct {
	slug    string
	content topic.Content
	status  topic.Status
}

const (
	areasEach = 8
	tagsEach  = 40
)

func areaName(n int) string { return "Area " + nouns[n] }
func tagName(n int) string  { return nouns[n] }

// Every fifth topic is related to the one before it, every tenth mentions it.
const (
	relatedEach  = 5
	mentionsEach = 10
)

// topic writes the n-th topic of a workspace; before is the slug of the one before it, empty for the first.
func (c *corpus) topic(n int, before string) written {
	title := fmt.Sprintf("%s %s %s", c.adjective(), c.noun(), c.identifier())
	text := strings.Join(c.sentences(6), " ")
	t := topic.Content{
		Title: strings.ToUpper(title[:1]) + title[1:], What: c.sentence(), How: strings.Join(c.sentences(2), " "),
		Decisions: c.sentences(1 + n%2), Gotchas: c.sentences(1), Anchors: []string{c.anchor()},
		Area: areaName(c.rng.IntN(areasEach)), Tags: []string{tagName(c.rng.IntN(tagsEach / 2))},
	}
	if n%2 == 0 {
		t.Tags = append(t.Tags, tagName(tagsEach/2+c.rng.IntN(tagsEach/2)))
	}
	if before != "" && n%relatedEach == 0 {
		kind := []relation.Type{relation.RelatesTo, relation.DependsOn, relation.Documents, relation.Supersedes}[n/relatedEach%4]
		t.Relations = []relation.Edge{{To: before, Type: string(kind)}}
	}
	if before != "" && n%mentionsEach == 0 {
		text += " See [[" + before + "]]."
	}
	t.Text = text
	w := written{slug: fmt.Sprintf("%s-%d", topic.Slugify(title), n), content: t, status: topic.Reviewed}
	switch {
	case n%10 < 3:
		w.status = topic.Draft
	case n%10 < 4:
		w.status = topic.Proposed
	}
	return w
}

// task is what somebody says they are about to do, in the words that topics use.
func (c *corpus) task() string {
	return fmt.Sprintf("find out why the %s %s the %s and %s when the %s of %s is %s",
		c.noun(), c.verb(), c.noun(), c.verb(), c.noun(), c.identifier(), c.adjective())
}
