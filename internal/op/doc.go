// Package op is the kernel: what a person or an agent can do is one [Operation], defined once, and every surface is read
// off it. A [Spec] names the operation, its access rule, its words, its route and its command; the input and output types
// give the schemas; one pipeline in [Registry.Call] runs each call: find, resolve the workspace and the live role, check
// scope and role, validate, open the transaction, run the handler, encode.
//
// It refuses to know any noun of the product and any transport: no handler, no HTTP, no MCP lives here.
package op
