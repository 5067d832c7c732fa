package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// junk answers without a network, in ways that no MCP server should, as the method says.
type junk struct{}

func (junk) RoundTrip(r *http.Request) (*http.Response, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var m message
	_ = json.Unmarshal(raw, &m)
	status, kind, body := http.StatusOK, "application/json", `{"jsonrpc":"2.0","id":`+string(answerable(m.ID))+`,"result":{}}`
	switch m.Method {
	case "html":
		kind, body = "text/html", "<!doctype html>\n<p>hello"
	case "status":
		status, body = http.StatusTeapot, ""
	case "bytes":
		body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\xfe\"}"
	case "stream":
		kind, body = "text/event-stream", "data: nonsense\n\ndata: 7\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\nevent: x\n\ndata: ["
	case "same": // the client's own line comes back
		kind, body = "text/event-stream", "data: "+string(raw)+"\n\n"
	}
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Header: http.Header{"Content-Type": {kind}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

func FuzzStandardOutputHasNothingButMessages(f *testing.F) {
	for _, seed := range []string{
		"not JSON\n42\n\"x\"\nnull\n{}\n[]\n[1]\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"html\"}\n", "\xff\xfe\x00\n\n\r\n",
		`{"jsonrpc":"2.0","id":{},"method":"status"}` + "\n" + `{"jsonrpc":"2.0","id":null,"method":"stream"}`,
		`[{"jsonrpc":"2.0","id":1,"method":"x"},{"jsonrpc":"2.0","method":"y"}]`, `{"id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,"method":"bytes"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		strings.Repeat("[", 1000), `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"_meta":7}}`, `{"jsonrpc":"2.0","id":1,"method":"same"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		c := &client{
			Options: Options{In: bytes.NewReader(input), Out: &out, Err: io.Discard},
			http:    &http.Client{Transport: junk{}}, url: "http://server.test",
		}
		c.Env = func(name string) string { return map[string]string{"DRIFTLESS_API_KEY": "dl_good"}[name] }
		b, err := c.newBridge(t.Context(), "", false)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !isMessage(line) || !utf8.Valid(line) || line[len(line)-1] != '\n' {
				t.Errorf("standard output has %q", line)
			}
		}
	})
}

// fixed answers everything alike.
type fixed struct {
	status int
	kind   string
	body   []byte
}

func (f fixed) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: f.status, Status: http.StatusText(f.status), Header: http.Header{"Content-Type": {f.kind}, "Retry-After": {"0"}},
		Body: io.NopCloser(bytes.NewReader(f.body)), Request: r,
	}, nil
}

// Whatever a server answers, a request is answered once and in one way.
func FuzzWhateverTheServerAnswersARequestIsAnsweredOnce(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":7,"result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1}\n\n",
		"data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":7,\"result\":1}\r\n\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":2}\n\n", "", "<html>", "data:\n\n", "[]", "[[]]",
		`{"jsonrpc":"2.0","id":8,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/message"}`, "[{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1}]",
	} {
		for _, kind := range []string{"application/json", "text/event-stream"} {
			for _, status := range []uint16{200, 202, 400, 401, 403, 404, 429, 500} {
				f.Add(status, kind, []byte(seed))
			}
		}
	}
	f.Fuzz(func(t *testing.T, status uint16, kind string, body []byte) {
		var out bytes.Buffer
		c := &client{
			Options: Options{In: strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"ping"}`), Out: &out, Err: io.Discard},
			http:    &http.Client{Transport: fixed{100 + int(status)%500, kind, body}}, url: "http://server.test",
		}
		c.Env = func(name string) string { return map[string]string{"DRIFTLESS_API_KEY": "dl_good"}[name] }
		b, err := c.newBridge(t.Context(), "", false)
		if err == nil {
			err = b.run(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		answers := 0
		for line := range bytes.Lines(out.Bytes()) {
			if !isMessage(line) || !utf8.Valid(line) {
				t.Errorf("standard output has %q", line)
			}
			var m message
			if json.Unmarshal(line, &m) != nil || m.Method == "" {
				answers++
			}
		}
		if answers != 1 {
			t.Errorf("the request has %d answers: %q", answers, out.Bytes())
		}
	})
}
