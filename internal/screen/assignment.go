package screen

import (
	"math"
	"strings"
)

const (
	maxName  = 48  // bytes looked back for the name of an assignment
	maxValue = 256 // bytes looked at of its value
)

// findAssignments finds `name = value` and `name: value` where the name says
// secret and the value looks made by a generator, or, for passwords in quotes,
// chosen by a person.
func findAssignments(text string, found *spans) {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '=' && c != ':' {
			continue
		}
		name := nameBefore(text[max(0, i-maxName):i])
		if name == "" {
			continue
		}
		start := i + 1
		for start < len(text) && (text[start] == '=' || text[start] == '>' || text[start] == ' ' || text[start] == '\t') {
			start++
		}
		value, quoted := valueAt(text, &start)
		switch {
		case kinds(value) < 2 || placeholder(value) || reference(value) || uuid(value):
		case random(value), quoted && strings.HasSuffix(name, "password") && chosen(value):
			found.add("assignment", start, start+len(value))
			i = start + len(value) - 1
		}
	}
}

// nameBefore returns the secret-telling name that ends the text, folded to
// letters ("api-key" and "API Key" are both apikey), or nothing.
func nameBefore(text string) string {
	text = strings.TrimRight(text, " \t\"'`]")
	end := len(text)
	from := end
	for from > 0 && (alnum(text[from-1]) || strings.IndexByte("_-. ", text[from-1]) >= 0) {
		from--
	}
	name := foldName(text[from:end])
	for _, word := range []string{
		"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "secretkey", "privatekey",
		"accountkey", "authkey", "signingkey", "encryptionkey", "masterkey", "deploykey", "credential", "credentials",
	} {
		if strings.HasSuffix(name, word) {
			if word == "passwd" || word == "pwd" || word == "passphrase" {
				return "password"
			}
			return name
		}
	}
	return ""
}

// foldName reduces a name to its letters and digits, in lower case.
func foldName(s string) string {
	out := make([]byte, 0, maxName)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if alnum(c) {
			out = append(out, c)
		}
	}
	return string(out)
}

// valueAt reads a quoted or bare value and moves start to its first byte.
func valueAt(text string, start *int) (value string, quoted bool) {
	rest := text[*start:min(len(text), *start+maxValue)]
	if rest == "" {
		return "", false
	}
	if q := rest[0]; q == '"' || q == '\'' || q == '`' {
		*start++
		end := strings.IndexAny(rest[1:], string(q)+"\n")
		if end < 0 || rest[1+end] != q {
			return "", false
		}
		return rest[1 : 1+end], true
	}
	end := strings.IndexAny(rest, " \t\r\n\"'`,;)]>|")
	if end < 0 {
		end = len(rest)
	}
	return strings.TrimRight(rest[:end], ".}"), false
}

// random reports a value that a generator made: long, of several kinds of
// characters, without the repetitions of words.
func random(s string) bool {
	// Examples in documentation are words with a number behind them.
	if len(s) < 16 || placeholder(s) || reference(s) || uuid(s) || pathLike(s) || wordy(strings.TrimRight(s, "0123456789")) {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !base64Byte(c) && strings.IndexByte("-_.~!@#%^&*", c) < 0 {
			return false
		}
	}
	if len(s) >= 32 && run(s, 0, lowerHex) == len(s) {
		return entropy(s) > 3
	}
	return kinds(s) >= 3 && entropy(s) > 3.2 || kinds(s) >= 2 && len(s) >= 20 && entropy(s) > 3.6
}

// chosen reports a password that a person may have typed: eight bytes or more,
// no blanks, three kinds of characters.
func chosen(s string) bool {
	return len(s) >= 8 && !strings.ContainsAny(s, " \t") && kinds(s) >= 3 && !wordy(s) && !pathLike(s)
}

func pathLike(s string) bool {
	return strings.HasPrefix(s, "./") || strings.HasPrefix(s, "~") || strings.Count(s, "/") > 1 && strings.Contains(s, ".")
}

// reference reports code or a template that names a value instead of being one.
func reference(s string) bool {
	if strings.ContainsAny(s, "${}<>()[]") || strings.Contains(s, "://") {
		return true
	}
	for _, prefix := range []string{"os.", "env.", "process.", "var.", "secrets.", "config.", "settings.", "self.", "this.", "vault:", "op://", "arn:", "data:", "sha256", "sha512", "ENV["} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// placeholder reports text that stands where a secret would stand.
func placeholder(s string) bool {
	if s == "" || distinct(s) < 5 {
		return true
	}
	lower := strings.ToLower(s)
	for _, word := range []string{"your", "xxxx", "****", "....", "…", "placeholder", "redacted", "changeme", "change-me", "change_me", "dummy", "elided", "abc123", "not-a-real", "notareal", "insert", "replace"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	switch lower {
	case "password", "passw0rd", "password1", "password123", "secret", "example", "postgres", "token":
		return true
	}
	return strings.ContainsAny(s, "{}<>$*%")
}

// wordy reports names: parts of letters alone or digits alone, with a separator
// between them or one case throughout.
func wordy(s string) bool {
	letters := false
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-_./: ", r) }) {
		up, low, num := classes(part)
		if num && (up || low) || up && low && !titled(part) {
			return false
		}
		letters = letters || up || low
	}
	return letters
}

// titled reports a word with a capital at its start only, or camelCase of few
// humps for its length.
func titled(part string) bool {
	humps := 0
	for i := 1; i < len(part); i++ {
		if part[i] >= 'A' && part[i] <= 'Z' {
			humps++
		}
	}
	return humps*4 <= len(part)
}

func classes(s string) (upper, lower, digit bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'A' && c <= 'Z':
			upper = true
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= '0' && c <= '9':
			digit = true
		}
	}
	return upper, lower, digit
}

// mixed reports a body that a generator would make: letters of both cases and
// digits, or, where it is long, anything that is not words.
func mixed(s string) bool {
	upper, lower, digit := classes(s)
	return digit && upper && lower || len(s) >= 30 && !wordy(s) && entropy(s) > 3
}

// kinds counts upper case, lower case, digits and signs.
func kinds(s string) int {
	upper, lower, digit := classes(s)
	n := 0
	for _, has := range []bool{upper, lower, digit, strings.ContainsAny(s, "+/=-_.~!@#^&")} {
		if has {
			n++
		}
	}
	return n
}

func distinct(s string) int {
	var seen [256]bool
	n := 0
	for i := 0; i < len(s); i++ {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := 0; i < len(s); i++ {
		count[s[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// uuid reports the form of RFC 9562.
func uuid(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !lowerHex(c) {
			return false
		}
	}
	return true
}
