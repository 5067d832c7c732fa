package account

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/account/guess"
	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/pg"
)

// guarded runs a try at a secret within the allowance of wrong ones. A guess is taken before, so that tries at the same moment
// cannot all see the last one, and given back unless the try failed with the code that says that it was wrong.
func (s *Service) guarded(ctx context.Context, key guess.Key, wrong fault.Code, try func() error) error {
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		wait, err := guess.Take(tx, key, s.cfg.AccountFails)
		if err != nil || wait == 0 {
			return err
		}
		e := fault.New(fault.Rate, fault.CodeRateLimited, "too many wrong passwords were tried for this address",
			"wait as long as Retry-After says; a passkey or single sign-on works now, and so does a browser that you signed in with before")
		e.RetryAfter = wait
		return e
	})
	if err != nil {
		return err
	}
	tried := try()
	if fault.Is(tried, wrong) {
		return tried
	}
	if err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error { return guess.GiveBack(tx, key) }); err != nil {
		return err
	}
	return tried
}

// guessKey is what a password is guessed at: the account as strangers see it, or as a browser that it knows does.
func guessKey(tx *pg.Tx, person uuid.UUID, email, browser string) (guess.Key, error) {
	known, err := guess.Knows(tx, person, browser)
	if err != nil {
		return nil, err
	}
	if known {
		return guess.From(person, browser), nil
	}
	return guess.Strangers(email), nil
}

// Recognise makes a browser known to the person who has just signed in with it, and answers the secret that it has to show the
// next time, in place of the old one that it showed now; "" where it had none.
func (s *Service) Recognise(ctx context.Context, person uuid.UUID, old string) (next string, err error) {
	next = opaque.New("")
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error { return guess.Remember(tx, person, old, next) })
	if err != nil {
		return "", fmt.Errorf("recognise a browser: %w", err)
	}
	return next, nil
}
