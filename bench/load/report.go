package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"driftless/bench/process"
)

// The targets. Times are those of the 95th percentile with the judged number of clients.
const (
	getOfFloor     = 0.5
	retrieveMost   = 20 * time.Millisecond
	retrieveOfGet  = 6
	filesMost      = 10 * time.Millisecond
	manyOfFew      = 1.3
	judgedQuantile = 0.95
)

// figure is one that has a target.
type figure struct {
	what   string
	value  float64
	unit   string
	least  bool // the target is the least it may be, not the most
	target float64
}

func (f figure) missed(noise float64) bool {
	if f.least {
		return f.value < f.target*(1-noise)
	}
	return f.value > f.target*(1+noise)
}

func (f figure) met() bool { return !f.missed(0) }

func (f figure) String() string {
	sign := "≤"
	if f.least {
		sign = "≥"
	}
	return fmt.Sprintf("%s %.2f%s (%s %s)", f.what, f.value, f.unit, sign, fmt.Sprintf("%.4g%s", f.target, f.unit))
}

// report prints the tables and the line with the figures; it is an error when a target is missed beyond the noise.
func report(out io.Writer, p plan, d database, s scene, ready, took time.Duration) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	say := func(cells ...string) { _, _ = fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") }
	say("workspaces", "topics each", "call", "clients", "requests/s", "of floor", "p50", "p95", "p99", "p95 of get", "CPU µs/request", "of PostgreSQL")
	row := func(t trio, name string, c, get *call) {
		for _, clients := range loads {
			var all turn
			for _, one := range c.turns[clients] {
				all.times, all.elapsed = append(all.times, one.times...), all.elapsed+one.elapsed
				all.server, all.pg = all.server+one.server, all.pg+one.pg
			}
			slices.Sort(all.times)
			each := func(d time.Duration) string {
				return fmt.Sprintf("%.0f", float64(d.Microseconds())/float64(len(all.times)))
			}
			ofGet := "-"
			if get != nil && c != get {
				ofGet = fmt.Sprintf("%.2f", median(c, get, clients, slower))
			}
			say(fmt.Sprint(t.workspaces), fmt.Sprint(t.topics), name, fmt.Sprint(clients), fmt.Sprintf("%.0f", all.rate()),
				fmt.Sprintf("%.2f", median(c, s.floor, clients, faster)), span(all.quantile(0.5)), span(all.quantile(0.95)), span(all.quantile(0.99)),
				ofGet, each(all.server), each(all.pg))
		}
	}
	row(trio{}, "floor", s.floor, nil)
	for _, t := range append(s.sizes, s.crowd...) {
		row(t, "get", t.get, t.get)
		row(t, "retrieve", t.retrieve, t.get)
		row(t, "get_for_files", t.files, t.get)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, t := range append(s.sizes, s.crowd...) {
		now, most, err := process.Resident(t.get.to.process.ID())
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "memory of the server with %d workspaces of %d topics: %d MB, at most %d MB\n", t.workspaces, t.topics, now>>20, most>>20)
	}
	_, _ = fmt.Fprintf(out, "\nmachine: %s, PostgreSQL %s, load %s at the end; filled and started in %.0f s\n", machine(), d.version, loadAverage(), ready.Seconds())
	figures := judge(s)
	var said, missed []string
	for _, f := range figures {
		verdict := "met"
		if !f.met() {
			verdict = "missed"
		}
		if f.missed(p.noise) {
			missed = append(missed, f.what)
		}
		_, _ = fmt.Fprintf(out, "  %-7s %s\n", verdict, f)
		said = append(said, fmt.Sprintf("%s %.2f%s", f.what, f.value, f.unit))
	}
	_, err := fmt.Fprintf(out, "bench: %d clients, median of %d rounds of %s: %s; %.0f s\n", judged, p.rounds, p.turn, strings.Join(said, ", "), took.Seconds())
	if err != nil {
		return err
	}
	if len(missed) > 0 {
		return fmt.Errorf("missed by more than %.0f %%: %s", p.noise*100, strings.Join(missed, ", "))
	}
	return nil
}

// judge takes the figures that have targets.
func judge(s scene) []figure {
	large := s.sizes[len(s.sizes)-1]
	few, many := s.crowd[0], s.crowd[len(s.crowd)-1]
	time95 := func(c *call) float64 {
		var rounds []float64
		for _, t := range c.turns[judged] {
			rounds = append(rounds, milliseconds(t.quantile(judgedQuantile)))
		}
		return middle(rounds)
	}
	return []figure{
		{what: "Q1 get of floor", value: median(large.get, s.floor, judged, faster), target: getOfFloor, least: true},
		{what: "Q2 retrieve p95", value: time95(large.retrieve), unit: " ms", target: milliseconds(retrieveMost)},
		{what: "Q2 retrieve of get", value: median(large.retrieve, large.get, judged, slower), unit: " ×", target: retrieveOfGet},
		{what: "Q3 get_for_files p95", value: time95(large.files), unit: " ms", target: milliseconds(filesMost)},
		{what: "Q4 get", value: median(many.get, few.get, judged, slower), unit: " ×", target: manyOfFew},
		{what: "Q4 retrieve", value: median(many.retrieve, few.retrieve, judged, slower), unit: " ×", target: manyOfFew},
		{what: "Q4 get_for_files", value: median(many.files, few.files, judged, slower), unit: " ×", target: manyOfFew},
	}
}

// faster is how much more one turn answers than another; slower is how much longer its 95th percentile is.
func faster(a, b turn) float64 { return a.rate() / b.rate() }

func slower(a, b turn) float64 {
	return float64(a.quantile(judgedQuantile)) / float64(b.quantile(judgedQuantile))
}

// median compares two calls round by round.
func median(a, b *call, clients int, by func(a, b turn) float64) float64 {
	var rounds []float64
	for i, t := range a.turns[clients] {
		rounds = append(rounds, by(t, b.turns[clients][i]))
	}
	return middle(rounds)
}

func middle(all []float64) float64 {
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func span(d time.Duration) string { return fmt.Sprintf("%.2f ms", milliseconds(d)) }

// machine says what the figures were measured on, as far as the system tells (proc(5)).
func machine() string {
	return fmt.Sprintf("%d × %s, %s of memory, Linux %s, %s", runtime.NumCPU(), after("/proc/cpuinfo", "model name"),
		gigabytes(after("/proc/meminfo", "MemTotal")), content("/proc/sys/kernel/osrelease"), runtime.Version())
}

func gigabytes(kilobytes string) string {
	var n int
	if _, err := fmt.Sscanf(kilobytes, "%d kB", &n); err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%.0f GiB", float64(n)/(1<<20))
}

func loadAverage() string {
	one, _, _ := strings.Cut(content("/proc/loadavg"), " ")
	return one
}

// after is the value of the first line with this name.
func after(path, name string) string {
	for line := range strings.Lines(content(path)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func content(path string) string {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(raw))
}
