// Package job owns work that happens after a transaction. It is three functions: [Enqueue] puts a job down in the same
// transaction as what caused it, [Work] says how a kind of job is done, [Schedule] puts one down at intervals. Behind them is
// River, whose tables are in PostgreSQL beside everything else; any process of the server may do any job, and one of them
// schedules.
//
// A job is done at least once: a process may die between the work and the note that it was done. So the work looks again at
// what it is about, and does nothing where that is settled. A job that fails is tried again after 1, 16, 81 … seconds, up to
// 16 times in about two days.
//
// It refuses anything that could be done in the transaction itself, and arguments that hold more than ids: the table of jobs
// belongs to no workspace.
package job
