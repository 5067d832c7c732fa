// Package measure owns how well retrieval answers: it reads a collection with questions and judgements, asks the index and
// ranking of package retrieve as the tool would, asks plain BM25 the same, and computes the figures of both.
//
// It refuses to rank, to know a database, and to mend a set: a file that does not have the form below is an error with its
// line, because a figure of half a set is worse than none.
//
// A set has up to four files. Documents, questions and labels are JSON Lines, judgements are tab-separated values; what
// their fields mean stands at [Document], [Question], [Judgement] and [Label]. Unknown fields are passed over.
package measure
