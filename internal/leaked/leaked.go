// Package leaked owns the question whether a password is one that guessing begins with: it is among those that leaked most
// often, it says what everybody near the account knows, or it is hardly a text at all. This is the blocklist that NIST SP
// 800-63B-4 section 3.1.1.2 asks for. It works offline, on a list in the program and, where an operator has one, a file.
//
// It refuses to measure how strong a password is, to ask for kinds of characters, and to keep or log what it was shown.
//
// The list is passwords.txt: the 49,233 most frequent ones of leaks, as @zxcvbn-ts/language-common 4.1.3 has them (MIT,
// passwords.LICENSE), in lower case, sorted by bytes.
package leaked

import (
	"crypto/sha1" //nolint:gosec // the form in which lists of leaked passwords are handed around, no protection of anything
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed passwords.txt
var common string

// Checker says what is wrong with a password. The zero Checker knows the list of the program alone.
type Checker struct {
	// File holds the SHA-1 of leaked passwords, in hexadecimal digits and sorted, one "HASH:COUNT" a line. It may be far larger
	// than the memory: a look-up reads about forty short pieces of it.
	File string
}

const (
	// padding is how many digits and signs around a leaked password still leave it that password.
	padding = 6
	// shortUnit is how long a part may be, in characters, whose repetition is no password, whatever it is.
	shortUnit = 4
	// shortWord is the length, in characters, from which a word about the account counts.
	shortWord = 4
)

// Problem says what is wrong with a password, as the end of a sentence that begins with "it"; "" means nothing. about is what
// is known around the account: addresses, names, the workspace, the product. It fails when the file cannot be read.
//
// The rule, with the case of letters ignored: refused is what is on the list, with up to six digits or signs around it; what
// consists of words of four characters or more from about, and up to six digits or signs; what repeats a part of up to four
// characters or one on the list; what counts up or down; and, as it is written, what is in the file.
func (c Checker) Problem(password string, about ...string) (string, error) {
	text := strings.ToLower(password)
	switch {
	case slices.ContainsFunc(cores(text), isCommon):
		return "is on the list of leaked passwords, or one of them with a few digits or signs around it", nil
	case saysNothingElse(text, words(about)):
		return "says only what is known about the account: its address, its name, the workspace or the product", nil
	case repeats(text) || counts(text):
		return "is a part that repeats, or counts up or down", nil
	}
	found, err := c.inFile(password)
	if err != nil {
		return "", err
	}
	if found {
		return "is on the list of leaked passwords", nil
	}
	return "", nil
}

// Check fails when the file is not one that passwords can be looked up in.
func (c Checker) Check() error {
	if c.File == "" {
		return nil
	}
	f, err := os.Open(c.File)
	if err != nil {
		return fmt.Errorf("the leaked passwords cannot be read: %w", err)
	}
	defer func() { _ = f.Close() }()
	first := make([]byte, 2*sha1.Size+1)
	if _, err := f.ReadAt(first, 0); err != nil {
		return fmt.Errorf("the leaked passwords in %s cannot be read: %w", c.File, err)
	}
	if _, err := hex.DecodeString(string(first[:2*sha1.Size])); err != nil || first[2*sha1.Size] != ':' {
		return fmt.Errorf("%s does not begin with a line like %s:12, 40 hexadecimal digits and a count", c.File, strings.Repeat("0", 2*sha1.Size))
	}
	return nil
}

func isCommon(text string) bool {
	found, err := lines{strings.NewReader(common), int64(len(common))}.has(text)
	return err == nil && found
}

func (c Checker) inFile(password string) (bool, error) {
	if c.File == "" {
		return false, nil
	}
	f, err := os.Open(c.File)
	if err != nil {
		return false, fmt.Errorf("open the leaked passwords: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return false, fmt.Errorf("open the leaked passwords: %w", err)
	}
	sum := sha1.Sum([]byte(password)) //nolint:gosec // see the import
	found, err := lines{f, info.Size()}.hasHash(strings.ToUpper(hex.EncodeToString(sum[:])))
	if err != nil {
		return false, fmt.Errorf("search the leaked passwords: %w", err)
	}
	return found, nil
}

// cores are the text without any of the up to six digits and signs at its ends.
func cores(text string) []string {
	runes := []rune(text)
	out := []string{}
	for head := 0; head <= padding && head < len(runes); head++ {
		if head > 0 && unicode.IsLetter(runes[head-1]) {
			break
		}
		for tail := 0; head+tail <= padding && head+tail < len(runes); tail++ {
			if tail > 0 && unicode.IsLetter(runes[len(runes)-tail]) {
				break
			}
			out = append(out, string(runes[head:len(runes)-tail]))
		}
	}
	return out
}

// words are the words about an account, the longest first: those of a name or of one side of an address, and what they are
// when written as one.
func words(about []string) []string {
	out := []string{}
	for _, text := range about {
		for side := range strings.SplitSeq(strings.ToLower(text), "@") {
			parts := strings.FieldsFunc(side, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			out = append(out, append(parts, strings.Join(parts, ""))...)
		}
	}
	out = slices.DeleteFunc(out, func(word string) bool { return utf8.RuneCountInString(word) < shortWord })
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

func saysNothingElse(text string, words []string) bool {
	rest := text
	for _, word := range words {
		rest = strings.ReplaceAll(rest, word, "")
	}
	return rest != text && utf8.RuneCountInString(rest) <= padding && !strings.ContainsFunc(rest, unicode.IsLetter)
}

func repeats(text string) bool {
	runes := []rune(text)
	for unit := 1; unit <= len(runes)/2; unit++ {
		// What repeats with a period is equal to itself moved by it; the last turn may be cut short.
		if slices.Equal(runes[unit:], runes[:len(runes)-unit]) && (unit <= shortUnit || isCommon(string(runes[:unit]))) {
			return true
		}
	}
	return false
}

// counts reports whether each character is the next one after the last, or each the one before.
func counts(text string) bool {
	runes := []rune(text)
	step := rune(0)
	for i := 1; i < len(runes); i++ {
		by := runes[i] - runes[i-1]
		if (by != 1 && by != -1) || (step != 0 && by != step) {
			return false
		}
		step = by
	}
	return step != 0
}
