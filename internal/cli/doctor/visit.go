package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// bodyMax is how much of an answer is read, in bytes: a list of all tools with their schemas is the largest.
const bodyMax = 4 << 20

// quoteMax is how much of a foreign text is shown, in characters.
const quoteMax = 160

// visit is one diagnosis under way: how to ask, and what was learnt so far.
type visit struct {
	Options
	base   *url.URL
	client *http.Client

	// note is what a check that found nothing wrong has to say.
	note string
	// bare is the answer to a call without a credential.
	bare answer
	// docs are the documents that could be read, by path.
	docs map[string]document
	// key is the credential, once it may be sent; stuck is why it is of no use.
	key, stuck string
}

func newVisit(o Options) (*visit, error) {
	u, err := url.Parse(Server(o.Address))
	if err == nil && u.User != nil {
		return nil, errors.New("the address must not hold a credential")
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is not the address of a server, such as https://context.example.com/mcp", o.Address)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &visit{
		Options: o, base: u, docs: map[string]document{},
		client: &http.Client{
			Transport: o.Transport, Timeout: requestTimeout,
			// A redirect is a finding, and nothing to follow.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

func (v *visit) server() string { return v.base.String() }

func (v *visit) endpoint() string { return v.server() + "/mcp" }

func (v *visit) origin() string { return v.base.Scheme + "://" + v.base.Host }

// local reports a server on this machine, where plain http is fine.
func (v *visit) local() bool {
	ip := net.ParseIP(v.base.Hostname())
	return v.base.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// answer is what came back, or why nothing did.
type answer struct {
	what   string // such as POST /mcp
	status int
	header http.Header
	body   []byte
	took   time.Duration
	err    error
}

func (a answer) String() string {
	if a.err != nil {
		return a.what + " got no answer: " + quote(reason(a.err))
	}
	return fmt.Sprintf("%s answered %d %s", a.what, a.status, http.StatusText(a.status))
}

// ask sends one request to the server. header are pairs of a name and a value.
func (v *visit) ask(ctx context.Context, method, path string, body []byte, header ...string) answer {
	a := answer{what: method + " " + path}
	r, err := http.NewRequestWithContext(ctx, method, v.server()+path, bytes.NewReader(body))
	if err != nil {
		a.err = err
		return a
	}
	r.Header.Set("User-Agent", v.Agent)
	// Said so, the HTTP client leaves a compressed answer as it is, and it can be seen.
	r.Header.Set("Accept-Encoding", "identity")
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	begun := time.Now()
	w, err := v.client.Do(r)
	if err != nil {
		a.err = err
		return a
	}
	defer func() { _ = w.Body.Close() }()
	a.status, a.header = w.StatusCode, w.Header
	a.body, a.err = io.ReadAll(io.LimitReader(w.Body, bodyMax))
	a.took = time.Since(begun)
	return a
}

// form sends parameters to an endpoint of the authorization server.
func (v *visit) form(ctx context.Context, path string, values url.Values) answer {
	return v.ask(ctx, http.MethodPost, path, []byte(values.Encode()), "Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json")
}

// object reads the body as a JSON object.
func (a answer) object() (map[string]any, bool) {
	var o map[string]any
	err := json.Unmarshal(a.body, &o)
	return o, err == nil && o != nil
}

// page reports a page for people.
func (a answer) page() bool {
	return strings.Contains(a.header.Get("Content-Type"), "html") || bytes.HasPrefix(bytes.TrimSpace(a.body), []byte("<"))
}

func (a answer) redirect() bool {
	return a.status >= 300 && a.status < 400 && a.header.Get("Location") != ""
}

// at is the path of an address below the server. Only the path of what a document names is used, so that nothing is sent to
// another machine.
func (v *visit) at(address any) (string, bool) {
	text, _ := address.(string)
	u, err := url.Parse(text)
	if err != nil || u.Path == "" {
		return "", false
	}
	path, below := strings.CutPrefix(u.EscapedPath(), v.base.EscapedPath())
	return path, below && strings.HasPrefix(path, "/") && len(path) <= quoteMax
}

// hide takes the credential out of a text: a server may repeat what it was sent.
func (v *visit) hide(text string) string {
	if v.key == "" {
		return text
	}
	return strings.ReplaceAll(text, v.key, "…")
}

// quote shows a foreign text as data: in quotes, without control characters, and cut.
func quote(text string) string {
	runes := []rune(strings.TrimSpace(text))
	end := ""
	if len(runes) > quoteMax {
		runes, end = runes[:quoteMax], "…"
	}
	return `"` + strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == '"' {
			return ' '
		}
		return r
	}, string(runes)) + end + `"`
}

// reason is the error without the address, which the HTTP client repeats.
func reason(err error) string {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return err.Error()
}
