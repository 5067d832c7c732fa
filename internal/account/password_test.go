package account_test

import (
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// Each place where a password is set asks the same question.
func TestALeakedPasswordIsRefusedWhereverOneIsSet(t *testing.T) {
	t.Parallel()
	const secret = "a sentence that leaked once"
	file := filepath.Join(t.TempDir(), "hashes")
	if err := os.WriteFile(file, fmt.Appendf(nil, "%X:7\n", sha1.Sum([]byte(secret))), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHouse(t)
	s := account.New(pgtest.DB(t), config.Config{PublicURL: "https://console.test", SessionTTL: time.Hour, AccountFails: 1000, LeakedFile: file})
	name := "leak-" + h.owner.Slug
	if _, err := s.Bootstrap(t.Context(), name+"@example.test", "correct horse", name); err != nil {
		t.Fatal(err)
	}
	person, err := s.SignIn(t.Context(), name+"@example.test", "correct horse", "")
	if err != nil {
		t.Fatal(err)
	}
	var setup account.Setup
	setup.Email, setup.Workspace.Slug = "first-"+name+"@example.test", "first-"+name
	link := sha256.Sum256([]byte(name))
	err = pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Exec(`insert into setup_link (created_at, hash) values (now(), ?)`, link[:]).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	for where, set := range map[string]func(password string) error{
		"set-up": func(p string) error {
			setup.Password = p
			_, err := s.SetUp(t.Context(), name, setup)
			return err
		},
		"admin bootstrap, new": func(p string) error {
			_, err := s.Bootstrap(t.Context(), "boot-"+name+"@example.test", p, name)
			return err
		},
		"admin bootstrap, another": func(p string) error {
			_, err := s.Bootstrap(t.Context(), name+"@example.test", p, name)
			return err
		},
		"admin member": func(p string) error {
			_, err := s.Place(t.Context(), "member-"+name+"@example.test", p, name, tenant.Member)
			return err
		},
		"invitation": func(p string) error {
			_, err := s.Accept(t.Context(), h.invite(map[string]any{}), uuid.Nil, account.Acceptance{Email: "guest-" + name + "@example.test", Password: p})
			return err
		},
		"change": func(p string) (err error) {
			handler := s.Sessions().Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if err = s.Sessions().Begin(r.Context(), person, "test"); err == nil {
					err = s.Sessions().ChangePassword(r.Context(), "correct horse", p)
				}
			}))
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil))
			return err
		},
	} {
		for _, p := range []string{"Password123!", secret, "Driftless-2026"} {
			err := set(p)
			if f := fault.From(err); f.Code != fault.CodeValidation || len(f.Fields) != 1 || f.Fields[0].Path != "password" || !strings.Contains(f.Message, "choose another") {
				t.Errorf("%s: %q answered %v", where, p, err)
			}
		}
		if err := set(name + "@example.test"); !fault.Is(err, fault.CodeValidation) {
			t.Errorf("%s: the own address answered %v", where, err)
		}
	}
}

// An operator's script that makes sure of an account goes on working when the list grows.
func TestAPasswordThatStaysIsNotJudgedAgain(t *testing.T) {
	t.Parallel()
	const secret = "known only later"
	slug := pgtest.Workspace(t).Slug
	first, err := service(t).Bootstrap(t.Context(), slug+"@example.test", secret, slug)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "hashes")
	if err := os.WriteFile(file, fmt.Appendf(nil, "%X:7\n", sha1.Sum([]byte(secret))), 0o600); err != nil {
		t.Fatal(err)
	}
	later := account.New(pgtest.DB(t), config.Config{LeakedFile: file})
	second, err := later.Bootstrap(t.Context(), slug+"@example.test", secret, slug)
	if err != nil || second.UserID != first.UserID {
		t.Errorf("running it again: %v", err)
	}
}
