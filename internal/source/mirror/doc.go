// Package mirror owns bare clones of repositories that somebody else named by a URL: which URLs are taken, how the git program is led
// there, and how much it may bring. A clone has commits and folders; the contents of files come only when they are asked for.
//
// A clone is a copy that can be thrown away at any time. The package refuses every way but https and ssh, credentials in a URL, redirects,
// hosts that are not on the public internet or in the networks of the configuration, and everything that git would run or read on behalf of
// a repository or a person: hooks, submodules, filters, configuration of the machine, prompts.
package mirror
