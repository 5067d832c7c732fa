package restapi

import (
	"bytes"
	"crypto/rand"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"driftless/internal/fault"
	"driftless/internal/publish"
)

//go:embed shared.html
var sharedHTML string

var sharedPage = template.Must(template.New("shared").Parse(sharedHTML))

// sharedRender is without anything of the text's own HTML: goldmark leaves it out unless told otherwise.
var sharedRender = goldmark.New(goldmark.WithExtensions(extension.GFM))

// sharedPolicy lets through what a text needs, and nothing that acts, loads from elsewhere, or names an element.
var sharedPolicy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "del",
		"table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https", "http", "mailto")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(false)
	p.RequireNoReferrerOnLinks(true)
	p.RequireNoFollowOnLinks(true)
	return p
}()

// shared answers a piece of Knowledge to whoever has its address: as a page that needs no script, and as Markdown under the
// same address with .md behind it.
func (s *Server) shared(c echo.Context) error {
	if err := s.Limit(limitPublic, c.Request()); err != nil {
		return err
	}
	token, asMarkdown := strings.CutSuffix(c.Param("token"), ".md")
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	// Whoever has the address may read; a search engine was not given it on purpose.
	h.Set("X-Robots-Tag", "noindex, nofollow")
	page, err := s.Shares.Open(c.Request().Context(), token)
	if asMarkdown || err != nil && !fault.Is(err, fault.CodeNotFound) {
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, "text/markdown; charset=utf-8", []byte(page.Markdown))
	}
	return s.writeShared(c, page, err == nil)
}

func (s *Server) writeShared(c echo.Context, page publish.Page, found bool) error {
	var text bytes.Buffer
	// The page says title and trust itself, with which the Markdown begins.
	_, body, _ := strings.Cut(page.Markdown, "\n\n")
	_, body, _ = strings.Cut(body, "\n\n")
	if costly(body) {
		text.WriteString("<pre>" + template.HTMLEscapeString(body) + "</pre>")
	} else if err := sharedRender.Convert([]byte(body), &text); err != nil {
		return fmt.Errorf("render a shared page: %w", err)
	}
	nonce := rand.Text()
	var out bytes.Buffer
	err := sharedPage.Execute(&out, map[string]any{
		"Found": found, "Title": page.Title, "What": page.What, "Nonce": nonce, "Revision": page.Revision,
		"Text": template.HTML(sharedPolicy.SanitizeBytes(text.Bytes())), //nolint:gosec // sanitised right here
		"Day":  page.ApprovedAt.Format(time.DateOnly), "At": page.ApprovedAt.Format(time.RFC3339),
		"Markdown": c.Request().URL.Path + ".md",
	})
	if err != nil {
		return fmt.Errorf("write a shared page: %w", err)
	}
	c.Response().Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src 'nonce-"+nonce+"'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	status := http.StatusOK
	if !found {
		status = http.StatusNotFound
	}
	return c.HTMLBlob(status, out.Bytes())
}

// What rendering takes grows with the square of how deep a text nests, and anybody may ask for a shared page. No text that is
// written to be read comes near these bounds; one beyond them is shown as it is.
const (
	nestingMax  = 100  // quotes and list items that one line opens
	bracketsMax = 5000 // brackets that may begin a link
)

func costly(markdown string) bool {
	if strings.Count(markdown, "[") > bracketsMax {
		return true
	}
	for line := range strings.Lines(markdown) {
		depth := 0
		for _, mark := range strings.Fields(strings.ReplaceAll(line, ">", "> ")) {
			if strings.Trim(mark, "0123456789.)") != "" && !slices.Contains([]string{">", "-", "*", "+"}, mark) {
				break
			}
			depth++
		}
		if depth > nestingMax {
			return true
		}
	}
	return false
}
