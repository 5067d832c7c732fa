package doctor

import (
	"fmt"
	"strings"
	"time"

	"driftless/internal/evidence"
	"driftless/internal/pg"
)

// inSQL looks with one query.
func inSQL(query string) func(*pg.Tx, time.Time, int) (int, []Member, error) {
	return func(tx *pg.Tx, now time.Time, limit int) (int, []Member, error) {
		if query == overdueSQL {
			return members(tx, query, limit, now.Format(time.DateOnly))
		}
		return members(tx, query, limit)
	}
}

func findStale(tx *pg.Tx, _ time.Time, limit int) (int, []Member, error) {
	return members(tx, staleSQL, limit)
}

func findDrafts(tx *pg.Tx, now time.Time, limit int) (int, []Member, error) {
	return members(tx, draftSQL, limit, now.Add(-draftAfter))
}

func findWaiting(tx *pg.Tx, now time.Time, limit int) (int, []Member, error) {
	return members(tx, waitingSQL, limit, now.Add(-proposedAfter))
}

func findKnownFailed(tx *pg.Tx, _ time.Time, limit int) (int, []Member, error) {
	failed, err := evidence.KnownToFail(tx)
	if err != nil {
		return 0, nil, err
	}
	out := []Member{}
	for _, f := range failed[:min(limit, len(failed))] {
		out = append(out, Member{Slug: f.Slug, Title: f.Title, Trust: f.Trust, Detail: fmt.Sprintf("%s fails in %s", f.Solution, f.Env)})
	}
	return len(failed), out, nil
}

func findContradictions(tx *pg.Tx, _ time.Time, limit int) (int, []Member, error) {
	rows, err := statements(tx)
	if err != nil {
		return 0, nil, err
	}
	var topics []head
	var all []statement
	for _, r := range rows {
		if len(topics) == 0 || topics[len(topics)-1].Slug != r.Slug {
			topics = append(topics, r.head)
		}
		all = append(all, statement{len(topics) - 1, r.Text})
	}
	found := contradictions(all)
	out := []Member{}
	for _, p := range found {
		if len(out) == limit {
			break
		}
		a, b := topics[p.a], topics[p.b]
		m := a.member(fmt.Sprintf("%q, and %s: %q", excerpt(p.saysA), b.Slug, excerpt(p.says)))
		m.other = b.Slug
		out = append(out, m)
	}
	return len(found), out, nil
}

// excerpt is the head of a statement, for a detail.
func excerpt(text string) string {
	const most = 160
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

func findDuplicates(tx *pg.Tx, _ time.Time, limit int) (int, []Member, error) {
	rows, err := likenesses(tx)
	if err != nil {
		return 0, nil, err
	}
	first := map[string]int{}
	like := make([]int, len(rows))
	why := make([]string, len(rows))
	var prints []uint64
	var printed []int
	for i, r := range rows {
		like[i] = -1
		for _, key := range []struct{ value, why string }{
			{"t" + strings.ToLower(strings.TrimSpace(r.Title)), "the same title"}, {"a" + r.Anchors, "the same anchors"},
		} {
			if len(key.value) < 2 {
				continue
			}
			if j, seen := first[key.value]; seen && like[i] < 0 {
				like[i], why[i] = j, key.why
			} else if !seen {
				first[key.value] = i
			}
		}
		if p, ok := fingerprint(r.Text); ok {
			prints, printed = append(prints, p), append(printed, i)
		}
	}
	for n, j := range near(prints) {
		if i := printed[n]; j >= 0 && like[i] < 0 {
			like[i], why[i] = printed[j], "nearly the same text"
		}
	}
	count, out := 0, []Member{}
	for i, j := range like {
		if j < 0 {
			continue
		}
		count++
		if len(out) < limit {
			m := rows[i].member(fmt.Sprintf("%s as %s", why[i], rows[j].Slug))
			m.other = rows[j].Slug
			out = append(out, m)
		}
	}
	return count, out, nil
}
