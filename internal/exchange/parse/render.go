package parse

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// exportedFields is the front matter of an export, in its order.
type exportedFields struct {
	Slug           string     `yaml:"slug"`
	Title          string     `yaml:"title"`
	What           string     `yaml:"what,omitempty"`
	How            string     `yaml:"how,omitempty"`
	Area           string     `yaml:"area,omitempty"`
	Tags           []string   `yaml:"tags,omitempty"`
	Anchors        []string   `yaml:"anchors,omitempty"`
	Relations      []Relation `yaml:"relations,omitempty"`
	Decisions      []string   `yaml:"decisions,omitempty"`
	Gotchas        []string   `yaml:"gotchas,omitempty"`
	Invariants     []string   `yaml:"invariants,omitempty"`
	RequiredChecks []string   `yaml:"required_checks,omitempty"`
	Solutions      []any      `yaml:"solutions,omitempty"`
	Alternatives   []any      `yaml:"alternatives,omitempty"`
	Sources        []string   `yaml:"sources,omitempty"`
	ReviewBy       string     `yaml:"review_by,omitempty"`
}

// Render writes a draft as a Markdown file with front matter. Reading it back
// gives the same draft, apart from Key and ContentHash; the content follows the
// front matter and one blank line, byte for byte. Relations name slugs.
func Render(d Draft) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("---\n")
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	err := enc.Encode(exportedFields{
		Slug: d.Slug, Title: d.Title, What: d.What, How: d.How, Area: d.Area, Tags: d.Tags, Anchors: d.Anchors,
		Relations: d.Relations, Decisions: d.Decisions, Gotchas: d.Gotchas, Invariants: d.Invariants,
		RequiredChecks: d.RequiredChecks, Solutions: d.Solutions, Alternatives: d.Alternatives,
		Sources: d.Sources, ReviewBy: d.ReviewBy,
	})
	if err != nil {
		return nil, fmt.Errorf("front matter of %s: %w", d.Slug, err)
	}
	b.WriteString("---\n\n")
	b.WriteString(d.Content)
	return b.Bytes(), nil
}

// exported reads a file that [Render] wrote. Fields it does not know, claims of
// trust among them, are passed over.
func (f file) exported() ([]*document, error) {
	var x exportedFields
	if err := yaml.Unmarshal([]byte(f.front), &x); err != nil {
		return nil, fmt.Errorf("%w: %s", errFrontMatter, yamlReason(err))
	}
	content := f.body
	if len(content) > 0 && content[0] == '\n' {
		content = content[1:]
	}
	d := &document{path: f.name, format: markdown}
	d.draft = Draft{
		Key: f.name, Slug: x.Slug, Title: x.Title, What: x.What, How: x.How, Content: content, Area: x.Area,
		Tags: x.Tags, Anchors: x.Anchors, Relations: x.Relations, Decisions: x.Decisions, Gotchas: x.Gotchas,
		Invariants: x.Invariants, RequiredChecks: x.RequiredChecks, Solutions: x.Solutions, Alternatives: x.Alternatives,
		Sources: x.Sources, ReviewBy: x.ReviewBy, ContentHash: hash(f.front, content), Exported: true,
	}
	return []*document{d}, nil
}
