package publish

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// MembersMax is the largest number of members that one call shares a topic with.
const MembersMax = 50

type shareIn struct {
	Topic       string     `json:"topic" jsonschema:"slug"`
	ToWeb       bool       `json:"to_web,omitempty" jsonschema:"make a page that whoever has its address can read; Knowledge only"`
	WithMembers []string   `json:"with_members,omitempty" jsonschema:"e-mails; it lands in their inbox"`
	ExpiresAt   *time.Time `json:"expires_at,omitempty" jsonschema:"of the page, RFC 3339"`
	Revoke      bool       `json:"revoke,omitempty" jsonschema:"take it back: from the members given, else all"`
}

// Shared is how a topic is shared now.
type Shared struct {
	Topic       string     `json:"topic"`
	URL         string     `json:"url,omitempty" jsonschema:"the page on the web"`
	MarkdownURL string     `json:"markdown_url,omitempty"`
	ExpiresAt   *time.Time `json:"expires_at,omitempty"`
	Members     []string   `json:"members" jsonschema:"who may read a private draft beside its author"`
	Told        []string   `json:"told,omitempty" jsonschema:"whose inbox it landed in"`
	Revoked     bool       `json:"revoked,omitempty"`
	NextAction  *op.Next   `json:"next_action"`
}

func (s *Service) shareOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_share", ID: "topics.share", Title: "Share a topic",
		Doc:   `Open Knowledge as a web page, send a topic to members, or take both back. Example: {"topic":"billing-retries","to_web":true}`,
		Scope: tenant.WorkWrite, Role: tenant.Member, REST: "POST /topics/{topic}/share", CLI: "context share <topic>",
		Rules: op.Rules{"with_members": op.Items(0, MembersMax), "with_members[]": op.Length(3, 254)},
	}, s.share)
}

func (s *Service) share(_ context.Context, tx *pg.Tx, in shareIn) (Shared, error) {
	if err := in.check(tx.Now()); err != nil {
		return Shared{}, err
	}
	if err := event.Lock(tx); err != nil {
		return Shared{}, err
	}
	t, err := find(tx, in.Topic)
	if err != nil {
		return Shared{}, err
	}
	people, err := members(tx, in.WithMembers)
	if err != nil {
		return Shared{}, err
	}
	if in.Revoke {
		err = takeBack(tx, t, in.ToWeb || len(people) == 0, people, len(people) == 0 && !in.ToWeb)
	} else {
		if in.ToWeb {
			err = toWeb(tx, t, in.ExpiresAt)
		}
		if err == nil && len(people) > 0 {
			err = toMembers(tx, t, people)
		}
	}
	if err != nil {
		return Shared{}, err
	}
	out, err := s.standing(tx, t)
	out.Revoked = in.Revoke
	if !in.Revoke {
		out.Told = in.WithMembers
	}
	return out, err
}

func (in shareIn) check(now time.Time) error {
	switch {
	case !in.ToWeb && len(in.WithMembers) == 0 && !in.Revoke:
		return fault.Fieldf("to_web", "say with whom: to_web, with_members, or revoke to take it back")
	case in.ExpiresAt != nil && (in.Revoke || !in.ToWeb):
		return fault.Fieldf("expires_at", "is the end of a page; it goes together with to_web")
	case in.ExpiresAt != nil && !in.ExpiresAt.After(now):
		return fault.Fieldf("expires_at", "%s is over; give a time to come, or leave it out for a page without an end", in.ExpiresAt.Format(time.RFC3339))
	}
	return nil
}

// toWeb opens a page. A topic that has one keeps its address; a new end replaces the one before.
func toWeb(tx *pg.Tx, t found, expires *time.Time) error {
	if t.Status != topic.Reviewed {
		return fault.New(fault.State, fault.CodeStateConflict, "only Knowledge is shared to the web; this topic is "+string(t.Status),
			"propose it and let an owner or admin approve it first, or share it with members")
	}
	open, exists, err := openShare(tx, t.ID)
	if err != nil {
		return err
	}
	if exists && open.ExpiresAt != nil && !open.ExpiresAt.After(tx.Now()) {
		// Its address is dead for good: whoever was to see it until then shall not see it again.
		if err := revokeShare(tx, t.ID); err != nil {
			return err
		}
		exists = false
	}
	if exists {
		err = prolong(tx, t.ID, expires)
	} else {
		err = openPage(tx, t, expires)
	}
	if err != nil {
		return err
	}
	detail := map[string]any{"to_web": true}
	if expires != nil {
		detail["expires_at"] = expires.UTC()
	}
	_, err = event.Append(tx, "topics.share", "topic.shared", &t.ID, detail)
	return err
}

// openPage makes a new address, which nobody finds by trying.
func openPage(tx *pg.Tx, t found, expires *time.Time) error {
	return insertShare(tx, shareRow{
		WorkspaceID: tx.Actor().Workspace, ID: pg.NewID(), TopicID: t.ID, Token: opaque.New(""),
		CreatedBy: tx.Actor().Person, CreatedAt: tx.Now(), ExpiresAt: expires,
	})
}

// toMembers puts a topic into inboxes. A private draft is opened to read for them, by its author alone.
func toMembers(tx *pg.Tx, t found, people []person) error {
	a := tx.Actor()
	if t.IsPrivate && t.AuthorID != a.Person {
		return fault.New(fault.Forbidden, fault.CodeInsufficientRole, "only the author shares a private draft", "ask the author to")
	}
	var ids []uuid.UUID
	for _, p := range people {
		if p.ID == a.Person {
			return fault.Fieldf("with_members", "%q is you", p.Email)
		}
		if t.IsPrivate {
			if err := addReader(tx, t.ID, p.ID); err != nil {
				return err
			}
		}
		if err := notice.Tell(tx, notice.Notice{Kind: notice.Shared, Topic: t.ID}, p.ID); err != nil {
			return err
		}
		ids = append(ids, p.ID)
	}
	_, err := event.Append(tx, "topics.share", "topic.shared", &t.ID, map[string]any{"with": ids})
	return err
}

// takeBack ends the page, and what the people given, or all, may read.
func takeBack(tx *pg.Tx, t found, web bool, people []person, everybody bool) error {
	if web {
		if err := revokeShare(tx, t.ID); err != nil {
			return err
		}
	}
	ids := make([]uuid.UUID, 0, len(people))
	for _, p := range people {
		ids = append(ids, p.ID)
	}
	if t.AuthorID == tx.Actor().Person {
		if err := removeReaders(tx, t.ID, ids, everybody); err != nil {
			return err
		}
	}
	_, err := event.Append(tx, "topics.share", "topic.unshared", &t.ID, map[string]any{"to_web": web, "with": ids})
	return err
}

// standing reads how a topic is shared now.
func (s *Service) standing(tx *pg.Tx, t found) (Shared, error) {
	out := Shared{Topic: t.Slug, NextAction: &op.Next{
		Tool: "driftless_context_share", Arguments: map[string]any{"topic": t.Slug, "revoke": true}, Why: "takes it back at once",
	}}
	open, exists, err := openShare(tx, t.ID)
	if err != nil {
		return out, err
	}
	if exists && (open.ExpiresAt == nil || open.ExpiresAt.After(tx.Now())) {
		out.URL = s.cfg.PublicURL + "/s/" + open.Token
		out.MarkdownURL, out.ExpiresAt = out.URL+".md", open.ExpiresAt
	}
	out.Members, err = readers(tx, t.ID)
	if out.URL == "" && len(out.Members) == 0 {
		out.NextAction = nil
	}
	return out, err
}

// members resolves e-mails to people of the workspace; one that is nobody's here is named.
func members(tx *pg.Tx, emails []string) ([]person, error) {
	var out []person
	for _, email := range emails {
		email = strings.ToLower(strings.TrimSpace(email))
		if slices.ContainsFunc(out, func(p person) bool { return p.Email == email }) {
			continue
		}
		p, exists, err := memberByEmail(tx, email)
		if err != nil {
			return nil, err
		}
		if !exists {
			return nil, fault.Fieldf("with_members", "%q is not a member of this workspace; driftless member list names them", email)
		}
		out = append(out, p)
	}
	return out, nil
}
