package account_test

import (
	"context"
	"testing"

	"driftless/internal/account"
	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// recalled is a caller that was found once and is remembered.
func (h *house) recalled(callers *account.Callers, secret string) account.Recalled {
	h.t.Helper()
	if _, ok, err := callers.Find(h.t.Context(), secret); !ok || err != nil {
		h.t.Fatalf("found %v, %v", ok, err)
	}
	r, ok := callers.Recall(secret)
	if !ok {
		h.t.Fatal("it was found and is not remembered")
	}
	return r
}

func (h *house) callers() *account.Callers {
	return account.NewCallers(pgtest.DB(h.t), func(secret string) (account.Lookup, bool) { return h.service.KeyLookup(secret), secret != "" })
}

// reads reads something as the caller, in the context given, and answers how much was read.
func (h *house) reads(ctx context.Context, c tenant.Caller) (rows int, err error) {
	err = pgtest.DB(h.t).Read(ctx, c.In(c.Memberships[0]), func(b *pg.Batch) {
		b.JSON(func([]byte) error { rows++; return nil }, `select to_json(seq) from workspace_head where workspace_id = ?`, h.owner.Workspace)
	})
	return rows, err
}

func TestARememberedCallerIsProvenBeforeWhatIsRead(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(h *house, member tenant.Actor, key string)
		holds  bool
	}{
		"nothing changed":     {func(*house, tenant.Actor, string) {}, true},
		"the key was revoked": {func(h *house, m tenant.Actor, key string) { h.ok(m, "keys.revoke", map[string]any{"key": key}) }, false},
		"the role was changed": {func(h *house, m tenant.Actor, _ string) {
			h.ok(h.owner, "members.change", map[string]any{"person": m.Email, "role": "viewer"})
		}, false},
		"they were removed": {func(h *house, m tenant.Actor, _ string) {
			h.ok(h.owner, "members.remove", map[string]any{"person": m.Email})
		}, false},
		"they joined another": {func(h *house, m tenant.Actor, _ string) { h.also(m, tenant.Member) }, true}, // beyond what the key was given
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			callers, member := h.callers(), pgtest.Person(t, h.owner, tenant.Member)
			made := h.ok(member, "keys.create", map[string]any{"name": "a key", "scopes": []any{"context:read"}})
			secret, key := made["secret"].(string), made["id"].(string)
			first, second := h.recalled(callers, secret), h.recalled(callers, secret)
			tc.change(h, member, key)
			ctx := first.Within(t.Context())
			rows, err := h.reads(ctx, first.Caller)
			if held := err == nil && rows == 1; held != tc.holds {
				t.Errorf("it read %d rows, %v", rows, err)
			}
			if rows > 0 && !tc.holds {
				t.Error("something was read for a caller who is no longer that")
			}
			if first.Proven(t.Context()) != tc.holds {
				t.Errorf("after the read, proven is %v", !tc.holds)
			}
			// Without a read, the question is asked by itself.
			if second.Proven(t.Context()) != tc.holds {
				t.Errorf("by itself, proven is %v", !tc.holds)
			}
			if tc.holds {
				if rows, err := h.reads(ctx, first.Caller); rows != 1 || err != nil {
					t.Errorf("a second batch of the context read %d rows, %v", rows, err)
				}
			}
		})
	}
}

func TestOnlyWhoWasFoundIsRemembered(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	callers := h.callers()
	made := h.ok(h.owner, "keys.create", map[string]any{"name": "a key", "scopes": []any{"context:read"}})
	secret := made["secret"].(string)
	if _, ok := callers.Recall(secret); ok {
		t.Error("it is remembered before anybody looked")
	}
	h.recalled(callers, secret)
	h.ok(h.owner, "keys.revoke", map[string]any{"key": made["id"]})
	if _, ok, err := callers.Find(t.Context(), secret); ok || err != nil {
		t.Errorf("a revoked key is found: %v, %v", ok, err)
	}
	for _, unknown := range []string{secret, "", "dl_nothing"} {
		if _, ok := callers.Recall(unknown); ok {
			t.Errorf("%q is remembered", unknown)
		}
		if _, ok, err := callers.Find(t.Context(), unknown); ok || err != nil {
			t.Errorf("%q is found: %v, %v", unknown, ok, err)
		}
	}
}

func TestARefusalOfTheQuestionAheadIsThatOfTheRead(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	made := h.ok(h.owner, "keys.create", map[string]any{"name": "a key", "scopes": []any{"context:read"}})
	r := h.recalled(h.callers(), made["secret"].(string))
	h.ok(h.owner, "keys.revoke", map[string]any{"key": made["id"]})
	if _, err := h.reads(r.Within(t.Context()), r.Caller); !fault.Is(err, fault.CodeUnauthenticated) {
		t.Errorf("it answered %v", err)
	}
}
