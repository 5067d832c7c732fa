package mcpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"driftless/internal/mcpapi"
	"driftless/internal/pg/pgtest"
)

// asker is an endpoint whose one tool asks its client for a colour. ended gets the error of every call.
func asker(ended chan<- error) func(mcpapi.Options) (http.Handler, error) {
	s := server.NewMCPServer("asker", "test")
	s.AddTool(mcp.NewTool("colour"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, err := s.RequestElicitation(ctx, mcp.ElicitationRequest{Params: mcp.ElicitationParams{
			Mode: mcp.ElicitationModeForm, Message: "Which colour?", RequestedSchema: map[string]any{"type": "object"},
		}})
		ended <- err
		if err != nil {
			return mcp.NewToolResultErrorFromErr("not asked", err), nil
		}
		return mcp.NewToolResultText(fmt.Sprint(answer.Action, answer.Content)), nil
	})
	return func(o mcpapi.Options) (http.Handler, error) { return mcpapi.Endpoint(o, s) }
}

// client is a client of an earlier revision: where it sends, with which credential and session.
type client struct {
	*world
	url, secret, session string
}

var showsForms = map[string]any{"elicitation": map[string]any{}}

// begin initializes a client that can be asked for these things.
func (w *world) begin(t *testing.T, url, secret string, can map[string]any) client {
	t.Helper()
	c := client{world: w, url: url, secret: secret}
	r := c.post(t, message(0, "initialize", map[string]any{
		"protocolVersion": legacy, "capabilities": can, "clientInfo": map[string]any{"name": "test", "version": "1"},
	}))
	if r.result["protocolVersion"] != legacy {
		t.Fatalf("initialize: HTTP %d %s", r.status, r.raw)
	}
	c.session = r.header.Get("Mcp-Session-Id")
	return c
}

// at is the same client, whose next request reaches another process.
func (c client) at(url string) client { c.url = url; return c }

func (c client) send(t *testing.T, body any) *http.Response {
	t.Helper()
	headers := map[string]string{}
	if c.session != "" {
		headers["Mcp-Session-Id"] = c.session
	}
	return c.world.send(t, c.url, c.secret, legacy, headers, body)
}

func (c client) post(t *testing.T, body any) reply {
	t.Helper()
	answer := c.send(t, body)
	defer func() { _ = answer.Body.Close() }()
	return read(t, answer)
}

// answer answers a question that this client was asked.
func (c client) answer(t *testing.T, id any, result map[string]any) reply {
	t.Helper()
	return c.post(t, map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

// events are the messages on the stream that answers a call.
type events struct {
	lines *bufio.Scanner
	close func()
}

func (c client) call(t *testing.T, body any) *events {
	t.Helper()
	answer := c.send(t, body)
	closing := func() { _ = answer.Body.Close() }
	t.Cleanup(closing)
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("the call is answered with HTTP %d, %s: %s", answer.StatusCode, kind, read(t, answer).raw)
	}
	return &events{bufio.NewScanner(answer.Body), closing}
}

// next is the next message, or nil at the end of the stream.
func (e *events) next(t *testing.T) (m map[string]any) {
	t.Helper()
	for e.lines.Scan() {
		if data, is := strings.CutPrefix(e.lines.Text(), "data: "); is {
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	return nil
}

// asked reads a question and answers its id.
func (e *events) asked(t *testing.T, method string) (id string) {
	t.Helper()
	q := e.next(t)
	id, _ = q["id"].(string)
	if q["method"] != method || len(id) < 20 {
		t.Fatalf("instead of %s: %v", method, q)
	}
	return id
}

func blue(action string) map[string]any {
	return map[string]any{"action": action, "content": map[string]any{"colour": "blue"}}
}

func (e *events) wantBlue(t *testing.T, id float64) {
	t.Helper()
	m := e.next(t)
	content, _ := at(m, "result", "content").([]any)
	if m["id"] != id || len(content) != 1 || at(content[0], "text") != "acceptmap[colour:blue]" {
		t.Errorf("the call is answered %v", m)
	}
	if more := e.next(t); more != nil {
		t.Errorf("and then %v", more)
	}
}

func TestACallAsksItsClientAndTheAnswerMayReachAnotherProcess(t *testing.T) {
	t.Parallel()
	w, ended := newWorld(t), make(chan error, 2)
	one, other := w.process(t, asker(ended)), w.process(t, asker(ended))
	c := w.begin(t, one, w.me(), showsForms)
	// The session holds at a process that has never heard of it, as it does after a restart.
	for i, url := range []string{one, other} {
		e := c.at(url).call(t, call(i, "colour", nil))
		id := e.asked(t, "elicitation/create")
		elsewhere := c.at([]string{other, one}[i])
		if r := elsewhere.answer(t, id, blue("accept")); r.status != http.StatusAccepted || len(r.raw) > 0 {
			t.Errorf("answering: HTTP %d %s", r.status, r.raw)
		}
		e.wantBlue(t, float64(i))
		if r := elsewhere.answer(t, id, blue("decline")); r.status != http.StatusBadRequest || r.code != -32600 {
			t.Errorf("answering twice: HTTP %d %s", r.status, r.raw)
		}
	}
}

// Both tenants use the same ids and ask at the same moment.
func TestG1G2NobodySeesAnswersOrCancelsTheQuestionOfAnotherTenant(t *testing.T) {
	t.Parallel()
	w, ended := newWorld(t), make(chan error, 2)
	url := w.process(t, asker(ended))
	mine, theirs := w.begin(t, url, w.me(), showsForms), w.begin(t, url, w.enter(pgtest.Workspace(t).Caller), showsForms)
	my, their := mine.call(t, call(1, "colour", nil)), theirs.call(t, call(1, "colour", nil))
	myID, theirID := my.asked(t, "elicitation/create"), their.asked(t, "elicitation/create")
	if myID == theirID {
		t.Fatal("one id for two questions")
	}
	inMySession, without := theirs, theirs
	inMySession.session, without.session = mine.session, ""
	for name, r := range map[string]reply{
		"in their session":   theirs.answer(t, myID, blue("decline")),
		"in no session":      without.answer(t, myID, blue("decline")),
		"with an error":      theirs.post(t, map[string]any{"jsonrpc": "2.0", "id": myID, "error": map[string]any{"code": -1, "message": "no"}}),
		"with a number":      theirs.answer(t, 1, blue("decline")),
		"of what was not":    theirs.answer(t, "QXZ4JYV3EXAMPLE2345EXAMPLE", blue("decline")),
		"in another session": w.begin(t, url, w.me(), showsForms).answer(t, myID, blue("decline")),
	} {
		if r.status != http.StatusBadRequest || r.code != -32600 {
			t.Errorf("answering %s: HTTP %d %s", name, r.status, r.raw)
		}
	}
	if r := inMySession.answer(t, myID, blue("decline")); r.status != http.StatusNotFound {
		t.Errorf("answering in the session of somebody else: HTTP %d %s", r.status, r.raw)
	}
	for _, id := range []any{1, myID} {
		cancel := message(nil, "notifications/cancelled", map[string]any{"requestId": id})
		if r := theirs.post(t, cancel); r.status != http.StatusAccepted {
			t.Errorf("cancelling %v: HTTP %d %s", id, r.status, r.raw)
		}
	}
	if r := mine.answer(t, myID, blue("accept")); r.status != http.StatusAccepted {
		t.Errorf("answering my own: HTTP %d %s", r.status, r.raw)
	}
	my.wantBlue(t, 1)
	// Theirs waits still, and nothing of mine is on its stream.
	if r := theirs.answer(t, theirID, blue("accept")); r.status != http.StatusAccepted {
		t.Errorf("answering theirs: HTTP %d %s", r.status, r.raw)
	}
	their.wantBlue(t, 1)
}

func TestAClientThatCannotBeAskedIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	w, ended := newWorld(t), make(chan error, 4)
	url := w.process(t, asker(ended))
	silent := w.begin(t, url, w.me(), map[string]any{})
	if silent.session != "" {
		t.Errorf("a client that can be asked nothing has the session %q", silent.session)
	}
	opener := w.begin(t, url, w.me(), opensAddresses)
	lost := w.begin(t, url, w.me(), showsForms)
	lost.session = ""
	for name, c := range map[string]client{"says nothing": silent, "opens addresses alone": opener, "sends no session": lost} {
		r := c.post(t, call(1, "colour", nil))
		if r.result["isError"] != true || !strings.Contains(string(r.raw), "cannot be asked") || <-ended == nil {
			t.Errorf("a client that %s: %s", name, r.raw)
		}
	}
	// An answer that is collected before it is sent cannot carry a question.
	batch := client{w, url, w.me(), w.begin(t, url, w.me(), showsForms).session}
	r := w.post(t, w.me(), oldest, nil, []any{message(1, "ping", nil)})
	if r.status != http.StatusOK {
		t.Fatalf("a batch: HTTP %d %s", r.status, r.raw)
	}
	answer := w.send(t, url, w.me(), oldest, map[string]string{"Mcp-Session-Id": batch.session}, []any{call(1, "colour", nil)})
	defer func() { _ = answer.Body.Close() }()
	if r := read(t, answer); !strings.Contains(string(r.raw), "cannot be asked") || <-ended == nil {
		t.Errorf("in a batch: %s", r.raw)
	}
}

func TestAClientThatHangsUpEndsItsQuestion(t *testing.T) {
	t.Parallel()
	w, ended := newWorld(t), make(chan error, 1)
	c := w.begin(t, w.process(t, asker(ended)), w.me(), showsForms)
	e := c.call(t, call(1, "colour", nil))
	id := e.asked(t, "elicitation/create")
	e.close()
	if err := <-ended; err == nil {
		t.Error("the question was answered")
	}
	if r := c.answer(t, id, blue("accept")); r.status != http.StatusBadRequest {
		t.Errorf("answering: HTTP %d %s", r.status, r.raw)
	}
}

func TestR39ASessionThatIsNotTheCallersIsNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stranger := w.enter(pgtest.Workspace(t).Caller)
	mine := w.begin(t, w.url, w.me(), showsForms)
	list := message(1, "tools/list", map[string]any{})
	for name, c := range map[string]client{
		"of somebody else": {w, w.url, stranger, mine.session},
		"changed":          {w, w.url, w.me(), "A" + mine.session[1:] + "A"},
		"invented":         {w, w.url, w.me(), "mcp-session-0d2e1f3a"},
	} {
		if r := c.post(t, list); r.status != http.StatusNotFound {
			t.Errorf("%s: HTTP %d %s", name, r.status, r.raw)
		}
		headers := map[string]string{"Mcp-Session-Id": c.session}
		if r := w.post(t, c.secret, oldest, headers, []any{list}); r.status != http.StatusNotFound {
			t.Errorf("%s, in a batch: HTTP %d %s", name, r.status, r.raw)
		}
		// Who lost a session begins anew, whatever the header says.
		if r := w.post(t, c.secret, legacy, headers, message(1, "initialize", map[string]any{"protocolVersion": legacy, "capabilities": showsForms})); r.result == nil || r.header.Get("Mcp-Session-Id") == "" {
			t.Errorf("%s, beginning anew: HTTP %d %s", name, r.status, r.raw)
		}
	}
	for name, session := range map[string]string{"its own session": mine.session, "no session": ""} {
		if r := (client{w, w.url, w.me(), session}).post(t, list); r.status != http.StatusOK || r.result == nil {
			t.Errorf("%s: HTTP %d %s", name, r.status, r.raw)
		}
	}
	if in := w.begin(t, w.url, w.me(), map[string]any{"roots": map[string]any{}}); in.session == "" {
		t.Error("a client with folders has no session")
	}
	// At 2026-07-28 there are no sessions: the header is not looked at, and none is given out.
	headers := map[string]string{"Mcp-Session-Id": "anything", "Mcp-Method": "tools/list"}
	params := map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion": modern, "io.modelcontextprotocol/clientCapabilities": showsForms,
	}}
	if r := w.post(t, w.me(), modern, headers, message(1, "tools/list", params)); r.status != http.StatusOK || r.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("at %s: HTTP %d %s", modern, r.status, r.raw)
	}
}

// approveInCall asks for an approval as an earlier client that can open an address, and reads what it is asked.
func (w *world) approveInCall(t *testing.T, title string) (c client, e *events, id, confirmation string) {
	t.Helper()
	slug := w.do(t, w.owner, "topics.create", map[string]any{"title": title})["slug"]
	c = w.begin(t, w.url, w.me(), opensAddresses)
	e = c.call(t, call(1, "driftless_context_approve", map[string]any{"topic": slug}))
	q := e.next(t)
	params, _ := q["params"].(map[string]any)
	id, _ = q["id"].(string)
	confirmation, _ = params["elicitationId"].(string)
	if q["method"] != "elicitation/create" || params["mode"] != "url" || params["url"] != "http://console.test/confirm/"+confirmation {
		t.Fatalf("asked for %v", q)
	}
	return c, e, id, confirmation
}

func TestAnEarlierClientIsAskedWhileItsApprovalRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, e, id, confirmation := w.approveInCall(t, "Queue limits")
	if r := c.answer(t, id, map[string]any{"action": "accept"}); r.status != http.StatusAccepted {
		t.Fatalf("answering: HTTP %d %s", r.status, r.raw)
	}
	// That the address was opened decides nothing; the person does.
	if got := w.trust(t, "queue-limits"); got != "proposed" {
		t.Errorf("before the person decided it is %s", got)
	}
	if _, err := w.topics.Decide(t.Context(), w.owner.Caller, confirmation, true, ""); err != nil {
		t.Fatal(err)
	}
	if n := e.next(t); n["method"] != "notifications/elicitation/complete" || at(n, "params", "elicitationId") != confirmation {
		t.Errorf("after the person decided: %v", n)
	}
	if m := e.next(t); m["id"] != 1.0 || at(m, "result", "structuredContent", "status") != "approved" ||
		at(m, "result", "structuredContent", "topic", "trust") != "reviewed" {
		t.Errorf("the approval is answered %v", m)
	}
}

func TestAnEarlierClientIsToldWhatThePersonDeclined(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, e, id, confirmation := w.approveInCall(t, "Queue limits")
	if r := c.answer(t, id, map[string]any{"action": "accept"}); r.status != http.StatusAccepted {
		t.Fatalf("answering: HTTP %d %s", r.status, r.raw)
	}
	if _, err := w.topics.Decide(t.Context(), w.owner.Caller, confirmation, false, ""); err != nil {
		t.Fatal(err)
	}
	if m := e.next(t); at(m, "result", "isError") != true || at(m, "result", "structuredContent", "code") != "STATE_CONFLICT" {
		t.Errorf("the approval is answered %v", m)
	}
}

func TestAnEarlierClientWhosePersonTurnsAwayIsAnsweredTheAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for title, answer := range map[string]map[string]any{
		"Declined":  {"result": map[string]any{"action": "decline"}},
		"Cancelled": {"result": map[string]any{"action": "cancel"}},
		"Failed":    {"error": map[string]any{"code": -32601, "message": "not here"}},
		"Nonsense":  {"result": "yes"},
	} {
		c, e, id, confirmation := w.approveInCall(t, title)
		body := map[string]any{"jsonrpc": "2.0", "id": id}
		maps.Copy(body, answer)
		if r := c.post(t, body); r.status != http.StatusAccepted {
			t.Fatalf("%s: HTTP %d %s", title, r.status, r.raw)
		}
		if m := e.next(t); at(m, "result", "structuredContent", "status") != "awaiting_confirmation" ||
			at(m, "result", "structuredContent", "confirm_url") != "http://console.test/confirm/"+confirmation {
			t.Errorf("%s: the approval is answered %v", title, m)
		}
	}
}

func TestAToolMayRefuseAClientForACapabilityItLacks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := server.NewMCPServer("picky", "test")
	s.AddTool(mcp.NewTool("sample"), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.GetBool("speak", false) {
			if err := s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progressToken": 1, "progress": 1}); err != nil {
				return nil, err
			}
		}
		return nil, fmt.Errorf("sample: %w", mcp.MissingRequiredClientCapabilityError{Capability: "sampling"})
	})
	w.url = w.process(t, func(o mcpapi.Options) (http.Handler, error) { return mcpapi.Endpoint(o, s) })
	r := w.rpc(t, w.me(), modern, "tools/call", map[string]any{"name": "sample"})
	if r.status != http.StatusBadRequest || r.code != -32021 || at(r.data, "requiredCapabilities", "sampling") == nil || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("at %s: HTTP %d %s", modern, r.status, r.raw)
	}
	// Before, there was no such error.
	if r := w.rpc(t, w.me(), legacy, "tools/call", map[string]any{"name": "sample"}); r.status != http.StatusOK || r.code != -32603 {
		t.Errorf("at %s: HTTP %d %s", legacy, r.status, r.raw)
	}
	// What has begun as a stream ends as one.
	r = w.rpc(t, w.me(), modern, "tools/call", map[string]any{"name": "sample", "arguments": map[string]any{"speak": true}})
	if text := string(r.raw); r.status == http.StatusOK && (!strings.Contains(text, "progress") || !strings.Contains(text, `"error"`)) || r.status != http.StatusOK && r.code != -32021 {
		t.Errorf("after a message: HTTP %d %s", r.status, r.raw)
	}
}
