// Command globs holds the dialect of anchors against a table of what other matchers say about patterns and paths, prints how many
// rows are the same, and fails when a row differs for another reason than the manual gives. The table is a file that is named as
// its argument; it is no part of this repository.
//
// It refuses to explain a row by its outcome: which rows may differ, and what they have to answer then, follows from the pattern
// and the path alone.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"

	"driftless/internal/anchor"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: globs TABLE")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "globs:", err)
		os.Exit(1)
	}
}

// answer is what a matcher says of a pattern and a path.
type answer string

const (
	yes     answer = "true"
	no      answer = "false"
	refused answer = "error"
)

func of(matches bool) answer {
	if matches {
		return yes
	}
	return no
}

func run(table string) error {
	f, err := os.Open(table)
	if err != nil {
		return fmt.Errorf("open the table: %w", err)
	}
	defer func() { _ = f.Close() }()
	var same, rows int
	differs := map[string]int{}
	lines := bufio.NewScanner(f)
	for first := true; lines.Scan(); first = false {
		fields := strings.Split(lines.Text(), "\t")
		if first || len(fields) < 4 {
			continue
		}
		pattern, path, fact := fields[1], fields[2], answer(fields[3])
		ours := dialect(pattern, path)
		reason, want := expected(pattern, path, fact)
		if ours != want {
			fmt.Printf("  %q on %q: %s, must be %s (%s)\n", pattern, path, ours, want, reason)
			differs["unexplained"]++
		}
		rows++
		if reason == "" {
			same++
		} else if ours != fact {
			differs[reason]++
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read the table: %w", err)
	}
	fmt.Printf("globs: %d rows, in %d of them the dialect equals doublestar\n", rows, same)
	for _, reason := range slices.Sorted(maps.Keys(differs)) {
		fmt.Printf("globs: %4d differ: %s\n", differs[reason], reason)
	}
	switch {
	case rows == 0:
		return errors.New("the table has no rows")
	case differs["unexplained"] > 0:
		return fmt.Errorf("%d rows are not what the manual says", differs["unexplained"])
	}
	return nil
}

// dialect is what an anchor with this text says of a path.
func dialect(pattern, path string) answer {
	a, err := anchor.Parse(pattern)
	if err != nil {
		return refused
	}
	return of(a.Match(path))
}

// expected says what an anchor has to answer, and for which reason that may not be what doublestar says; without one it is.
func expected(pattern, path string, fact answer) (reason string, want answer) {
	if why := refusal(pattern); why != "" {
		return why, refused
	}
	if fact == refused {
		return "", refused // doublestar asked by itself; the dialect refuses at least as much
	}
	if clean, err := anchor.NormalizePath(path); err != nil {
		return "the path lies in no repository", no
	} else if clean != path {
		reason, path = "the path is normalised", clean
	}
	rewritten, how := rewrite(pattern)
	if how != "" {
		reason = how
	}
	if reason == "" {
		return "", fact
	}
	for _, p := range rewritten {
		if ok, err := doublestar.Match(p, path); err == nil && ok {
			return reason, yes
		}
	}
	return reason, no
}

// refusal is why the dialect has no such pattern, or empty.
func refusal(pattern string) string {
	rest, exclusion := strings.CutPrefix(pattern, "!")
	last := rest[strings.LastIndexByte(rest, '/')+1:]
	switch {
	case strings.TrimSpace(pattern) == "":
		return "refused: empty"
	case strings.ContainsRune(pattern, '\\'):
		return "refused: a backslash"
	case slices.Contains(strings.Split(rest, "/"), ".."):
		return "refused: it leaves the folder"
	case strings.ContainsFunc(pattern, unicode.IsControl):
		return "refused: a control character"
	case exclusion && (rest == "" || rest[0] == '!'):
		return "refused: an exclusion of nothing"
	case strings.Contains(pattern, "[[:"):
		return "refused: a named class"
	case strings.Contains(members(pattern), "/"):
		return "refused: a slash in a class"
	case backwards(members(pattern)):
		return "refused: a range that runs backwards"
	case strings.Count(pattern, "{") != strings.Count(pattern, "}"):
		return "refused: a brace without a partner"
	case strings.HasPrefix(last, "#"):
		return "refused: a symbol without its file"
	}
	return ""
}

// members are those of the first character class.
func members(pattern string) string {
	_, rest, open := strings.Cut(pattern, "[")
	in, _, closed := strings.Cut(rest, "]")
	if !open || !closed {
		return ""
	}
	return in
}

func backwards(members string) bool {
	from, to, ranged := strings.Cut(members, "-")
	return ranged && from != "" && to != "" && from[len(from)-1] > to[0]
}

// rewrite spells out for doublestar what a pattern means here, and says by which rule that is another pattern.
func rewrite(pattern string) (patterns []string, rule string) {
	text := norm.NFC.String(pattern)
	if text != pattern {
		rule = "accents are compared in one form"
	}
	if body, exclusion := strings.CutPrefix(text, "!"); exclusion {
		text, rule = body, "! excludes what follows"
	}
	var segments []string
	for segment := range strings.SplitSeq(text, "/") {
		if segment != "" && segment != "." {
			segments = append(segments, segment)
		}
	}
	if plain := strings.Join(segments, "/"); plain != strings.TrimSuffix(text, "/") {
		rule = "leading, doubled and dot slashes are dropped"
	}
	if !strings.Contains(text, "/") {
		segments, rule = append([]string{"**"}, segments...), "without a slash it means any depth"
	}
	path := join(segments)
	switch below := join(append(segments, "**")); {
	case text == "." || strings.HasSuffix(text, "/"):
		return []string{below}, "a folder means all that is below it"
	case !strings.ContainsAny(text, "*?["):
		return []string{path, below}, "a plain path means the folder, too"
	}
	return []string{path}, rule
}

// join reads repeated ** like one.
func join(segments []string) string {
	return strings.Join(slices.CompactFunc(slices.Clone(segments), func(a, b string) bool { return a == "**" && b == a }), "/")
}
