package git

import (
	"context"
	"errors"
	"slices"

	"driftless/internal/drift/cite"
	"driftless/internal/source/repo"
)

// wordContent is the longest file that words are looked for in, in bytes.
const wordContent = 1 << 20

var errAllFound = errors.New("every word is found")

// Words looks for words in the code of a tree, and tells of each a file that has it. Whole is false where contents are missing here, so
// that a word that was not found may stand in one of them.
func (c Checkout) Words(ctx context.Context, tree repo.Tree, words []string) (found map[string]string, whole bool, err error) {
	open := map[string]bool{}
	for _, w := range words {
		open[w] = true
	}
	paths := map[string]string{}
	var ids []string
	for _, f := range tree {
		if _, twice := paths[f.Blob]; cite.Code(f.Path) && !twice && f.Size <= wordContent {
			paths[f.Blob] = f.Path
			ids = append(ids, f.Blob)
		}
	}
	found, seen := map[string]string{}, 0
	err = c.Blobs(ctx, ids, wordContent, func(id string, content []byte) error {
		seen++
		cite.Find(content, open, func(word string) {
			if _, known := found[word]; !known {
				found[word] = paths[id]
			}
		})
		for word := range found {
			delete(open, word)
		}
		if len(open) == 0 {
			return errAllFound
		}
		return nil
	})
	if errors.Is(err, errAllFound) {
		return found, true, nil
	}
	return found, seen == len(slices.Compact(ids)), err
}
