package retrieve

import (
	"fmt"

	"driftless/internal/anchor"
	"driftless/internal/op"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// readNext reads one topic in full, of an earlier moment at its revision of then.
func (l layout) readNext(slug string, revision int, why string) *op.Next {
	args := map[string]any{"topic": slug}
	if l.past {
		args["revision"] = revision
	}
	if l.env != nil {
		args["env"] = l.env
	}
	return &op.Next{Tool: "driftless_context_get", Arguments: args, Why: why}
}

// readFirst is what to do when everything is shown.
func (l layout) readFirst(rows []Row) *op.Next {
	return l.readNext(rows[0].Slug, rows[0].Revision, "read the first one in full")
}

// theRest is what to do when rows are left out: the best of them is named, since what is missing is in order, too.
func (l layout) theRest(d *topic.Document, left int) *op.Next {
	return l.readNext(d.Slug, d.Revision, fmt.Sprintf("%d more fit; this is the best of them, and a larger limit or max_tokens or a smaller view shows more", left))
}

// nothing is what to do when nothing answers: leave what will be learnt, or look around where writing is not allowed.
func nothing(a tenant.Actor, files []string) *op.Next {
	if !a.HasScope(tenant.TopicsCreate) || !a.Role.AtLeast(tenant.Member) {
		return &op.Next{Tool: "driftless_context_list", Arguments: map[string]any{"limit": 20}, Why: "nothing is written about this; see what is"}
	}
	args := map[string]any{"content": "What I learned: …"}
	if anchors := claimable(files); len(anchors) > 0 {
		args["anchors"] = anchors
	}
	return &op.Next{Tool: "driftless_note_add", Arguments: args, Why: "nothing is written about this; leave what you learn as a note"}
}

// claimable picks files that can stand as anchors as they are.
func claimable(files []string) []string {
	var out []string
	for _, file := range files {
		if a, err := anchor.Parse(file); err == nil && a.Kind == anchor.File && !a.Exclude && len(out) < filesShown {
			out = append(out, file)
		}
	}
	return out
}
