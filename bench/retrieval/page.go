package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"driftless/internal/retrieve/measure"
)

// The table stands between these lines of the page.
const (
	tableBegin = "<!-- table: written by make eval -->\n"
	tableEnd   = "<!-- end of table -->\n"
)

// keepCurrent writes the table into the page where it differs, and tells whether it did.
func keepCurrent(path string, all []result) (changed bool, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("read the page: %w", err)
	}
	before, rest, ok := strings.Cut(string(raw), tableBegin)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !ok || !ended {
		return false, fmt.Errorf("%s has no place for the table", path)
	}
	text := before + tableBegin + table(all) + tableEnd + after
	if text == string(raw) {
		return false, nil
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return false, fmt.Errorf("write the page: %w", err)
	}
	return true, nil
}

func table(all []result) string {
	var b strings.Builder
	columns := measure.Columns()
	fmt.Fprintf(&b, "| set | questions | system | %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", 3+len(columns)))
	for _, r := range all {
		for _, line := range r.Lines() {
			name := r.name
			if line.Name != "all" {
				name = ""
			}
			fmt.Fprintf(&b, "| %s | %s: %d + %d | Driftless | %s |\n", name, line.Name, line.Answerable, line.Unanswerable, strings.Join(line.Product.Row(), " | "))
			fmt.Fprintf(&b, "| | | BM25 | %s |\n", strings.Join(line.Plain.Row(), " | "))
		}
	}
	return b.String()
}

// figure reads a figure of a report by the name that the floors use.
func figure(r measure.Report, name string) (float64, error) {
	part, name, ok := strings.Cut(name, " ")
	f := r.Figures
	switch {
	case !ok:
		return 0, errors.New("a figure is named by its part and itself")
	case part == "held-out":
		f = r.Halves[1]
	case part != "all":
		return 0, fmt.Errorf("there is no part %q", part)
	}
	switch name {
	case "ndcg-ratio":
		return f.Product.NDCG10 / f.Plain.NDCG10, nil
	case "recall-5":
		return f.Product.Recall5, nil
	case "recall-10":
		return f.Product.Recall10, nil
	case "abstention":
		return f.Product.Abstention, nil
	case "answered":
		return 1 - f.Product.FalseAbstention, nil
	case "superseded-not-first":
		return 1 - f.Product.SupersededFirst, nil
	case "tokens-below-1200":
		return 1200 / float64(f.Product.Tokens), nil
	}
	return 0, fmt.Errorf("there is no figure %q", name)
}

// checkFloors compares the figures with a file of three cells a line: set, figure, floor. Lines with # are remarks.
func checkFloors(out io.Writer, path string, all []result) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the floors: %w", err)
	}
	byName := map[string]measure.Report{}
	for _, r := range all {
		byName[r.name] = r.Report
	}
	n, below := 0, 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		r, known := byName[cells[0]]
		if len(cells) != 3 || !known {
			return fmt.Errorf("%s: %q is not set, figure and floor", path, line)
		}
		floor, err := strconv.ParseFloat(cells[2], 64)
		if err != nil {
			return fmt.Errorf("%s: %q: %w", path, line, err)
		}
		got, err := figure(r, cells[1])
		if err != nil {
			return fmt.Errorf("%s: %q: %w", path, line, err)
		}
		if n++; got < floor {
			below++
			_, _ = fmt.Fprintf(out, "below its floor: %s, %s is %.3f and has to be %.3f\n", cells[0], cells[1], got, floor)
		}
	}
	if below > 0 {
		return fmt.Errorf("%d of %d figures are below their floor", below, n)
	}
	_, _ = fmt.Fprintf(out, "retrieval: %d floors hold\n", n)
	return nil
}
