package topic

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAFrontMatterIsLiftedWholeOrStaysWhereItIs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   Content
		want Content
	}{
		"fields go to their places": {
			Content{Title: "T", Text: "---\nwhat: One.\ngotchas: [a, b]\narea: Payments\n---\n\n# Body\n"},
			Content{Title: "T", What: "One.", Gotchas: []string{"a", "b"}, Area: "Payments", Text: "# Body\n"},
		},
		"what was given stays, lists are joined": {
			Content{Title: "T", What: "Given.", Tags: []string{"x"}, Text: "---\ntags: [y]\n---\nBody"},
			Content{Title: "T", What: "Given.", Tags: []string{"x", "y"}, Text: "Body"},
		},
		"another title is not lost": {
			Content{Title: "T", Text: "---\ntitle: Other\n---\nBody"},
			Content{Title: "T", Text: "---\ntitle: Other\n---\nBody"},
		},
		"an unknown field is not lost": {
			Content{Title: "T", Text: "---\nwhat: One.\npriority: 3\n---\nBody"},
			Content{Title: "T", Text: "---\nwhat: One.\npriority: 3\n---\nBody"},
		},
		"a field of another form is not lost": {
			Content{Title: "T", Text: "---\nanchors: \"x/**\"\n---\nBody"},
			Content{Title: "T", Text: "---\nanchors: \"x/**\"\n---\nBody"},
		},
		"a rule between paragraphs is no front matter": {
			Content{Title: "T", Text: "Before\n---\nwhat: x\n---\n"},
			Content{Title: "T", Text: "Before\n---\nwhat: x\n---\n"},
		},
	} {
		got := c.in
		lift(&got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
