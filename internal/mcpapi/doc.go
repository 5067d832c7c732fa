// Package mcpapi owns the MCP endpoint: it translates between the protocol, in all its revisions, and the operations.
//
// Everything that depends on who is calling is decided in the guard, before the protocol library sees the request: method,
// Host, Origin, size, credential, limits and scopes. The library's server is shared by all callers and keeps nothing about
// any of them: its sessions stay unused, and no stream outlives the call it answers. What a client is asked in the middle of its
// call waits in the database, for the person and the session that were asked, and any process takes the answer.
//
// It refuses to hold a rule of the product, and never sees the database.
package mcpapi
