package screen

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

const (
	maxPayloads = 50
	maxPayload  = 4 << 10 // encoded bytes looked at
)

// findEncoded decodes stretches that look like base64 (RFC 4648), hexadecimal
// or binary octets and holds what they say against the rules. It does not
// descend into what it decoded.
func findEncoded(text string, found *spans) {
	left := maxPayloads
	for i := 0; i < len(text) && left > 0; {
		end := run(text, i, payloadByte)
		if bits := binaryRun(text, i); bits > i {
			end = bits
		}
		if end-i >= 24 {
			body := text[i:min(end, i+maxPayload)]
			if hidesOrder(body) {
				found.add("encoded", i, end)
			}
			left--
		}
		i = end + 1
	}
}

func payloadByte(c byte) bool { return base64Byte(c) || c == '-' || c == '_' }

// hidesOrder reports an encoded order. A sentence in hexadecimal or binary
// digits is enough; base64 has honest uses, and must read like an order.
func hidesOrder(body string) bool {
	if plain := octets(body); readable(plain) {
		return true
	}
	if b, err := hex.DecodeString(body[:len(body)&^1]); err == nil && readable(string(b)) {
		return strings.Count(string(b), " ") >= 3 || ordersReader(string(b))
	}
	trimmed := strings.TrimRight(body, "=")
	trimmed = trimmed[:len(trimmed)&^3+[4]int{0, 0, 2, 3}[len(trimmed)&3]]
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if b, err := enc.DecodeString(trimmed); err == nil && readable(string(b)) && ordersReader(string(b)) {
			return true
		}
	}
	return false
}

// binaryRun returns the end of a run of zeros, ones and blanks at i, or i.
func binaryRun(text string, i int) int {
	end := run(text, i, func(c byte) bool { return c == '0' || c == '1' || c == ' ' })
	if end-i < 40 {
		return i
	}
	return end
}

// octets reads groups of eight binary digits as far as they go.
func octets(body string) string {
	var out []byte
	for _, group := range strings.Fields(body) {
		if len(group) != 8 {
			break
		}
		var c byte
		for _, bit := range []byte(group) {
			if bit != '0' && bit != '1' {
				return string(out)
			}
			c = c<<1 | (bit - '0')
		}
		out = append(out, c)
	}
	return string(out)
}

// readable reports text rather than bytes that happen to decode.
func readable(s string) bool {
	if len(s) < 5 || !utf8.ValidString(s) {
		return false
	}
	letters := 0
	for _, r := range s {
		switch {
		case r < ' ' && r != '\n' && r != '\t' && r != '\r':
			return false
		case r == ' ' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f:
			letters++
		}
	}
	return letters*4 >= utf8.RuneCountInString(s)*3
}

// ordersReader is stricter than the rules: who hides a sentence and starts it
// with "ignore" needs no second word.
func ordersReader(plain string) bool {
	f := fold(plain)
	if len(match(f)) > 0 {
		return true
	}
	for _, h := range scan(f) {
		if h.concept == drop || h.concept == dropAfter {
			return true
		}
	}
	return false
}
