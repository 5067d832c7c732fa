package screen

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Secret is a credential found in a text. Masked names its beginning and its
// length, and is safe to show and to log.
type Secret struct {
	Kind       string // "github-token", "private-key", "assignment", …
	Start, End int    // byte offsets, half open
	Masked     string
}

// maxSecrets bounds one answer: a text that holds more is refused all the same.
const maxSecrets = 100

// Secrets finds credentials in well-known formats, private key blocks,
// passwords inside URLs, bearer tokens, and values of high entropy assigned to
// a name that says password, secret, token or key. It leaves look-alikes alone:
// hashes, UUIDs, placeholders, references to variables, public keys, data URIs.
// Checksums inside tokens are not verified: a mistyped token is still no
// business of a shared text. At most 100 are returned, by position, disjoint.
func Secrets(text string) []Secret {
	var found spans
	for _, f := range tokenFormats() {
		f.find(text, &found)
	}
	findPrivateKeys(text, &found)
	findJWTs(text, &found)
	findURLPasswords(text, &found)
	findBearers(text, &found)
	found = found.disjoint()
	var assigned spans
	findAssignments(text, &assigned)
	found = append(found, assigned...).disjoint()

	if len(found) > maxSecrets {
		found = found[:maxSecrets]
	}
	var out []Secret
	for _, s := range found {
		out = append(out, Secret{Kind: s.kind, Start: s.start, End: s.end, Masked: mask(text[s.start:s.end])})
	}
	return out
}

type span struct {
	kind       string
	start, end int
}

type spans []span

func (s *spans) add(kind string, start, end int) {
	*s = append(*s, span{kind, start, end})
}

// disjoint sorts by position. Of spans that overlap, the one added first wins:
// formats are added from the telling to the vague.
func (s spans) disjoint() spans {
	order := make(map[span]int, len(s))
	for i, x := range s {
		if _, seen := order[x]; !seen {
			order[x] = i
		}
	}
	sorted := append(spans(nil), s...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].start < sorted[j].start })
	out := sorted[:0]
	for _, x := range sorted {
		last := len(out) - 1
		switch {
		case last < 0 || x.start >= out[last].end:
			out = append(out, x)
		case order[x] < order[out[last]]:
			out[last] = x
		}
	}
	return out
}

// mask shows at most four characters, and never more than a quarter.
func mask(secret string) string {
	shown := min(4, utf8.RuneCountInString(secret)/4)
	var b strings.Builder
	for _, r := range secret {
		if shown == 0 {
			break
		}
		b.WriteRune(r)
		shown--
	}
	return b.String() + "…"
}

// find adds every token of the format in the text.
func (f tokenFormat) find(text string, found *spans) {
	for at := 0; ; {
		i := strings.Index(text[at:], f.prefix)
		if i < 0 {
			return
		}
		start := at + i
		body := start + len(f.prefix)
		end := run(text, body, f.class)
		at = max(end, body)
		n := end - body
		switch {
		case n < f.min || f.max > 0 && n > f.max:
		case start > 0 && wordByte(text[start-1]):
		case placeholder(text[body:end]):
		case f.mixed && !mixed(text[body:end]):
		default:
			found.add(f.kind, start, end)
		}
	}
}

// run returns the end of the longest run of bytes of the class.
func run(text string, from int, class func(byte) bool) int {
	for from < len(text) && class(text[from]) {
		from++
	}
	return from
}

// wordByte keeps a format from matching inside a longer word, a path or base64.
func wordByte(c byte) bool { return alnum(c) || c == '_' || c == '+' || c == '/' }

const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	pemTail  = "PRIVATE KEY"
	// maxPEM is far beyond an RSA key of 16,384 bits.
	maxPEM = 32 << 10
)

// findPrivateKeys finds PEM blocks (RFC 7468) that hold key material; one whose
// end was cut off counts, words about such a block do not.
func findPrivateKeys(text string, found *spans) {
	for at := 0; ; {
		i := strings.Index(text[at:], pemBegin)
		if i < 0 {
			return
		}
		start := at + i
		at = start + len(pemBegin)
		label, _, ok := strings.Cut(text[at:min(len(text), at+64)], "-----")
		if !ok || !strings.Contains(label, pemTail) {
			continue
		}
		body := at + len(label) + len("-----")
		end := min(len(text), body+maxPEM)
		if j := strings.Index(text[body:end], pemEnd); j >= 0 {
			end = body + j
		} else {
			end = run(text, body, func(c byte) bool { return base64Byte(c) || c == '\n' || c == '\r' })
		}
		if !keyMaterial(text[body:end]) {
			continue
		}
		if strings.HasPrefix(text[end:], pemEnd) {
			end += len(pemEnd)
			if j := strings.Index(text[end:min(len(text), end+64)], "-----"); j >= 0 {
				end += j + len("-----")
			}
		}
		found.add("private-key", start, end)
		at = end
	}
}

// keyMaterial reports a run of base64 that no words would make.
func keyMaterial(body string) bool {
	for i := 0; i < len(body); {
		end := run(body, i, base64Byte)
		if end-i >= 16 && distinct(body[i:end]) >= 8 {
			return true
		}
		i = end + 1
	}
	return false
}

// findJWTs finds JSON Web Tokens (RFC 7519): "eyJ" is `{"` in base64url.
func findJWTs(text string, found *spans) {
	const head = "eyJ"
	for at := 0; ; {
		i := strings.Index(text[at:], head)
		if i < 0 {
			return
		}
		start := at + i
		header := run(text, start, urlBase64Byte)
		at = header
		if start > 0 && wordByte(text[start-1]) || header-start < 12 || !strings.HasPrefix(text[header:], "."+head) {
			continue
		}
		claims := run(text, header+1, urlBase64Byte)
		at = claims
		if claims == len(text) || text[claims] != '.' {
			continue
		}
		end := run(text, claims+1, urlBase64Byte)
		at = end
		if end-claims > 16 && !placeholder(text[claims+1:end]) {
			found.add("jwt", start, end)
		}
	}
}

// maxUserInfo bounds user and password of a URL.
const maxUserInfo = 256

// findURLPasswords finds the password in scheme://user:password@host (RFC 3986,
// section 3.2.1).
func findURLPasswords(text string, found *spans) {
	const sep = "://"
	for at := 0; ; {
		i := strings.Index(text[at:], sep)
		if i < 0 {
			return
		}
		at += i + len(sep)
		limit := min(len(text), at+maxUserInfo)
		info := text[at:limit]
		stop := strings.IndexAny(info, "@/ \t\r\n\"'`<>")
		if stop < 0 || info[stop] != '@' {
			continue
		}
		user, password, ok := strings.Cut(info[:stop], ":")
		if !ok || password == user || len(password) < 6 || placeholder(password) || wordy(password) {
			continue
		}
		start := at + len(user) + 1
		found.add("url-password", start, start+len(password))
	}
}

// findBearers finds tokens in Authorization headers (RFC 6750, RFC 7617).
func findBearers(text string, found *spans) {
	for _, scheme := range []string{"Bearer ", "bearer ", "Authorization: Basic ", "authorization: basic "} {
		for at := 0; ; {
			i := strings.Index(text[at:], scheme)
			if i < 0 {
				break
			}
			start := at + i + len(scheme)
			end := run(text, start, func(c byte) bool { return base64Byte(c) || c == '-' || c == '_' || c == '.' })
			at = max(end, start)
			if random(text[start:end]) {
				found.add("authorization", start, end)
			}
		}
	}
}
