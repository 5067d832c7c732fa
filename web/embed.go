// Package web owns the bytes of the console: the files that Vite builds into
// dist, embedded in the binary. It refuses to know anything about HTTP; headers,
// nonces and caching belong to the package that serves it.
//
// The built files are not committed. A clean checkout compiles all the same and
// then serves one page that says how to build them.
package web

import (
	"embed"
	"io/fs"
)

// embedded holds dist (at least its .gitkeep) and the page that stands in for it.
//
//go:embed all:dist placeholder.html
var embedded embed.FS

const (
	index       = "index.html"
	placeholder = "placeholder.html"
)

// NoncePlaceholder is the text in index.html that the server replaces, in each
// response, with the nonce it also allows in the style-src of its
// Content-Security-Policy.
const NoncePlaceholder = "__CSP_NONCE__"

// Built reports whether the binary carries the console rather than the
// placeholder page alone.
func Built() bool {
	return built(embedded)
}

// Files returns the console's files, with index.html at the root. When the
// console is not built, index.html is the placeholder page and the only file.
func Files() fs.FS {
	return files(embedded)
}

func built(all fs.FS) bool {
	info, err := fs.Stat(all, "dist/"+index)
	return err == nil && info.Mode().IsRegular()
}

func files(all fs.FS) fs.FS {
	if !built(all) {
		return unbuilt{all}
	}
	dist, err := fs.Sub(all, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path, and fs.Sub fails for nothing else
	}
	return dist
}

// unbuilt is a file system of one file.
type unbuilt struct{ all fs.FS }

// Open answers index.html with the placeholder page and refuses every other name.
func (u unbuilt) Open(name string) (fs.File, error) {
	if name != index {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.all.Open(placeholder)
}
