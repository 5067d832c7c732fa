// Package publish owns what leaves a workspace by an owner's switch: shared pages, the inbox, public knowledge.
//
// It refuses to show anything that is not reviewed and opened on purpose. Nothing can be shared yet.
package publish
