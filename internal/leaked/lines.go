package leaked

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// lineMax is longer than any line of a list, in bytes.
const lineMax = 256

// lines is a text of lines that are sorted by their bytes. The last one may lack its end.
type lines struct {
	io.ReaderAt
	size int64
}

// has reports whether one of the lines is this one.
func (l lines) has(line string) (bool, error) {
	return l.find(func(at string) int { return strings.Compare(line, at) })
}

// hasHash reports whether one of the lines has this before its colon, in either case.
func (l lines) hasHash(hash string) (bool, error) {
	return l.find(func(at string) int {
		before, _, _ := strings.Cut(at, ":")
		return strings.Compare(hash, strings.ToUpper(before))
	})
}

// find looks for the line for which compare answers 0, by halves: compare says whether what is looked for stands before or
// after the line it is shown. What it looks for begins at low or behind it, and before high.
func (l lines) find(compare func(line string) int) (bool, error) {
	low, high := int64(0), l.size
	for low < high {
		middle := low + (high-low)/2
		start, err := l.startFrom(middle)
		if err != nil {
			return false, err
		}
		if start >= high {
			high = middle
			continue
		}
		line, err := l.lineAt(start)
		if err != nil {
			return false, err
		}
		switch order := compare(strings.TrimSuffix(line, "\r")); {
		case order == 0:
			return true, nil
		case order < 0:
			high = middle
		default:
			low = start + int64(len(line)) + 1
		}
	}
	return false, nil
}

// startFrom is where the first line begins that does not begin before offset.
func (l lines) startFrom(offset int64) (int64, error) {
	if offset == 0 {
		return 0, nil
	}
	line, err := l.lineAt(offset - 1)
	return offset + int64(len(line)), err
}

// lineAt reads from offset to the end of the line there.
func (l lines) lineAt(offset int64) (string, error) {
	buffer := make([]byte, min(lineMax, l.size-offset))
	if _, err := l.ReadAt(buffer, offset); err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read at %d: %w", offset, err)
	}
	if end := bytes.IndexByte(buffer, '\n'); end >= 0 {
		return string(buffer[:end]), nil
	}
	if len(buffer) == lineMax {
		return "", fmt.Errorf("a line at %d is longer than %d bytes", offset, lineMax)
	}
	return string(buffer), nil
}
