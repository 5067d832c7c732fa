// Package restapi owns the HTTP side of the product beside MCP and OAuth: the routes read off the operations, the session,
// set-up and confirmation endpoints of the console, problem+json, the pages of the console and the manual, health and
// metrics, and the limits per address and credential.
//
// It translates bytes. It refuses to hold a rule of the product, and never sees the database.
package restapi
