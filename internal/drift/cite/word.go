package cite

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"driftless/internal/anchor"
)

var (
	name = regexp.MustCompile(`^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?$`)
	flag = regexp.MustCompile(`^--[a-z][a-z0-9]*(?:-[a-z0-9]+)*$`)
	task = regexp.MustCompile(`^[A-Za-z][\w-]*(?::[\w-]+)*$`)
)

// The shortest words that are looked for: shorter ones occur everywhere.
const (
	nameMin = 4
	flagMin = 3
)

// wordOf reads a name, a flag or a key that stands alone in code. What could be any word of a language, as one in small letters, is
// none.
func wordOf(text string) (Ref, bool) {
	if text, _, _ = strings.Cut(text, "="); flag.MatchString(text) {
		return Ref{Word, text}, len(text) >= len("--")+flagMin && len(text) <= TextMax
	}
	if !name.MatchString(text) || len(text) > TextMax {
		return Ref{}, false
	}
	r := Ref{Word, text}
	last := r.Sought()
	telling := strings.HasSuffix(text, "()") || strings.Contains(last, "_") || humped(last) || last != text && unicode.IsUpper([]rune(last)[0])
	return r, telling && len(last) >= nameMin
}

// humped reports a name in which a capital follows a small letter.
func humped(name string) bool {
	small := false
	for _, r := range name {
		if small && unicode.IsUpper(r) {
			return true
		}
		small = unicode.IsLower(r)
	}
	return false
}

// taskOf reads what a command that runs the tasks of a repository is to run.
func taskOf(words []string) (Ref, bool) {
	for i, w := range words {
		next := i + 1
		switch w {
		case "make", "just", "task":
		case "npm", "pnpm", "yarn", "bun":
			if next >= len(words) || words[next] != "run" {
				continue
			}
			next++
		default:
			continue
		}
		if next < len(words) && task.MatchString(words[next]) && len(words[next]) >= flagMin && len(words[next]) <= TextMax {
			return Ref{Word, words[next]}, true
		}
	}
	return Ref{}, false
}

// Sought is what has to occur in the code of a repository for a word to hold: the last part of a name, a flag without its dashes.
func (r Ref) Sought() string {
	text := strings.TrimSuffix(strings.TrimPrefix(r.Text, "--"), "()")
	if i := strings.LastIndexAny(text, ".>"); i >= 0 {
		text = text[i+1:]
	}
	if i := strings.LastIndex(text, "::"); i >= 0 {
		text = text[i+2:]
	}
	return text
}

// Code reports whether words are looked for in a file: not in documents, which speak of what is gone, nor in what tools fill.
func Code(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".mdx", ".rst", ".adoc", ".txt", ".svg", ".po":
		return false
	}
	return !anchor.IsGenerated(file)
}

// Find tells which of these words stand in a content, each as a whole. A content that is no text has none.
func Find(content []byte, words map[string]bool, found func(word string)) {
	if bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 {
		return
	}
	from := -1
	for i := range len(content) + 1 {
		if i < len(content) && inWord(content[i]) {
			if from < 0 {
				from = i
			}
			continue
		}
		if from >= 0 && words[string(content[from:i])] {
			found(string(content[from:i]))
		}
		from = -1
	}
	for word := range words {
		if strings.ContainsAny(word, "-:") && stands(content, word) {
			found(word)
		}
	}
}

func inWord(b byte) bool {
	return b == '_' || b == '$' || b >= 0x80 || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// stands looks for a word of several parts that is no part of a longer one.
func stands(content []byte, word string) bool {
	for at := 0; ; {
		i := bytes.Index(content[at:], []byte(word))
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || !inWord(content[from-1])) && (to == len(content) || !inWord(content[to]) && content[to] != '-') {
			return true
		}
		at = from + 1
	}
}

// Words are those of the references that are sought, each once.
func Words(refs []Ref) []string {
	var out []string
	for _, r := range refs {
		if w := r.Sought(); r.Kind == Word && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
