package packed_test

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"driftless/internal/retrieve/packed"
)

func TestWhatWasPackedIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, i := rapid.Uint64().Draw(t, "n"), rapid.Int64().Draw(t, "i")
		b, blob := rapid.Bool().Draw(t, "b"), rapid.SliceOf(rapid.Byte()).Draw(t, "blob")
		texts := rapid.SliceOf(rapid.String()).Draw(t, "texts")
		var w packed.Writer
		w.Uint(n)
		w.Int(i)
		w.Bool(b)
		w.Blob(blob)
		w.Strings(texts)
		w.Raw(blob)
		r := packed.NewReader(w.Bytes())
		if r.Uint() != n || r.Int() != i || r.Bool() != b || !bytes.Equal(r.Blob(), blob) || !slices.Equal(r.Strings(), texts) || !bytes.Equal(r.Raw(len(blob)), blob) || !r.Done() {
			t.Fatal("it reads otherwise")
		}
		short := packed.NewReader(w.Bytes()[:len(w.Bytes())-len(blob)-1])
		short.Uint()
		short.Int()
		short.Bool()
		short.Blob()
		short.Strings()
		if short.Err() == nil {
			t.Fatal("a part of it passes for all of it")
		}
	})
}

func FuzzAnyBytesAreReadOrRefused(f *testing.F) {
	f.Add([]byte{3, 1, 2, 3}, []byte{0, 1, 2})
	f.Fuzz(func(t *testing.T, data, how []byte) {
		r := packed.NewReader(data)
		for _, h := range how {
			switch h % 6 {
			case 0:
				r.Uint()
			case 1:
				r.Int()
			case 2:
				if got := r.Blob(); len(got) > len(data) {
					t.Fatal("more than there is")
				}
			case 3:
				r.Strings()
			case 4:
				_ = r.String()
			case 5:
				r.Raw(int(h))
			}
		}
		if r.Done() && r.Err() != nil {
			t.Fatal("done and damaged")
		}
	})
}
