package drift

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"driftless/internal/anchor"
	"driftless/internal/drift/claim"
	"driftless/internal/drift/unified"
	"driftless/internal/fault"
	"driftless/internal/source/repo"
)

// edit is one local change, with the words of its lines where they are known.
type edit struct {
	repo.Change
	words map[string]bool
}

// statusWords are what people and programs write for what happened to a file.
var statusWords = map[string]repo.Status{
	"": repo.Modified, "m": repo.Modified, "modified": repo.Modified, "changed": repo.Modified, "t": repo.Modified,
	"a": repo.Added, "added": repo.Added, "new": repo.Added, "c": repo.Added, "copied": repo.Added, "?": repo.Added, "??": repo.Added, "untracked": repo.Added,
	"d": repo.Deleted, "deleted": repo.Deleted, "removed": repo.Deleted,
	"r": repo.Renamed, "renamed": repo.Renamed, "moved": repo.Renamed,
}

// fromList reads changes that are paths or objects.
func fromList(list []any) ([]edit, error) {
	out := make([]edit, 0, len(list))
	for i, item := range list {
		at := fmt.Sprintf("changes[%d]", i)
		switch v := item.(type) {
		case string:
			out = append(out, edit{Change: repo.Change{Path: v, Status: repo.Modified}})
		case map[string]any:
			c, err := fromObject(v, at)
			if err != nil {
				return nil, err
			}
			out = append(out, edit{Change: c})
		default:
			return nil, fault.Fieldf(at, "must be a path or {path, status, old_path}")
		}
	}
	return out, nil
}

func fromObject(fields map[string]any, at string) (c repo.Change, err error) {
	text := map[string]string{}
	for name, value := range fields {
		word, is := value.(string)
		if !is || !slices.Contains([]string{"path", "status", "old_path"}, name) {
			return c, fault.Fieldf(at+"."+name, "the fields are path, status and old_path, all of them text")
		}
		text[name] = word
	}
	word := strings.ToLower(strings.TrimSpace(text["status"]))
	// git writes how similar the two names are behind the letter: R087.
	status, known := statusWords[strings.TrimRight(word, "0123456789")]
	if !known {
		return c, fault.Choice(at+".status", text["status"], []string{"A", "M", "D", "R", "added", "modified", "deleted", "renamed"})
	}
	if text["path"] == "" {
		return c, fault.Fieldf(at+".path", "required")
	}
	if (status == repo.Renamed) != (text["old_path"] != "") {
		return c, fault.Fieldf(at+".old_path", "goes with status R, and only with it")
	}
	return repo.Change{Path: text["path"], Status: status, OldPath: text["old_path"]}, nil
}

// fromPatch reads the changes of a unified diff.
func fromPatch(text string) ([]edit, error) {
	files, err := unified.Parse(text)
	if err != nil {
		return nil, fault.Fieldf("unified_diff", "%v", err)
	}
	out := make([]edit, 0, len(files))
	for _, f := range files {
		e := edit{Change: f.Change, words: map[string]bool{}}
		for _, line := range slices.Concat(f.Removed, f.Added) {
			for _, word := range identifiers(line) {
				e.words[word] = true
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// clean brings the paths into the form that anchors are matched against.
func (e edit) clean() (edit, bool) {
	var err error
	if e.Path, err = anchor.NormalizePath(e.Path); err != nil {
		return e, false
	}
	if e.OldPath != "" {
		e.OldPath, err = anchor.NormalizePath(e.OldPath)
	}
	return e, err == nil
}

// wordMin is the shortest word that ties a sentence to a line of code; wordsOfAll are those that tie nothing.
const wordMin = 3

var wordsOfAll = []string{
	"and", "are", "but", "def", "end", "for", "func", "function", "has", "int", "let", "new", "nil", "not", "null", "pass", "return", "self", "string",
	"that", "the", "this", "true", "false", "use", "var", "const", "void", "with", "from", "import", "class", "else", "type", "public", "private",
}

// identifiers are the words of a line in small letters.
func identifiers(line string) []string {
	words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	return slices.DeleteFunc(words, func(w string) bool { return len(w) < wordMin || slices.Contains(wordsOfAll, w) })
}

// doubtfulMax is how many sentences of a topic are answered.
const doubtfulMax = 5

// doubtful picks the sentences of a topic that speak of what changed: those that name a file of it, or a word of its lines.
// Where none does, its invariants and checks are what a change would break.
func doubtful(c claim.Claim, changes []edit) []Sentence {
	fields := []struct {
		name  string
		items []string
	}{
		{"invariants", c.Body.Invariants},
		{"required_checks", c.Body.RequiredChecks},
		{"decisions", c.Body.Decisions},
		{"gotchas", c.Body.Gotchas},
		{"what", one(c.What)},
		{"how", one(c.Body.How)},
	}
	out := []Sentence{}
	for _, f := range fields {
		for i, text := range f.items {
			if why := spokenOf(text, changes); why != "" && len(out) < doubtfulMax {
				out = append(out, Sentence{Field: place(f.name, i), Text: text, Why: why})
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, f := range fields[:2] {
		for i, text := range f.items {
			if len(out) < doubtfulMax {
				out = append(out, Sentence{Field: place(f.name, i), Text: text, Why: "it has to hold for what changed"})
			}
		}
	}
	return out
}

func one(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func place(field string, i int) string {
	if field == "what" || field == "how" {
		return field
	}
	return fmt.Sprintf("%s/%d", field, i)
}

// spokenOf says how a text speaks of changes, or nothing.
func spokenOf(text string, changes []edit) string {
	low := strings.ToLower(text)
	words := identifiers(text)
	for _, c := range changes {
		for _, p := range []string{c.Path, c.OldPath} {
			if p == "" {
				continue
			}
			if name := path.Base(p); strings.Contains(text, name) {
				return "it names " + name
			}
			if stem := strings.ToLower(strings.TrimSuffix(path.Base(p), path.Ext(p))); len(stem) > wordMin && strings.Contains(low, stem) {
				return "it speaks of " + stem
			}
		}
		for _, w := range words {
			if c.words[w] {
				return "a changed line has " + w
			}
		}
	}
	return ""
}
