package restapi

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

// everything is the route of the console: the addresses that are nothing else.
const everything = "/*"

// pages mounts the console, which is one page for all its addresses, and the manual, as pages and as Markdown.
func (s *Server) pages() {
	s.echo.GET("/llms.txt", s.llms)
	s.echo.GET("/docs", func(c echo.Context) error { return c.Redirect(http.StatusFound, "/docs/") })
	s.echo.GET("/docs/*", s.manual)
	s.echo.GET("/assets/*", s.asset)
	// Whoever checks an address, as chat programs do before they show it, asks for the head alone (RFC 9110 section 9.3.2).
	s.echo.GET("/s/:token", s.shared)
	s.echo.HEAD("/s/:token", s.shared)
	s.echo.GET(everything, s.console)
}

// policy is the content security policy of a page: nothing from elsewhere, no inline code, no framing.
func policy(nonce string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" + nonce + "'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
		"manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
}

// console answers every address that is nothing else: the console finds its page itself. Addresses of machines are not
// pages, so that no client mistakes the console for an answer.
func (s *Server) console(c echo.Context) error {
	name := path.Clean(strings.TrimPrefix(c.Request().URL.Path, "/"))
	if strings.HasPrefix(name, ".well-known") || strings.HasPrefix(name, "api/") || strings.HasPrefix(name, "oauth/") || strings.HasPrefix(name, "mcp") {
		return echo.ErrNotFound
	}
	if name != "." && name != "index.html" {
		if raw, err := fs.ReadFile(s.Console, name); err == nil {
			return c.Blob(http.StatusOK, kindOf(name), raw)
		}
	}
	page, err := fs.ReadFile(s.Console, "index.html")
	if err != nil {
		return fmt.Errorf("read the console: %w", err)
	}
	nonce := rand.Text()
	h := c.Response().Header()
	h.Set("Content-Security-Policy", policy(nonce))
	// Addresses of the console may carry a request of somebody's application, or the secret of an invitation (RFC 9700 section 4.2.4).
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	return c.HTMLBlob(http.StatusOK, bytes.ReplaceAll(page, []byte("__CSP_NONCE__"), []byte(nonce)))
}

// asset answers a built file; its name carries a hash of its content, so it may be kept for ever.
func (s *Server) asset(c echo.Context) error {
	name := path.Clean("assets/" + c.Param("*"))
	raw, err := fs.ReadFile(s.Console, name)
	if err != nil {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return c.Blob(http.StatusOK, kindOf(name), raw)
}

func kindOf(name string) string {
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		return kind
	}
	return echo.MIMEOctetStream
}

// llms is the map of the manual for models (llmstxt.org).
func (s *Server) llms(c echo.Context) error {
	var b strings.Builder
	b.WriteString("# Driftless\n\n> What a team knows about its systems, kept under human review and served to AI clients over MCP.\n\n")
	fmt.Fprintf(&b, "MCP endpoint: %s/mcp\nOpenAPI: %s/api/v1/openapi.json\n\n## Manual\n\n", s.Config.PublicURL, s.Config.PublicURL)
	err := fs.WalkDir(s.Manual, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" || strings.HasPrefix(name, "decisions/") {
			return err
		}
		raw, err := fs.ReadFile(s.Manual, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "- [%s](%s/docs/%s)\n", heading(raw, name), s.Config.PublicURL, name)
		return nil
	})
	if err != nil {
		return fmt.Errorf("list the manual: %w", err)
	}
	return c.Blob(http.StatusOK, "text/plain; charset=utf-8", []byte(b.String()))
}

func heading(markdown []byte, name string) string {
	for line := range strings.Lines(string(markdown)) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return name
}

var render = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

var pageLink = regexp.MustCompile(`href="([^":]+)\.md(#[^"]*)?"`)

// withoutFrontMatter leaves out the fields that the importer reads at the head of a decision.
func withoutFrontMatter(raw []byte) []byte {
	if rest, found := bytes.CutPrefix(raw, []byte("---\n")); found {
		if _, text, found := bytes.Cut(rest, []byte("\n---\n")); found {
			return text
		}
	}
	return raw
}

// manual answers a page of the manual: as Markdown under its own name, rendered without the ending.
func (s *Server) manual(c echo.Context) error {
	name := path.Clean(strings.Trim(c.Param("*"), "/"))
	if name == "." {
		name = "README"
	}
	if !fs.ValidPath(name) {
		return echo.ErrNotFound
	}
	if path.Ext(name) == ".md" {
		raw, err := fs.ReadFile(s.Manual, name)
		if err != nil {
			return echo.ErrNotFound
		}
		return c.Blob(http.StatusOK, "text/markdown; charset=utf-8", raw)
	}
	raw, err := fs.ReadFile(s.Manual, name+".md")
	if err != nil {
		if raw, err = fs.ReadFile(s.Manual, name+"/README.md"); err != nil {
			return echo.ErrNotFound
		}
	}
	var html bytes.Buffer
	if err := render.Convert(withoutFrontMatter(raw), &html); err != nil {
		return fmt.Errorf("render the manual: %w", err)
	}
	// Pages refer to each other as files; here a page has no ending.
	body := pageLink.ReplaceAll(bluemonday.UGCPolicy().SanitizeBytes(html.Bytes()), []byte(`href="$1$2"`))
	sheet, err := fs.ReadFile(s.Manual, "manual.css")
	if err != nil {
		return fmt.Errorf("read the style of the manual: %w", err)
	}
	nonce := rand.Text()
	c.Response().Header().Set("Content-Security-Policy", policy(nonce))
	page := fmt.Sprintf("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"+
		"<title>%s · Driftless</title><style nonce=\"%s\">%s</style></head><body><nav><a href=\"/docs/\">Manual</a> · <a href=\"/\">Console</a></nav><main>%s</main></body></html>",
		bluemonday.StrictPolicy().Sanitize(heading(raw, name)), nonce, sheet, body)
	return c.HTML(http.StatusOK, page)
}
