package app_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestASharedPageActsOnNothingAndSaysNothingOfItsSurroundings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug := w.do(t, "topics.create", map[string]any{
		"title": "Shared <b>page</b>", "what": `Quotes " and </title> stay text.`,
		"content": "Hello <script>alert(1)</script> <img src=x onerror=alert(2)> [bad](javascript:alert(3)) [good](https://example.org/) " +
			"![pixel](https://tracker.example/p.png) [inside](/w/topics/x)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
	})["slug"]
	w.do(t, "topics.approve", map[string]any{"topic": slug})
	url, _ := w.do(t, "topics.share", map[string]any{"topic": slug, "to_web": true})["url"].(string)
	path := strings.TrimPrefix(url, w.url)
	page := send(t, w.request(t, http.MethodGet, path, nil), "")
	text := string(page.raw)
	if page.status != http.StatusOK || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
		t.Fatalf("HTTP %d %s", page.status, text)
	}
	for _, bad := range []string{"<script", "onerror", "javascript:", "tracker.example", "<b>", `href="/w/`, "<img"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %q:\n%s", bad, text)
		}
	}
	for _, good := range []string{"Hello", "https://example.org/", "<td>1</td>", `property="og:title" content="Shared &lt;b&gt;page&lt;/b&gt;"`, "noindex"} {
		if !strings.Contains(text, good) {
			t.Errorf("the page lacks %q:\n%s", good, text)
		}
	}
	csp := page.header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || page.header.Get("Set-Cookie") != "" ||
		page.header.Get("Referrer-Policy") != "no-referrer" || page.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the headers are %v", page.header)
	}
	markdown := send(t, w.request(t, http.MethodGet, path+".md", nil), "")
	if markdown.status != http.StatusOK || !strings.HasPrefix(markdown.header.Get("Content-Type"), "text/markdown") || !strings.Contains(string(markdown.raw), "| 1 | 2 |") {
		t.Errorf("HTTP %d %s", markdown.status, markdown.raw)
	}
}

func TestTheHeadOfASharedPageIsThatOfThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	url, _ := w.do(t, "topics.share", map[string]any{"topic": "queue-limits", "to_web": true})["url"].(string)
	for _, path := range []string{strings.TrimPrefix(url, w.url), strings.TrimPrefix(url, w.url) + ".md", "/s/" + strings.Repeat("x", 43)} {
		page, head := send(t, w.request(t, http.MethodGet, path, nil), ""), send(t, w.request(t, http.MethodHead, path, nil), "")
		if head.status != page.status || len(head.raw) > 0 {
			t.Errorf("%s: HTTP %d with %d bytes; the page answers %d", path, head.status, len(head.raw), page.status)
		}
		for _, name := range []string{"Content-Type", "Cache-Control", "X-Robots-Tag", "Referrer-Policy"} {
			if head.header.Get(name) != page.header.Get(name) {
				t.Errorf("%s: %s is %q, of the page %q", path, name, head.header.Get(name), page.header.Get(name))
			}
		}
	}
}

func TestAPageThatIsNotThereSaysSoToPeopleAndMachines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for path, kind := range map[string]string{
		"/s/" + strings.Repeat("x", 43): "text/html", "/s/" + strings.Repeat("x", 43) + ".md": "application/problem+json",
		"/s/..%2f..%2fetc%2fpasswd": "text/html", "/s/%00": "text/html",
	} {
		got := send(t, w.request(t, http.MethodGet, path, nil), "")
		if got.status != http.StatusNotFound || !strings.HasPrefix(got.header.Get("Content-Type"), kind) {
			t.Errorf("%s: HTTP %d %s %s", path, got.status, got.header.Get("Content-Type"), got.raw)
		}
	}
}

func TestATextThatNestsWithoutEndIsShownAsItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, text := range map[string]string{
		"quotes": strings.Repeat("> ", 100_000) + "deep", "lists": strings.Repeat("- ", 50_000) + "deep", "links": strings.Repeat("[a](b", 40_000) + "deep",
	} {
		slug := w.do(t, "topics.create", map[string]any{"title": "Nested " + name, "what": "x", "content": text})["slug"]
		w.do(t, "topics.approve", map[string]any{"topic": slug})
		url, _ := w.do(t, "topics.share", map[string]any{"topic": slug, "to_web": true})["url"].(string)
		page := send(t, w.request(t, http.MethodGet, strings.TrimPrefix(url, w.url), nil), "")
		if page.status != http.StatusOK || len(page.raw) > 5*len(text) || !strings.Contains(string(page.raw), "<pre>") || !strings.Contains(string(page.raw), "deep") {
			t.Errorf("%s: HTTP %d, %d bytes", name, page.status, len(page.raw))
		}
	}
}
