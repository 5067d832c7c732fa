// Package screen looks at foreign text before it is stored. It owns three
// questions: does the text carry a credential ([Secrets]), does it carry
// characters that a person cannot see ([Strip], [Valid]), and does it give
// orders to an artificial reader ([Instructions]).
//
// It refuses to decide: whether a secret is an error, or a warning reaches a
// reviewer, is the caller's business. It is pure, keeps no state, logs nothing,
// never returns a secret in full, and takes time linear in the text.
//
// Offsets are byte offsets into the text as given, half open.
package screen
