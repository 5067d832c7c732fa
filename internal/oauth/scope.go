package oauth

import (
	"slices"
	"strings"

	"driftless/internal/tenant"
)

// offlineAccess is asked for by most clients and means nothing here: a refresh token is given to every client that may use
// one. It is listed in the metadata of the authorization server only, never in a challenge (SEP-2207).
const offlineAccess = "offline_access"

// parseScopes reads a scope parameter (RFC 6749 §3.3). Scopes that are not ours are dropped, repeated ones count once; the
// order is that of [tenant.Scopes]. foreign says that one was dropped that could have meant something.
func parseScopes(text string) (known []tenant.Scope, foreign bool) {
	words := strings.Fields(text)
	for _, scope := range tenant.Scopes() {
		if slices.Contains(words, string(scope)) {
			known = append(known, scope)
		}
	}
	for _, word := range words {
		if word != offlineAccess && !slices.Contains(tenant.Scopes(), tenant.Scope(word)) {
			foreign = true
		}
	}
	return known, foreign
}

func joinScopes(scopes []tenant.Scope) string { return strings.Join(scopeWords(scopes), " ") }

func scopeWords(scopes []tenant.Scope) []string {
	words := make([]string, 0, len(scopes))
	for _, scope := range scopes {
		words = append(words, string(scope))
	}
	return words
}

func scopesOf(words []string) []tenant.Scope {
	scopes := make([]tenant.Scope, 0, len(words))
	for _, word := range words {
		scopes = append(scopes, tenant.Scope(word))
	}
	return scopes
}

// within reports whether every element of part is in whole.
func within[T comparable](part, whole []T) bool {
	return !slices.ContainsFunc(part, func(x T) bool { return !slices.Contains(whole, x) })
}
