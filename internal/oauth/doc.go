// Package oauth owns the authorization server: what it says about itself, clients and how they register, the question a
// person is asked, codes, tokens and their end. It also turns an access token into a [tenant.Caller].
//
// It follows OAuth 2.1 as the MCP authorization specification 2026-07-28 profiles it, with RFC 7009 (revocation), RFC 7591
// (registration), RFC 7636 (PKCE), RFC 7662 (introspection), RFC 8252 (native applications), RFC 8414 and RFC 9728
// (metadata), RFC 8707 (resource), RFC 9207 (issuer in answers), RFC 9700 (security) and client id metadata documents.
//
// The manager of go-oauth2 makes codes and exchanges them. A manager is made for one transaction, over stores bound to
// that transaction, so that what the library does in several calls happens as a whole or not at all. Its HTTP handlers,
// its client authentication and its refresh are not used: they redirect before they know where to, and refresh for anyone.
//
// It refuses to redirect before a client and its address are known, to keep a secret in the clear, to take a token from a
// query string, to issue anything that outlives its grant, and to decide what a scope permits.
package oauth
