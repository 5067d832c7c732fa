package doctor

import (
	"hash/maphash"
	"math/bits"
	"strings"
	"unicode"
)

// simSeed is one for the process: fingerprints are compared within one look and never kept.
var simSeed = maphash.MakeSeed()

// fingerprint is a SimHash (Charikar 2002) over the runs of three words of a text: texts that share most of their runs differ
// in few bits. ok is false for a text that is too short to be compared.
func fingerprint(text string) (print uint64, ok bool) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) < runsMin+2 {
		return 0, false
	}
	var votes [64]int
	for i := range len(words) - 2 {
		h := maphash.String(simSeed, words[i]+" "+words[i+1]+" "+words[i+2])
		for bit := range votes {
			if h>>bit&1 == 1 {
				votes[bit]++
			} else {
				votes[bit]--
			}
		}
	}
	for bit, n := range votes {
		if n > 0 {
			print |= 1 << bit
		}
	}
	return print, true
}

// runsMin is how many runs of words a text needs; nearBits how many bits two fingerprints may differ in and still be near.
const (
	runsMin  = 5
	nearBits = 3
)

// near finds for each fingerprint the first one before it that is near, by index, or -1. With four bits more than may differ
// in bands, two that are near agree in one of them, so only those are compared (Manku, Jain, Das Sarma 2007).
func near(prints []uint64) []int {
	const bands = nearBits + 1
	out := make([]int, len(prints))
	var buckets [bands]map[uint16][]int
	for b := range buckets {
		buckets[b] = map[uint16][]int{}
	}
	for i, p := range prints {
		out[i] = -1
		for b := range buckets {
			for _, j := range buckets[b][uint16(p>>(16*b))] {
				if bits.OnesCount64(p^prints[j]) <= nearBits && (out[i] < 0 || j < out[i]) {
					out[i] = j
				}
			}
		}
		if out[i] >= 0 {
			// Its like is in the buckets already, so a crowd of equals is compared with one.
			continue
		}
		for b := range buckets {
			key := uint16(p >> (16 * b))
			buckets[b][key] = append(buckets[b][key], i)
		}
	}
	return out
}
