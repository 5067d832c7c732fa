package account

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"driftless/internal/config"
	"driftless/internal/fault"
)

// PublicKnowledge is what of a workspace anybody may read.
type PublicKnowledge struct {
	Enabled bool
	// AllReviewed opens all Knowledge; otherwise only what was shared to the web.
	AllReviewed bool
	// Tags narrow it to topics that have one of them; none narrow nothing.
	Tags []string
	// Saved reports that an owner decided. Otherwise it is what the configuration says.
	Saved bool
}

func (p PublicKnowledge) equal(q PublicKnowledge) bool {
	return p.Enabled == q.Enabled && p.AllReviewed == q.AllReviewed && p.Saved == q.Saved && slices.Equal(p.Tags, q.Tags)
}

// Or is what holds: what an owner saved, and where none did what the configuration says, which opens what was shared to the
// web and never more.
func (p PublicKnowledge) Or(c config.Config, slug string) PublicKnowledge {
	if p.Saved {
		return p
	}
	return PublicKnowledge{Enabled: slices.Contains(c.PublicKnowledge, slug), Tags: c.PublicTags}
}

// Bounds of the tags that narrow public knowledge; those of tags themselves.
const (
	publicTagsMax = 50
	publicTagMax  = 64
)

type publicIn struct {
	Enabled     *bool     `json:"enabled,omitempty" jsonschema:"anybody may read at url"`
	AllReviewed *bool     `json:"all_reviewed,omitempty" jsonschema:"all Knowledge, not only what was shared to the web"`
	Tags        *[]string `json:"tags,omitempty" jsonschema:"only topics with one of these; an empty list takes the bound away"`
}

// on is the setting as it is to be: what is not said stays. Whoever changes one of its fields decides all of them.
func (in publicIn) on(now PublicKnowledge) (PublicKnowledge, error) {
	next := now
	next.Saved = true
	if in.Enabled != nil {
		next.Enabled = *in.Enabled
	}
	if in.AllReviewed != nil {
		next.AllReviewed = *in.AllReviewed
	}
	if in.Tags != nil {
		next.Tags = nil
		for _, tag := range *in.Tags {
			if tag != strings.ToLower(tag) || strings.ContainsFunc(tag, unicode.IsSpace) || tag == "" || utf8.RuneCountInString(tag) > publicTagMax {
				return now, fault.Fieldf("public_knowledge.tags", "%q is not the name of a tag: up to %d characters, lower case, dashes for spaces", tag, publicTagMax)
			}
			next.Tags = append(next.Tags, tag)
		}
		slices.Sort(next.Tags)
		next.Tags = slices.Compact(next.Tags)
	}
	return next, nil
}

type publicView struct {
	Enabled     bool     `json:"enabled" jsonschema:"anybody may read at url"`
	AllReviewed bool     `json:"all_reviewed" jsonschema:"all Knowledge; otherwise what was shared to the web"`
	Tags        []string `json:"tags" jsonschema:"only topics with one of these, where there are any"`
	Saved       bool     `json:"saved" jsonschema:"an owner decided; otherwise it is what the server is configured with"`
	URL         string   `json:"url,omitempty" jsonschema:"address for an MCP client without a credential"`
}

func (p PublicKnowledge) view() publicView {
	return publicView{Enabled: p.Enabled, AllReviewed: p.AllReviewed, Tags: append([]string{}, p.Tags...), Saved: p.Saved}
}
