package doctor

import (
	"fmt"
	"io"
	"strings"
)

// Severity says whether clients fail.
type Severity string

// The severities. Broken means that clients fail, Warning that some do, or that they may.
const (
	OK      Severity = "ok"
	Warning Severity = "warning"
	Broken  Severity = "broken"
)

// Finding is what one check has to say.
type Finding struct {
	Check string `json:"check"`
	// ID is the stable name of what was found; empty where all is well.
	ID       string   `json:"id,omitempty"`
	Severity Severity `json:"severity"`
	// Seen is what was observed. Foreign text in it is quoted.
	Seen string `json:"seen,omitempty"`
	// Why says what a client does about it.
	Why string `json:"why,omitempty"`
	// Cure is one sentence.
	Cure string `json:"cure,omitempty"`
	// Nginx is the line of its configuration that helps, where there is one.
	Nginx string `json:"nginx,omitempty"`
}

// Report is a whole diagnosis.
type Report struct {
	Endpoint string    `json:"endpoint"`
	Broken   int       `json:"broken"`
	Warnings int       `json:"warnings"`
	Results  []Finding `json:"results"`
}

func (r *Report) add(name string, v *visit, f Finding) {
	f.Check, f.Seen = name, v.hide(f.Seen)
	switch f.Severity {
	case Broken:
		r.Broken++
	case Warning:
		r.Warnings++
	default:
	}
	r.Results = append(r.Results, f)
}

// Write writes the report for a person.
func (r Report) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Endpoint)
	for _, f := range r.Results {
		line := fmt.Sprintf("  %-8s %s", f.Severity, f.Check)
		if f.Severity == OK {
			if f.Seen != "" {
				line += ": " + f.Seen
			}
			b.WriteString(line + "\n")
			continue
		}
		fmt.Fprintf(&b, "%s (%s)\n", line, f.ID)
		for _, part := range []struct{ name, text string }{{"seen", f.Seen}, {"why", f.Why}, {"cure", f.Cure}, {"nginx", f.Nginx}} {
			if part.text != "" {
				fmt.Fprintf(&b, "           %-6s %s\n", part.name, part.text)
			}
		}
	}
	fmt.Fprintf(&b, "\n%d broken, %d warnings\n", r.Broken, r.Warnings)
	_, err := io.WriteString(w, b.String())
	return err
}
