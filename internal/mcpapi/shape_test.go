package mcpapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestAnIdIsAStringOrAnIntegerThatSurvives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for id, ok := range map[string]bool{
		`"a"`: true, `""`: true, `0`: true, `-7`: true, `9007199254740992`: true,
		`null`: false, `{}`: false, `[1]`: false, `true`: false, `1.5`: false, `1e3`: false, `9007199254740993`: false,
		`123456789012345678901234567890`: false,
	} {
		r := w.post(t, w.me(), legacy, nil, json.RawMessage(`{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`))
		var answer struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(r.raw, &answer)
		if ok && (r.status != http.StatusOK || r.result == nil || string(answer.ID) != id) {
			t.Errorf("id %s: HTTP %d %s", id, r.status, r.raw)
		}
		if !ok && (r.status != http.StatusBadRequest || r.code != -32600 || string(answer.ID) != "null") {
			t.Errorf("id %s: HTTP %d %s", id, r.status, r.raw)
		}
	}
}

func TestANotificationWithAnIdIsRefusedAndOneWithoutHasNoAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, method := range []string{"notifications/initialized", "notifications/cancelled"} {
		if r := w.post(t, w.me(), legacy, nil, message(1, method, map[string]any{})); r.status != http.StatusBadRequest || r.code != -32600 {
			t.Errorf("%s with an id: HTTP %d %s", method, r.status, r.raw)
		}
		if r := w.post(t, w.me(), legacy, nil, message(nil, method, map[string]any{})); r.status != http.StatusAccepted || len(r.raw) > 0 {
			t.Errorf("%s without one: HTTP %d %q", method, r.status, r.raw)
		}
	}
}

func TestParametersOfTheWrongKindAreNamedWithTheKindTheyNeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ method, params, says string }{
		{"tools/call", `[1]`, "params must be an object"},
		{"tools/list", `"x"`, "params must be an object"},
		{"tools/call", `{"name":3}`, "params.name must be a string"},
		{"tools/list", `{"cursor":3}`, "params.cursor must be a string"},
		{"tools/list", `{"cursor":"@@"}`, "params.cursor must be left out: this list has one page"},
		{"prompts/get", `{"name":"preflight","arguments":3}`, "params.arguments must be an object"},
		{"completion/complete", `{"ref":3}`, "params.ref must be an object"},
		{"initialize", `{"protocolVersion":3}`, "params.protocolVersion must be a string"},
		{"ping", `{"_meta":[]}`, "params._meta must be an object"},
	} {
		r := w.post(t, w.me(), legacy, nil, json.RawMessage(`{"jsonrpc":"2.0","id":"q","method":"`+c.method+`","params":`+c.params+`}`))
		if r.status != http.StatusOK || r.code != -32602 || !strings.Contains(string(r.raw), c.says) || !strings.Contains(string(r.raw), `"id":"q"`) {
			t.Errorf("%s %s: HTTP %d %s", c.method, c.params, r.status, r.raw)
		}
	}
}

func TestAHeaderThatDoesNotFitIsAnErrorOfTheProtocol(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ping := message(1, "ping", map[string]any{})
	r := w.post(t, w.me(), "1999-01-01", nil, ping)
	supported, _ := r.data["supported"].([]any)
	if r.status != http.StatusBadRequest || r.code != -32022 || r.data["requested"] != "1999-01-01" || !slices.Contains(supported, any(modern)) {
		t.Errorf("an unknown revision: HTTP %d %s", r.status, r.raw)
	}
	if r := w.post(t, w.me(), legacy, map[string]string{"Content-Type": "text/plain"}, ping); r.status != http.StatusBadRequest || r.code != -32600 {
		t.Errorf("text/plain: HTTP %d %s", r.status, r.raw)
	}
	if r := w.post(t, w.me(), legacy, map[string]string{"Content-Type": "application/json; charset=UTF-8"}, ping); r.status != http.StatusOK || r.result == nil {
		t.Errorf("with a charset: HTTP %d %s", r.status, r.raw)
	}
}
