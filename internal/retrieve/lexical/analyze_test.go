package lexical

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// scanned renders words, wholes in brackets.
func scanned(text string) string {
	var out []string
	scan(text, func(w word) {
		if w.whole {
			out = append(out, "["+w.text+"]")
			return
		}
		out = append(out, w.text)
	})
	return strings.Join(out, " ")
}

func TestScanSplitsTextIntoWordsAndIdentifiersIntoParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"prose", "The kiln fires, on Mondays.", "the kiln fires on mondays"},
		{"camel case with acronym and digit", "getHTTPServer2", "[gethttpserver2] get http server 2"},
		{"snake case", "retry_after_ms", "[retry_after_ms] retry after ms"},
		{"upper snake case", "SOURCE_DATE", "[source_date] source date"},
		{"kebab case", "dead-letter", "[dead-letter] dead letter"},
		{"dotted", "http.StatusTeapot", "[http.statusteapot] http status teapot"},
		{"path", "billing/charge/run.py", "[billing/charge/run.py] billing charge run py"},
		{"glob", "web/**/*.ts", "web ts"},
		{"version", "v1.22", "[v1.22] v 1 22"},
		{"plural acronym", "parse URLs", "parse urls"},
		{"flags", "go test -- --race -count=1", "go test race count 1"},
		{"possessive", "the team's don't", "the team dont"},
		{"typographic apostrophe", "team’s", "team"},
		{"full stop at the end", "done. Next", "done next"},
		{"full width and ligature", "ＡＢＣ ﬁle", "abc file"},
		{"accents stay for the stemmer", "Facturación", "facturación"},
		{"decomposed accent", "sesio\u0301n", "sesión"},
		{"zero width inside a word", "ket\u200btle", "kettle"},
		{"bidi and control", "a\u202eb \x07c\x00d", "ab cd"},
		{"soft hyphen", "ket\u00adtle", "kettle"},
		{"han has no spaces", "数据库", "数 据 库"},
		{"cyrillic", "Привет, мир", "привет мир"},
		{"emoji part words", "red🔥kettle", "red kettle"},
		{"bytes that are not text", "red\xff\xfekettle", "red kettle"},
		{"a mark alone", "\u0301", ""},
		{"separators", "' = 1 -- %_\\ ((", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := scanned(c.text); got != c.want {
				t.Errorf("scan(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestScanCutsLongTokens(t *testing.T) {
	t.Parallel()
	for _, long := range []string{strings.Repeat("x", 500), strings.Repeat("ñ", 500)} {
		if got := utf8.RuneCountInString(scanned(long)); got != maxTokenRunes {
			t.Errorf("token of %d runes, want %d", got, maxTokenRunes)
		}
	}
}

func TestStem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language Language
		words    []string
		want     string
	}{
		{English, []string{"retry", "retries", "retried"}, "retri"},
		{English, []string{"invoice", "invoices", "invoicing"}, "invoic"},
		{English, []string{"resume", "résumé"}, "resum"},
		{Spanish, []string{"facturación", "facturacion", "facturaciones"}, "factur"},
		{Spanish, []string{"sesión", "sesion", "sesiones"}, "sesion"},
		{Spanish, []string{"código", "codigo", "códigos"}, "codig"},
		{Spanish, []string{"está"}, "esta"},
		{English, []string{"4310"}, "4310"},
		{English, []string{"мир"}, "мир"},
	} {
		for _, w := range c.words {
			if got := stem(word{text: w}, c.language); got != fold(c.want) {
				t.Errorf("stem(%q, %v) = %q, want %q", w, c.language, got, fold(c.want))
			}
		}
	}
}

func TestDetect(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Language{
		"":                               English,
		"kettle":                         English,
		"The invoice is sent by mail":    English,
		"La factura se envía por correo": Spanish,
		"no me":                          English,
		"Reintentos del webhook: cada cinco minutos, hasta tres veces": Spanish,
	} {
		if got := Detect(text); got != want {
			t.Errorf("Detect(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestAnalysisKeepsPositionsOfStopWordsAndPartsListEntries(t *testing.T) {
	t.Parallel()
	a := analyse(&Doc{Title: "State of the Queue", Lists: []string{"One.", "Two!"}}, newStems())
	if diff := cmp.Diff([]string{"state", "of", "the", "queue"}, a.fields[Title].positions); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"one", "", "two"}, a.fields[Lists].positions); diff != "" {
		t.Error(diff)
	}
}

func TestLengthCodeIsExactForShortFieldsAndCloseForLong(t *testing.T) {
	t.Parallel()
	for n := range 200_000 {
		got := lengthOf(lengthCode(n))
		if n < 32 && got != n || got > n || float64(got) < float64(n)*0.93 {
			t.Fatalf("length %d is read back as %d", n, got)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"kettl", "kettl", 2, 0},
		{"kettl", "ketl", 2, 1},
		{"kettl", "kettel", 2, 1},
		{"kettl", "kettx", 2, 1},
		{"schedul", "shcedul", 2, 1},
		{"schedul", "shcedlu", 2, 2},
		{"kettl", "anchor", 1, 2},
		{"año", "ano", 1, 1},
	} {
		if got := distance([]rune(c.a), c.b, c.limit); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
