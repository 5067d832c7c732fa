package source

import (
	"encoding/json"
	"time"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Commit is one that a sync or a push told of, with the place in the workspace's sequence where it was first heard.
type Commit struct {
	ID  string    `json:"commit"`
	Seq int64     `json:"seq"`
	At  time.Time `json:"at"`
}

// QueueCommits finds the commits of tracked branches that begin with a prefix, each at its first mention, at most two: more than
// one is ambiguous.
func QueueCommits(b *pg.Batch, a tenant.Actor, prefix string, into *[]Commit) {
	// Comparisons of text keep their index behind a policy; g follows every digit.
	queueCommits(b, into, `select json_build_object('commit', c.commit, 'seq', min(c.seq), 'at', min(c.at)) from source_commit c
		where c.workspace_id = ? and c.commit >= ? and c.commit < ? group by c.commit order by c.commit limit 2`, a.Workspace, prefix, prefix+"g")
}

// QueueLatestCommits reads the commits that were heard of last.
func QueueLatestCommits(b *pg.Batch, a tenant.Actor, limit int, into *[]Commit) {
	queueCommits(b, into, `select json_build_object('commit', c.commit, 'seq', c.seq, 'at', c.at) from source_commit c
		where c.workspace_id = ? order by c.seq desc limit ?`, a.Workspace, limit)
}

func queueCommits(b *pg.Batch, into *[]Commit, query string, args ...any) {
	b.JSON(func(raw []byte) error {
		var c Commit
		if err := json.Unmarshal(raw, &c); err != nil {
			return err
		}
		*into = append(*into, c)
		return nil
	}, query, args...)
}
