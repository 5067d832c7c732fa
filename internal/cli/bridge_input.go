package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"unicode/utf8"
)

// lineMax is the longest message that is read from the client, in bytes. The server takes 1 MiB and says so itself.
const lineMax = 4 << 20

// errTooLong is a line, or an event of a stream, beyond its limit. The rest of it has been passed over.
var errTooLong = errors.New("longer than its limit")

// inputLine is one line of the input that is not blank.
type inputLine struct {
	text    []byte
	tooLong bool
}

// lines reads the input until it or ctx ends. A read cannot be interrupted, so it goes on beside the loop.
func lines(ctx context.Context, in io.Reader) iter.Seq[inputLine] {
	out := make(chan inputLine)
	go func() {
		defer close(out)
		r := bufio.NewReader(in)
		for {
			text, err := readLine(r, lineMax)
			line := inputLine{text: bytes.TrimSpace(text), tooLong: errors.Is(err, errTooLong)}
			if len(line.text) > 0 || line.tooLong {
				select {
				case out <- line:
				case <-ctx.Done():
					return
				}
			}
			if err != nil && !line.tooLong {
				return
			}
		}
	}()
	return func(yield func(inputLine) bool) {
		for {
			select {
			case line, more := <-out:
				if !more || !yield(line) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// readLine reads a line of at most limit bytes. At the end of the input it answers what is left, and the error.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > limit; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case tooLong:
			// The end of the input, if this was it, comes with the next line.
			return nil, errTooLong
		default:
			return line, err
		}
	}
}

// The methods that the bridge itself knows.
const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
	methodCallTool    = "tools/call"
	methodGetPrompt   = "prompts/get"
	methodReadSource  = "resources/read"
)

// message is what the bridge looks at in a message; the bytes travel as they are.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		URI       string          `json:"uri"`
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`

	// batch are the messages of a batch (JSON-RPC 2.0 §6), which MCP has at revision 2025-03-26.
	batch []message
	// raw is the message as the client wrote it.
	raw []byte
}

// asks reports a request: it has to be answered. All else is a notification, or the client's answer to the server.
func (m message) asks() bool { return m.Method != "" && len(m.ID) > 0 }

// expects reports that something must be answered: the message, or one of its batch.
func (m message) expects() bool { return m.asks() || slices.ContainsFunc(m.batch, message.asks) }

// modern reports a message of a revision without a handshake, which carries its version itself.
func (m message) modern() bool { return m.Params.Meta.Version != "" }

func (m message) handshake() bool {
	return !m.modern() && (m.Method == methodInitialize || m.Method == methodInitialized)
}

// read looks into a line. One that is not a message is answered here.
func (b *bridge) read(ctx context.Context, line inputLine) (message, bool) {
	m := message{raw: line.text}
	nobody := json.RawMessage("null")
	switch {
	case line.tooLong:
		b.report(ctx, problem(nobody, invalidRequest, "the message is longer than 4 MiB: send less in one call", nil))
		return m, false
	case !utf8.Valid(line.text):
		b.report(ctx, problem(nobody, parseError, "the line is not valid UTF-8", nil))
		return m, false
	case !json.Valid(line.text):
		b.report(ctx, problem(nobody, parseError, "the line is not valid JSON", nil))
		return m, false
	}
	// Fields of another shape than MCP has are the server's to refuse.
	if line.text[0] == '[' {
		_ = json.Unmarshal(line.text, &m.batch)
	} else {
		_ = json.Unmarshal(line.text, &m)
	}
	if len(m.batch) == 0 && m.Method == "" && m.Result == nil && m.Error == nil {
		b.report(ctx, problem(m.ID, invalidRequest, "the line is not a JSON-RPC message: it has neither a method nor a result", nil))
		return m, false
	}
	return m, true
}

// answerable is an id as an answer may repeat it: a text or a number, and null for what is neither.
func answerable(id json.RawMessage) json.RawMessage {
	if len(id) == 0 || id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		return json.RawMessage("null")
	}
	return id
}

// sameID writes an id so that two spellings of it are equal.
func sameID(id json.RawMessage) string {
	var text string
	if len(id) > 0 && id[0] == '"' && json.Unmarshal(id, &text) == nil {
		return `"` + text
	}
	return string(bytes.TrimSpace(id))
}
