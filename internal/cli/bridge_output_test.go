package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"driftless/internal/cli"
)

// everything runs a bridge over the whole input and answers what it wrote.
func everything(t *testing.T, server string, input []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	root := cli.Root(cli.Options{Version: "1.2.3", In: bytes.NewReader(input), Out: &out, Err: io.Discard, Env: withKey})
	root.SetArgs([]string{"mcp", "--url", server})
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("the bridge ended with %v", err)
	}
	return out.Bytes()
}

// onlyMessages fails for a line that is not a JSON-RPC message.
func onlyMessages(t *testing.T, out []byte) (all []map[string]any) {
	t.Helper()
	if len(out) > 0 && out[len(out)-1] != '\n' {
		t.Fatalf("the last line has no end: %q", out)
	}
	for line := range bytes.Lines(out) {
		var batch []map[string]any
		if line[0] != '[' {
			line = append(append([]byte{'['}, bytes.TrimSpace(line)...), ']')
		}
		if err := json.Unmarshal(line, &batch); err != nil || !utf8.Valid(line) {
			t.Fatalf("standard output has %q: %v", line, err)
		}
		for _, m := range batch {
			_, method := m["method"].(string)
			_, result := m["result"]
			_, failed := m["error"].(map[string]any)
			if _, id := m["id"]; m["jsonrpc"] != "2.0" || !method && !(id && result != failed) {
				t.Fatalf("standard output has a line that is no message: %v", m)
			}
			all = append(all, m)
		}
	}
	return all
}

func TestALineWithoutEndIsRefusedAndTheNextOneRead(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(echo))
	t.Cleanup(server.Close)
	huge := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 5<<20) + `"}`
	said := onlyMessages(t, everything(t, server.URL, []byte(huge+"\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`)))
	if len(said) != 2 {
		t.Fatalf("the bridge said %v", said)
	}
	for _, m := range said {
		if problem, failed := m["error"].(map[string]any); failed && (m["id"] != nil || !strings.Contains(problem["message"].(string), "4 MiB")) {
			t.Errorf("the long line was answered with %v", m)
		} else if !failed && m["id"] != 2.0 {
			t.Errorf("the short line was answered with %v", m)
		}
	}
}

func TestEveryRequestOfARefusedBatchIsAnswered(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(server.Close)
	said := onlyMessages(t, everything(t, server.URL,
		[]byte(`[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","id":"two","method":"c"}]`)))
	if len(said) != 2 || said[0]["id"] != 1.0 || said[1]["id"] != "two" {
		t.Errorf("the bridge said %v", said)
	}
}
