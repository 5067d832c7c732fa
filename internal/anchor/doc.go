// Package anchor owns the claims that topics make on code: one dialect of
// patterns, how a pattern is read and put in canonical form, which files it
// matches, whether it is too big, and the index that matches very many of them
// at once.
//
// # The dialect
//
// A text is a glob (services/**/*.go), a file (cmd/tool/main.go) or a symbol in
// a file (cmd/tool/main.go#run, store.go#Store.Close). A leading ! makes it an
// exclusion. Matching is that of doublestar: * and ? stay inside one folder,
// ** as a whole segment stands for any number of folders, none included, and
// dir/** matches dir itself. (A negated class is doublestar's too, so [!a] can
// stand for a slash.) What people write differs from place to place, so a text
// is brought to canonical form first and only that form is ever matched:
//
//   - Unicode is NFC and case counts.
//   - Braces are expanded, to at most MaxAlternatives patterns.
//   - "./", "/" at the front, doubled slashes and "." segments go.
//   - A text without any slash matches at any depth: Makefile is **/Makefile.
//     A slash anywhere in the text, also in front or behind, ties all of it to
//     the root.
//   - A trailing slash means the folder: deploy/ is deploy/**. A lone . or / is
//     the root folder, **.
//   - A plain path can be a file or a folder and nothing but the tree can tell,
//     so it stands for both: src/api is src/api and src/api/**.
//   - Repeated ** segments are one.
//
// Refused with the place: backslashes, classes that are not closed, empty,
// reversed, POSIX or hold a slash, braces without their partner, ".." segments,
// control characters.
//
// # What it refuses to know
//
// The package is pure. It reads no file, asks no repository for its tree, and
// extracts no paths from prose. Anchor.Repo is carried and never interpreted:
// callers pick a repository's anchors with Set.In.
package anchor
