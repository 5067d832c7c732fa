// Command releases measures how much drift raises on real code: releases of well-known modules become a git history each, topics are
// anchored to their packages, files and symbols, and every release is synced with the binary under test, as a person would. It says
// which share of the topics is up for a look after each release, beside the rule that flags whatever was touched, and writes the table
// into the page that is named as an argument.
//
// It refuses to choose by hand: packages, files and symbols are drawn by a hash of their names, so that a run repeats.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// The ceilings: the share of topics with symbols that may be up for a look about 90 days after somebody vouched for them, and of all topics
// after a release that changed comments and layout alone.
const (
	symbolCeiling = 0.25
	looksCeiling  = 0
)

func main() {
	binary := flag.String("binary", "bin/driftless", "the binary under test")
	page := flag.String("page", "", "the page that has the table")
	only := flag.String("only", "", "a word of the modules to take, all without it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *binary, *page, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "releases:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary, page, only string) (err error) {
	binary, err = filepath.Abs(binary)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "releases-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	// The private database runs as another user where this one is root.
	if err := os.Chmod(folder, 0o755); err != nil {
		return err
	}
	s, err := start(ctx, binary, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	var all []outcome
	for _, m := range modules {
		if !strings.Contains(m.path, only) {
			continue
		}
		history, err := m.history(ctx, filepath.Join(folder, "git", strings.ReplaceAll(m.path, "/", "_")))
		if err != nil {
			return err
		}
		out, err := measure(ctx, s, history)
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		fmt.Printf("releases: %s: %s\n", m.path, out.sentence())
		all = append(all, out)
	}
	if page != "" {
		if err := write(page, table(all)); err != nil {
			return err
		}
	}
	return judge(all)
}

// judge holds the figures against the ceilings.
func judge(all []outcome) error {
	var late, looks share
	for _, o := range all {
		late.join(o.quarter()[symbols].drift)
		looks.join(o.looks)
	}
	fmt.Printf("releases: topics with symbols up for a look after about 90 days: %v; topics after comments and layout changed alone: %v\n", late, looks)
	if late.of() > symbolCeiling || looks.hit > looksCeiling {
		return fmt.Errorf("above the ceiling: %.0f %% of topics with symbols, no topic after a change of looks", 100*symbolCeiling)
	}
	return nil
}

// The marks between which a page has what this program writes.
const (
	begin = "<!-- releases: begin -->\n"
	end   = "<!-- releases: end -->"
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

// share counts hits among cases.
type share struct{ hit, all int }

func (s *share) add(hit bool) {
	s.all++
	if hit {
		s.hit++
	}
}

func (s *share) join(o share) { s.hit, s.all = s.hit+o.hit, s.all+o.all }

func (s share) of() float64 { return float64(s.hit) / float64(max(s.all, 1)) }

func (s share) String() string { return fmt.Sprintf("%d of %d (%.1f %%)", s.hit, s.all, 100*s.of()) }

// kinds are the ways in which topics are anchored.
const (
	packages = iota
	files
	symbols
	kinds
)

var kindNames = [kinds]string{"package", "file", "symbols"}

// pair is what drift raises on topics, beside what the rule of touched files does.
type pair struct{ drift, touch share }

func (p pair) String() string {
	if p.drift.all == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %% / %.0f %%", 100*p.drift.of(), 100*p.touch.of())
}

// outcome is what was measured on one module.
type outcome struct {
	module   string
	topics   [kinds]int
	releases []release
	// looks are the topics on which a change of comments and layout alone raised anything.
	looks share
	// changed is how many files that change rewrote.
	changed int
}

// release is what one release raised.
type release struct {
	version string
	days    float64 // since the first
	// step is since the release before, whose state was vouched for; sum since the first.
	step, sum [kinds]pair
}

// quarter is what there is about 90 days after the first release: at the release that is nearest to that.
func (o outcome) quarter() [kinds]pair {
	const about = 90
	nearest := slices.MinFunc(o.releases, func(a, b release) int {
		return int(abs(a.days-about) - abs(b.days-about))
	})
	return nearest.sum
}

func abs(x float64) float64 { return max(x, -x) }

func (o outcome) steps() (out [kinds]pair) {
	for _, r := range o.releases {
		for k := range kinds {
			out[k].drift.join(r.step[k].drift)
			out[k].touch.join(r.step[k].touch)
		}
	}
	return out
}

func (o outcome) sentence() string {
	var b strings.Builder
	steps := o.steps()
	for k := range kinds {
		fmt.Fprintf(&b, "%s %v (touched files %v); ", kindNames[k], steps[k].drift, steps[k].touch)
	}
	fmt.Fprintf(&b, "%d files with other looks raise %v", o.changed, o.looks)
	return b.String()
}
