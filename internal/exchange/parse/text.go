package parse

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// normal removes a byte order mark and turns CR LF into LF, the two things that
// change in a file without anyone writing in it.
func normal(data []byte) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
}

func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d\n%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// slugify makes a topic slug of a title, or of the fallback where the title has
// no letter that a slug may hold.
func slugify(title, fallback string) string {
	for _, text := range []string{title, fallback} {
		var b strings.Builder
		for _, r := range strings.ToLower(text) {
			switch {
			case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
				b.WriteRune(r)
			case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
				b.WriteByte('-')
			}
			if b.Len() == maxSlug {
				break
			}
		}
		if slug := strings.Trim(b.String(), "-"); slug != "" {
			return slug
		}
	}
	return "topic"
}

// validSlug reports the form of a topic slug.
func validSlug(s string) bool {
	if s == "" || len(s) > maxSlug || s[0] == '-' {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return true
}

// headingSlug is the fragment that code hosts give to a heading.
func headingSlug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(text)) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.M, r), r == '_', r == '-':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// clip shortens to n characters at a blank, and shows that it did.
func clip(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	cut := string([]rune(s)[:n-1])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

// sentence returns the first sentence of a paragraph.
func sentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for i, r := range text {
		rest := text[i+utf8.RuneLen(r):]
		switch {
		case r == '。' || r == '！' || r == '？':
			return text[:i+utf8.RuneLen(r)]
		case (r == '.' || r == '!' || r == '?') && strings.HasPrefix(rest, " ") && !abbreviation(text[:i]):
			return text[:i+1]
		}
	}
	return text
}

// abbreviation reports a stop that ends no sentence ("e.g.", "1.").
func abbreviation(before string) bool {
	word := before[strings.LastIndexAny(before, " (")+1:]
	switch strings.ToLower(word) {
	case "e.g", "i.e", "etc", "vs", "cf", "approx", "no":
		return true
	}
	return utf8.RuneCountInString(word) < 2
}

// nameOf makes a title of a file name: "use-a-queue.md" is "Use a queue".
func nameOf(file string) string {
	base := path.Base(file)
	if i := strings.IndexByte(base[1:], '.'); i >= 0 {
		base = base[:i+1]
	}
	base = strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(strings.TrimPrefix(base, ".")))
	if base == "" {
		return file
	}
	r, size := utf8.DecodeRuneInString(base)
	return string(unicode.ToUpper(r)) + base[size:]
}

// unique adds what is new, in order, up to limit items.
func unique(list []string, limit int, more ...string) []string {
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		seen[s] = true
	}
	for _, s := range more {
		if s != "" && !seen[s] && len(list) < limit {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}
