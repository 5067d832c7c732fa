package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"driftless/internal/pg/local"
)

// stage is the first scene: two servers on one database behind the wire, and a person who allowed some clients.
type stage struct {
	plan
	folder  string
	wire    *wire
	servers []*server
	person  *person
	client  *http.Client
}

// stayingSignedIn lets clients share a refresh token on a bad wire and steals their tokens afterwards. It answers its figures.
func stayingSignedIn(ctx context.Context, p plan, folder string) (said string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", err
	}
	database, err := local.Start(ctx, local.Options{DataDir: filepath.Join(folder, "database")})
	if err != nil {
		return "", fmt.Errorf("start the database: %w", err)
	}
	defer func() {
		done, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
		defer cancel()
		err = errors.Join(err, database.Stop(done))
	}()
	s := &stage{plan: p, folder: folder, client: &http.Client{Timeout: 5 * time.Second}}
	if s.wire, err = newWire(ctx, p.seed); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.wire.server.Close()) }()
	defer func() {
		for _, one := range s.servers {
			err = errors.Join(err, one.stop())
		}
	}()
	if err := s.open(ctx, database.OwnerDSN()); err != nil {
		return "", err
	}
	return s.play(ctx)
}

func (s *stage) open(ctx context.Context, database string) error {
	for n := range 2 {
		one, err := newServer(ctx, s.binary, s.folder, fmt.Sprintf("server-%d", n),
			"DRIFTLESS_DATABASE_URL="+database, "DRIFTLESS_PUBLIC_URL="+s.wire.URL, "DRIFTLESS_LOG=warn",
			"DRIFTLESS_ACCESS_TOKEN_TTL="+accessLife.String(), "DRIFTLESS_REFRESH_GRACE="+grace.String(),
			// All of them come from one address, with one credential.
			"DRIFTLESS_LIMIT_TOKEN_REQUESTS=1000000", "DRIFTLESS_LIMIT_REGISTRATIONS=1000",
			"DRIFTLESS_LIMIT_CALLS=1000000", "DRIFTLESS_LIMIT_WORKSPACE=1000000")
		if err != nil {
			return err
		}
		s.servers = append(s.servers, one)
		s.wire.backends = append(s.wire.backends, one.addr)
	}
	if _, err := s.servers[0].found(ctx); err != nil {
		return err
	}
	for _, one := range s.servers {
		if err := one.start(ctx); err != nil {
			return err
		}
	}
	var err error
	s.person, err = signIn(ctx, s.wire.URL)
	return err
}

func (s *stage) play(ctx context.Context) (string, error) {
	shared, err := s.person.connect(ctx)
	if err != nil {
		return "", err
	}
	victims := make([]*victim, s.thefts)
	for n := range victims {
		first, err := s.person.connect(ctx)
		if err != nil {
			return "", err
		}
		victims[n] = &victim{stolen: first}
	}
	file := filepath.Join(s.folder, "credentials.json")
	if err := writeTokens(file, shared, 0); err != nil {
		return "", err
	}
	s.wire.bad.Store(true)
	crews, err := s.startCrews(ctx, file)
	if err != nil {
		return "", err
	}
	for _, v := range victims {
		if v.now, err = s.refresh(ctx, v.stolen); err != nil {
			return "", fmt.Errorf("a victim's own refresh: %w", err)
		}
	}
	kills, err := s.disturb(ctx, crews)
	if err != nil {
		return "", err
	}
	caught, err := s.steal(ctx, append(victims, &victim{stolen: shared}))
	if err != nil {
		return "", err
	}
	// Whoever shares the token that was stolen is signed out, thief or not: it cannot be told who is who.
	for range s.clients {
		select {
		case <-crews.out:
		case <-time.After(30 * time.Second):
			return "", errors.New("a client of the stolen family still works")
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	total, err := crews.end()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d clients in %d processes shared one refresh token for %.0f s (%.0f min with access tokens of 5 min): "+
		"%d refreshes, %d calls, %d requests harmed, %d kills, 0 signed out; %d of %d thefts caught", s.clients, s.processes,
		s.lasting.Seconds(), (s.lasting * scale).Minutes(), total.Refreshed, total.Called, s.wire.harmed(), kills, caught, len(victims)+1), nil
}

// disturb kills one server after the other while the clients work, and wants that none of them is signed out.
func (s *stage) disturb(ctx context.Context, crews *crews) (kills int, err error) {
	rng := newRand(s.seed, 1<<32)
	end := time.After(s.lasting)
	for {
		select {
		case out := <-crews.out:
			return kills, fmt.Errorf("client %d was signed out: %s", out.Client, out.Out)
		case <-time.After(time.Duration(2000+rng.IntN(4000)) * time.Millisecond):
			one := s.servers[rng.IntN(len(s.servers))]
			if err := one.kill(); err != nil {
				return kills, err
			}
			if err := one.start(ctx); err != nil {
				return kills, err
			}
			kills++
		case <-end:
			return kills, nil
		case <-ctx.Done():
			return kills, ctx.Err()
		}
	}
}
