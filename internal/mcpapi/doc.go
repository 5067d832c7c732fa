// Package mcpapi owns the MCP endpoint: it translates between the protocol, in all its revisions, and the operations.
//
// Everything that depends on who is calling is decided in the guard, before the protocol library sees the request: method,
// Host, Origin, size, credential, limits and scopes. The library's server is shared by all callers and keeps nothing about
// any of them: no sessions, no streams, no requests from server to client.
//
// It refuses to hold a rule of the product, and never sees the database.
package mcpapi
