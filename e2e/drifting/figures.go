package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"driftless/internal/drift/cite"
)

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

// figures are what was measured on a history.
type figures struct {
	name    string
	commits int
	refs    int
	// found are the breaks that were found, lasted those of them that a later commit repaired, or none; kind are the found ones whose
	// being removed or moved was told right, and to the moved ones whose new path was.
	found, lasted, kind, to share
	// false are alerts on references that never broke.
	false int
	// quiet are alerts at commits that removed and renamed nothing.
	quiet int
	// never are the references that by their label never meant anything, with those that were left unresolved; neverAlerts counts the others
	// that broke later. What they mean nobody knows, so that they count for nothing else.
	never       share
	neverAlerts int
	// before are the breaks that people repaired in a later commit which were told before that, by lead.
	before share
	lead   []time.Duration
	// touched are the references that the rule of touched files flags, with those of them that broke.
	touched share
	strange []string
}

func measure(h history) figures {
	f := figures{name: h.name, commits: len(h.commits), refs: len(h.references)}
	times := map[string]int64{}
	for _, c := range h.commits {
		times[c.SHA] = c.Time
	}
	for _, r := range replay(h) {
		if !r.Resolves && r.ExistedBefore != nil && !*r.ExistedBefore {
			f.never.add(!r.resolved)
			if r.resolved {
				f.strange = append(f.strange, fmt.Sprintf("read though never there by its label: %s %s in %s cites %s, read as %s", h.name, r.ID, r.Doc, r.Ref, r.trail.Path))
			}
			if r.alert != "" {
				f.neverAlerts++
			}
			continue
		}
		if r.alert != "" && r.quiet {
			f.quiet++
		}
		broke := r.broken() != ""
		if r.touched {
			f.touched.add(broke)
		}
		if !broke {
			if r.alert != "" {
				f.false++
				f.strange = append(f.strange, fmt.Sprintf("flagged without a label: %s %s in %s cites %s, %s", h.name, r.ID, r.Doc, r.Ref, r.why()))
			}
			continue
		}
		f.breaks(r, times)
		if !r.found() {
			f.strange = append(f.strange, fmt.Sprintf("missed: %s %s in %s cites %s, %s", h.name, r.ID, r.Doc, r.Ref, r.why()))
		}
	}
	return f
}

// breaks counts a reference that broke.
func (f *figures) breaks(r followed, times map[string]int64) {
	found := r.found()
	f.found.add(found)
	if r.LagCommits > 0 || r.Open {
		f.lasted.add(found)
	}
	if found {
		f.kind.add((r.verdict == cite.Moved) == (r.Moved != ""))
		if r.verdict == cite.Moved && r.Moved != "" {
			f.to.add(strings.TrimSuffix(r.to, "/") == r.To)
		}
	}
	if r.Repaired == "" || r.LagCommits == 0 {
		return
	}
	f.before.add(found)
	if found {
		f.lead = append(f.lead, time.Duration(times[r.Repaired]-times[r.alert])*time.Second)
	}
}

// found reports that the break was told at the very commit that made it.
func (f followed) found() bool { return f.alert != "" && f.alert == f.broken() }

// why says what can be seen of a difference to the label.
func (f followed) why() string {
	switch {
	case f.BrokenBy == "doc_moved":
		return "a relative path whose document moved while " + f.Target + " stayed"
	case !f.resolved:
		return "which means nothing here, or several things, when it comes; by its label " + f.Target
	case f.alert == "":
		return "which still means " + f.trail.Now
	case f.Target != strings.TrimSuffix(f.trail.Now, "/") && f.Target != strings.TrimSuffix(f.trail.Path, "/"):
		return "read as " + f.trail.Path + ", by its label " + f.Target
	}
	return "which went from " + f.trail.Path + " together with its document"
}

func (f *figures) add(o figures) {
	f.commits, f.refs = f.commits+o.commits, f.refs+o.refs
	f.found.join(o.found)
	f.lasted.join(o.lasted)
	f.kind.join(o.kind)
	f.to.join(o.to)
	f.never.join(o.never)
	f.before.join(o.before)
	f.touched.join(o.touched)
	f.false, f.quiet, f.neverAlerts = f.false+o.false, f.quiet+o.quiet, f.neverAlerts+o.neverAlerts
	f.lead, f.strange = append(f.lead, o.lead...), append(f.strange, o.strange...)
}

// rate is how many alerts without a break there are for each with one.
func (f figures) rate() float64 { return float64(f.false) / float64(max(f.found.hit, 1)) }

// median is the lead over the human repair that half of the cases have at least, in days.
func (f figures) median() float64 {
	if len(f.lead) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(f.lead))
	return sorted[len(sorted)/2].Hours() / 24
}

func (f figures) sentence() string {
	return fmt.Sprintf("found %v, of those that lasted %v; %d false alerts, %.3f for each true one; kind right %v, new path right %v; %v told before the repair, median lead %.1f days; "+
		"never there left unresolved %v; touched files: %.1f %% precision, %.1f false alerts for each true one",
		f.found, f.lasted, f.false, f.rate(), f.kind, f.to, f.before, f.median(), f.never, 100*f.touched.of(), float64(f.touched.all-f.touched.hit)/float64(max(f.touched.hit, 1)))
}

// table is the page's part, in Markdown.
func table(all []figures) string {
	var b strings.Builder
	b.WriteString("\n| history | commits | citations | breaks found | of those that lasted | false alerts | for each true one | told before the repair | median lead | touched files: precision | false for each true one |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, f := range all {
		lead := "–"
		if len(f.lead) > 0 {
			lead = fmt.Sprintf("%.1f days", f.median())
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d of %d | %d of %d | %d | %.3f | %d of %d | %s | %.1f %% | %.1f |\n", f.name, f.commits, f.refs, f.found.hit, f.found.all,
			f.lasted.hit, f.lasted.all, f.false, f.rate(), f.before.hit, f.before.all, lead, 100*f.touched.of(),
			float64(f.touched.all-f.touched.hit)/float64(max(f.touched.hit, 1)))
	}
	total := all[len(all)-1]
	fmt.Fprintf(&b, "\nRemoved or moved is told right in %v, the new path in %v. Of the references that never were there %v are left unresolved; the others were read as a file of that "+
		"name, and %d of those broke later. Commits that removed and renamed nothing raised %d alerts.\n\n", total.kind, total.to, total.never, total.neverAlerts, total.quiet)
	b.WriteString("What was missed:\n\n")
	for _, line := range total.strange {
		if rest, is := strings.CutPrefix(line, "missed: "); is {
			b.WriteString("- " + rest + "\n")
		}
	}
	b.WriteString("\n")
	return b.String()
}
