package main

import (
	"fmt"
	"strings"
)

// table is the page's part, in Markdown.
func table(all []outcome) string {
	var b strings.Builder
	b.WriteString("\n| | topics × releases | up for a look | touched files | since the release of about 90 days before: up for a look | touched files |\n|---|---|---|---|---|---|\n")
	for k := range kinds {
		var step, late pair
		for _, o := range all {
			s, q := o.steps()[k], o.quarter()[k]
			step.drift.join(s.drift)
			step.touch.join(s.touch)
			late.drift.join(q.drift)
			late.touch.join(q.touch)
		}
		fmt.Fprintf(&b, "| %s | %d | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", kindNames[k], step.drift.all, 100*step.drift.of(), 100*step.touch.of(),
			100*late.drift.of(), 100*late.touch.of())
	}
	var looks share
	changed := 0
	for _, o := range all {
		looks.join(o.looks)
		changed += o.changed
	}
	fmt.Fprintf(&b, "\nAfter the last release %d files were rewritten without their comments and with another layout. Of %d topics this raised something on %d.\n\n",
		changed, looks.all, looks.hit)
	b.WriteString("Each release, up for a look / touched files, since the release before:\n\n| module | release | days since the first | package | file | symbols |\n|---|---|---|---|---|---|\n")
	for _, o := range all {
		for _, r := range o.releases {
			fmt.Fprintf(&b, "| %s | %s | %.0f | %v | %v | %v |\n", o.module, r.version, r.days, r.step[packages], r.step[files], r.step[symbols])
		}
	}
	b.WriteString("\n")
	return b.String()
}
