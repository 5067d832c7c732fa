package drift

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"

	"driftless/internal/anchor"
	"driftless/internal/drift/cite"
)

const (
	// reviewScore is the share of the anchored lines from which somebody should look.
	reviewScore = 0.10
	// signatureWeight is what a changed signature adds to the share of a symbol.
	signatureWeight = 0.5
)

// judge says what the targets of one topic in one branch amount to: at most one finding for each anchor. It is pure; what
// it does not know, as with files of which only names were heard, has no score.
func judge(targets []target) []found {
	byAnchor := map[string][]target{}
	for _, t := range targets {
		key := t.role + "\x00" + string(t.kind) + "\x00" + t.anchor
		byAnchor[key] = append(byAnchor[key], t)
	}
	var out []found
	for _, group := range byAnchor {
		slices.SortFunc(group, func(a, b target) int { return cmp.Compare(a.key(), b.key()) })
		var f found
		var is bool
		switch first := group[0]; {
		case first.kind == cite.Word:
			f, is = judgeWord(first)
		case first.role == cited && first.symbol == "":
			f, is = judgeCited(first.trail())
		case first.role == cited:
			f, is = judgeCitedSymbol(first)
		case first.symbol != "":
			f, is = judgeSymbol(first)
		default:
			f, is = judgeFiles(group)
		}
		if is {
			f.anchor = group[0].anchor
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b found) int { return cmp.Compare(a.anchor, b.anchor) })
	return out
}

// judgeCited is about what the text names: it has to be there, whatever it says.
func judgeCited(t cite.Trail) (found, bool) {
	switch t.Verdict() {
	case cite.Dead:
		return found{kind: DeadReference, state: Broken, paths: []string{t.Path}, fix: "the text cites " + t.Path + ", which is gone"}, true
	case cite.Moved:
		return found{kind: Moved, state: Review, paths: []string{t.Now}, fix: "cite " + t.Now + " instead of " + t.Path}, true
	case cite.Holds:
	}
	return found{}, false
}

// judgeWord is about a name, flag or key that the text cites: it has to stand somewhere in the code, if it ever did.
func judgeWord(t target) (found, bool) {
	if t.blob == "" || !t.gone() {
		return found{}, false
	}
	return found{kind: DeadReference, state: Broken, paths: []string{t.path}, fix: "the text cites " + t.anchor + ", which stands nowhere in the code any more"}, true
}

// judgeCitedSymbol is about a symbol that the text names: it has to be in its file, whatever it does.
func judgeCitedSymbol(t target) (found, bool) {
	switch {
	case t.gone():
		return found{kind: DeadReference, state: Broken, paths: []string{t.path}, fix: "the text cites " + t.anchor + ", and " + t.path + " is gone"}, true
	case t.blob != t.nowBlob && t.known && t.absent && !t.wasAbsent:
		return found{kind: DeadReference, state: Broken, paths: []string{t.nowPath}, fix: "the text cites " + t.anchor + ", and " + t.nowPath + " has no " + t.symbol + " any more"}, true
	case t.nowPath != t.path:
		return found{kind: Moved, state: Review, paths: []string{t.nowPath}, fix: "cite " + t.nowPath + "#" + t.symbol + " instead of " + t.anchor}, true
	}
	return found{}, false
}

func judgeSymbol(t target) (found, bool) {
	switch {
	case t.gone():
		return found{kind: Removed, state: Broken, paths: []string{t.path}, fix: "anchor where " + t.symbol + " went, or archive the topic"}, true
	case t.blob == t.nowBlob, t.known && (t.identical || t.wasAbsent):
		return moved(t)
	case !t.known:
		return found{kind: Changed, state: Touched, paths: []string{t.nowPath}}, true
	case t.absent:
		return found{
			kind: Removed, state: Broken, score: ptr(1), paths: []string{t.nowPath},
			fix: t.nowPath + " has no " + t.symbol + " any more; anchor where it went, or archive the topic",
		}, true
	case t.whole:
		f := found{kind: Changed, state: Touched, score: ptr(t.share), paths: []string{t.nowPath}, fix: "the symbols of this file could not be read, so all of it was compared"}
		if t.share >= reviewScore {
			f.state = Review
		}
		return f, true
	case t.resigned:
		return found{kind: SignatureChanged, state: Review, score: ptr(t.share + signatureWeight), paths: []string{t.nowPath}}, true
	}
	return found{kind: Changed, state: Review, score: ptr(t.share), paths: []string{t.nowPath}}, true
}

// moved is about a target that is what it was, perhaps elsewhere.
func moved(t target) (found, bool) {
	if t.nowPath == t.path {
		return found{}, false
	}
	to := t.nowPath
	if t.symbol != "" {
		to += "#" + t.symbol
	}
	return found{kind: Moved, state: Review, paths: []string{t.nowPath}, fix: "anchor " + to + " instead of " + t.anchor}, true
}

// judgeFiles is about the files under one glob or path. A file weighs by its size when the topic was vouched for.
func judgeFiles(group []target) (found, bool) {
	a, err := anchor.Parse(group[0].anchor)
	if err != nil {
		return found{}, false
	}
	var total, changed float64
	var paths, went []string
	there, unknown := 0, false
	for _, t := range group {
		weight := float64(max(t.size, t.nowSize, 1))
		total += weight
		switch {
		case t.gone():
			changed += weight
			paths = append(paths, t.path)
			continue
		case !a.Match(t.nowPath):
			went = append(went, t.nowPath)
		default:
			there++
		}
		switch {
		case t.blob == t.nowBlob, t.known && t.identical:
		case !t.known && t.blob != "":
			unknown = true
			paths = append(paths, t.nowPath)
		case t.blob == "":
			changed += weight
			paths = append(paths, t.nowPath)
		default:
			changed += weight * t.share
			paths = append(paths, t.nowPath)
		}
	}
	score := changed / total
	switch {
	case there == 0 && len(went) == 0:
		return found{kind: Removed, state: Broken, score: ptr(1), paths: paths, fix: "nothing matches it any more; anchor what took its place, or archive the topic"}, true
	case there == 0:
		return found{kind: Moved, state: Review, score: ptr(score), paths: went, fix: "anchor " + together(went) + " instead of " + group[0].anchor}, true
	case len(paths) == 0 && len(went) == 0:
		return found{}, false
	}
	f := found{kind: Changed, state: Touched, score: ptr(score), paths: slices.Concat(paths, went)}
	if score >= reviewScore {
		f.state = Review
	} else if unknown {
		f.score = nil
	}
	return f, true
}

// together is one path, or the folder that holds all.
func together(paths []string) string {
	if len(paths) == 1 {
		return paths[0]
	}
	folder := paths[0]
	for _, p := range paths {
		for folder != "" && !strings.HasPrefix(p, folder+"/") {
			folder = folder[:max(0, strings.LastIndexByte(folder, '/'))]
		}
	}
	if folder == "" {
		return strings.Join(paths[:min(len(paths), 3)], ", ")
	}
	return folder + "/"
}

func ptr(score float64) *float64 {
	score = math.Round(1000*min(score, 1)) / 1000
	return &score
}

// group puts targets together by topic.
func group(targets []target) map[uuid.UUID][]target {
	out := map[uuid.UUID][]target{}
	for _, t := range targets {
		out[t.topic] = append(out[t.topic], t)
	}
	return out
}
