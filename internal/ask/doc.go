// Package ask owns cited answers: a question in words is answered from whole topics, with the revision and the trust of each
// that was used. Without a model the answer is extractive: the best passages, word for word.
//
// It refuses to answer from anything that it did not read, or that the one who asks may not read, and to answer when nothing
// is relevant.
package ask
