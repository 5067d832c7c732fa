package topic

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"driftless/internal/tenant"
)

// kinds are the calls that are drawn from; what leads towards Knowledge stands there more often.
func kinds(t *rapid.T) []string {
	people := "topics.approve"
	if rapid.IntRange(0, 2).Draw(t, "people") == 0 {
		people = rapid.SampledFrom([]string{"members.change", "members.change", "members.remove"}).Draw(t, "how")
	}
	return []string{
		"topics.create", "topics.create", "topics.create", "notes.add", "tests.import", "topics.update", "topics.update", "topics.update",
		"topics.patch", "topics.patch", "topics.undo", "topics.undo", "topics.restore_revision", "topics.propose", "topics.propose",
		"topics.withdraw", "topics.reject", "topics.approve", "topics.approve", "topics.approve", "topics.approve", "topics.archive",
		"topics.archive", "topics.delete", "topics.recover", "topics.merge", "topics.verify", "edits.create", "edits.merge",
		"edits.merge", "edits.merge", "edits.reject", "edits.withdraw", "confirmations.decide", "confirmations.decide",
		"confirmations.decide", "confirmations.decide", "settings.change", "settings.change", people,
	}
}

func principals() []string {
	return []string{"viewer", "member", "member", "other", "admin", "admin", "second", "second", "owner", "owner", "service"}
}

// drawDeed draws one call of somebody who has seen the workspace as the model has it, near another one where there is one: half
// of them of the same kind, and half about the same topic.
func drawDeed(t *rapid.T, m *model, near *deed) deed {
	s := deed{edit: -1}
	s.op = rapid.SampledFrom(kinds(t)).Draw(t, "op")
	if near != nil && rapid.Bool().Draw(t, "same kind") {
		s.op = near.op
	}
	switch {
	case s.op == "topics.undo" && len(m.undos) == 0, len(m.edits) == 0 && (s.op == "edits.merge" || s.op == "edits.reject" || s.op == "edits.withdraw"):
		s.op = "topics.update"
	case s.op == "confirmations.decide" && len(m.asks) == 0:
		s.op = "topics.approve"
	}
	s.who = rapid.SampledFrom(principals()).Draw(t, "who")
	s.topic = rapid.SampledFrom(append(slices.Sorted(maps.Keys(m.topics)), "t0", "t1", "t2")).Draw(t, "topic")
	if near != nil && m.topics[near.topic] != nil && rapid.Bool().Draw(t, "same topic") {
		s.topic = near.topic
	}
	m.words++
	s.words = rapid.SampledFrom([]string{"same", "", "", ""}).Draw(t, "words")
	if s.words == "" {
		s.words = fmt.Sprintf("word%d", m.words)
	}
	s.subject(t, m)
	s.had = m.roles[s.who]
	s.with = drawCredential(t, s.who)
	return s
}

// subject draws what the call is about.
func (s *deed) subject(t *rapid.T, m *model) {
	switch s.op {
	case "topics.create":
		s.topic = rapid.SampledFrom([]string{"t0", "t1", "t2", "t3"}).Draw(t, "slug")
		s.status = rapid.SampledFrom([]string{"draft", "proposed", "proposed", "reviewed"}).Draw(t, "status")
	case "notes.add":
		s.topic = fmt.Sprintf("n%d", m.words)
		s.words = s.topic
	case "topics.update":
		s.field = rapid.SampledFrom([]string{"what", "gotchas", "gotchas", "tags"}).Draw(t, "field")
		s.merge = rapid.IntRange(0, 3).Draw(t, "merge") == 0
	case "edits.create":
		s.field = "what"
	case "topics.patch":
		s.field = rapid.SampledFrom([]string{"what", "gotchas", "tags", "drop", "status"}).Draw(t, "field")
		s.merge = rapid.IntRange(0, 3).Draw(t, "merge") == 0
	case "topics.restore_revision":
		s.revision = rapid.IntRange(1, 6).Draw(t, "revision")
	case "topics.undo":
		s.undo = rapid.IntRange(0, len(m.undos)-1).Draw(t, "undo")
		s.holder(t, m.undos[s.undo].holder)
	case "topics.merge":
		s.into = rapid.SampledFrom(append(slices.Sorted(maps.Keys(m.topics)), "t0")).Draw(t, "into")
	case "topics.reject", "topics.archive":
		s.yes = rapid.Bool().Draw(t, "yes")
	case "edits.merge", "edits.reject", "edits.withdraw":
		s.edit = rapid.IntRange(0, len(m.edits)-1).Draw(t, "edit")
		s.topic = m.edits[s.edit].topic
		s.resolve(t, m)
	case "confirmations.decide":
		s.ask = rapid.IntRange(0, len(m.asks)-1).Draw(t, "ask")
		s.yes = rapid.IntRange(0, 4).Draw(t, "yes") > 0
		s.holder(t, m.asks[s.ask].person)
	case "settings.change":
		s.policy = rapid.SampledFrom([]string{"confirm", "direct", "off", "", ""}).Draw(t, "policy")
		s.yes = rapid.Bool().Draw(t, "yes")
	case "members.change", "members.remove":
		s.person = rapid.SampledFrom(slices.Sorted(maps.Keys(people()))).Draw(t, "person")
		s.role = rapid.SampledFrom(tenant.Roles()).Draw(t, "role")
	}
	topic := m.topics[s.topic]
	if topic == nil {
		s.base = 1
		return
	}
	s.base = max(0, topic.revision()+rapid.SampledFrom([]int{0, 0, 0, 0, -1, -2, 3}).Draw(t, "base"))
	if rapid.IntRange(0, 4).Draw(t, "no base") == 0 {
		s.base = 0
	}
	if s.op == "topics.approve" || s.op == "edits.merge" || s.op == "confirmations.decide" {
		s.hash = rapid.SampledFrom([]string{"", "", "", topic.content.Hash(), "0000"}).Draw(t, "hash")
	}
}

// holder lets the one who holds a handle use it, mostly.
func (s *deed) holder(t *rapid.T, who string) {
	if rapid.IntRange(0, 5).Draw(t, "somebody else") > 0 {
		s.who = who
	}
}

// resolve settles the conflicts of an edit now and then, or one that is none.
func (s *deed) resolve(t *rapid.T, m *model) {
	if s.op != "edits.merge" || rapid.IntRange(0, 2).Draw(t, "resolve") > 0 {
		return
	}
	e := m.edits[s.edit]
	topic := m.topics[e.topic]
	_, conflicts, err := rebase(topic.revisions[e.base-1].content, e.content, topic.content, nil)
	if err != nil {
		t.Fatalf("rebase: %v", err)
	}
	s.resolution = map[string]any{}
	for _, c := range conflicts {
		s.resolution[c.Path] = s.words
		if _, list := first(c.Base, c.Current, c.Proposed).([]any); list {
			s.resolution[c.Path] = []any{s.words}
		}
	}
	if rapid.IntRange(0, 5).Draw(t, "too much") == 0 {
		s.resolution["/how"] = s.words
	}
}

// drawCredential draws one of the ways in which this person can arrive. A service account has keys alone.
func drawCredential(t *rapid.T, who string) credential {
	all := tenant.Scopes()
	key := credential{name: "key", via: tenant.ViaAPI, scopes: all}
	keyOverMCP := credential{name: "key over MCP", via: tenant.ViaMCP, scopes: all}
	if who == "service" {
		return rapid.SampledFrom([]credential{key, keyOverMCP}).Draw(t, "credential")
	}
	session := credential{name: "session", via: tenant.ViaConsole, scopes: all}
	c := rapid.SampledFrom([]credential{
		session, session, session,
		{name: "old session", via: tenant.ViaConsole, stale: true, scopes: all},
		key, keyOverMCP,
		{name: "token", via: tenant.ViaMCP, oauth: true, scopes: all},
		{name: "token", via: tenant.ViaMCP, oauth: true, scopes: all},
		{name: "token of the command line", via: tenant.ViaCLI, oauth: true, scopes: all},
		{name: "narrow token", via: tenant.ViaMCP, oauth: true},
	}).Draw(t, "credential")
	if c.scopes == nil {
		mask := rapid.IntRange(0, 1<<len(all)-1).Draw(t, "scopes")
		for i, scope := range all {
			if mask>>i&1 == 1 {
				c.scopes = append(c.scopes, scope)
			}
		}
		c.name = fmt.Sprint("token for ", c.scopes)
	}
	return c
}
