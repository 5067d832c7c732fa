// Package ask owns cited answers from whole topics, and the ingest of documents into drafts.
//
// It refuses to answer from anything it did not read. It has no operations yet.
package ask
