package oauth_test

import "testing"

// BenchmarkByToken is what each call of a client pays for its credential.
func BenchmarkByToken(b *testing.B) {
	w := newWorld(b)
	p := w.connect(w.register(callback))
	for b.Loop() {
		if _, ok, err := w.server.ByToken(b.Context(), p.access); err != nil || !ok {
			b.Fatal(ok, err)
		}
	}
}
