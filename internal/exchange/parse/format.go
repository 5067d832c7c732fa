package parse

import (
	"path"
	"regexp"
	"strings"
)

// format is how a file is read.
type format string

const (
	ignored      format = ""
	contextFile  format = "context"      // AGENTS.md and its relatives: a draft a section
	rule         format = "rule"         // Cursor rule
	instructions format = "instructions" // Copilot instructions with a scope
	decision     format = "decision"     // MADR, Nygard
	enhancement  format = "kep"          // README.md beside a kep.yaml
	markdown     format = "markdown"     // anything else
)

// formatOf classifies by path alone; front matter and headings decide the rest.
func formatOf(file string) format {
	base := strings.ToLower(path.Base(file))
	dir := strings.ToLower(path.Dir(file))
	switch base {
	case "agents.md", "agent.md", "claude.md", "gemini.md", "claude.local.md", "copilot-instructions.md", ".cursorrules", ".windsurfrules", ".clinerules", "conventions.md":
		return contextFile
	}
	switch {
	case strings.HasSuffix(base, ".mdc"):
		return rule
	case strings.HasSuffix(base, ".instructions.md"):
		return instructions
	case !strings.HasSuffix(base, ".md") && !strings.HasSuffix(base, ".markdown"):
		return ignored
	case numbered(base) && decisionFolder(dir):
		return decision
	}
	return markdown
}

// decisionFolder reports the places where decision records are kept.
func decisionFolder(dir string) bool {
	for _, part := range strings.Split(dir, "/") {
		switch part {
		case "adr", "adrs", "decisions", "decision-records", "architecture-decisions", "architecture_decisions":
			return true
		}
	}
	return false
}

// boilerplate reports files that come with a repository and teach nothing about
// it. They are read where a path names them.
func boilerplate(file string) bool {
	base := strings.ToLower(path.Base(file))
	for _, prefix := range []string{"changelog", "changes.", "license", "licence", "code_of_conduct", "pull_request_template", "notice"} {
		if strings.HasPrefix(base, prefix) {
			return true
		}
	}
	return strings.Contains(strings.ToLower(file), "issue_template/")
}

// skipped reports folders that hold nothing written here: of version control,
// of dependencies, of builds, and hidden ones apart from those of AI clients.
func skipped(dir string) bool {
	base := path.Base(dir)
	switch base {
	case "node_modules", "vendor", "third_party", "dist", "build", "target", "venv", "__pycache__", "bower_components", "coverage":
		return true
	case ".cursor", ".github", ".claude", ".gemini", ".codex", ".windsurf", ".agents", ".":
		return false
	}
	return strings.HasPrefix(base, ".")
}

// scopeOf is the folder that a context or rule file speaks of: the one that
// holds the tool's folder, and for a context file elsewhere its own. A rule file
// elsewhere belongs to a collection and speaks of no folder. The root is "".
func scopeOf(file string) string {
	dir := path.Dir(file)
	for _, tool := range []string{".cursor", ".github", ".claude", ".gemini", ".codex", ".windsurf", ".agents"} {
		if i := strings.Index("/"+dir+"/", "/"+tool+"/"); i >= 0 {
			return strings.TrimSuffix(dir[:max(0, i-1)], "/")
		}
	}
	if dir == "." || formatOf(file) != contextFile {
		return ""
	}
	return dir
}

var (
	leadingNumber = regexp.MustCompile(`^(?i:(?:adr|kep|rfc)[-_ ]?)?(\d{1,5})[-_. ]`)
	titleNumber   = regexp.MustCompile(`^(?i:(?:adr|kep|rfc)[-_ ]?)?\d{1,5}(?:\.|:|\)| [-–—]) *`)
)

func numbered(base string) bool { return leadingNumber.MatchString(base) }

// numberOf returns the number of a record from its file name, without zeros.
func numberOf(base string) string {
	m := leadingNumber.FindStringSubmatch(base)
	if m == nil {
		return ""
	}
	return strings.TrimLeft(m[1], "0")
}

// unnumbered drops the number of a record from its title, unless nothing is
// left.
func unnumbered(title string) string {
	if short := titleNumber.ReplaceAllString(title, ""); short != "" {
		return short
	}
	return title
}
