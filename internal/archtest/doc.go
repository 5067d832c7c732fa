// Package archtest owns the rules of the house as tests: which package may import which, where the mapper may appear, how
// long a file may be, that every package says what it owns, and that the schema of the database keeps its rules.
//
// It refuses to hold any code but tests.
package archtest
