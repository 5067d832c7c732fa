package cli

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSplittingLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z{},/*. ]{0,30}`).Draw(t, "text")
		parts := split(text)
		if got := strings.Join(parts, ","); got != text {
			t.Fatalf("%q became %q", text, parts)
		}
		if strings.Contains(text, " ") && len(parts) != 1 {
			t.Fatalf("the sentence %q was split into %q", text, parts)
		}
	})
}
