package cite

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"driftless/internal/anchor"
)

var (
	// stand is a word in braces that stands for others, where a glob would have alternatives.
	stand = regexp.MustCompile(`\{[^{},]*\}`)
	// position is a line or a span of lines behind a path, as compilers and code hosts write it.
	position = regexp.MustCompile(`(?:#L\d[\w.-]*|:\d+(?:[:-]\d+)*)$`)
	symbol   = regexp.MustCompile(`^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$`)
	version  = regexp.MustCompile(`^[vV]?\d+(?:\.(?:\d+|[xX*]))*(?:[-+][^/]*)?$`)
	// host is the name of a machine in front of a path: an address without its scheme, or a module.
	host   = regexp.MustCompile(`^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|sh|co|me|test|example|invalid|cloud|so|icu)(?::\d+)?$`)
	ending = regexp.MustCompile(`\.[\p{L}][\p{L}\p{N}_]{0,11}$`)
)

// machine are the first folders of paths that belong to a machine, not to a repository.
var machine = []string{
	"usr", "etc", "var", "home", "tmp", "opt", "Users", "bin", "sbin", "dev", "proc", "sys", "root", "mnt", "private", "Applications", "Library",
}

// media are what stands in front of the slash of a media type (RFC 6838), and subtypes what stands behind it.
var (
	media    = []string{"application", "audio", "font", "image", "message", "multipart", "text", "video"}
	subtypes = []string{
		"css", "csv", "event-stream", "form-data", "gif", "html", "javascript", "jpeg", "json", "jsonl", "markdown", "mp4", "mpeg", "octet-stream", "pdf", "plain",
		"png", "webp", "wasm", "woff2", "x-ndjson", "x-www-form-urlencoded", "xml", "yaml", "zip", "*",
	}
)

// ended reports whether the last part of a path has the ending of a file, or is one of the names that files have without.
func ended(text string) bool {
	base := path.Base(text)
	switch base {
	case "Makefile", "Dockerfile", "Containerfile", "Jenkinsfile", "Justfile", "justfile", "Procfile", "Gemfile", "Rakefile", "LICENSE", "NOTICE", "CODEOWNERS", "OWNERS", "VERSION":
		return true
	}
	return strings.HasPrefix(base, ".") && len(base) > 2 || ending.MatchString(base)
}

// codeRef is what one word of code refers to.
func codeRef(word string) (Ref, bool) {
	if file, name, has := strings.Cut(word, "#"); has && ended(file) && symbol.MatchString(name) && !position.MatchString(word) {
		r, is := pathOf(file, Path)
		return Ref{Symbol, r.Text + "#" + name}, is && !strings.HasSuffix(strings.ToLower(file), ".md")
	}
	if strings.ContainsAny(word, "*?{") {
		return globOf(word)
	}
	return pathOf(word, Path)
}

// link is what the destination of a link refers to.
func link(destination string) (Ref, bool) {
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return Ref{}, false
	}
	return pathOf(u.Path, Link)
}

func globOf(word string) (Ref, bool) {
	if !strings.Contains(word, "/") || foreign(word) || stand.MatchString(word) || strings.ContainsAny(word, "<>$|\"'=\\,;()") && !strings.Contains(word, "{") {
		return Ref{}, false
	}
	a, err := anchor.Parse(strings.TrimPrefix(word, "/"))
	if err != nil || a.Exclude || a.Kind != anchor.Glob {
		return Ref{}, false
	}
	return Ref{Glob, a.Text}, true
}

// pathOf reads a word as a path, if it can be one.
func pathOf(word string, kind Kind) (Ref, bool) {
	text := position.ReplaceAllString(strings.TrimRight(strings.TrimSpace(word), ".,:;!?"), "")
	if text == "" || strings.ContainsAny(text, "<>{}$|\"'=\\,;*?`!^%&") || strings.ContainsRune(text, '…') || strings.ContainsRune(text, ':') || foreign(text) {
		return Ref{}, false
	}
	if kind == Path {
		if i := strings.IndexByte(text, '#'); i >= 0 {
			text = text[:i]
		}
		first, rest, nested := strings.Cut(strings.TrimPrefix(text, "/"), "/")
		switch {
		case strings.HasPrefix(text, "/") && slices.Contains(machine, first):
			return Ref{}, false
		case nested && slices.Contains(media, first) && (slices.Contains(subtypes, rest) || strings.Contains(rest, "+")):
			return Ref{}, false
		case !nested && !ended(text) && !strings.HasSuffix(text, "/"):
			return Ref{}, false // a word
		}
	}
	clean := norm.NFC.String(path.Clean(text))
	if strings.Trim(clean, "./") == "" || !utf8.ValidString(clean) || strings.ContainsFunc(clean, unicode.IsControl) {
		return Ref{}, false
	}
	return Ref{kind, clean}, true
}

// foreign reports whether a word names something outside of any repository, or stands for names in general.
func foreign(word string) bool {
	if strings.Contains(word, "://") || strings.HasPrefix(word, "~") || strings.HasPrefix(word, "-") || strings.HasPrefix(word, "//") || version.MatchString(word) {
		return true
	}
	parts := strings.Split(strings.Trim(word, "/"), "/")
	for i, part := range parts {
		if part == "..." || part == "path" && i+1 < len(parts) && parts[i+1] == "to" || strings.HasPrefix(part, "your-") || strings.HasPrefix(part, "your_") {
			return true
		}
	}
	return len(parts) > 1 && host.MatchString(parts[0])
}
