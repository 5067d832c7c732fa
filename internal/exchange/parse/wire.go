package parse

// Wire is the draft as the import operation takes it: the fields that are not empty. Relations travel on their own, when both
// of their ends are there.
func (d Draft) Wire() map[string]any {
	out := map[string]any{"key": d.Key, "title": d.Title}
	for name, value := range map[string]string{
		"slug": d.Slug, "what": d.What, "how": d.How, "content": d.Content, "area": d.Area, "review_by": d.ReviewBy,
	} {
		if value != "" {
			out[name] = value
		}
	}
	for name, list := range map[string][]string{
		"decisions": d.Decisions, "gotchas": d.Gotchas, "invariants": d.Invariants, "required_checks": d.RequiredChecks,
		"tags": d.Tags, "anchors": d.Anchors, "sources": d.Sources,
	} {
		if len(list) > 0 {
			out[name] = list
		}
	}
	if len(d.Solutions) > 0 {
		out["solutions"] = d.Solutions
	}
	if len(d.Alternatives) > 0 {
		out["alternatives"] = d.Alternatives
	}
	if d.Exported {
		out["exported"] = true
	}
	return out
}

// WireRelations are the relations of the draft as the import operation takes them.
func (d Draft) WireRelations() map[string]any {
	relations := make([]map[string]string, 0, len(d.Relations))
	for _, r := range d.Relations {
		relations = append(relations, map[string]string{"to": r.To, "type": r.Type})
	}
	return map[string]any{"key": d.Key, "relations": relations}
}
