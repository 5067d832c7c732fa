package mcpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

var opensAddresses = map[string]any{"elicitation": map[string]any{"url": map[string]any{}}}

// approve asks for an approval as a client that can open an address; more are parameters beside the arguments.
func (w *world) approve(t *testing.T, secret, slug string, more map[string]any) reply {
	t.Helper()
	params := map[string]any{"name": "driftless_context_approve", "arguments": map[string]any{"topic": slug}}
	for name, value := range more {
		params[name] = value
	}
	return w.rpc(t, secret, modern, "tools/call", params, opensAddresses)
}

func accepted(state any) map[string]any {
	return map[string]any{"requestState": state, "inputResponses": map[string]any{"confirm": map[string]any{"action": "accept"}}}
}

func (w *world) trust(t *testing.T, slug string) string {
	t.Helper()
	return fmt.Sprint(w.do(t, w.owner, "topics.get", map[string]any{"topic": slug})["trust"])
}

// proposed writes a topic and asks for its approval; it answers the state and the address of the confirmation.
func (w *world) asked(t *testing.T, title string) (slug, state, address string) {
	t.Helper()
	slug = fmt.Sprint(w.do(t, w.owner, "topics.create", map[string]any{"title": title})["slug"])
	r := w.approve(t, w.me(), slug, nil)
	if r.result["resultType"] != "input_required" {
		t.Fatalf("the approval answered %s", r.raw)
	}
	ask := at(r.result, "inputRequests", "confirm")
	if at(ask, "method") != "elicitation/create" || at(ask, "params", "mode") != "url" {
		t.Errorf("the request for input is %v", ask)
	}
	return slug, fmt.Sprint(r.result["requestState"]), fmt.Sprint(at(ask, "params", "url"))
}

func TestAnApprovalAsksForThePersonAndTellsWhatTheyDecided(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug, state, address := w.asked(t, "Queue limits")
	if !strings.HasSuffix(address, "/confirm/"+state) {
		t.Errorf("the address is %s", address)
	}
	// Saying that the address was opened decides nothing: it is asked again, for the same confirmation.
	for range 2 {
		r := w.approve(t, w.me(), slug, accepted(state))
		if r.result["resultType"] != "input_required" || r.result["requestState"] != state || w.trust(t, slug) != "proposed" {
			t.Errorf("before the person decided: %s", r.raw)
		}
	}
	if _, err := w.topics.Decide(t.Context(), w.owner.Caller, state, true, ""); err != nil {
		t.Fatal(err)
	}
	r := w.approve(t, w.me(), slug, accepted(state))
	if r.result["resultType"] != "complete" || at(r.result, "structuredContent", "status") != "approved" || at(r.result, "structuredContent", "topic", "trust") != "reviewed" {
		t.Errorf("after the person decided: %s", r.raw)
	}
}

func TestAMergeAsksForThePersonToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.knowledge(t, w.owner, "Queue limits")
	edit := w.do(t, w.owner, "edits.create", map[string]any{
		"topic": "queue-limits", "summary": "Say how large.", "base_revision": w.do(t, w.owner, "topics.get", map[string]any{"topic": "queue-limits"})["revision"],
		"fields": map[string]any{"what": "Drops messages above 64 KB."},
	})
	call := func(more map[string]any) reply {
		params := map[string]any{"name": "driftless_context_merge_proposal", "arguments": map[string]any{"proposal": edit["proposal_id"]}}
		for name, value := range more {
			params[name] = value
		}
		return w.rpc(t, w.me(), modern, "tools/call", params, opensAddresses)
	}
	r := call(nil)
	state := fmt.Sprint(r.result["requestState"])
	if r.result["resultType"] != "input_required" {
		t.Fatalf("the merge answered %s", r.raw)
	}
	if _, err := w.topics.Decide(t.Context(), w.owner.Caller, state, true, ""); err != nil {
		t.Fatal(err)
	}
	if r := call(accepted(state)); at(r.result, "structuredContent", "status") != "merged" {
		t.Errorf("after the person decided: %s", r.raw)
	}
}

func TestAnEditThatIsToBeMergedAtOnceAsksForThePersonToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.knowledge(t, w.owner, "Queue limits")
	revision := w.do(t, w.owner, "topics.get", map[string]any{"topic": "queue-limits"})["revision"]
	call := func(more map[string]any) reply {
		params := map[string]any{"name": "driftless_context_patch", "arguments": map[string]any{
			"topic": "queue-limits", "base_revision": revision, "summary": "Say how large.", "apply": "merge",
			"ops": []any{map[string]any{"op": "set", "path": "/what", "value": "Drops messages above 64 KB."}},
		}}
		for name, value := range more {
			params[name] = value
		}
		return w.rpc(t, w.me(), modern, "tools/call", params, opensAddresses)
	}
	r := call(nil)
	state := fmt.Sprint(r.result["requestState"])
	if r.result["resultType"] != "input_required" {
		t.Fatalf("the patch answered %s", r.raw)
	}
	if r := w.approve(t, w.me(), "queue-limits", accepted(state)); r.result["isError"] != true {
		t.Errorf("the state of a merge told an approval %s", r.raw)
	}
	if _, err := w.topics.Decide(t.Context(), w.owner.Caller, state, true, ""); err != nil {
		t.Fatal(err)
	}
	if r := call(accepted(state)); at(r.result, "structuredContent", "status") != "merged" {
		t.Errorf("after the person decided: %s", r.raw)
	}
}

func TestAStateThatIsForgedForeignOrAboutSomethingElseIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, state, _ := w.asked(t, "State one")
	two, _, _ := w.asked(t, "State two")
	admin := w.enter(pgtest.Person(t, w.owner, tenant.Admin).Caller)
	for name, r := range map[string]reply{
		"about another topic": w.approve(t, w.me(), two, accepted(state)),
		"forged":              w.approve(t, w.me(), one, accepted("AAAA")),
		"of another person":   w.approve(t, admin, one, accepted(state)),
	} {
		if r.result["isError"] != true || at(r.result, "structuredContent", "code") != "VALIDATION_FAILED" {
			t.Errorf("%s: %s", name, r.raw)
		}
	}
	for _, slug := range []string{one, two} {
		if got := w.trust(t, slug); got != "proposed" {
			t.Errorf("%s is %s", slug, got)
		}
	}
}

func TestADeclinedConfirmationIsSaidAndAPersonWhoTurnsAwayIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug, state, address := w.asked(t, "Queue limits")
	for _, action := range []string{"decline", "cancel"} {
		r := w.approve(t, w.me(), slug, map[string]any{
			"requestState": state, "inputResponses": map[string]any{"confirm": map[string]any{"action": action}},
		})
		if r.result["resultType"] != "complete" || at(r.result, "structuredContent", "confirm_url") != address {
			t.Errorf("%s: %s", action, r.raw)
		}
	}
	if _, err := w.topics.Decide(t.Context(), w.owner.Caller, state, false, ""); err != nil {
		t.Fatal(err)
	}
	if r := w.approve(t, w.me(), slug, accepted(state)); at(r.result, "structuredContent", "code") != "STATE_CONFLICT" {
		t.Errorf("after the person declined: %s", r.raw)
	}
}

func TestAConfirmationThatExpiredIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug, state, _ := w.asked(t, "Queue limits")
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		if err := tx.Enter(w.owner.Workspace, uuid.Nil, tenant.ViaSystem); err != nil {
			return err
		}
		return tx.Store().Exec(`update confirmation set expires_at = created_at where id = ?`, state).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	r := w.approve(t, w.me(), slug, accepted(state))
	if at(r.result, "structuredContent", "code") != "STATE_CONFLICT" || !strings.Contains(string(r.raw), "expired") {
		t.Errorf("after its time: %s", r.raw)
	}
	// Asked anew, it gets a confirmation of its own.
	if r := w.approve(t, w.me(), slug, nil); r.result["resultType"] != "input_required" || r.result["requestState"] == state {
		t.Errorf("asked anew: %s", r.raw)
	}
}

func TestAClientThatOpensNoAddressIsAnsweredTheAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug := w.do(t, w.owner, "topics.create", map[string]any{"title": "Queue limits"})["slug"]
	params := map[string]any{"name": "driftless_context_approve", "arguments": map[string]any{"topic": slug}}
	for name, r := range map[string]reply{
		"no capability":      w.rpc(t, w.me(), modern, "tools/call", params),
		"forms alone":        w.rpc(t, w.me(), modern, "tools/call", params, map[string]any{"elicitation": map[string]any{"form": map[string]any{}}}),
		"an earlier release": w.rpc(t, w.me(), legacy, "tools/call", params),
	} {
		if r.result["requestState"] != nil || at(r.result, "structuredContent", "status") != "awaiting_confirmation" {
			t.Errorf("%s: %s", name, r.raw)
		}
	}
}
