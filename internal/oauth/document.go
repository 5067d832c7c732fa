package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"driftless/internal/egress"
)

// Limits of fetching a client id metadata document.
const (
	documentTimeout = 5 * time.Second
	documentMax     = 64 << 10
	documentFetches = 8 // at once: anybody can make the server fetch, so it never does much of it
	freshDefault    = time.Hour
	freshMost       = 24 * time.Hour
	staleMost       = 7 * 24 * time.Hour // how old a copy may be that stands in for a document that cannot be read just now
	etagMax         = 256
)

// documentError says why the document behind a client id cannot be used; a person reads it. One that is passing says
// nothing about the document: it could not be looked at.
type documentError struct {
	reason  string
	passing bool
}

// Error is the reason.
func (e *documentError) Error() string { return e.reason }

func badDocument(format string, args ...any) error {
	return &documentError{reason: fmt.Sprintf(format, args...)}
}

func unreadDocument(format string, args ...any) error {
	return &documentError{reason: fmt.Sprintf(format, args...), passing: true}
}

// isDocumentID reports whether a client id is the address of a metadata document: https with a path, and written in the one
// way that cannot be confused (draft-ietf-oauth-client-id-metadata-document §3).
func isDocumentID(id string) bool {
	u, err := url.Parse(id)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(id, "#\\ ") {
		return false
	}
	return u.Path != "" && u.Path != "/" && path.Clean(u.Path) == strings.TrimSuffix(u.Path, "/")
}

// documentClient fetches metadata documents.
type documentClient struct {
	http  *http.Client
	slots chan struct{}
}

func newDocumentClient(transport http.RoundTripper) documentClient {
	return documentClient{
		http: &http.Client{
			Transport: transport, Timeout: documentTimeout,
			// The document has to be where its id says; following would also lead around the check of addresses.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		slots: make(chan struct{}, documentFetches),
	}
}

// publicTransport connects to public addresses only. No proxy: it would resolve names itself. Names are resolved by names, or where
// it is nil as the system does.
func publicTransport(names *net.Resolver) http.RoundTripper {
	return &http.Transport{
		DialContext:         egress.Guard{Names: names}.Dialer(documentTimeout).DialContext,
		TLSHandshakeTimeout: documentTimeout, ResponseHeaderTimeout: documentTimeout,
		MaxResponseHeaderBytes: documentMax, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}
}

// fetch reads and checks the document of a client. known is the copy that there is, or the zero row: a document that has not
// changed since is not sent again (RFC 9110 §13.1.2). Errors that are about the document are documentErrors.
func (d documentClient) fetch(ctx context.Context, id string, known clientRow, now time.Time) (clientRow, error) {
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	default:
		return clientRow{}, unreadDocument("too many documents are being read at the moment; try again")
	}
	raw, header, err := d.get(ctx, id, known.ETag)
	if err != nil {
		return clientRow{}, err
	}
	row := known
	if raw != nil {
		if row, err = documented(id, raw); err != nil {
			return clientRow{}, err
		}
		row.CreatedAt, row.ETag = now, header.Get("ETag")
	}
	may := cachingOf(header)
	if may.standIn == 0 || len(row.ETag) > etagMax {
		row.ETag = ""
	}
	fresh, stale := now.Add(may.fresh), now.Add(may.fresh+may.standIn)
	row.FreshUntil, row.StaleUntil = &fresh, &stale
	return row, nil
}

// documented is the client that a document describes.
func documented(id string, raw []byte) (clientRow, error) {
	m, err := decodeMetadata(raw)
	if err != nil {
		return clientRow{}, badDocument("its document is not a JSON object of client metadata")
	}
	switch {
	case m.ClientID != id:
		return clientRow{}, badDocument("its document names another client_id")
	case m.Name == "":
		return clientRow{}, badDocument("its document has no client_name")
	case m.AuthMethod == "":
		m.AuthMethod = authNone // a document is public, so it cannot hold a secret
	case m.AuthMethod != authNone:
		return clientRow{}, badDocument("its document asks for the authentication method %s; only none is possible", printable(m.AuthMethod, 40))
	}
	row, err := m.row()
	var wrong *refusal
	if errors.As(err, &wrong) {
		return clientRow{}, badDocument("its document is not usable: %s", wrong.Description)
	}
	row.ID, row.Kind = id, kindDocument
	return row, err
}

// get reads the document; the bytes are nil when it still has the tag.
func (d documentClient) get(ctx context.Context, id, etag string) ([]byte, http.Header, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, id, nil)
	if err != nil {
		return nil, nil, badDocument("its address is not usable")
	}
	request.Header.Set("Accept", "application/json")
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	answer, err := d.http.Do(request)
	if errors.Is(err, egress.ErrInside) {
		return nil, nil, badDocument("%v", egress.ErrInside)
	}
	if err != nil {
		return nil, nil, unreadDocument("its document cannot be reached")
	}
	defer func() { _ = answer.Body.Close() }()
	switch {
	case answer.StatusCode == http.StatusNotModified && etag != "":
		return nil, answer.Header, nil
	case answer.StatusCode >= http.StatusInternalServerError:
		return nil, nil, unreadDocument("its host has a problem (HTTP %d)", answer.StatusCode)
	case answer.StatusCode != http.StatusOK:
		return nil, nil, badDocument("its document is not there (HTTP %d)", answer.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(answer.Body, documentMax+1))
	if err != nil {
		return nil, nil, unreadDocument("its document cannot be read")
	}
	if len(raw) > documentMax {
		return nil, nil, badDocument("its document is larger than 64 KiB")
	}
	return raw, answer.Header, nil
}

// caching is what the headers of a document allow (RFC 9111 §4.2, §5.2.2).
type caching struct {
	fresh   time.Duration // how long a copy is used without asking
	standIn time.Duration // how much longer it stands in for a document that cannot be read
}

// cachingOf reads the headers of a document. What is kept of one that must not be stored is the client that people gave
// something to; it is never used in place of the document.
func cachingOf(h http.Header) caching {
	may := caching{fresh: freshDefault, standIn: staleMost}
	told := false
	for directive := range strings.SplitSeq(strings.Join(h.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch strings.ToLower(name) {
		case "no-store", "no-cache":
			return caching{}
		case "must-revalidate":
			may.standIn = 0
		case "max-age":
			seconds, err := strconv.Atoi(strings.Trim(value, `"`))
			if err != nil || seconds < 0 {
				seconds = 0
			}
			may.fresh, told = time.Duration(min(seconds, int(freshMost/time.Second)))*time.Second, true
		}
	}
	if text := h.Get("Expires"); text != "" && !told {
		expires, err := http.ParseTime(text)
		date, dateErr := http.ParseTime(h.Get("Date"))
		if may.fresh = 0; err == nil && dateErr == nil {
			may.fresh = min(max(expires.Sub(date), 0), freshMost)
		}
	}
	if age, err := strconv.Atoi(h.Get("Age")); err == nil && age > 0 {
		may.fresh = max(0, may.fresh-time.Duration(min(age, int(freshMost/time.Second)))*time.Second)
	}
	return may
}
