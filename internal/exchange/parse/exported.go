package parse

// Exported is a topic as the API tells it, as far as its file holds it.
type Exported struct {
	Slug           string   `json:"slug"`
	Title          string   `json:"title"`
	What           string   `json:"what"`
	How            string   `json:"how"`
	Content        string   `json:"content"`
	Decisions      []string `json:"decisions"`
	Gotchas        []string `json:"gotchas"`
	Invariants     []string `json:"invariants"`
	RequiredChecks []string `json:"required_checks"`
	Tags           []string `json:"tags"`
	Area           string   `json:"area"`
	Anchors        []string `json:"anchors"`
	Sources        []string `json:"sources"`
	ReviewBy       string   `json:"review_by"`
	Solutions      []any    `json:"solutions"`
	Alternatives   []any    `json:"alternatives"`
	Relations      struct {
		Outgoing []struct {
			Type string `json:"type"`
			Slug string `json:"slug"`
		} `json:"outgoing"`
	} `json:"relations"`
}

// Draft is what [Render] writes into its file.
func (t Exported) Draft() Draft {
	d := Draft{
		Slug: t.Slug, Title: t.Title, What: t.What, How: t.How, Content: t.Content, Decisions: t.Decisions, Gotchas: t.Gotchas,
		Invariants: t.Invariants, RequiredChecks: t.RequiredChecks, Tags: t.Tags, Area: t.Area, Anchors: t.Anchors, Sources: t.Sources,
		ReviewBy: t.ReviewBy, Solutions: t.Solutions, Alternatives: t.Alternatives,
	}
	for _, e := range t.Relations.Outgoing {
		d.Relations = append(d.Relations, Relation{To: e.Slug, Type: e.Type})
	}
	return d
}
