// Package cli owns the command line client: its commands are read off the embedded catalogue, so that a verb has the
// fields, the limits and the words of its operation. Next to those it has what only makes sense on this machine: sign-in,
// import and export of files, the managed block of AGENTS.md, and the stdio bridge.
//
// It is an HTTP client and refuses to know the database and the rules of the domain: what an operation allows is said by
// the catalogue before the network, and by the server after it.
package cli
