package account_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func service(t *testing.T) *account.Service {
	t.Helper()
	return account.New(pgtest.DB(t), config.Config{AccountFails: 1000})
}

func TestBootstrapIsIdempotentAndItsKeysWork(t *testing.T) {
	t.Parallel()
	s := service(t)
	first, err := s.Bootstrap(t.Context(), "Ada@Example.test", "correct horse", "boot-one")
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Bootstrap(t.Context(), "ada@example.test", "correct horse", "boot-one")
	if err != nil {
		t.Fatal(err)
	}
	if first.UserID != second.UserID {
		t.Errorf("two people for one address: %s and %s", first.UserID, second.UserID)
	}
	for _, key := range []string{first.APIKey, second.APIKey} {
		c, ok, err := s.ByKey(t.Context(), key)
		if err != nil || !ok {
			t.Fatalf("a bootstrapped key does not work: %v", err)
		}
		if len(c.Memberships) != 1 || c.Memberships[0].Role != tenant.Owner || c.Memberships[0].Slug != "boot-one" {
			t.Errorf("memberships = %+v, want owner of boot-one", c.Memberships)
		}
		if diff := cmp.Diff(tenant.Scopes(), c.Scopes); diff != "" {
			t.Errorf("scopes (-want +got):\n%s", diff)
		}
	}
}

func TestAKeyReachesOnlyItsWorkspace(t *testing.T) {
	t.Parallel()
	s := service(t)
	one, err := s.Bootstrap(t.Context(), "two@example.test", "correct horse", "reach-one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Bootstrap(t.Context(), "two@example.test", "correct horse", "reach-two"); err != nil {
		t.Fatal(err)
	}
	c, _, err := s.ByKey(t.Context(), one.APIKey)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Memberships) != 1 || c.Memberships[0].Slug != "reach-one" {
		t.Errorf("the key reaches %+v, want reach-one alone", c.Memberships)
	}
}

func TestTheLastOwnerCannotStepDown(t *testing.T) {
	t.Parallel()
	s := service(t)
	if _, err := s.Bootstrap(t.Context(), "last@example.test", "correct horse", "last-owner"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Place(t.Context(), "last@example.test", "correct horse", "last-owner", tenant.Member)
	if !fault.Is(err, fault.CodeStateConflict) {
		t.Fatalf("stepping down answered %v, want a state conflict", err)
	}
	if _, err := s.Place(t.Context(), "next@example.test", "correct horse", "last-owner", tenant.Owner); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Place(t.Context(), "last@example.test", "correct horse", "last-owner", tenant.Member); err != nil {
		t.Errorf("with a second owner: %v", err)
	}
}

func TestSignInTellsNothingAboutWhoExists(t *testing.T) {
	t.Parallel()
	s := service(t)
	if _, err := s.Bootstrap(t.Context(), "known@example.test", "correct horse", "sign-in"); err != nil {
		t.Fatal(err)
	}
	_, wrong := s.SignIn(t.Context(), "known@example.test", "wrong password", "")
	_, unknown := s.SignIn(t.Context(), "unknown@example.test", "wrong password", "")
	if wrong == nil || unknown == nil || wrong.Error() != unknown.Error() {
		t.Errorf("wrong password: %v; unknown address: %v", wrong, unknown)
	}
	if _, err := s.SignIn(t.Context(), " Known@example.test", "correct horse", ""); err != nil {
		t.Errorf("the right password: %v", err)
	}
}

func TestABadPasswordOrRoleSaysWhatIsAllowed(t *testing.T) {
	t.Parallel()
	s := service(t)
	if _, err := s.Bootstrap(t.Context(), "short@example.test", "short", "bad-input"); !fault.Is(err, fault.CodeValidation) {
		t.Errorf("a short password answered %v", err)
	}
	_, err := s.Place(t.Context(), "x@example.test", "correct horse", "bad-input", "emperor")
	if got := fault.From(err).Allowed; len(got) != 4 {
		t.Errorf("an unknown role lists %v, want the four roles", got)
	}
}

func TestTheSetUpLinkMakesTheFirstAccountOnce(t *testing.T) {
	t.Parallel()
	s := service(t)
	// Other tests of the package have made people already, so there is nobody to set up: no link is given out.
	if _, err := s.Bootstrap(t.Context(), "first@example.test", "correct horse", "first-one"); err != nil {
		t.Fatal(err)
	}
	secret, err := s.SetupLink(t.Context())
	if err != nil || secret != "" {
		t.Errorf("with an account there is a link %q, %v", secret, err)
	}
	var in account.Setup
	in.Email, in.Password, in.Workspace.Slug = "late@example.test", "correct horse", "late"
	if _, err := s.SetUp(t.Context(), "made-up", in); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("a made-up link answered %v", err)
	}
}

func TestAKeyFromTheCommandLineIsAnEventOfTheWorkspace(t *testing.T) {
	t.Parallel()
	s := service(t)
	g, err := s.Bootstrap(t.Context(), "event@example.test", "correct horse", "key-event")
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := s.ByKey(t.Context(), g.APIKey)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	err = pgtest.DB(t).Workspace(t.Context(), tenant.Actor{Caller: c, Workspace: c.Memberships[0].Workspace}, pg.ReadOnly, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select type from event where workspace_id = ? order by seq`, tx.Actor().Workspace).Scan(&kinds).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"workspace.founded", "member.joined", "key.created"}, kinds); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestNamesAreCountedInCharacters(t *testing.T) {
	t.Parallel()
	s := service(t)
	var in account.Setup
	in.Email, in.Password, in.Workspace.Slug = "umlaut@example.test", "correct horse", "umlaut"
	in.Name, in.Workspace.Name = strings.Repeat("ä", 120), strings.Repeat("ö", 120)
	if _, err := s.SetUp(t.Context(), "made-up", in); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("120 characters answered %v", err)
	}
	in.Name += "ä"
	if _, err := s.SetUp(t.Context(), "made-up", in); !fault.Is(err, fault.CodeValidation) {
		t.Errorf("121 characters answered %v", err)
	}
	// An address is longer than the name that is made of it may be.
	g, err := s.Bootstrap(t.Context(), strings.Repeat("ü", 100)+strings.Repeat("u", 21)+"@example.test", "correct horse", "long-name")
	if err != nil {
		t.Fatal(err)
	}
	if c, _, err := s.ByKey(t.Context(), g.APIKey); err != nil || c.Name != strings.Repeat("ü", 100)+strings.Repeat("u", 20) {
		t.Errorf("the name is %q, %v", c.Name, err)
	}
}

func TestAnAddressIsNeverTurnedIntoAnother(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Kate@Example.Com":  "kate@example.com",
		"ÄRGER@example.com": "ärger@example.com",
		// These are signs of their own, which Unicode writes small as k and i.
		"\u212aate@example.com": "\u212aate@example.com",
		"\u0130rem@example.com": "\u0130rem@example.com",
	} {
		if got, err := account.Email(given); err != nil || got != want {
			t.Errorf("%q is kept as %q (%v), not as %q", given, got, err, want)
		}
	}
}
