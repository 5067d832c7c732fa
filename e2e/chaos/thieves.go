package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A victim has a refresh token stolen that it used itself a while ago.
type victim struct {
	stolen tokens
	now    tokens
}

// steal waits until the grace of every stolen token is over, uses it, and wants that the thief gets nothing, that the victim
// has to sign in again, and that the log of the workspace says so.
func (s *stage) steal(ctx context.Context, victims []*victim) (caught int, err error) {
	select {
	case <-time.After(max(0, grace-s.lasting) + time.Second):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	results := make(chan error, len(victims))
	var all sync.WaitGroup
	for _, v := range victims {
		all.Go(func() { results <- s.caught(ctx, v) })
	}
	all.Wait()
	for range victims {
		if err := <-results; err != nil {
			return caught, err
		}
		caught++
	}
	s.wire.bad.Store(false)
	told, err := s.person.revocations(ctx)
	if err != nil {
		return caught, err
	}
	if len(told) != len(victims) {
		return caught, fmt.Errorf("%d thefts, of which the log of the workspace tells %d", len(victims), len(told))
	}
	return caught, nil
}

func (s *stage) caught(ctx context.Context, v *victim) error {
	if _, err := s.refresh(ctx, v.stolen); !isSignedOut(err) {
		return fmt.Errorf("a thief came with a token that was replaced long ago: %w", errors.Join(err, errors.New("it was not caught")))
	}
	if v.now.Refresh == "" {
		return nil // its clients are asked later
	}
	if _, err := s.refresh(ctx, v.now); !isSignedOut(err) {
		return fmt.Errorf("the family of a stolen token: %w", errors.Join(err, errors.New("it lives on")))
	}
	return nil
}

// refresh asks until it hears an answer.
func (s *stage) refresh(ctx context.Context, old tokens) (tokens, error) {
	c := &crew{Issuer: s.wire.URL, http: s.client}
	return c.refresh(ctx, newRand(s.seed, 2<<32), old)
}
