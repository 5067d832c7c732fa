package oauth

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html/template"
	"net/http"

	"driftless/internal/fault"
)

// pageStyle is the whole look of the page. The policy of the page names its hash, so that nothing else is applied.
const pageStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}` +
	`code{overflow-wrap:anywhere}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}`

// refusalPage is shown where a redirect would be unsafe.
type refusalPage struct {
	Title, Text, Address string
}

func pageTemplate() (*template.Template, error) {
	return template.New("page").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}} – Driftless</title>
<style>` + pageStyle + `</style>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
<p>{{.Text}}</p>
<h2>How to reconnect</h2>
<ol>
<li>Close this page; nothing was given to the application.</li>
<li>In your application, remove the connection or sign out of it, so that it forgets its old registration.</li>
<li>Add it again with the address <code>{{.Address}}</code> and sign in.</li>
</ol>
</main>
</body>
</html>
`)
}

// page answers a person with a page, never with a redirect. It loads nothing and cannot be framed (RFC 9700 §4.2, §4.16).
func (s *Server) page(w http.ResponseWriter, status int, title, text string) {
	sum := sha256.Sum256([]byte(pageStyle))
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	var body bytes.Buffer
	t, err := pageTemplate()
	if err == nil {
		err = t.Execute(&body, refusalPage{Title: title, Text: text, Address: s.resource})
	}
	if err != nil {
		s.log.Error("render the page of a refused request", "error", err)
		http.Error(w, title, status)
		return
	}
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

// pageFault answers a person when the trouble is ours.
func (s *Server) pageFault(w http.ResponseWriter, r *http.Request, err error) {
	e := fault.From(err)
	s.log.ErrorContext(r.Context(), "oauth request failed", "path", r.URL.Path, "error", err, "cause", errors.Unwrap(e))
	s.page(w, e.Kind.HTTPStatus(), "Something went wrong on our side", "Try again in a moment.")
}
