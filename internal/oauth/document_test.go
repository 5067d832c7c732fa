package oauth_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/config"
	"driftless/internal/oauth"
)

// internet answers the requests for metadata documents.
type internet struct {
	mu     sync.Mutex
	pages  map[string]string
	header http.Header
	asked  int
	tags   []string
	// down is the status with which every request fails while it is not 0.
	down int
}

func (n *internet) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	n.tags = append(n.tags, r.Header.Get("If-None-Match"))
	page, ok := n.pages[r.URL.String()]
	status := http.StatusOK
	switch {
	case n.down != 0:
		status = n.down
	case !ok:
		status = http.StatusNotFound
	case n.header.Get("ETag") != "" && r.Header.Get("If-None-Match") == n.header.Get("ETag"):
		status = http.StatusNotModified
	case strings.HasPrefix(page, "https:"):
		status = http.StatusFound
		n.header.Set("Location", page)
	}
	return &http.Response{StatusCode: status, Header: n.header.Clone(), Body: http.NoBody, Request: r}, nil
}

// read answers like RoundTrip, with the page as the body.
type read struct{ *internet }

func (n read) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := n.internet.RoundTrip(r)
	if err == nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		response.Body = body{strings.NewReader(n.pages[r.URL.String()])}
	}
	return response, err
}

type body struct{ *strings.Reader }

func (body) Close() error { return nil }

const (
	documentID = "https://app.example/oauth/client.json"
	document   = `{"client_id":"` + documentID + `","client_name":"Doc App","redirect_uris":["http://localhost/callback"],"grant_types":["authorization_code","refresh_token"]}`
)

func documents(pages map[string]string) *internet {
	return &internet{pages: pages, header: http.Header{"Cache-Control": {"max-age=60"}}}
}

func TestR24ClientDescribedByADocumentWorksEverywhere(t *testing.T) {
	t.Parallel()
	// The id is this test's own: the copies of documents are shared by all tests of the package.
	id := strings.Replace(documentID, "client", "everywhere", 1)
	net := documents(map[string]string{id: strings.Replace(document, documentID, id, 1)})
	w := newWorld(t, oauth.WithTransport(read{net}))
	const used = "http://127.0.0.1:50123/callback"
	path := w.ask(w.person, id, used)
	client := w.person.get(path).json(t)["client"].(map[string]any)
	if client["name"] != "Doc App" || client["host"] != "app.example" {
		t.Errorf("asked by %v", client)
	}
	code := w.code(id, used)
	basic := http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"},
		// The id is an address, so it is form-encoded inside Basic, and the secret is empty.
		"Authorization": {basicHeader(id, "")},
	}
	p := w.pair(w.do(http.MethodPost, "/oauth/token", basic, encode("grant_type", "authorization_code", "code", code, "redirect_uri", used, "code_verifier", verifier)))
	p = w.pair(w.refresh(id, p.refresh))
	if a := w.form("/oauth/revoke", "client_id", id, "token", p.refresh); a.status != http.StatusOK || w.works(p.access) {
		t.Errorf("revocation: HTTP %d", a.status)
	}
	if net.asked != 1 {
		t.Errorf("the document was fetched %d times within its freshness", net.asked)
	}
	w.pass(2 * time.Minute)
	w.ask(w.person, id, used)
	if net.asked != 2 {
		t.Errorf("the document was fetched %d times after it got old", net.asked)
	}
	w.refused(w.refresh("https://app.example/unknown.json", "x"), 401, "invalid_client")
}

func TestM6UnusableDocumentsGetAPageThatSaysWhy(t *testing.T) {
	t.Parallel()
	at := func(name string) string { return "https://bad.example/" + name + ".json" }
	good := func(name string) string { return strings.Replace(document, documentID, at(name), 1) }
	cases := map[string]struct{ page, says string }{
		"other":    {document, "another client_id"},
		"json":     {"<html>", "not a JSON object"},
		"nameless": {strings.Replace(good("nameless"), "Doc App", "", 1), "no client_name"},
		"moved":    {at("elsewhere"), "HTTP 302"},
		"large":    {good("large") + strings.Repeat(" ", 70_000), "larger than 64 KiB"},
		"secret":   {strings.Replace(good("secret"), `{`, `{"token_endpoint_auth_method":"private_key_jwt",`, 1), "private_key_jwt"},
		"danger":   {strings.Replace(good("danger"), "http://localhost/callback", "javascript:x", 1), "scheme javascript"},
	}
	pages := map[string]string{at("elsewhere"): good("elsewhere")}
	for name, c := range cases {
		pages[at(name)] = c.page
	}
	w := newWorld(t, oauth.WithTransport(read{documents(pages)}))
	for name, c := range cases {
		a := w.person.get(w.authorizePath(at(name), "http://localhost/callback"))
		w.page(a)
		if !strings.Contains(a.body, c.says) {
			t.Errorf("%s: the page does not say %q: %s", name, c.says, a.body)
		}
	}
	missing := w.person.get(w.authorizePath(at("missing"), "http://localhost/callback"))
	w.page(missing)
	if !strings.Contains(missing.body, "HTTP 404") {
		t.Error("the page does not say that the document is not there")
	}
}

func TestAServerWithoutTheInternetNeitherOffersNorReadsDocuments(t *testing.T) {
	t.Parallel()
	id := strings.Replace(documentID, "client", "offline", 1)
	net := documents(map[string]string{id: strings.Replace(document, documentID, id, 1)})
	w := newWorldWith(t, func(c *config.Config) { c.Offline = true }, oauth.WithTransport(read{net}))
	m := w.do(http.MethodGet, "/.well-known/oauth-authorization-server", nil, "").json(t)
	if m["client_id_metadata_document_supported"] != false || m["registration_endpoint"] == nil {
		t.Errorf("offered are %v", m)
	}
	a := w.person.get(w.authorizePath(id, "http://localhost/callback"))
	w.page(a)
	if !strings.Contains(a.body, "has to register") || net.asked != 0 {
		t.Errorf("%d requests, and the page says %s", net.asked, a.body)
	}
}

func TestM6DocumentsOnThisMachineOrNetworkAreNotFetched(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []string{"https://127.0.0.1:1/client.json", "https://localhost:1/client.json", "https://[::1]:1/x", "https://169.254.169.254/latest/meta-data", "https://10.0.0.1/x"} {
		a := w.person.get(w.authorizePath(id, callback))
		w.page(a)
		if !strings.Contains(a.body, "not on the public internet") {
			t.Errorf("%s: %s", id, a.body)
		}
	}
	for _, id := range []string{"http://app.example/client.json", "https://app.example", "https://app.example/", "https://u@app.example/x", "https://app.example/a/../x", "https://app.example/x#y"} {
		a := w.person.get(w.authorizePath(id, callback))
		w.page(a)
		if !strings.Contains(a.body, "not known here") {
			t.Errorf("%s: %s", id, a.body)
		}
	}
}

func TestM6ACopyStandsInForADocumentThatCannotBeReadJustNow(t *testing.T) {
	t.Parallel()
	id := strings.Replace(documentID, "client", "stands-in", 1)
	net := documents(map[string]string{id: strings.Replace(document, documentID, id, 1)})
	allowed := true
	w := newWorld(t, oauth.WithTransport(read{net}), oauth.WithLimits(func(string, *http.Request) error {
		if allowed {
			return nil
		}
		return errors.New("spent")
	}))
	const used = "http://localhost/callback"
	w.ask(w.person, id, used)
	w.pass(2 * time.Minute)
	net.down = http.StatusBadGateway
	w.ask(w.person, id, used)
	if net.asked != 2 {
		t.Errorf("the document was asked for %d times, want 2", net.asked)
	}
	// Somebody who has used up what they may make the server fetch is answered from the copy, or with a page.
	net.down, allowed = 0, false
	w.ask(w.person, id, used)
	other := w.person.get(w.authorizePath("https://app.example/oauth/never-seen.json", used))
	w.page(other)
	if !strings.Contains(other.body, "too many documents") || net.asked != 2 {
		t.Errorf("without a budget the document was asked for %d times: %s", net.asked, other.body)
	}
	// A document that was taken away is an answer.
	allowed, net.down = true, http.StatusNotFound
	w.page(w.person.get(w.authorizePath(id, used)))
	// And no copy lasts for ever.
	net.down = http.StatusBadGateway
	w.ask(w.person, id, used)
	w.pass(8 * 24 * time.Hour)
	w.person = w.signIn(w.actor.Person)
	w.page(w.person.get(w.authorizePath(id, used)))
}

func TestM6ADocumentIsAskedForAgainByItsTag(t *testing.T) {
	t.Parallel()
	id := strings.Replace(documentID, "client", "tagged", 1)
	page := strings.Replace(document, documentID, id, 1)
	net := documents(map[string]string{id: page})
	net.header.Set("ETag", `"one"`)
	w := newWorld(t, oauth.WithTransport(read{net}))
	const used = "http://localhost/callback"
	name := func() any { return w.person.get(w.ask(w.person, id, used)).json(t)["client"].(map[string]any)["name"] }
	name()
	w.pass(2 * time.Minute)
	if got := name(); got != "Doc App" {
		t.Errorf("the client that has not changed is called %v", got)
	}
	name() // the 304 made the copy fresh again
	if diff := cmp.Diff([]string{"", `"one"`}, net.tags); diff != "" {
		t.Error(diff)
	}
	w.pass(2 * time.Minute)
	net.pages[id] = strings.Replace(page, "Doc App", "New Name", 1)
	net.header.Set("ETag", `"two"`)
	if got := name(); got != "New Name" {
		t.Errorf("the client that has changed is called %v", got)
	}
}

func TestM6ADocumentThatMustNotBeStoredIsReadEachTime(t *testing.T) {
	t.Parallel()
	id := strings.Replace(documentID, "client", "unstored", 1)
	net := documents(map[string]string{id: strings.Replace(document, documentID, id, 1)})
	net.header.Set("Cache-Control", "no-store, max-age=600")
	net.header.Set("ETag", `"one"`)
	w := newWorld(t, oauth.WithTransport(read{net}))
	const used = "http://localhost/callback"
	p := w.pair(w.exchange(id, used, w.code(id, used)))
	w.ask(w.person, id, used)
	if diff := cmp.Diff([]string{"", ""}, net.tags); diff != "" {
		t.Error(diff)
	}
	net.down = http.StatusBadGateway
	w.page(w.person.get(w.authorizePath(id, used)))
	// What a person allowed goes on without the document.
	w.pair(w.refresh(id, p.refresh))
}
