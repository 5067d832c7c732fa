package screen_test

import (
	"errors"
	"testing"

	"driftless/internal/screen"
)

func TestStripRemovesWhatNobodySees(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in, want string
		removed  int
	}{
		"zero-width space":           {"pay\u200bload", "payload", 1},
		"word joiner and mark":       {"a\u2060b\ufeffc", "abc", 2},
		"bidirectional override":     {"x\u202ey\u2066z\u2069", "xyz", 3},
		"tag characters":             {"hi\U000e0041\U000e007f", "hi", 2},
		"joiner between latin":       {"ro\u200dot", "root", 1},
		"joiner at the ends":         {"\u200croot\u200d", "root", 2},
		"smuggled selectors":         {"a\U000e0101\U000e0102\ufe0f", "a", 3},
		"controls":                   {"a\x00b\x1bc\x7fd\u0085e", "abcde", 4},
		"fillers":                    {"a\u3164b\u115fc", "abc", 2},
		"invisible operators":        {"a\u2062b\u00adc", "abc", 2},
		"line endings":               {"a\r\nb\rc\n", "a\nb\rc\n", 0},
		"carriage returns in a row":  {"a\r\r\nb", "a\nb", 0},
		"a line ending uncovered":    {"a\r\u200b\nb", "a\nb", 1},
		"broken bytes stay apart":    {"\xe2\u200b\x80\x8b", "\ufffd\ufffd\ufffd", 1},
		"forged flag":                {"\U0001F3F4\U000e0078\U000e0079\U000e007a\U000e007f", "\U0001F3F4", 4},
		"emoji family stays":         {"👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧", 0},
		"emoji with selector stays":  {"❤\ufe0f\u200d🔥 1\ufe0f\u20e3", "❤\ufe0f\u200d🔥 1\ufe0f\u20e3", 0},
		"doubled joiner becomes one": {"👩\u200d\u200d💻", "👩\u200d💻", 1},
		"persian stays":              {"می\u200cخواهم", "می\u200cخواهم", 0},
		"hindi stays":                {"क्\u200dष", "क्\u200dष", 0},
		"wales stays":                {"\U0001F3F4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f", "\U0001F3F4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f", 0},
		"plain":                      {"tabs\tand\nlines, ünïcode, 日本語", "tabs\tand\nlines, ünïcode, 日本語", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, removed := screen.Strip(tt.in)
			if got != tt.want || removed != tt.removed {
				t.Errorf("Strip(%q) = %q, %d; want %q, %d", tt.in, got, removed, tt.want, tt.removed)
			}
		})
	}
}

func TestValidNamesTheByte(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"ab\x00":       "not text: NUL at byte 2",
		"é\xff":        "not text: invalid UTF-8 at byte 2",
		"\xed\xa0\x80": "not text: invalid UTF-8 at byte 0",
	} {
		err := screen.Valid(in)
		if !errors.Is(err, screen.ErrNotText) || err.Error() != want {
			t.Errorf("Valid(%q) = %v, want %s", in, err, want)
		}
	}
	for _, in := range []string{"", "plain", "\ufffd is a character", "日本"} {
		if err := screen.Valid(in); err != nil {
			t.Errorf("Valid(%q) = %v", in, err)
		}
	}
}

func FuzzStripIsIdempotentAndLeavesText(f *testing.F) {
	for _, s := range []string{"a\r\u200b\nb", "\xe2\u200b\x80", "👩\u200d\u200d💻", "\U0001F3F4\U000e0067", "\ufe0f\ufe0f", "क\u200c\u200d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, _ := screen.Strip(s)
		twice, removed := screen.Strip(once)
		if twice != once || removed != 0 {
			t.Errorf("Strip(Strip(%q)) = %q, %d; want %q, 0", s, twice, removed, once)
		}
		if err := screen.Valid(once); err != nil {
			t.Errorf("Strip(%q) left %v", s, err)
		}
	})
}
