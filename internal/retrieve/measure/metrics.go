package measure

import (
	"cmp"
	"math"
	"slices"
)

// depth is how many rows are judged.
const depth = 10

// grades are the judgements of one question, by document.
type grades map[string]int

// relevant is how many documents answer at all.
func (g grades) relevant() int {
	n := 0
	for _, grade := range g {
		if grade > 0 {
			n++
		}
	}
	return n
}

// ndcg is the normalised discounted cumulative gain of the first ten with the grade as gain (Järvelin and Kekäläinen,
// "Cumulated gain-based evaluation of IR techniques", 2002, as trec_eval computes ndcg_cut).
func (g grades) ndcg(got []string) float64 {
	var ideal []int
	for _, grade := range g {
		ideal = append(ideal, grade)
	}
	slices.SortFunc(ideal, func(a, b int) int { return cmp.Compare(b, a) })
	var best, sum float64
	for i, grade := range ideal[:min(len(ideal), depth)] {
		best += float64(grade) / math.Log2(float64(i+2))
	}
	for i, id := range got[:min(len(got), depth)] {
		sum += float64(g[id]) / math.Log2(float64(i+2))
	}
	if best == 0 {
		return 0
	}
	return sum / best
}

// recall is the share of the documents that answer among the first k. Of more than k that answer, k are all there can be.
func (g grades) recall(got []string, k int) float64 {
	n := 0
	for _, id := range got[:min(len(got), k)] {
		if g[id] > 0 {
			n++
		}
	}
	return float64(n) / float64(max(1, min(k, g.relevant())))
}

// reciprocal is one by the place of the first document that answers, 0 without one among the first ten.
func (g grades) reciprocal(got []string) float64 {
	for i, id := range got[:min(len(got), depth)] {
		if g[id] > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}
