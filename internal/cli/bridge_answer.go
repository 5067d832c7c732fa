package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"unicode/utf8"

	"driftless/internal/fault"
)

// JSON-RPC 2.0 error codes (§5.1); the last one is ours, for what HTTP or the network refused.
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	serverError    = -32000
)

// receive writes the messages of a response until m is answered. An error is for the caller to write.
func (b *bridge) receive(ctx context.Context, w *http.Response, m message) error {
	if !isStream(w) {
		raw, err := readAnswer(w)
		if err != nil {
			return err
		}
		if len(raw) == 0 && w.StatusCode/100 == 2 && !m.expects() {
			return nil
		}
		if isMessage(raw) && w.StatusCode != http.StatusUnauthorized {
			answered, err := b.deliver(ctx, w, m, raw)
			if answered || err != nil || !m.expects() {
				return err
			}
		}
		return b.advise(w, raw)
	}
	answered := !m.expects()
	for raw, err := range events(w.Body) {
		if err != nil {
			return cutOff(w, err)
		}
		if !isMessage(raw) {
			continue
		}
		last, err := b.deliver(ctx, w, m, raw)
		// The answer ends the stream; those of a batch may come one by one.
		if err != nil || last && len(m.batch) == 0 {
			return err
		}
		answered = answered || last
	}
	if !answered {
		return cutOff(w, io.ErrUnexpectedEOF)
	}
	return nil
}

// deliver writes one message of the server, and reports the answer to m.
func (b *bridge) deliver(ctx context.Context, w *http.Response, m message, raw []byte) (answer bool, err error) {
	if raw[0] == '[' && len(m.batch) == 0 {
		var all []json.RawMessage
		_ = json.Unmarshal(raw, &all)
		for _, one := range all {
			if answer, err = b.deliver(ctx, w, m, one); answer || err != nil {
				return answer, err
			}
		}
		return false, nil
	}
	var told message
	_ = json.Unmarshal(raw, &told)
	switch {
	case told.Method != "": // the server's own request or notification
	case len(m.batch) > 0 && m.expects():
		answer = true
	case m.asks() && sameID(told.ID) == sameID(m.ID):
		answer = true
		if m.Method == methodInitialize {
			b.session.learn(w, m.raw, raw)
		}
	case m.asks() && told.Error != nil && (len(told.ID) == 0 || string(told.ID) == "null"):
		// The server could not tell which request it refuses; here it is known.
		answer = true
		raw = readdress(raw, m.ID)
	default:
		// The client would not know what this answers.
		b.c.say("driftless: the server answered what was not asked: %s", printable(string(raw)))
		return false, nil
	}
	return answer, b.write(ctx, raw)
}

// readdress gives an answer the id of the request that it is for.
func readdress(raw []byte, id json.RawMessage) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return raw
	}
	fields["id"] = answerable(id)
	out, err := json.Marshal(fields)
	if err != nil {
		return raw
	}
	return out
}

func isStream(w *http.Response) bool {
	return w.StatusCode/100 == 2 && strings.HasPrefix(w.Header.Get("Content-Type"), "text/event-stream")
}

func readAnswer(w *http.Response) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(w.Body, answerMax+1))
	if err != nil {
		return nil, cutOff(w, err)
	}
	if len(raw) > answerMax {
		return nil, fault.New(fault.Limit, fault.CodeTooLarge, fmt.Sprintf("the answer is larger than %d MiB", answerMax>>20), "ask for less")
	}
	return bytes.TrimSpace(raw), nil
}

// cutOff is an answer that began and did not end.
func cutOff(w *http.Response, err error) *fault.Error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, fmt.Sprintf("the answer of %s was cut off: %v", w.Request.URL.Host, err),
		"whether the call had an effect is not known: look before you repeat it").Because(err)
}

// events reads an event stream (WHATWG HTML, server-sent events): the data of each event is one message.
func events(body io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var data []byte
		for r := bufio.NewReader(body); ; {
			line, err := readLine(r, answerMax)
			line = bytes.TrimRight(line, "\r\n")
			if value, found := bytes.CutPrefix(line, []byte("data:")); found {
				data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
			}
			if len(data) > answerMax {
				err = errTooLong
			}
			if len(line) == 0 && len(data) > 0 {
				if !yield(bytes.TrimSpace(data), nil) {
					return
				}
				data = nil
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// isMessage reports a JSON-RPC message, or a batch of them.
func isMessage(raw []byte) bool {
	var batch []json.RawMessage
	if json.Unmarshal(raw, &batch) == nil {
		for _, one := range batch {
			if len(one) == 0 || one[0] == '[' || !isMessage(one) {
				return false
			}
		}
		return len(batch) > 0
	}
	var one struct {
		Version string          `json:"jsonrpc"`
		Method  string          `json:"method"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	return json.Unmarshal(raw, &one) == nil && one.Version == "2.0" && (one.Method != "" || one.Result != nil || one.Error != nil)
}

// refuse answers a request that HTTP or the network refused. A notification gets no answer; the person is told.
func (b *bridge) refuse(ctx context.Context, m message, err error) {
	if ctx.Err() != nil {
		return
	}
	e := fault.From(err)
	words := e.Message
	if e.Hint != "" {
		words += ": " + e.Hint
	}
	if !m.expects() {
		b.c.say("driftless: %s", printable(words))
		return
	}
	data := map[string]any{"code": e.Code, "hint": e.Hint, "retryable": e.Retryable()}
	var status statusError
	if errors.As(err, &status) {
		data["status"] = int(status)
	}
	if len(m.batch) == 0 {
		b.report(ctx, problem(m.ID, serverError, words, data))
		return
	}
	all := []any{}
	for _, one := range m.batch {
		if one.asks() {
			all = append(all, problem(one.ID, serverError, words, data))
		}
	}
	b.report(ctx, all)
}

// problem is an answer that reports an error (JSON-RPC 2.0 §5.1). data may be nil.
func problem(id json.RawMessage, code int, words string, data map[string]any) map[string]any {
	e := map[string]any{"code": code, "message": words}
	if data != nil {
		e["data"] = data
	}
	return map[string]any{"jsonrpc": "2.0", "id": answerable(id), "error": e}
}

// report writes a message of the bridge itself.
func (b *bridge) report(ctx context.Context, message any) {
	raw, err := json.Marshal(message)
	if err == nil {
		err = b.write(ctx, raw)
	}
	if err != nil && ctx.Err() == nil {
		b.c.say("driftless: %v", err)
	}
}

// write writes one message on one line, unless its request was cancelled meanwhile. A slow reader slows down the connections
// whose answers wait here.
func (b *bridge) write(ctx context.Context, raw []byte) error {
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	text := line.Bytes()
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\ufffd"))
	}
	b.out.Lock()
	defer b.out.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := b.c.Out.Write(append(text, '\n'))
	return err
}
