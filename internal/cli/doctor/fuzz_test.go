package doctor_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"driftless/internal/cli/doctor"
)

// anything is a server that answers everything alike.
type anything struct {
	status int
	kind   string
	body   []byte
}

func (a anything) RoundTrip(r *http.Request) (*http.Response, error) {
	h := http.Header{
		"Content-Type": {a.kind}, "Www-Authenticate": {`Bearer error="invalid_token", resource_metadata="` + string(a.body) + `"`}, "Location": {string(a.body)},
	}
	return &http.Response{StatusCode: a.status, Header: h, Body: io.NopCloser(bytes.NewReader(a.body)), Request: r}, nil
}

func FuzzForeignAnswersStayData(f *testing.F) {
	for _, seed := range []string{
		"", "<html>", `{"resource":"x","authorization_servers":["\u001b[31m"],"issuer":"http://127.0.0.1/\u202e","a\n":null}`,
		`{"issuer":"http://127.0.0.1","registration_endpoint":"http://127.0.0.1/%1b%0a\u001b","token_endpoint":"//x/y"}`, "data: {\"result\":{\"tools\":[1]}}",
		`{"result":{}}`, `{"error":"invalid_client"}`, `{"code":"POLICY_FORBIDS","message":"dl_secret"}`, "dl_secret",
	} {
		for _, status := range []uint16{100, 200, 301, 401, 403, 404, 413, 504} {
			f.Add(status, "application/json", []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, status uint16, kind string, body []byte) {
		report, err := doctor.Run(t.Context(), doctor.Options{
			Address: "http://127.0.0.1/mcp", Credential: holding("dl_secret"), ClientID: "c", Transport: anything{100 + int(status)%500, kind, body},
		})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := report.Write(&out); err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(out.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("the report has %q", out.String()[i:min(i+20, out.Len())])
		}
		if report.Broken == 0 {
			t.Errorf("a server that answers everything alike is healthy:\n%s", out.String())
		}
	})
}
