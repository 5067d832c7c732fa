package account

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/scs/v2"
	"github.com/google/uuid"

	"driftless/internal/account/guess"
	"driftless/internal/account/session"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// SessionView is one session of a person, as they see it.
type SessionView struct {
	ID         uuid.UUID `json:"id"`
	Device     string    `json:"device"`
	SignedInAt time.Time `json:"signed_in_at"`
	LastUsedAt time.Time `json:"last_used_at"`
	Current    bool      `json:"current" jsonschema:"it is the one that asks"`
}

// List answers the live sessions of the person who is signed in on this request, the one used last first.
func (s *Sessions) List(ctx context.Context) (op.Page[SessionView], error) {
	person, ok := s.Person(ctx)
	if !ok {
		return op.Page[SessionView]{}, nobody()
	}
	var out []SessionView
	err := s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		out = nil
		return eachSession(tx, person, func(_ session.Row, v SessionView) error {
			v.Current = v.ID == s.id(ctx)
			out = append(out, v)
			return nil
		})
	})
	return op.NewPage(out, false, nil, nil), err
}

// Revoke ends one session of the person who is signed in on this request; it may be this one.
func (s *Sessions) Revoke(ctx context.Context, id string) error {
	person, ok := s.Person(ctx)
	if !ok {
		return nobody()
	}
	return s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		found := false
		err := eachSession(tx, person, func(row session.Row, v SessionView) error {
			if v.ID.String() != id {
				return nil
			}
			found = true
			return session.End(tx, row.TokenHash)
		})
		if err == nil && !found {
			err = fault.Missing("session", id)
		}
		return err
	})
}

// ChangePassword replaces the password of the person who is signed in on this request, and ends their other sessions: whoever
// knew the old one is out. Somebody who has none yet needs a recent sign-in instead of it.
func (s *Sessions) ChangePassword(ctx context.Context, current, next string) error {
	p, err := s.self(ctx)
	if err != nil {
		return err
	}
	if p.PasswordHash == nil {
		err = RequireRecentSignIn(tenant.Caller{SignedInAt: s.signedInAt(ctx)}, time.Now())
	} else {
		err = s.check(ctx, p, current)
	}
	if err != nil {
		return err
	}
	hash, err := s.accounts.hashPassword(next, p.Email, p.Name)
	if err != nil {
		return err
	}
	return s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		// Between the two transactions somebody else may have set another one, which what was checked is no proof against.
		changed, err := changePassword(tx, p.ID, p.PasswordHash, hash)
		if err != nil {
			return err
		}
		if !changed {
			return wrongPassword()
		}
		if err := s.accounts.passwordChanged(tx, p.ID); err != nil {
			return err
		}
		return eachSession(tx, p.ID, func(row session.Row, v SessionView) error {
			if v.ID == s.id(ctx) {
				return nil
			}
			return session.End(tx, row.TokenHash)
		})
	})
}

// CheckPassword fails with [CodeWrongPassword] unless it is the password of the person who is signed in on this request.
func (s *Sessions) CheckPassword(ctx context.Context, password string) error {
	p, err := s.self(ctx)
	if err != nil {
		return err
	}
	return s.check(ctx, p, password)
}

// self is the person who is signed in on this request.
func (s *Sessions) self(ctx context.Context) (p personRow, err error) {
	person, ok := s.Person(ctx)
	if !ok {
		return p, nobody()
	}
	err = s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) (err error) {
		p, err = personByID(tx, person)
		return err
	})
	if err != nil {
		return p, fmt.Errorf("find a person: %w", err)
	}
	return p, nil
}

// check compares a password with the one of the person. A session that was left open must not be a place to guess: it has an
// allowance of its own, so that whoever sits there does not keep the person from signing in elsewhere.
func (s *Sessions) check(ctx context.Context, p personRow, password string) error {
	return s.accounts.guarded(ctx, guess.Within(p.ID, s.id(ctx)), CodeWrongPassword, func() error {
		if p.PasswordHash == nil || !passwordMatches(password, *p.PasswordHash) {
			return wrongPassword()
		}
		return nil
	})
}

func wrongPassword() error {
	return fault.New(fault.Forbidden, CodeWrongPassword, "the current password is not right", "enter the password that you signed in with")
}

// CodeWrongPassword says that the current password was not right.
const CodeWrongPassword fault.Code = "WRONG_PASSWORD"

// id is the id of the session of this request.
func (s *Sessions) id(ctx context.Context) uuid.UUID {
	id, err := uuid.Parse(s.manager.GetString(ctx, keyID))
	if err != nil {
		return uuid.Nil
	}
	return id
}

func nobody() error {
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "nobody is signed in", "sign in with POST /api/v1/session")
}

// eachSession reads the live sessions of a person. What is shown of one is kept with its values.
func eachSession(tx *pg.Tx, person uuid.UUID, do func(session.Row, SessionView) error) error {
	rows, err := session.Of(tx, person)
	if err != nil {
		return err
	}
	for _, row := range rows {
		_, values, err := (scs.GobCodec{}).Decode(row.Data)
		if err != nil {
			return fmt.Errorf("read a session: %w", err)
		}
		text := func(key string) string { s, _ := values[key].(string); return s }
		signedIn, _ := values[keySignedIn].(int64)
		v := SessionView{Device: text(keyDevice), SignedInAt: time.Unix(signedIn, 0).UTC(), LastUsedAt: row.UsedAt.UTC()}
		// A session without an id was begun by an earlier version: it can be seen, and ends with a change of the password.
		if v.ID, err = uuid.Parse(text(keyID)); err != nil {
			v.ID = uuid.Nil
		}
		if err := do(row, v); err != nil {
			return err
		}
	}
	return nil
}

// Rename sets the name of the person of this session, as others see it: hidden characters are taken out, and spaces are single.
func (s *Sessions) Rename(ctx context.Context, name string) error {
	p, err := s.self(ctx)
	if err != nil {
		return err
	}
	if utf8.RuneCountInString(name) > nameMax {
		return fault.Fieldf("name", "at most %d characters", nameMax)
	}
	if name = nameOf(name); name == "" {
		return fault.Fieldf("name", "must not be empty")
	}
	return s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		if err := renamePerson(tx, p.ID, name); err != nil {
			return fmt.Errorf("rename a person: %w", err)
		}
		return nil
	})
}
