package cli

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"driftless/internal/anchor/fingerprint"
	"driftless/internal/source/repo"
)

const (
	// bundleVersion is the form of bundles that this program writes and reads.
	bundleVersion = 1
	// bundleMax is how long a bundle may be when it is unpacked, in bytes, and bundledMax how many contents it has fingerprints of.
	bundleMax  = 512 << 20
	bundledMax = 20_000
)

// bundle is a sync that was not sent: names, sizes and hashes, no text.
type bundle struct {
	Version  int            `json:"driftless_bundle"`
	Sync     map[string]any `json:"sync"`
	Contents []bundled      `json:"contents"`
}

// bundled are the fingerprints of one content.
type bundled struct {
	Blob string `json:"blob"`
	// Complete says that a symbol which is not among them is not in the file.
	Complete bool      `json:"complete,omitempty"`
	Prints   []printed `json:"prints"`
}

// writeBundle writes what a sync would send, and the fingerprints that the server may ask for then: of what changed since a commit.
func (c *client) writeBundle(ctx context.Context, s snapshot, flags syncFlags) error {
	b := bundle{Version: bundleVersion, Sync: s.input(), Contents: []bundled{}}
	since, blobs := "", []want(nil)
	if flags.since != "" {
		var ok bool
		if since, ok = s.checkout.Resolve(ctx, flags.since); !ok {
			return usagef("sync --since: %s is not in this clone", flags.since)
		}
		var err error
		if blobs, err = s.changedBlobs(ctx, since); err != nil {
			return err
		}
	}
	if err := s.addFiles(ctx, b.Sync, since); err != nil {
		return err
	}
	if left := len(blobs) - bundledMax; left > 0 {
		c.say("%d contents are left out; what relies on them will be marked as touched", left)
		blobs = blobs[:bundledMax]
	}
	paths, ids := map[string]string{}, make([]string, 0, len(blobs))
	for _, w := range blobs {
		paths[w.Blob] = w.Path
		ids = append(ids, w.Blob)
	}
	err := s.checkout.Blobs(ctx, ids, fingerprint.ContentMax, func(id string, content []byte) error {
		prints, complete := fingerprint.All(paths[id], content)
		one := bundled{Blob: id, Complete: complete}
		for _, p := range prints {
			one.Prints = append(one.Prints, wire(id, p))
		}
		b.Contents = append(b.Contents, one)
		return nil
	})
	if err != nil {
		return err
	}
	if err := b.save(flags.bundle); err != nil {
		return err
	}
	return c.show(map[string]any{"bundle": flags.bundle, "repository": s.name, "branch": s.branch, "head": s.head, "fingerprints": len(b.Contents)})
}

// changedBlobs are both contents of each file that differs since a commit.
func (s snapshot) changedBlobs(ctx context.Context, since string) ([]want, error) {
	changes, err := s.checkout.Changes(ctx, since, s.head)
	if err != nil {
		return nil, err
	}
	before, err := s.checkout.Tree(ctx, since)
	if err != nil {
		return nil, err
	}
	after, err := s.checkout.Tree(ctx, s.head)
	if err != nil {
		return nil, err
	}
	var out []want
	add := func(tree repo.Tree, path string) {
		if f, is := tree.Find(path); is {
			out = append(out, want{Blob: f.Blob, Path: path})
		}
	}
	for _, change := range changes {
		add(before, cmp.Or(change.OldPath, change.Path))
		add(after, change.Path)
	}
	slices.SortFunc(out, func(a, b want) int { return cmp.Or(cmp.Compare(a.Blob, b.Blob), cmp.Compare(a.Path, b.Path)) })
	return slices.CompactFunc(out, func(a, b want) bool { return a.Blob == b.Blob }), nil
}

func (b bundle) save(path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	defer func() {
		if closed := f.Close(); err == nil && closed != nil {
			err = fmt.Errorf("write the bundle: %w", closed)
		}
	}()
	z := gzip.NewWriter(f)
	if err := json.NewEncoder(z).Encode(b); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return nil
}

func loadBundle(path string) (b bundle, err error) {
	f, err := os.Open(path)
	if err != nil {
		return b, usagef("read the bundle: %v", err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return b, usagef("%s is no bundle: %v", path, err)
	}
	if err := json.NewDecoder(io.LimitReader(z, bundleMax)).Decode(&b); err != nil {
		return b, usagef("%s is no bundle, or was cut off: %v", path, err)
	}
	if b.Version != bundleVersion || len(b.Sync) == 0 {
		return b, usagef("%s is no bundle of this form; write it with this version of the program", path)
	}
	return b, nil
}

// sendBundle sends what was written elsewhere.
func (c *client) sendBundle(ctx context.Context, path string) error {
	b, err := loadBundle(path)
	if err != nil {
		return err
	}
	byBlob := make(map[string]bundled, len(b.Contents))
	for _, one := range b.Contents {
		byBlob[one.Blob] = one
	}
	return c.sendSync(ctx, b.Sync, func(answer synced) (map[string]int, error) {
		p, missing := printer{c: c, to: answer, words: []foundWord{}}, 0
		for _, w := range answer.Want {
			one, is := byBlob[w.Blob]
			if !is {
				missing++
			}
			for _, symbol := range w.Symbols {
				if f, told := one.of(symbol); told {
					p.add(f)
				}
			}
			if p.full() {
				if _, err := p.send(ctx, true); err != nil {
					return nil, err
				}
			}
		}
		if missing > 0 {
			c.say("%d contents are not in the bundle; what relies on them is marked as touched. Write it --since the commit that was synced before", missing)
		}
		return p.send(ctx, false)
	})
}

// of is the fingerprint of a symbol. Where nothing tells the symbols of a file, the file stands for each.
func (one bundled) of(symbol string) (printed, bool) {
	for _, f := range one.Prints {
		if f.Symbol == symbol {
			return f, true
		}
	}
	if len(one.Prints) == 0 {
		return printed{}, false
	}
	f := one.Prints[0]
	if one.Complete {
		f = printed{Blob: one.Blob, Absent: true, Method: f.Method}
	}
	f.Symbol = symbol
	return f, true
}
