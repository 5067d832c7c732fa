package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"driftless/bench/process"
)

// report prints the tables and the line with the figures. The first server is ours, and it is an error when another is faster.
func report(out io.Writer, p plan, d database, servers []*contender, took time.Duration) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	say := func(cells ...string) { _, _ = fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") }
	say("clients", "server", "requests/s", "code p50", "p95", "refresh p50", "p95", "CPU ms/request", "of PostgreSQL")
	for _, clients := range loads {
		for _, s := range servers {
			var all turn
			for _, t := range s.turns[clients] {
				all.code, all.refresh = append(all.code, t.code...), append(all.refresh, t.refresh...)
				all.elapsed, all.server, all.pg = all.elapsed+t.elapsed, all.server+t.server, all.pg+t.pg
			}
			each := func(d time.Duration) string { return fmt.Sprintf("%.2f", milliseconds(d)/float64(all.requests())) }
			say(fmt.Sprint(clients), s.name, fmt.Sprintf("%.0f", all.rate()),
				span(quantile(all.code, 0.5)), span(quantile(all.code, 0.95)), span(quantile(all.refresh, 0.5)), span(quantile(all.refresh, 0.95)),
				each(all.server), each(all.pg))
		}
	}
	say()
	say("server", "version", "memory", "at most", "rows/grant", "bytes", "with indexes", "in clear", "form", "reuse ends all")
	for _, s := range servers {
		now, most, err := process.Resident(s.process.ID())
		if err != nil {
			return err
		}
		each := func(before, after int) string { return fmt.Sprintf("%.1f", float64(after-before)/float64(s.grants)) }
		form := "opaque"
		if strings.Count(s.issued[1], ".") == 2 {
			form = "JWT"
		}
		say(s.name, s.version, megabytes(now), megabytes(most), each(s.before.rows, s.after.rows), each(s.before.bytes, s.after.bytes),
			each(s.before.disk, s.after.disk), fmt.Sprintf("%d of %d", s.after.clear, len(s.issued)), form, fmt.Sprint(s.strict))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	var figures []string
	slower := false
	for _, clients := range loads {
		ratio, best := against(servers, clients)
		slower = slower || ratio < 1
		figures = append(figures, fmt.Sprintf("%d client(s): %.2f × %s", clients, ratio, best))
	}
	_, err := fmt.Fprintf(out, "bench-token: requests/s of ours against the better other, median of %d rounds of %d sequences: %s; %d processors, PostgreSQL %s, %.0f s\n",
		p.rounds, p.sequences, strings.Join(figures, ", "), runtime.NumCPU(), d.version, took.Seconds())
	switch ours := servers[0]; {
	case err != nil:
		return err
	case ours.after.clear > 0 || !ours.strict:
		return errors.New("ours keeps a secret in clear, or lets one be used twice")
	case slower:
		return errors.New("another server is faster than ours")
	}
	return nil
}

// against is the median over the rounds of our rate to that of the other that was better in all of them together.
func against(servers []*contender, clients int) (ratio float64, best string) {
	for _, other := range servers[1:] {
		var rounds []float64
		for i, t := range servers[0].turns[clients] {
			rounds = append(rounds, t.rate()/other.turns[clients][i].rate())
		}
		slices.Sort(rounds)
		middle := (rounds[(len(rounds)-1)/2] + rounds[len(rounds)/2]) / 2
		if best == "" || middle < ratio {
			ratio, best = middle, other.name
		}
	}
	return ratio, best
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func span(d time.Duration) string { return fmt.Sprintf("%.1f ms", milliseconds(d)) }

func megabytes(n int) string { return fmt.Sprintf("%d MB", n>>20) }
