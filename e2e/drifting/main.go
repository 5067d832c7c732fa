// Command drifting measures what package cite finds on histories in which it is known what became of each path that a document cites.
// It replays them through the rules by which the server follows citations, prints a line for each history, writes the table into the
// page that is named as its second argument, and fails below the floor. The histories are no part of this repository.
//
// It refuses to judge single labels: what is missed or flagged without one is listed, with the reason that can be seen.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The floor: the share of breaks that have to be found, how many alerts without a break there may be for each with one, and the share
// of what never was there that has to be left unresolved.
const (
	foundFloor   = 0.99
	falseCeiling = 0.1
	neverFloor   = 0.95
)

func main() {
	if len(os.Args) != 2 && len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: drifting FOLDER [PAGE]")
		os.Exit(2)
	}
	page := ""
	if len(os.Args) == 3 {
		page = os.Args[2]
	}
	if err := run(os.Args[1], page); err != nil {
		fmt.Fprintln(os.Stderr, "drifting:", err)
		os.Exit(1)
	}
}

func run(folder, page string) error {
	files, err := filepath.Glob(filepath.Join(folder, "drift", "*", "references.jsonl"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("there are no histories in %s: %w", folder, err)
	}
	slices.Sort(files)
	var all []figures
	total := figures{name: "**all**"}
	for _, file := range files {
		h, err := load(filepath.Dir(file))
		if err != nil {
			return err
		}
		f := measure(h)
		all = append(all, f)
		total.add(f)
	}
	all = append(all, total)
	for _, line := range total.strange {
		fmt.Println("  " + line)
	}
	fmt.Println("drifting:", total.sentence())
	if page != "" {
		if err := write(page, table(all)); err != nil {
			return err
		}
	}
	switch {
	case total.found.of() < foundFloor, total.rate() > falseCeiling:
		return fmt.Errorf("below the floor: %.0f %% found, %.1f false alerts for each true one", 100*foundFloor, falseCeiling)
	case total.quiet > 0:
		return fmt.Errorf("%d alerts at commits that removed and renamed nothing", total.quiet)
	case total.never.of() < neverFloor:
		return fmt.Errorf("below the floor: %.0f %% of what never was there left unresolved", 100*neverFloor)
	}
	return nil
}

// The marks between which a page has what this program writes.
const (
	begin = "<!-- drifting: begin -->\n"
	end   = "<!-- drifting: end -->"
)

// write puts a text between the marks of a page.
func write(page, text string) error {
	raw, err := os.ReadFile(page)
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	head, rest, ok := strings.Cut(string(raw), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s has no place for the table", page)
	}
	if err := os.WriteFile(page, []byte(head+begin+text+end+tail), 0o644); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
