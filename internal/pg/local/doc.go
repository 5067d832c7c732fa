// Package local runs the private PostgreSQL that Driftless uses when no
// database is configured.
//
// It owns one folder inside the data folder: it finds the server programs,
// creates the cluster, runs the server as a direct child of this process,
// starts it again when it crashes, and stops it cleanly. It owns the three
// guards around that folder as well: a lock against a second process of ours,
// a check of the pid file PostgreSQL leaves behind, and a check of the major
// version that made the cluster.
//
// It refuses to listen on the network, to run the server as root, to touch a
// cluster that another account owns or another major version made, and to hand
// out a superuser. It knows nothing of the schema: migrations and grants belong
// to package pg.
//
// The clients are trusted by PostgreSQL without a password. That is safe only
// because the one socket lies in a folder of mode 0700 that belongs to the
// account the server runs as: no other account but root can reach it.
package local
