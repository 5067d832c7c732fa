// Package drift owns the evidence that something a topic relies on has changed: what arrives from repositories and from local
// changes becomes findings on topics, and those decide whether a topic is fresh, touched, to be reviewed or broken. It also
// says what no topic covers.
//
// It stands below topics, knows of one that it has anchors and words, and asks the tables for no more. It refuses to judge:
// drift is graded evidence for a person, and nobody but a person closes it, unless the content itself comes back.
package drift
