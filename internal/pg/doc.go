// Package pg owns the doors to the database. There are four, and a handle never leaves the one it came through:
//
//   - [DB.Workspace] is a transaction in one workspace, entered as a [tenant.Actor]: row-level security is in force for
//     that workspace and person, and the role the actor holds is the one read inside the very transaction.
//   - [DB.System] is a transaction over the global tables (people, sessions, clients). It sees no row of any workspace.
//   - [DB.Public] is a transaction of somebody without an account: it enters no workspace, and reads what an owner opened.
//   - [DB.Read] sends its queries and the entry into the workspace as one batch, in one round trip, read-only.
//
// It translates database errors into faults once, retries what the database asks to retry, and applies migrations.
//
// It refuses to hand out a connection, except to the queue of jobs, to hold session-level settings (so that a transaction-mode pooler may stand in
// between), and to know any table beyond those the doors need.
package pg
