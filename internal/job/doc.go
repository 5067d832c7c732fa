// Package job owns work that happens after a transaction: it is enqueued in the same transaction as what caused it, worked by
// any process, and scheduled.
//
// It refuses to be called for anything that could be done in the transaction itself. Nothing of the product needs it yet.
package job
