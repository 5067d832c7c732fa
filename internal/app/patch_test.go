package app_test

import (
	"net/http"
	"testing"
)

// as sends a body of a kind below the workspace of a world, with further headers in pairs.
func (w *world) as(t *testing.T, key, method, path, kind, body string, headers ...string) reply {
	t.Helper()
	r := w.request(t, method, "/api/v1/workspaces/"+w.owner.Slug+path, []byte(body))
	r.Header.Set("Content-Type", kind)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return send(t, r, key)
}

func TestAPatchInAStandardFormIsConditional(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	const path, merge, steps = "/topics/nightly-ledger", "application/merge-patch+json", "application/json-patch+json"
	tag := w.as(t, key, http.MethodGet, path, "application/json", "").header.Get("ETag")
	one := w.as(t, key, http.MethodPatch, path, merge, `{"what":"At midnight.","gotchas":["Not on Sundays."],"relations":null}`, "If-Match", tag)
	one.is(t, "a merge patch", http.StatusOK, "")
	if one.json["what"] != "At midnight." || one.header.Get("ETag") == tag {
		t.Errorf("a merge patch answered %s", one.raw)
	}
	late := w.as(t, key, http.MethodPatch, path, merge, `{"what":"Late."}`, "If-Match", tag)
	late.is(t, "a stale tag", http.StatusPreconditionFailed, "STALE_BASE")
	if late.json["changes_since_base"] == nil {
		t.Errorf("a stale tag is answered without changes: %s", late.raw)
	}
	w.as(t, key, http.MethodPatch, path, merge, `{"what":"Blind."}`).is(t, "no tag", http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	tag = one.header.Get("ETag")
	two := w.as(t, key, http.MethodPatch, path, steps,
		`[{"op":"replace","path":"/what","value":"At one."},{"op":"add","path":"/gotchas/0","value":"First."},{"op":"remove","path":"/gotchas/1"}]`, "If-Match", tag)
	two.is(t, "a JSON patch", http.StatusOK, "")
	now := w.do(t, "topics.get", map[string]any{"topic": "nightly-ledger"})
	if now["what"] != "At one." || len(asList(now["gotchas"])) != 1 || asList(now["gotchas"])[0] != "First." {
		t.Errorf("after a JSON patch: %v", now)
	}
	tag = two.header.Get("ETag")
	for body, code := range map[string]string{
		`[{"op":"replace","path":"/status","value":"reviewed"}]`:       "INVALID_POINTER",
		`[{"op":"test","path":"/what","value":"At two."}]`:             "VERSION_CONFLICT",
		`[{"op":"move","path":"/how"}]`:                                "VALIDATION_FAILED",
		`[{"op":"remove","path":"/what"}],"apply":"merge","topic":"x"`: "VALIDATION_FAILED",
		`{"op":"remove","path":"/what"}`:                               "VALIDATION_FAILED",
		`[]`:                                                           "VALIDATION_FAILED",
	} {
		if r := w.as(t, key, http.MethodPatch, path, steps, body, "If-Match", tag); r.status/100 != 4 || r.code() != code {
			t.Errorf("%s: %d %s", body, r.status, r.raw)
		}
	}
	for _, body := range []string{`{"status":"reviewed"}`, `{"trust":"reviewed"}`, `{"title":null}`, `[]`, `{"a/b":"x"}`} {
		if r := w.as(t, key, http.MethodPatch, path, merge, body, "If-Match", tag); r.status/100 != 4 {
			t.Errorf("%s: %d %s", body, r.status, r.raw)
		}
	}
	w.as(t, key, http.MethodPatch, "/areas/Ledger", steps, `[]`).is(t, "steps where none are taken", http.StatusBadRequest, "VALIDATION_FAILED")
}

func TestAnAsteriskMatchesWhateverRevisionIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	const merge = "application/merge-patch+json"
	for _, what := range []string{"Once.", "Twice."} {
		r := w.as(t, key, http.MethodPatch, "/topics/nightly-ledger", merge, `{"what":"`+what+`"}`, "If-Match", "*")
		if r.status != http.StatusOK || r.json["what"] != what {
			t.Errorf("a patch of any revision: %d %s", r.status, r.raw)
		}
	}
	w.as(t, key, http.MethodPatch, "/topics/nothing", merge, `{"what":"x"}`, "If-Match", "*").is(t, "where nothing is", http.StatusNotFound, "NOT_FOUND")
	w.as(t, key, http.MethodPatch, "/topics/nightly-ledger", merge, `{"what":"x"}`, "If-Match", `"-1"`).is(t, "no tag of ours", http.StatusUnprocessableEntity, "VALIDATION_FAILED")
}

func TestAValidatorChangesWithWhatIsAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	const path, kind = "/topics/nightly-ledger", "application/json"
	first := w.as(t, key, http.MethodGet, path, kind, "").header.Get("ETag")
	for _, header := range []string{first, "W/" + first, `"other", ` + first, "*"} {
		if r := w.as(t, key, http.MethodGet, path, kind, "", "If-None-Match", header); r.status != http.StatusNotModified {
			t.Errorf("If-None-Match: %s answered %d", header, r.status)
		}
	}
	// No revision of the topic, and yet something else to read.
	w.do(t, "topics.create", map[string]any{"title": "Hourly ledger", "rels": []any{map[string]any{"to": "nightly-ledger", "type": "supersedes"}}})
	second := w.as(t, key, http.MethodGet, path, kind, "", "If-None-Match", first)
	if second.status != http.StatusOK || second.header.Get("ETag") == first {
		t.Errorf("after another topic came to replace it: %d, %s after %s", second.status, second.header.Get("ETag"), first)
	}
	w.as(t, key, http.MethodPatch, path, "application/merge-patch+json", `{"what":"x"}`, "If-Match", first).is(t, "the text that was read is there still", http.StatusOK, "")
}

func TestAKeyMakesAPostHappenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	send := func(body string) reply {
		return w.as(t, key, http.MethodPost, "/topics", "application/json", body, "Idempotency-Key", "one")
	}
	first, again := send(`{"title":"Only once"}`), send(`{"title":"Only once"}`)
	first.is(t, "the first", http.StatusCreated, "")
	again.is(t, "the second", http.StatusCreated, "")
	if string(first.raw) != string(again.raw) || first.header.Get("ETag") != again.header.Get("ETag") {
		t.Errorf("two answers for one key:\n%s\n%s", first.raw, again.raw)
	}
	send(`{"title":"Another"}`).is(t, "the key with another body", http.StatusUnprocessableEntity, "VALIDATION_FAILED")
}
