package opaque_test

import (
	"bytes"
	"strings"
	"testing"

	"driftless/internal/opaque"
)

func TestASecretIsNewEachTimeAndKeepsItsPrefix(t *testing.T) {
	t.Parallel()
	a, b := opaque.New("dl_"), opaque.New("dl_")
	if a == b || !strings.HasPrefix(a, "dl_") {
		t.Errorf("got %q and %q, want two with the prefix", a, b)
	}
	if string(opaque.Hash(a)) == string(opaque.Hash(b)) {
		t.Error("two secrets have one hash")
	}
}

func TestWhatIsNoSecretIsTold(t *testing.T) {
	t.Parallel()
	made := opaque.New("")
	for text, want := range map[string]bool{made: true, "": false, made[1:]: false, made + made: false, strings.Repeat("!", len(made)): false} {
		if got := opaque.Is(text); got != want {
			t.Errorf("Is(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestWhatIsSealedIsReadWithItsKeyAlone(t *testing.T) {
	t.Parallel()
	key, other := opaque.Hash("a key"), opaque.Hash("another key")
	sealed, err := opaque.Seal([]byte("a token"), key)
	if err != nil {
		t.Fatal(err)
	}
	again, err := opaque.Seal([]byte("a token"), key)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(sealed, again) || bytes.Contains(sealed, []byte("token")) {
		t.Error("what is sealed tells something about the text")
	}
	if plain, err := opaque.Open(sealed, key); err != nil || string(plain) != "a token" {
		t.Errorf("got %q, %v", plain, err)
	}
	changed := bytes.Clone(sealed)
	changed[len(changed)-1] ^= 1
	for name, try := range map[string]struct{ sealed, key []byte }{
		"another key": {sealed, other}, "changed": {changed, key}, "cut off": {sealed[:5], key}, "empty": {nil, key}, "a short key": {sealed, key[:5]},
	} {
		if plain, err := opaque.Open(try.sealed, try.key); err == nil {
			t.Errorf("%s: opened as %q", name, plain)
		}
	}
}
