package account

import (
	"strings"
	"unicode/utf8"

	"driftless/internal/screen"
)

// deviceMax bounds what is kept of a User-Agent that is not understood, in characters.
const deviceMax = 60

// signs are what gives a browser or a system away in a User-Agent. The first that is found counts: browsers name those they
// descend from as well.
type sign struct{ mark, name string }

func browsers() []sign {
	return []sign{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"Firefox/", "Firefox"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
	}
}

func systems() []sign {
	return []sign{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"Windows", "Windows"},
		{"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"},
		{"Linux", "Linux"},
	}
}

// device names a device in a few words, such as "Firefox on Linux", so that its person recognises it in a list.
func device(userAgent string) string {
	browser, system := first(browsers(), userAgent), first(systems(), userAgent)
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case browser+system != "":
		return browser + system
	}
	plain, _ := screen.Strip(userAgent)
	plain = strings.Join(strings.Fields(plain), " ")
	if utf8.RuneCountInString(plain) > deviceMax {
		plain = string([]rune(plain)[:deviceMax-1]) + "…"
	}
	if plain == "" {
		return "Unknown device"
	}
	return plain
}

func first(signs []sign, text string) string {
	for _, s := range signs {
		if strings.Contains(text, s.mark) {
			return s.name
		}
	}
	return ""
}
