package doctor

import (
	"fmt"
	"strings"
	"time"

	"driftless/internal/anchor"
	"driftless/internal/pg"
	"driftless/internal/source"
)

// byAnchors finds the topics for whose anchors told says a detail.
func byAnchors(tx *pg.Tx, limit int, told func(source.Known, anchor.Set) string) (int, []Member, error) {
	known, err := source.Look(tx)
	if err != nil {
		return 0, nil, err
	}
	rows, err := anchoredTopics(tx)
	if err != nil {
		return 0, nil, err
	}
	count, out := 0, []Member{}
	for _, r := range rows {
		set, err := anchor.ParseAll(r.Anchors)
		if err != nil {
			continue // what an older server took and this one does not is refused at the next change
		}
		detail := told(known, set)
		if detail == "" {
			continue
		}
		count++
		if len(out) < limit {
			out = append(out, r.member(detail))
		}
	}
	return count, out, nil
}

// listed is the anchors of a set, for a detail.
func listed(set anchor.Set) string {
	texts := make([]string, 0, len(set))
	for _, a := range set {
		texts = append(texts, a.Text)
	}
	return excerpt(strings.Join(texts, ", "))
}

func findZombies(tx *pg.Tx, _ time.Time, limit int) (int, []Member, error) {
	return byAnchors(tx, limit, func(k source.Known, set anchor.Set) string {
		if !k.Zombie(set) {
			return ""
		}
		return "no file matches " + listed(set)
	})
}

func findOrphans(tx *pg.Tx, _ time.Time, limit int) (int, []Member, error) {
	return byAnchors(tx, limit, func(k source.Known, set anchor.Set) string {
		if !k.Orphaned(set) {
			return ""
		}
		return "only files of a disconnected repository match " + listed(set)
	})
}

func findOverbroad(tx *pg.Tx, _ time.Time, limit int) (int, []Member, error) {
	return byAnchors(tx, limit, func(k source.Known, set anchor.Set) string {
		for _, v := range k.Validate(set) {
			if v.Result == anchor.Overbroad {
				return fmt.Sprintf("%s matches %d files", v.Anchor, v.Count)
			}
		}
		return ""
	})
}
