// Package lexical owns the text side of retrieval: it analyses topics and
// questions in English and Spanish, keeps inverted indexes in memory, and ranks
// documents by BM25F. A search takes one index or a [Union] of several.
//
// It refuses everything else. It knows no workspace, no trust, no drift and no
// database; the index is derived and is lost with the process. It stores no
// text, only terms, so it cannot print a snippet. It makes no model call.
//
// The ranking is BM25F (Zaragoza et al., "Microsoft Cambridge at TREC 13",
// 2004): the frequencies of a term in the fields of a document are normalised
// by the length of each field, weighted, added and only then saturated. On top
// of it stands a preference for documents that hold more of the question, and
// a [Floor] that keeps out what merely shares common words with it.
//
// Everything is deterministic: an index that was changed document by document
// answers exactly like one built afresh from the same documents.
package lexical
