// Package unified owns reading a unified diff: which files it changes, and the lines it takes away and puts in their place.
//
// It is pure and refuses to apply anything. It takes what git, diff -u and patch take; what stands between the files is not
// its business, and a binary file is one whose lines are not told.
package unified

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"driftless/internal/source/repo"
)

const (
	// FilesMax is how many files a diff may change.
	FilesMax = 2000
	// linesMax is how many changed lines of one file are kept.
	linesMax = 2000
)

// File is what happens to one file.
type File struct {
	repo.Change
	// Removed and Added are the changed lines, without their signs.
	Removed, Added []string
}

// Parse reads a diff. An error names the line, counted from 1.
func Parse(text string) ([]File, error) {
	p := parser{}
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		if err := p.take(strings.TrimSuffix(line, "\r")); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := p.close(); err != nil {
		return nil, fmt.Errorf("line %d: %w", number, err)
	}
	if len(p.files) == 0 {
		return nil, errors.New("it changes no file; a diff has lines such as --- a/path and +++ b/path")
	}
	return p.files, nil
}

// parser goes from line to line. Within a hunk the counts of its head decide what is text, so that a removed line "-- x" is
// not taken for the name of a file.
type parser struct {
	files []File
	open  *File
	// old and new are the paths as named so far; a name of nothing says that the file begins or ends to be.
	old, new string
	// minus and plus are how many lines the hunk still has on either side.
	minus, plus int
}

const nothing = "/dev/null"

func (p *parser) take(line string) error {
	if p.minus > 0 || p.plus > 0 {
		return p.hunkLine(line)
	}
	switch {
	case strings.HasPrefix(line, "diff --git "):
		if err := p.close(); err != nil {
			return err
		}
		p.open = &File{}
		p.old, p.new = gitNames(strings.TrimPrefix(line, "diff --git "))
	case strings.HasPrefix(line, "--- "):
		if p.open == nil || len(p.open.Removed)+len(p.open.Added) > 0 || p.open.Status == repo.Modified {
			if err := p.close(); err != nil {
				return err
			}
			p.open = &File{}
		}
		p.old = fileName(line[4:])
	case strings.HasPrefix(line, "+++ ") && p.open != nil:
		p.new = fileName(line[4:])
		p.open.Status = repo.Modified
	case strings.HasPrefix(line, "@@ "):
		return p.hunk(line)
	case p.open == nil:
	case strings.HasPrefix(line, "new file mode "):
		p.old = nothing
	case strings.HasPrefix(line, "deleted file mode "):
		p.new = nothing
	case strings.HasPrefix(line, "rename from "), strings.HasPrefix(line, "copy from "):
		_, name, _ := strings.Cut(line, " from ")
		p.old = unquote(name)
	case strings.HasPrefix(line, "rename to "):
		p.new = unquote(strings.TrimPrefix(line, "rename to "))
	case strings.HasPrefix(line, "copy to "):
		p.old, p.new = nothing, unquote(strings.TrimPrefix(line, "copy to "))
	}
	return nil
}

// hunk reads "@@ -from,count +from,count @@".
func (p *parser) hunk(line string) error {
	fields := strings.Fields(line)
	if p.open == nil || p.new == "" && p.old == "" {
		return errors.New("a hunk stands before the names of its file")
	}
	if len(fields) < 4 || !strings.HasPrefix(fields[1], "-") || !strings.HasPrefix(fields[2], "+") {
		return fmt.Errorf("%q is not the head of a hunk, such as @@ -1,4 +1,5 @@", line)
	}
	var err error
	if p.minus, err = count(fields[1]); err == nil {
		p.plus, err = count(fields[2])
	}
	p.open.Status = repo.Modified
	return err
}

func count(side string) (int, error) {
	_, lines, many := strings.Cut(side, ",")
	if !many {
		return 1, nil
	}
	n, err := strconv.Atoi(lines)
	if err != nil || n < 0 || n > 10_000_000 {
		return 0, fmt.Errorf("%q is not a number of lines", lines)
	}
	return n, nil
}

func (p *parser) hunkLine(line string) error {
	keep := func(into *[]string) {
		if len(*into) < linesMax {
			*into = append(*into, line[1:])
		}
	}
	switch {
	case line == "", line[0] == ' ', line[0] == '\t':
		// Some programs drop the space of an empty line.
		p.minus, p.plus = p.minus-1, p.plus-1
	case line[0] == '-':
		p.minus--
		keep(&p.open.Removed)
	case line[0] == '+':
		p.plus--
		keep(&p.open.Added)
	case line[0] == '\\':
	default:
		return fmt.Errorf("%q is no line of a hunk that has %d more", cutTo(line, 40), max(p.minus, p.plus))
	}
	if p.minus < 0 || p.plus < 0 {
		return errors.New("the hunk has more lines than its head says")
	}
	return nil
}

// close ends the file that is open.
func (p *parser) close() error {
	f := p.open
	p.open, p.minus, p.plus = nil, 0, 0
	if f == nil {
		return nil
	}
	switch {
	case p.old == nothing && p.new == nothing, p.old == "" && p.new == "":
		return errors.New("a file is named on neither side")
	case p.old == nothing || p.old == "":
		f.Change = repo.Change{Path: p.new, Status: repo.Added}
	case p.new == nothing || p.new == "":
		f.Change = repo.Change{Path: p.old, Status: repo.Deleted}
	case p.old != p.new:
		f.Change = repo.Change{Path: p.new, Status: repo.Renamed, OldPath: p.old}
	default:
		f.Change = repo.Change{Path: p.new, Status: repo.Modified}
	}
	p.old, p.new = "", ""
	if len(p.files) == FilesMax {
		return fmt.Errorf("it changes more than %d files; send the names in changes", FilesMax)
	}
	p.files = append(p.files, *f)
	return nil
}

// gitNames reads the names behind "diff --git", which matter only where no other line tells them: the same name on both sides.
func gitNames(text string) (old, new string) {
	if half := len(text) / 2; len(text)%2 == 1 && text[half] == ' ' {
		if a, b := fileName(text[:half]), fileName(text[half+1:]); a == b {
			return a, b
		}
	}
	return "", ""
}

// fileName reads the name of a file as diffs write it: perhaps quoted, perhaps with a time behind a tab, with a/ or b/ before.
func fileName(text string) string {
	name := unquote(text)
	if name == nothing {
		return nothing
	}
	for _, side := range []string{"a/", "b/", "i/", "w/", "c/", "o/"} {
		if rest, is := strings.CutPrefix(name, side); is && rest != "" {
			return rest
		}
	}
	return strings.TrimPrefix(name, "./")
}

// unquote reads a name in the quotes of C, which git uses for unusual ones, or up to a tab.
func unquote(text string) string {
	if strings.HasPrefix(text, `"`) {
		if plain, err := strconv.Unquote(strings.TrimRight(text, " \t")); err == nil {
			return plain
		}
	}
	name, _, _ := strings.Cut(text, "\t")
	return strings.TrimRight(name, " ")
}

func cutTo(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return text
}
