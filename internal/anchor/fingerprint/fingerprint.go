// Package fingerprint owns what stays the same when code only looks different: for a file or a symbol in it, a hash of all that
// is neither comment nor layout, and a short hash for each of its statements, by which one can say how much of it changed.
//
// Go is read by its own scanner and parser, any other language by the lexers of chroma, and what has no lexer line by line without
// its white space. It is pure and refuses to keep text: from a fingerprint none can be read back.
package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"path"
	"strings"
)

const (
	// ContentMax is the longest content that is read, in bytes. What is longer is compared as a whole.
	ContentMax = 1 << 20
	// unitsMax bounds the statements that are kept of one file or symbol.
	unitsMax = 20_000
)

// Print is the fingerprint of a file, or of a symbol in it.
type Print struct {
	// Symbol is Name or Type.method; empty for the file.
	Symbol string
	// Absent says that the file has no such symbol. Nothing else is set then.
	Absent bool
	// Hash is over everything that is neither comment nor layout, 32 hexadecimal digits.
	Hash string
	// Signature is over what callers see of a symbol; empty where there is no such thing, or no parser to tell.
	Signature string
	// Units are short hashes of the statements or lines, in order.
	Units []uint16
	// Whole says that a symbol was asked for and the language has no parser here, so that the file stands for it.
	Whole bool
}

// Of takes the fingerprints of a file: of the whole for an empty symbol, else of that symbol. The path tells the language.
func Of(file string, content []byte, symbols []string) []Print {
	out := make([]Print, 0, len(symbols))
	if Symbols(file) {
		code := readGo(content)
		for _, s := range symbols {
			out = append(out, code.print(s))
		}
		return out
	}
	whole := ofUnits(unitsOf(file, content))
	for _, s := range symbols {
		p := whole
		p.Symbol, p.Whole = s, s != ""
		out = append(out, p)
	}
	return out
}

// Symbols reports whether the symbols of a file can be told by its language; elsewhere the file stands for them.
func Symbols(file string) bool { return path.Ext(file) == ".go" }

// unitsOf reads the lines of a file in a language other than Go.
func unitsOf(file string, content []byte) []string {
	if bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 || len(content) > ContentMax {
		sum := sha256.Sum256(content)
		return []string{string(sum[:])}
	}
	if units, ok := lexed(file, string(content)); ok {
		return units
	}
	var units []string
	for line := range strings.Lines(string(content)) {
		if line = strings.Join(strings.Fields(line), ""); line != "" {
			units = append(units, line)
		}
	}
	return units
}

// ofUnits hashes statements, each of which is the text of its tokens. Where one ends is layout, so the whole hash does not see it.
func ofUnits(units []string) Print {
	whole := sha256.New()
	p := Print{Units: make([]uint16, 0, min(len(units), unitsMax))}
	for _, u := range units {
		whole.Write([]byte(u))
		if len(p.Units) < unitsMax {
			h := fnv.New32a()
			_, _ = h.Write([]byte(u))
			sum := h.Sum32()
			p.Units = append(p.Units, uint16(sum>>16)^uint16(sum))
		}
	}
	p.Hash = hex.EncodeToString(whole.Sum(nil)[:16])
	return p
}

// Share is how much of a file or symbol changed between two fingerprints: 0 where nothing but comments and layout did, 1 where
// nothing stayed. The order of statements does not count.
func Share(before, after Print) float64 {
	if before.Hash == after.Hash {
		return 0
	}
	left := map[uint16]int{}
	for _, u := range before.Units {
		left[u]++
	}
	added := 0
	for _, u := range after.Units {
		if left[u] > 0 {
			left[u]--
		} else {
			added++
		}
	}
	removed := len(before.Units) - (len(after.Units) - added)
	return float64(max(added, removed)) / float64(max(len(before.Units), len(after.Units), 1))
}

// PackUnits writes the hashes as bytes, two for each.
func PackUnits(units []uint16) []byte {
	out := make([]byte, 0, 2*len(units))
	for _, u := range units {
		out = binary.BigEndian.AppendUint16(out, u)
	}
	return out
}

// UnpackUnits reads what [PackUnits] wrote.
func UnpackUnits(raw []byte) []uint16 {
	out := make([]uint16, 0, len(raw)/2)
	for len(raw) >= 2 {
		out, raw = append(out, binary.BigEndian.Uint16(raw)), raw[2:]
	}
	return out
}
